//! `doublepu accept`

use crate::cli::check::builds;
use crate::cli::{Exit, Stop, complain, say};
use crate::gate::{self, Acceptance, AcceptanceEnd, Verdict, show};
use std::path::PathBuf;

/// A reason is one sentence on one line of the file.
const MOST_CHARACTERS: usize = 500;

#[derive(Debug, clap::Args)]
pub struct Accept {
    /// The folder of a run, for instance results/runs/ci
    run: PathBuf,
    /// The baseline file to write or update
    #[arg(long, value_name = "FILE")]
    baseline: PathBuf,
    /// Also accept cells that another build of doublepu computed
    #[arg(long)]
    allow_other_build: bool,
    /// Accept it even if something is or may be worse
    #[arg(long, requires = "because")]
    allow_worse: bool,
    /// The reason, which is stored in the file
    #[arg(long, value_name = "REASON", requires = "allow_worse")]
    because: Option<String>,
}

impl Accept {
    pub fn execute(&self) -> Result<Exit, Stop> {
        let acceptance = gate::accept(&self.run, &self.baseline, builds(self.allow_other_build), self.reason()?)?;
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
            complain(&format!("note: `check` does not pass with any baseline: {}", show::sentence(finding)));
        }
        match end {
            AcceptanceEnd::Created => say(&format!("Wrote {path}: {} lines, {} cells.", added.len(), checked.cells)),
            AcceptanceEnd::Updated => {
                say(&format!("Updated {path}: {} of {} cells have the same values.", checked.same, checked.cells));
            }
            AcceptanceEnd::Unchanged => say(&format!("{path} already has these results and is not changed.")),
            AcceptanceEnd::Refused(verdict) => {
                for finding in checked.findings.iter().filter(|finding| finding.needs_a_reason()) {
                    complain(&format!("{}: {}", show::verdict(finding), show::sentence(finding)));
                }
                complain(&format!(
                    "error: {path} is not written: something is or may be worse\n  help: fix it; or accept it with \
                     --allow-worse --because \"...\""
                ));
                return Ok(Exit::from(*verdict));
            }
        }
        Ok(Exit::Done)
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
        Err(Stop::command_line(problem, "give the reason for accepting worse results in one sentence"))
    }
}
