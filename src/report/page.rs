//! `report.html`: one file that needs nothing else.

use crate::analysis::{FailureGroup, Findings, Readings, Results};
use crate::data::BuiltIn;
use crate::math::stats::FEWEST_PAIRS;
use crate::report::answer::{answers, question};
use crate::report::notes::{notes, seeds_text};
use crate::report::plot::Drawing;
use crate::report::table::page_table;
use crate::run::{Manifest, SampleSizes};
use crate::text::TextTable;
use minijinja::{AutoEscape, Environment, Value, context};

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// A table of the page has no more rows than this, or browsers would be slow.
const MOST_ROWS: usize = 5000;
/// More groups of failed cells than this are only in `cells.csv`.
const MOST_FAILURES: usize = 200;

/// The page as text. `files` are those that stand beside it, with what they hold.
pub fn page(
    findings: &Findings,
    manifest: &Manifest,
    drawings: &[Drawing],
    files: &[(&str, &str)],
) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.add_filter("code", with_code);
    environment.add_template("page", TEMPLATE)?;
    let results = findings.results;
    let answers: Vec<Value> = answers(findings)
        .into_iter()
        .map(|answer| context! { setting => answer.setting, sentence => answer.sentence })
        .collect();
    let papers: Vec<Value> = findings
        .readings
        .iter()
        .flat_map(Readings::sentences)
        .map(|(verdict, sentence)| context! { verdict => verdict.words(), sentence })
        .collect();
    let figures: Vec<Value> = drawings
        .iter()
        .map(|Drawing { name, title, caption, svg, .. }| context! { name, title, caption, svg })
        .collect();
    let programs: Vec<String> = manifest.computed_by.iter().map(ToString::to_string).collect();
    let files: Vec<Value> = files.iter().map(|(name, what)| context! { name => *name, what => *what }).collect();
    environment.get_template("page")?.render(context! {
        style => STYLE,
        script => SCRIPT,
        name => &results.experiment.name,
        question => question(results),
        notes => notes(results),
        tables => tables(findings),
        failures => failures(results),
        commands => commands(manifest),
        data => data(manifest),
        spec => serde_json::to_string_pretty(&manifest.experiment).unwrap_or_default(),
        answers, papers, figures, programs, files,
    })
}

/// What stands between backticks is code.
fn with_code(text: &str) -> Value {
    let escape =
        |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let parts: Vec<&str> = text.split('`').collect();
    // An odd one out is no pair.
    if parts.len().is_multiple_of(2) {
        return Value::from_safe_string(escape(text));
    }
    let part = |(place, part): (usize, &&str)| {
        if place % 2 == 1 { format!("<code>{}</code>", escape(part)) } else { escape(part) }
    };
    Value::from_safe_string(parts.iter().enumerate().map(part).collect())
}

fn tables(findings: &Findings) -> Vec<Value> {
    let Findings { results, comparisons, ranks, readings } = findings;
    let note = "The 95% interval is that of the mean over seeds, by Student's t and by bootstrap, as if seeds were \
                independent. Splits of one file share rows, so there it says nothing about other data. All methods of a \
                seed share one split.";
    let mut tables = vec![table("results", "Results", "", note, page_table(results), "summary.csv")];
    if let Some(comparisons) = comparisons {
        let note = format!(
            "Seeds to see {}: how many it takes to find a true difference of that size, in a comparison by itself, in four of \
             five experiments; never, where the rows that splits share leave more doubt than that, however many there \
             are. Fewer than {FEWEST_PAIRS} seeds give no verdict.",
            results.experiment.difference
        );
        let (lead, rows) = (comparisons.heading(), comparisons.table());
        tables.push(table("comparisons", "Paired comparison", &lead, &note, rows, "comparisons.csv"));
    }
    if let Some(ranks) = ranks {
        tables.push(table("ranks", "Ranks over settings", &ranks.heading(), "", ranks.table(), "ranks.csv"));
    }
    if let Some(readings) = readings {
        let lead =
            "Where the printed value falls among our seeds; lines in the middle of whose seeds it is come first.";
        let note = "Reproduced: within the middle half of our seeds. Compatible: within the middle 95%. Not reproduced: \
                    outside of it. Not comparable: fewer than 40 seeds with a value, or no more than half. One split in twenty of our own would not be reproduced. What was \
                    printed may have been rounded by half a unit of its last digit.";
        tables.push(table("paper", "The paper's value among ours", lead, note, readings.table(), "paper.csv"));
    }
    let samples = "How many rows each sample has, from the smallest to the largest seed.";
    tables.push(table("samples", "Samples", samples, "", sample_sizes(results), "cells.csv"));
    tables
}

/// A table as the template knows it.
fn table(id: &str, title: &str, lead: &str, note: &str, table: TextTable, file: &str) -> Value {
    let TextTable { header, mut rows, words } = table;
    let left_out = rows.len().saturating_sub(MOST_ROWS);
    rows.truncate(MOST_ROWS);
    context! { id, title, lead, note, header, rows, words, left_out, file }
}

fn sample_sizes(results: &Results) -> TextTable {
    let header = ["setting", "D_Y", "D_U", "D_L", "training", "test"].map(String::from).to_vec();
    let row = |(setting, place): (&crate::spec::Setting, usize)| {
        let cells = results.lines.iter().filter(|line| line.setting == place).flat_map(|line| &line.cells);
        let sizes: Vec<SampleSizes> = cells.filter_map(|(_, outcome)| outcome.sizes).collect();
        let range = |of: fn(&SampleSizes) -> usize| {
            let (low, high) = (sizes.iter().map(of).min(), sizes.iter().map(of).max());
            match low.zip(high) {
                None => "-".to_string(),
                Some((low, high)) if low == high => low.to_string(),
                Some((low, high)) => format!("{low} to {high}"),
            }
        };
        let label = if setting.label.is_empty() { "the only one" } else { &setting.label };
        vec![
            label.to_string(),
            range(|sizes| sizes.interest),
            range(|sizes| sizes.unlabeled),
            range(|sizes| sizes.loyal),
            range(|sizes| sizes.train),
            range(|sizes| sizes.test),
        ]
    };
    TextTable { header, rows: results.experiment.settings.iter().zip(0..).map(row).collect(), words: 1 }
}

fn failures(results: &Results) -> Value {
    let groups = results.failures();
    let count: usize = groups.iter().map(|group| group.seeds.len()).sum();
    let left_out = groups.len().saturating_sub(MOST_FAILURES);
    let shown: Vec<Value> = groups
        .iter()
        .take(MOST_FAILURES)
        .map(|group| {
            let FailureGroup { line, failure, .. } = group;
            let (kind, reason) = (failure.kind.name(), &failure.reason);
            context! { line => *line, kind, reason, seeds => seeds_text(&group.seeds) }
        })
        .collect();
    context! { count, groups => shown, left_out }
}

fn commands(manifest: &Manifest) -> Vec<Value> {
    let commands = [
        ("Run it again, from the folder that the first run was started in", manifest.command.as_str()),
        ("Prove that this machine gives the same bits, RUN being the folder of this page", "doublepu verify RUN"),
        ("Make this page and all that stands beside it again from the stored rows", "doublepu report RUN"),
    ];
    commands.into_iter().map(|(what, command)| context! { what, command }).collect()
}

fn data(manifest: &Manifest) -> Vec<Value> {
    let of_file = |file: &crate::run::DataFile| {
        let card = BuiltIn::named(&file.name).map(|data| data.card);
        context! { name => &file.name, rows => file.rows, sha256 => &file.sha256, card }
    };
    manifest.data.iter().map(of_file).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backticks_in_pairs_are_code_and_nothing_in_a_text_is_markup() {
        let html = |text: &str| with_code(text).to_string();
        assert_eq!(html("see `a<b` & \"c\""), "see <code>a&lt;b</code> &amp; &quot;c&quot;");
        assert_eq!(html("a ` alone <i>"), "a ` alone &lt;i&gt;");
    }
}
