//! What a run or a merge ends with: the report, and what is said of it.

use crate::cli::{Exit, Stop, complain, say};
use crate::report::{self, Comparisons, Results};
use crate::run::{Manifest, Scatter, Store};
use std::path::Path;

/// More failures than this are counted and not listed on the terminal.
const MOST_FAILURES: usize = 10;

/// Writes the report, unless it is there already, and tells what it says.
pub fn conclude(folder: &Path, results: &Results, manifest: Manifest, scatters: &[Scatter]) -> Result<Exit, Stop> {
    if !report::is_written(folder, &manifest, scatters) {
        report::write(folder, results, manifest, scatters)?;
    }
    tell(folder, results);
    tell_failures(results, "cells.csv lists them all");
    Ok(if results.has_failures() { Exit::SomeCellsFailed } else { Exit::Done })
}

/// What was started afresh takes the place of what was there before.
pub fn complete(store: &mut Store) -> Result<(), Stop> {
    if let Some(damaged) = store.complete()? {
        complain(&format!("The journal that was damaged is kept as {}.", damaged.display()));
    }
    Ok(())
}

fn tell(folder: &Path, results: &Results) {
    let experiment = results.experiment;
    say(&format!(
        "{}: ROC-AUC of W on the test part, {} seeds, {}best first\n\n{}\n",
        experiment.name,
        experiment.seeds,
        if results.has_settings() { "setting by setting and " } else { "" },
        report::terminal(results)
    ));
    let comparisons = Comparisons::of(results);
    if let Some(comparisons) = &comparisons {
        say(&format!("{}\n\n{}\n", comparisons.heading(), comparisons.table().terminal()));
    }
    for sentence in report::verdicts(results) {
        say(&format!("{sentence}\n"));
    }
    for note in results.notes() {
        say(&format!("{note}\n"));
    }
    let folder = folder.display();
    say(&format!("{folder}/report.html has it all; beside it are cells.csv, summary.csv, summary.md, summary.tex,"));
    let compared = comparisons.map_or("", |_| "comparisons.csv, comparisons.md, ");
    let trained = if results.has_history() { "history.csv, " } else { "" };
    say(&format!("{compared}{trained}timings.csv, manifest.json and {folder}/plots/ (SVG and PNG)."));
}

/// Lists failed cells with their reasons, some of them if there are many; `rest` says where the others are.
pub fn tell_failures(results: &Results, rest: &str) {
    let failed = results.failures();
    failed.iter().take(MOST_FAILURES).for_each(|failure| complain(&format!("failed: {failure}")));
    if failed.len() > MOST_FAILURES {
        complain(&format!("and {} more; {rest}", failed.len() - MOST_FAILURES));
    }
}
