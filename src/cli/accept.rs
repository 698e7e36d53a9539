//! `doublepu accept`

use crate::cli::check::builds;
use crate::cli::{Exit, Stop, complain, say};
use crate::gate::{self, Acceptance, AcceptanceEnd, Checked, Excuse, Finding, Verdict, show};
use std::path::PathBuf;

/// A reason is one sentence on one line of the file.
const MOST_CHARACTERS: usize = 500;

#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("allowed").multiple(true)))]
pub struct Accept {
    /// The folder of a run, for instance results/runs/ci
    run: PathBuf,
    /// The baseline file to write or update
    #[arg(long, value_name = "FILE")]
    baseline: PathBuf,
    /// Also accept cells that another build of doublepu computed
    #[arg(long)]
    allow_other_build: bool,
    /// Accept it even if something is or may be worse, or the gate is laxer
    #[arg(long, requires = "because", group = "allowed")]
    allow_worse: bool,
    /// Accept it even if something is suspiciously better
    #[arg(long, requires = "because", group = "allowed")]
    allow_suspicious: bool,
    /// The reason, which is stored in the file
    #[arg(long, value_name = "REASON", requires = "allowed")]
    because: Option<String>,
}

impl Accept {
    pub fn execute(&self) -> Result<Exit, Stop> {
        let excuse = self.reason()?.map(|because| Excuse {
            because,
            for_worse: self.allow_worse,
            for_suspicious: self.allow_suspicious,
        });
        let acceptance = gate::accept(&self.run, &self.baseline, builds(self.allow_other_build), excuse)?;
        let Acceptance { checked, added, removed, without_values, end } = &acceptance;
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
        for line in without_values {
            complain(&format!(
                "note: `check` cannot tell with this baseline: every cell of {line} failed (cells.csv has the reasons)"
            ));
        }
        match end {
            AcceptanceEnd::Created => say(&format!("Wrote {path}: {} lines, {} cells.", added.len(), checked.cells)),
            AcceptanceEnd::Updated => {
                say(&format!("Updated {path}: {} of {} cells have the same values.", checked.same, checked.cells));
            }
            AcceptanceEnd::Unchanged => say(&format!("{path} already has these results and is not changed.")),
            AcceptanceEnd::Refused(verdict) => {
                self.explain_refusal(checked);
                return Ok(Exit::from(*verdict));
            }
        }
        Ok(Exit::Done)
    }

    fn explain_refusal(&self, checked: &Checked) {
        checked.laxer.iter().for_each(|laxer| complain(&format!("laxer gate: {}", show::laxer(laxer))));
        let findings: Vec<&Finding> = checked.findings.iter().filter(|finding| finding.needs_a_reason()).collect();
        for finding in &findings {
            complain(&format!("{}: {}", show::verdict(finding), show::sentence(finding)));
        }
        let is_suspicious = |finding: &&&Finding| finding.verdict == Verdict::Suspicious;
        let suspicious = findings.iter().filter(is_suspicious).count();
        let has_worse = suspicious < findings.len() || !checked.laxer.is_empty();
        let causes = [
            (has_worse, "something is or may be worse", "--allow-worse "),
            (suspicious > 0, "something is suspiciously better", "--allow-suspicious "),
        ];
        let (problems, flags): (Vec<&str>, Vec<&str>) =
            causes.into_iter().filter(|(applies, ..)| *applies).map(|(_, problem, flag)| (problem, flag)).unzip();
        complain(&format!(
            "error: {} is not written: {}\n  help: fix it; or accept it with {}--because \"...\"",
            self.baseline.display(),
            problems.join(", and "),
            flags.concat()
        ));
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
        Err(Stop::command_line(problem, "give the reason in one sentence"))
    }
}
