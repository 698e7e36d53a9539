//! Making a run the baseline, if it is not worse or a reason is given.

use crate::gate::pin::PinnedGate;
use crate::gate::{Baseline, Builds, CheckError, Checked, Finding, Snapshot, Verdict, fit, show};
use crate::run::Replacement;
use std::path::Path;

/// Findings beyond this number are only counted in a reason.
const MOST_NAMED: usize = 3;

/// A reason for accepting what `check` does not pass, and what it is a reason for.
#[derive(Clone, Copy, Debug)]
pub struct Excuse<'a> {
    pub because: &'a str,
    /// What is or may be worse, and a laxer gate.
    pub for_worse: bool,
    /// What is suspiciously better.
    pub for_suspicious: bool,
}

/// The result of making a run the baseline.
pub struct Acceptance {
    /// The run against the previous baseline, over the lines that both have.
    pub checked: Checked,
    /// The lines that the baseline did not have.
    pub added: Vec<String>,
    /// The lines that only the baseline had.
    pub removed: Vec<String>,
    /// The lines of the run that have no ROC-AUC of any seed.
    pub without_values: Vec<String>,
    pub end: AcceptanceEnd,
}

#[derive(Clone, Debug, PartialEq)]
pub enum AcceptanceEnd {
    Created,
    Updated,
    /// The file already has these results and this gate.
    Unchanged,
    /// Nothing was written: something needs a reason, and none is given for it.
    Refused(Verdict),
}

/// Makes a run the baseline.
pub fn accept(run: &Path, path: &Path, builds: Builds, excuse: Option<Excuse>) -> Result<Acceptance, CheckError> {
    let (manifest, snapshot) = Snapshot::of_run(run, builds)?;
    // From here on, no other process replaces the baseline: what is read is what the new one follows.
    let replacement = Replacement::begin(path).map_err(|error| CheckError::not_replaced(path, error))?;
    let stored = Baseline::read(path)?;
    let exists = stored.is_some();
    let before = stored.unwrap_or_default();
    let twins = fit::twins(&before.snapshot.lines, &snapshot.lines);
    if exists && before.snapshot.experiment != snapshot.experiment && twins.iter().all(Option::is_none) {
        // The path is probably wrong.
        return Err(fit::other_experiment(&before.snapshot, &snapshot).at(path));
    }
    let checked = Checked::with_gate(&manifest.experiment, &before, &snapshot);
    let new = snapshot.lines.iter().zip(&twins).filter(|(_, twin)| twin.is_none());
    let added = new.map(|(line, _)| line.label.to_string()).collect();
    let removed = fit::without_twin(&before.snapshot.lines, &twins).into_iter().map(|line| line.label.to_string());
    let removed = removed.collect();
    let without_values = snapshot.lines.iter().filter(|line| line.values(0).next().is_none());
    let without_values = without_values.map(|line| line.label.to_string()).collect();
    let gate = Some(PinnedGate::of(&manifest.experiment));
    let end = match checked.unexcused(excuse) {
        Some(verdict) => AcceptanceEnd::Refused(verdict),
        None if exists && before.snapshot.says_the_same(&snapshot) && before.gate == gate => AcceptanceEnd::Unchanged,
        None if exists => AcceptanceEnd::Updated,
        None => AcceptanceEnd::Created,
    };
    if matches!(end, AcceptanceEnd::Created | AcceptanceEnd::Updated) {
        let mut reasons = before.reasons;
        reasons.extend(excuse.and_then(|excuse| reason(excuse.because, &checked)));
        let text = Baseline { snapshot, gate, reasons }.text().map_err(|error| CheckError::unwritten(path, error))?;
        replacement.finish(text.as_bytes()).map_err(|error| CheckError::not_replaced(path, error))?;
    }
    Ok(Acceptance { checked, added, removed, without_values, end })
}

/// The reason with the findings that need one; `None` if there are none.
fn reason(because: &str, checked: &Checked) -> Option<String> {
    let findings = checked.findings.iter().filter(|finding| finding.needs_a_reason()).map(show::sentence);
    let named: Vec<String> = checked.laxer.iter().map(show::laxer).chain(findings).collect();
    let more = named.len().saturating_sub(MOST_NAMED);
    let more = if more > 0 { format!(" And {more} more.") } else { String::new() };
    let first = named.iter().take(MOST_NAMED).map(String::as_str).collect::<Vec<_>>().join(" ");
    if named.is_empty() { None } else { Some(format!("{because} [{first}{more}]")) }
}

impl Finding {
    /// Whether it is compared with the baseline and does not pass, or passes with a significant loss: losses within the
    /// margin add up. No baseline changes the other demands of a spec, and nothing is compared where all seeds failed on
    /// both sides.
    pub fn needs_a_reason(&self) -> bool {
        self.is_of_baseline() && !self.has_no_values() && (self.verdict != Verdict::Passed || self.is_worse())
    }
}

impl Checked {
    /// The worst of what needs a reason and has none.
    fn unexcused(&self, excuse: Option<Excuse>) -> Option<Verdict> {
        let excuses = |verdict: &Verdict| match verdict {
            Verdict::Suspicious => excuse.is_some_and(|excuse| excuse.for_suspicious),
            Verdict::Passed | Verdict::CannotTell | Verdict::Regressed => excuse.is_some_and(|excuse| excuse.for_worse),
        };
        let of_finding = |finding: &Finding| if finding.is_worse() { Verdict::Regressed } else { finding.verdict };
        let findings = self.findings.iter().filter(|finding| finding.needs_a_reason()).map(of_finding);
        let laxer = self.laxer.iter().map(|_| Verdict::Regressed);
        findings.chain(laxer).filter(|verdict| !excuses(verdict)).max()
    }
}
