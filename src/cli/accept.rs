//! `doublepu accept`

use crate::cli::{Exit, Stop, complain, say};
use crate::gate::{self, Acceptance, AcceptanceEnd, Verdict, show};
use std::path::PathBuf;

/// A reason is a sentence, and stands in one line of the file.
const MOST_CHARACTERS: usize = 500;

#[derive(Debug, clap::Args)]
pub struct Accept {
    /// The folder of a run, for instance results/runs/ci
    run: PathBuf,
    /// The file to write or update
    #[arg(long, value_name = "FILE")]
    baseline: PathBuf,
    /// Accept it even if something is worse than it was, or may be
    #[arg(long, requires = "because")]
    allow_worse: bool,
    /// Why; it is kept in the file
    #[arg(long, value_name = "REASON", requires = "allow_worse")]
    because: Option<String>,
}

impl Accept {
    pub fn carry_out(&self) -> Result<Exit, Stop> {
        let acceptance = gate::accept(&self.run, &self.baseline, self.reason()?)?;
        let Acceptance { checked, added, removed, end } = &acceptance;
        let path = self.baseline.display();
        let table = show::table(checked);
        if !table.rows.is_empty() {
            say(&format!("{}\n", table.terminal()));
        }
        if *end == AcceptanceEnd::Updated {
            added.iter().for_each(|line| say(&format!("new: {line}")));
            removed.iter().for_each(|line| say(&format!("no longer there: {line}")));
        }
        let unmet = checked.findings.iter().filter(|finding| !finding.is_of_baseline());
        for finding in unmet.filter(|finding| finding.verdict != Verdict::Passed) {
            complain(&format!("note: `check` will not pass, whatever the baseline: {}", show::sentence(finding)));
        }
        Ok(match end {
            AcceptanceEnd::Created => {
                say(&format!("Wrote {path}: {} lines, {} cells.", added.len(), checked.cells));
                Exit::Done
            }
            AcceptanceEnd::Updated => {
                say(&format!(
                    "Updated {path}: {} of {} cells have the values that it had.",
                    checked.same, checked.cells
                ));
                Exit::Done
            }
            AcceptanceEnd::Unchanged => {
                say(&format!("{path} has these results already; it stays as it is."));
                Exit::Done
            }
            AcceptanceEnd::Refused(verdict) => self.refuse(&acceptance, *verdict),
        })
    }

    fn reason(&self) -> Result<Option<&str>, Stop> {
        let Some(because) = self.because.as_deref().map(str::trim) else { return Ok(None) };
        let problem = if because.is_empty() {
            "--because gives no reason".to_string()
        } else if because.chars().any(char::is_control) || because.chars().count() > MOST_CHARACTERS {
            format!("the reason has more than one line, or more than {MOST_CHARACTERS} characters")
        } else {
            return Ok(Some(because));
        };
        Err(Stop::command_line(problem, "say in a sentence why worse results are accepted"))
    }

    fn refuse(&self, acceptance: &Acceptance, verdict: Verdict) -> Exit {
        for finding in acceptance.checked.findings.iter().filter(|finding| finding.needs_a_reason()) {
            complain(&format!("{}: {}", show::verdict(finding), show::sentence(finding)));
        }
        complain(&format!(
            "error: {} is not written: something is worse than it was, or may be\n  help: mend it; or accept it with \
             --allow-worse --because \"...\"",
            self.baseline.display()
        ));
        if verdict == Verdict::CannotTell { Exit::Inconclusive } else { Exit::Regression }
    }
}
