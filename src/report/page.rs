//! `report.html`: one file that needs nothing else.

use crate::analysis::{FailureGroup, Findings, Readings, Results};
use crate::data::BuiltIn;
use crate::math::stats::FEWEST_PAIRS;
use crate::report::answer::{Answer, answers, question};
use crate::report::notes::{notes, seeds_text};
use crate::report::plot::Drawing;
use crate::report::table::{Detail, summary_table};
use crate::run::{DataFile, Manifest, SampleSizes};
use crate::text::{Columns, TextTable};
use minijinja::{AutoEscape, Environment, Value, context};

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// A table of the page has no more rows than this, or browsers would be slow.
const MOST_ROWS: usize = 5000;
/// More groups of failed cells than this are only in `cells.csv`.
const MOST_FAILURES: usize = 200;

/// The page as text. `files` are those beside it, with what they hold.
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
    let Findings { results, readings, .. } = findings;
    let sentences = readings.iter().flat_map(Readings::sentences);
    let failures = results.failures();
    let shown_failures = failures
        .iter()
        .take(MOST_FAILURES)
        .map(|FailureGroup { line, failure, seeds }| (*line, failure.kind.name(), &failure.reason, seeds_text(seeds)));
    let data = manifest.data.iter().map(|DataFile { name, sha256, rows }| {
        let card = BuiltIn::named(name).map(|data| data.card);
        (name, *rows, sha256, card)
    });
    let commands = [
        ("Run it again, from the folder that the first run was started in", &*manifest.command),
        ("Prove that this machine gives the same bits, RUN being the folder of this page", "doublepu verify RUN"),
        ("Make this page and all that stands beside it again from the stored rows", "doublepu report RUN"),
    ];
    // The template unpacks tuples.
    environment.get_template("page")?.render(context! {
        style => STYLE,
        script => SCRIPT,
        name => &results.experiment.name,
        question => question(results),
        answers => answers(findings).into_iter().map(|Answer { setting, sentence }| (setting, sentence)).collect::<Value>(),
        papers => sentences.map(|(verdict, sentence)| (verdict.words(), sentence)).collect::<Value>(),
        notes => notes(results),
        tables => tables(findings),
        figures => drawings.iter().map(|Drawing { name, title, caption, svg, .. }| (name, title, caption, svg)).collect::<Value>(),
        failed => results.failed(),
        failures => shown_failures.collect::<Value>(),
        more_failures => failures.len().saturating_sub(MOST_FAILURES),
        commands => commands.into_iter().collect::<Value>(),
        programs => manifest.computed_by.iter().map(ToString::to_string).collect::<Value>(),
        data => data.collect::<Value>(),
        spec => serde_json::to_string_pretty(&manifest.experiment).unwrap_or_default(),
        files => files.iter().copied().collect::<Value>(),
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
    let part = |(index, part): (usize, &&str)| {
        if index % 2 == 1 { format!("<code>{}</code>", escape(part)) } else { escape(part) }
    };
    Value::from_safe_string(parts.iter().enumerate().map(part).collect())
}

fn tables(findings: &Findings) -> Vec<Value> {
    let Findings { results, comparisons, ranks, readings } = findings;
    let note = "The 95% interval is that of the mean over seeds, by Student's t and by bootstrap, as if seeds were \
                independent. Splits of one file share rows, so there it says nothing about other data. All methods of a \
                seed share one split.";
    let mut tables = vec![table("results", "Results", "", note, summary_table(results, Detail::Page), "summary.csv")];
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
    let sizes = |setting: usize| -> Vec<SampleSizes> {
        let lines = results.lines.iter().filter(|line| line.setting == setting);
        lines.flat_map(|line| &line.cells).filter_map(|(_, outcome)| outcome.sizes).collect()
    };
    let settings = results.experiment.settings.iter().enumerate();
    let rows: Vec<(&str, Vec<SampleSizes>)> =
        settings.map(|(index, setting)| (&*setting.label, sizes(index))).collect();
    let mut table = Columns::of(&rows);
    table.words("setting", |(label, _)| if label.is_empty() { "the only one" } else { label });
    let columns: [(&str, fn(&SampleSizes) -> usize); 5] = [
        ("D_Y", |sizes| sizes.interest),
        ("D_U", |sizes| sizes.unlabeled),
        ("D_L", |sizes| sizes.loyal),
        ("training", |sizes| sizes.train),
        ("test", |sizes| sizes.test),
    ];
    for (name, of) in columns {
        table.numbers(name, |(_, sizes)| {
            let (low, high) = (sizes.iter().map(of).min()?, sizes.iter().map(of).max()?);
            Some(if low == high { low.to_string() } else { format!("{low} to {high}") })
        });
    }
    table.table()
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
