//! What is printed during and after a command.

use crate::analysis::Results;
use crate::cli::{complain, progress_bar, say};
use crate::harness::{Event, Found};
use crate::report;
use crate::run::Torn;
use indicatif::ProgressBar;
use std::sync::OnceLock;

/// Failures beyond this number are counted and not listed.
const MOST_FAILURES: usize = 10;

/// Prints events: results on stdout, everything else on stderr.
#[derive(Default)]
pub struct Printer {
    bar: OnceLock<ProgressBar>,
}

impl Printer {
    pub fn print(&self, event: Event) {
        match event {
            Event::Found { store, found: Found { cells, done, failed, by_other_builds } } => {
                if let Some(Torn { line, bytes }) = &store.contents().torn {
                    let what = "an earlier run was interrupted while writing";
                    complain(&format!(
                        "{}: {what}; line {line}, {bytes} bytes, is dropped, and its cell runs again.",
                        store.journal().display()
                    ));
                }
                if done > 0 {
                    complain(&format!("{done} of {cells} cells are already done; --fresh runs them again."));
                }
                if by_other_builds > 0 {
                    complain(&format!(
                        "{by_other_builds} of these were computed by another build of doublepu; `check` refuses them."
                    ));
                }
                if failed > 0 {
                    complain(&format!("{failed} of {cells} cells failed earlier and run again."));
                }
                if store.has_older_results() && done + failed < cells {
                    complain("Earlier results are kept until every cell has run again.");
                }
            }
            Event::Computing { cells, done } => {
                let bar = self.bar.get_or_init(|| progress_bar(cells));
                bar.set_position(done as u64);
                bar.reset_eta();
            }
            Event::Stored(cells) => self.bar.get().into_iter().for_each(|bar| bar.inc(cells as u64)),
            Event::Computed => self.bar.get().into_iter().for_each(ProgressBar::finish_and_clear),
            Event::DamagedJournalKept(path) => complain(&format!("The damaged journal is kept as {}.", path.display())),
            Event::SeveralEnvironments(environments) => {
                complain("These cells were computed by different programs or machines (see manifest.json):");
                environments.iter().for_each(|environment| complain(&format!("  {environment}")));
            }
            Event::DataMissing => complain("The data is not where the run had it: scatter plots are left out."),
            Event::ShardComplete { results, .. } => print_failures(results, "the merged cells.csv will list them all"),
            Event::Reported { findings, folder } => {
                report::paragraphs(findings).iter().for_each(|paragraph| say(&format!("{paragraph}\n")));
                say(&format!(
                    "{} has all results; its folder has the tables as CSV, Markdown, LaTeX and JSON, and every plot.",
                    folder.join("report.html").display()
                ));
                print_failures(findings.results, "cells.csv lists them all");
            }
        }
    }
}

/// Lists failed cells with their reasons; `rest` says where those beyond the limit are.
pub fn print_failures(results: &Results, rest: &str) {
    let failed = results.failures();
    let shown = failed.iter().take(MOST_FAILURES);
    shown.for_each(|group| complain(&format!("failed: {}", report::failure_sentence(group))));
    let others: usize = failed.iter().skip(MOST_FAILURES).map(|group| group.seeds.len()).sum();
    if others > 0 {
        complain(&format!("and {others} more cells; {rest}"));
    }
}
