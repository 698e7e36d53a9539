//! `report.html`: one file, which loads no other.

use crate::analysis::{FailureGroup, Findings, Readings, Results};
use crate::data::{BuiltIn, FileSchema};
use crate::math::stats::FEWEST_PAIRS;
use crate::report::answer::{Answer, answers, question};
use crate::report::notes::{notes, seeds_text};
use crate::report::plot::Drawing;
use crate::report::table::{Detail, summary_table};
use crate::run::{DataFile, Manifest, SampleSizes};
use crate::text::{Columns, TextTable, visible};
use minijinja::{AutoEscape, Environment, Value, context};

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// The most rows of a table on the page; more would slow browsers down.
const MOST_ROWS: usize = 5000;
/// The most groups of failed cells on the page; `cells.csv` has all.
const MOST_FAILURES: usize = 200;

/// The page as text. `files` are those beside it, with their contents.
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
    let shown_failures = failures.iter().take(MOST_FAILURES).map(|FailureGroup { line, failure, seeds }| {
        (*line, failure.kind.name(), failure.summary(), seeds_text(seeds))
    });
    let data = manifest.data.iter().map(|DataFile { name, sha256, rows, schema }| {
        let card = BuiltIn::named(name).map(|data| data.card);
        (name, *rows, sha256, card, schema_tables(schema))
    });
    let commands = [
        ("Run it again, from the folder where the run was started", &*manifest.command),
        ("Check that this machine computes the same bits; RUN is the folder of this page", "doublepu verify RUN"),
        ("Write this page and the files beside it again from the stored results", "doublepu report RUN"),
    ];
    // The template unpacks tuples.
    let page = environment.get_template("page")?.render(context! {
        style => STYLE,
        script => SCRIPT,
        name => &results.experiment.name,
        question => question(results),
        answers => answers(findings).into_iter().map(|Answer { setting, sentence }| (setting, sentence)).collect::<Value>(),
        papers => sentences.map(|(verdict, sentence)| (verdict.to_string(), sentence)).collect::<Value>(),
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
    })?;
    Ok(visible(&page).into_owned())
}

/// Text between backticks becomes code.
fn with_code(text: &str) -> Value {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let parts: Vec<&str> = escaped.split('`').collect();
    // An odd number of backticks cannot be paired.
    if parts.len().is_multiple_of(2) {
        return Value::from_safe_string(escaped);
    }
    let tagged = |(index, part): (usize, &&str)| {
        if index % 2 == 1 { format!("<code>{part}</code>") } else { part.to_string() }
    };
    Value::from_safe_string(parts.iter().enumerate().map(tagged).collect())
}

fn tables(findings: &Findings) -> Vec<Value> {
    let Findings { results, comparisons, ranks, readings } = findings;
    let note = "The 95% interval is that of the mean over seeds, by Student's t and by bootstrap, and assumes that seeds are \
                independent. Splits of one file share rows, so for them it does not extend to other data. All methods of \
                a seed use the same split.";
    let mut tables = vec![table("results", "Results", "", note, summary_table(results, Detail::Page), "summary.csv")];
    if let Some(comparisons) = comparisons {
        let note = format!(
            "Seeds to see {}: the number of seeds that a single comparison needs to detect a true difference of that size \
             in four of five experiments; `never` if no number is enough, because splits share rows. Fewer than \
             {FEWEST_PAIRS} seeds give no verdict.",
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
            "Where the printed value is among our seeds; rows whose seeds have it nearest to their median come first.";
        let note = "Reproduced: within the middle half of our seeds. Compatible: within the middle 95%. Not reproduced: \
                    outside it. Not comparable: fewer than 40 seeds have a value, or at most half of them. One in twenty of \
                    our own splits would not be reproduced. The printed value may be rounded by half a unit of its last \
                    digit.";
        tables.push(table("paper", "The paper's value among our seeds", lead, note, readings.table(), "paper.csv"));
    }
    let samples = "Number of rows of each sample, as a range over the seeds.";
    tables.push(table("samples", "Samples", samples, "", sample_sizes(results), "cells.csv"));
    tables
}

/// The columns of a file; after the first table, only those that other settings use differently.
fn schema_tables(schema: &[FileSchema]) -> Vec<Value> {
    let table = |(index, of): (usize, &FileSchema)| {
        let lead = if index == 0 { String::new() } else { format!("In {}:", of.settings.join("; ")) };
        let feature_columns = of.feature_columns();
        let TextTable { header, rows, words } =
            if index == 0 { of.table() } else { of.differences(&schema[0]).table() };
        context! { lead, header, rows, words, feature_columns }
    };
    schema.iter().enumerate().map(table).collect()
}

/// A table as the template reads it.
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
    let mut range = |name: &str, of: fn(&SampleSizes) -> usize| {
        table.numbers(name, |(_, sizes)| {
            let (low, high) = (sizes.iter().map(of).min()?, sizes.iter().map(of).max()?);
            Some(if low == high { low.to_string() } else { format!("{low} to {high}") })
        });
    };
    range("D_Y", |sizes| sizes.interest);
    range("D_U", |sizes| sizes.unlabeled);
    range("D_L", |sizes| sizes.loyal);
    range("training", |sizes| sizes.train);
    range("test", |sizes| sizes.test);
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
