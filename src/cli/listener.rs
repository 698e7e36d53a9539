//! What is printed while a command is carried out, and at its end.

use crate::analysis::Results;
use crate::cli::{Exit, complain, progress_bar, say};
use crate::harness::{Event, Found};
use crate::report;
use indicatif::ProgressBar;
use std::path::Path;
use std::sync::OnceLock;

/// More lines of failures than this are counted and not listed on the terminal.
const MOST_FAILURES: usize = 10;

/// Prints events: results on stdout, everything else on stderr.
#[derive(Default)]
pub struct Printer {
    bar: OnceLock<ProgressBar>,
}

impl Printer {
    pub fn hear(&self, event: Event) {
        match event {
            Event::Found(found) => print_found(&found),
            Event::Computing { cells, done } => {
                let bar = self.bar.get_or_init(|| progress_bar(cells));
                bar.set_position(done as u64);
                bar.reset_eta();
            }
            Event::Stored(cells) => self.bar.get().into_iter().for_each(|bar| bar.inc(cells as u64)),
            Event::Computed => self.bar.get().into_iter().for_each(ProgressBar::finish_and_clear),
            Event::DamagedJournalKept(path) => {
                complain(&format!("The journal that was damaged is kept as {}.", path.display()));
            }
            Event::SeveralEnvironments(environments) => {
                complain(
                    "These cells were computed by different programs or on different machines (see manifest.json):",
                );
                environments.iter().for_each(|environment| complain(&format!("  {environment}")));
            }
            Event::DataMissing => {
                complain("The data is not where the run had it: a plot that shows people is left out.");
            }
            Event::ShardComplete { results, .. } => print_failures(results, "the merged cells.csv will list them all"),
            Event::Reported { findings, folder } => {
                report::paragraphs(findings).iter().for_each(|paragraph| say(&format!("{paragraph}\n")));
                print_folder(folder);
                print_failures(findings.results, "cells.csv lists them all");
            }
        }
    }
}

fn print_found(Found { journal, torn, cells, done, failed, keeps_older }: &Found) {
    if let Some(torn) = torn {
        complain(&format!(
            "{}: an earlier run was cut off while it wrote; line {}, {} bytes, is dropped, and its cell runs again.",
            journal.display(),
            torn.line,
            torn.bytes
        ));
    }
    if *done > 0 {
        complain(&format!("{done} of {cells} cells are done already; --fresh runs them again."));
    }
    if *failed > 0 {
        complain(&format!("{failed} of {cells} cells failed earlier and are tried again."));
    }
    if *keeps_older && done + failed < *cells {
        complain("Earlier results stay as they are until every cell has run again.");
    }
}

fn print_folder(folder: &Path) {
    say(&format!(
        "{} has it all; beside it are the tables as CSV, Markdown, LaTeX and JSON, and every plot.",
        folder.join("report.html").display()
    ));
}

/// Lists failed cells with their reasons, some of them if there are many; `rest` says where the others are.
pub fn print_failures(results: &Results, rest: &str) {
    let failed = results.failures();
    let shown = failed.iter().take(MOST_FAILURES);
    shown.for_each(|group| complain(&format!("failed: {}", report::failure_sentence(group))));
    let others: usize = failed.iter().skip(MOST_FAILURES).map(|group| group.seeds.len()).sum();
    if others > 0 {
        complain(&format!("and {others} more cells; {rest}"));
    }
}

/// How a command ends after which so many cells have no result.
pub fn exit_after(failed: usize) -> Exit {
    if failed == 0 { Exit::Done } else { Exit::SomeCellsFailed }
}
