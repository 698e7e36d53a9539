//! What a run prints: the tables and sentences of its report.

use crate::analysis::{Findings, Readings, Results};
use crate::report::answer::{Answer, answers};
use crate::report::notes::notes;
use crate::report::table::{Detail, summary_table};
use crate::text::{TextTable, counted};
use std::collections::BTreeMap;

/// What fits on a screen with the sentences around it: rows of the summary alone, and with other tables below it.
const MOST_ROWS: usize = 24;
const MOST_ROWS_OF_SEVERAL: usize = 10;
const MOST_COMPARISONS: usize = 6;
const MOST_RANKS: usize = 6;
const MOST_NOTES: usize = 3;

/// The report as paragraphs of text, about a screen of it.
pub fn paragraphs(findings: &Findings) -> Vec<String> {
    let Findings { results, comparisons, ranks, readings } = findings;
    let experiment = results.experiment;
    let order = if results.has_settings() { "setting by setting and " } else { "" };
    let seeds = counted(experiment.seeds as usize, "seed");
    let title = format!("{}: ROC-AUC of W on the test set, {seeds}, {order}best first", experiment.name);
    // Over few settings ranks cannot show a difference; they are only on the page.
    let ranks = ranks.as_ref().filter(|ranks| ranks.can_tell_apart());
    let most = if comparisons.is_some() || ranks.is_some() { MOST_ROWS_OF_SEVERAL } else { MOST_ROWS };
    let summary = shortened(summary_table(results, Detail::Terminal), &shown_lines(results, most), "summary.csv");
    let mut paragraphs = vec![title, summary];
    let first = |rows: usize| (0..rows).collect::<Vec<_>>();
    if let Some(comparisons) = comparisons {
        paragraphs.extend([
            comparisons.heading(),
            shortened(comparisons.table(), &first(MOST_COMPARISONS), "comparisons.csv"),
        ]);
    }
    if let Some(ranks) = ranks {
        paragraphs.extend([ranks.heading(), shortened(ranks.table(), &first(MOST_RANKS), "ranks.csv")]);
    }
    paragraphs.extend(answers(findings).into_iter().map(|Answer { setting, sentence }| match &*setting {
        "" => sentence,
        setting => format!("{setting}: {sentence}"),
    }));
    paragraphs.extend(readings.iter().flat_map(Readings::sentences).map(|(_, sentence)| sentence));
    let notes = notes(results);
    let more_notes = notes.len().saturating_sub(MOST_NOTES);
    paragraphs.extend(notes.into_iter().take(MOST_NOTES));
    paragraphs.extend((more_notes > 0).then(|| format!("{} in report.html.", counted(more_notes, "more note"))));
    paragraphs
}

/// The lines of the summary that are shown: of many settings, the best of each.
fn shown_lines(results: &Results, most: usize) -> Vec<usize> {
    if results.lines.len() <= most {
        return (0..results.lines.len()).collect();
    }
    let of_each = (most / results.experiment.settings.len()).max(1);
    let mut shown: Vec<usize> = Vec::new();
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for (index, line) in results.lines.iter().enumerate() {
        let count = counts.entry(line.setting).or_default();
        *count += 1;
        shown.extend((*count <= of_each).then_some(index));
    }
    shown.truncate(most);
    shown
}

/// Some rows of a table, and below it how many others there are.
fn shortened(mut table: TextTable, rows: &[usize], file: &str) -> String {
    match table.keep(rows) {
        0 => table.terminal(),
        1 => format!("{}\n1 more row is in {file} and report.html.", table.terminal()),
        others => format!("{}\n{others} more rows are in {file} and report.html.", table.terminal()),
    }
}
