//! What a run or a merge ends with: the report, and what is said of it.

use crate::cli::{Exit, Stop, complain, say};
use crate::report::{self, Answer, Findings, Readings, Results};
use crate::run::{Manifest, Scatter, Store};
use std::path::Path;

/// More lines of failures than this are counted and not listed on the terminal.
const MOST_FAILURES: usize = 10;

/// Writes the report, unless it is there already, and tells what it says.
pub fn conclude(folder: &Path, results: &Results, manifest: Manifest, scatters: &[Scatter]) -> Result<Exit, Stop> {
    let findings = Findings::of(results);
    if !report::is_written(folder, &manifest, scatters) {
        report::write(folder, &findings, manifest, scatters)?;
    }
    tell(folder, &findings);
    Ok(tell_failures(results, "cells.csv lists them all"))
}

/// What was started afresh takes the place of what was there before.
pub fn complete(store: &mut Store) -> Result<(), Stop> {
    if let Some(damaged) = store.complete()? {
        complain(&format!("The journal that was damaged is kept as {}.", damaged.display()));
    }
    Ok(())
}

/// What a report says, and where it is.
pub fn tell(folder: &Path, findings: &Findings) {
    let Findings { results, comparisons, ranks, readings } = findings;
    let experiment = results.experiment;
    say(&format!(
        "{}: ROC-AUC of W on the test part, {} seeds, {}best first\n\n{}\n",
        experiment.name,
        experiment.seeds,
        if results.has_settings() { "setting by setting and " } else { "" },
        report::terminal(results)
    ));
    if let Some(comparisons) = comparisons {
        say(&format!("{}\n\n{}\n", comparisons.heading(), comparisons.table().terminal()));
    }
    // Over few settings ranks tell nothing; the page shows them all the same.
    if let Some(ranks) = ranks.as_ref().filter(|ranks| ranks.can_tell_apart()) {
        say(&format!("{}\n\n{}\n", ranks.heading(), ranks.table().terminal()));
    }
    for Answer { setting, sentence } in report::answers(findings) {
        let place = if setting.is_empty() { String::new() } else { format!("{setting}: ") };
        say(&format!("{place}{sentence}\n"));
    }
    for (_, sentence) in readings.iter().flat_map(Readings::sentences) {
        say(&format!("{sentence}\n"));
    }
    for note in results.notes() {
        say(&format!("{note}\n"));
    }
    say(&format!(
        "{} has it all; beside it are the tables as CSV, Markdown, LaTeX and JSON, and every plot.",
        folder.join("report.html").display()
    ));
}

/// Lists failed cells with their reasons, some of them if there are many; `rest` says where the others are.
pub fn tell_failures(results: &Results, rest: &str) -> Exit {
    let failed = results.failures();
    failed.iter().take(MOST_FAILURES).for_each(|failure| complain(&format!("failed: {failure}")));
    let others: usize = failed.iter().skip(MOST_FAILURES).map(|group| group.seeds.len()).sum();
    if others > 0 {
        complain(&format!("and {others} more cells; {rest}"));
    }
    if failed.is_empty() { Exit::Done } else { Exit::SomeCellsFailed }
}
