//! What a run prints: the tables and sentences of its report.

use crate::analysis::{Findings, Readings};
use crate::report::answer::{Answer, answers};
use crate::report::notes::notes;
use crate::report::table::{Detail, summary_table};
use crate::text::counted;

/// The report as paragraphs of text.
pub fn paragraphs(findings: &Findings) -> Vec<String> {
    let Findings { results, comparisons, ranks, readings } = findings;
    let experiment = results.experiment;
    let order = if results.has_settings() { "setting by setting and " } else { "" };
    let seeds = counted(experiment.seeds as usize, "seed");
    let title = format!("{}: ROC-AUC of W on the test set, {seeds}, {order}best first", experiment.name);
    let mut paragraphs = vec![title, summary_table(results, Detail::Terminal).terminal()];
    if let Some(comparisons) = comparisons {
        paragraphs.extend([comparisons.heading(), comparisons.table().terminal()]);
    }
    // Over few settings ranks cannot show a difference; they are only on the page.
    if let Some(ranks) = ranks.as_ref().filter(|ranks| ranks.can_tell_apart()) {
        paragraphs.extend([ranks.heading(), ranks.table().terminal()]);
    }
    paragraphs.extend(answers(findings).into_iter().map(|Answer { setting, sentence }| match &*setting {
        "" => sentence,
        setting => format!("{setting}: {sentence}"),
    }));
    paragraphs.extend(readings.iter().flat_map(Readings::sentences).map(|(_, sentence)| sentence));
    paragraphs.extend(notes(results));
    paragraphs
}
