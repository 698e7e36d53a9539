//! A run that becomes the baseline, if it is no worse or if somebody says why.

use crate::gate::baseline::Baseline;
use crate::gate::{CheckError, Checked, Finding, Snapshot, Verdict, fit, measured, show, write};
use std::path::Path;

/// Of more lines than this a reason says how many there are.
const MOST_NAMED: usize = 3;

/// What came of an attempt to make a run the baseline.
pub struct Acceptance {
    /// The run against the baseline that was there, over the lines that both have.
    pub checked: Checked,
    /// Lines that the baseline did not have.
    pub added: Vec<String>,
    /// Lines that only the baseline had.
    pub removed: Vec<String>,
    pub end: AcceptanceEnd,
}

#[derive(Clone, Debug, PartialEq)]
pub enum AcceptanceEnd {
    Created,
    Updated,
    /// The file says already what it would say.
    Unchanged,
    /// Nothing was written: something is worse or may be, and nobody says why it should be accepted.
    Refused(Verdict),
}

/// Makes a run the baseline. `because` says why worse results are accepted, if there are any.
pub fn accept(run: &Path, path: &Path, because: Option<&str>) -> Result<Acceptance, CheckError> {
    let (manifest, snapshot) = measured(run)?;
    let before = Baseline::read(path)?;
    let nothing = Snapshot::empty();
    let there = before.as_ref().map_or(&nothing, |baseline| &baseline.snapshot);
    let twins = fit::twins(&there.lines, &snapshot.lines);
    if before.is_some() && there.experiment != snapshot.experiment && twins.iter().all(Option::is_none) {
        // Most likely the path is wrong.
        let misfit = fit::other_experiment(there, &snapshot);
        return Err(CheckError::Misfit { path: path.to_path_buf(), misfit });
    }
    let checked = Checked::of(&manifest.experiment, there, &snapshot);
    let new = snapshot.lines.iter().zip(&twins).filter(|(_, twin)| twin.is_none());
    let added = new.map(|(line, _)| line.label.to_string()).collect();
    let removed = fit::without_twin(&there.lines, &twins).into_iter().map(|line| line.label.to_string()).collect();
    let reason = because.and_then(|because| reason(because, &checked));
    let end = match &before {
        _ if because.is_none() && checked.needs_a_reason() => AcceptanceEnd::Refused(checked.doubt()),
        Some(before) if before.snapshot.says_the_same(&snapshot) => AcceptanceEnd::Unchanged,
        Some(_) => AcceptanceEnd::Updated,
        None => AcceptanceEnd::Created,
    };
    if matches!(end, AcceptanceEnd::Created | AcceptanceEnd::Updated) {
        let reasons = before.map_or(Vec::new(), |before| before.reasons);
        let baseline = Baseline { snapshot, reasons: reasons.into_iter().chain(reason).collect() };
        let unwritten =
            |error: csv::Error| CheckError::Unwritten { path: path.to_path_buf(), reason: error.to_string() };
        write(path, &baseline.text().map_err(unwritten)?)?;
    }
    Ok(Acceptance { checked, added, removed, end })
}

/// With what it is the reason for; `None` if there is nothing that needs one.
fn reason(because: &str, checked: &Checked) -> Option<String> {
    let worse: Vec<&Finding> = checked.findings.iter().filter(|finding| finding.needs_a_reason()).collect();
    let more = worse.len().saturating_sub(MOST_NAMED);
    let more = if more > 0 { format!(" And {more} more.") } else { String::new() };
    let named: Vec<String> = worse.iter().take(MOST_NAMED).map(|finding| show::sentence(finding)).collect();
    if worse.is_empty() { None } else { Some(format!("{because} [{}{more}]", named.join(" "))) }
}

impl Finding {
    /// Whether it is held against the baseline and does not pass, or passes with a loss that is more than chance: losses
    /// within the margin add up. What the spec demands beside, no baseline can change.
    pub fn needs_a_reason(&self) -> bool {
        self.is_of_baseline() && (self.verdict != Verdict::Passed || self.is_worse())
    }
}

impl Checked {
    fn needs_a_reason(&self) -> bool {
        self.findings.iter().any(Finding::needs_a_reason)
    }

    /// Whether something is worse, or only may be.
    fn doubt(&self) -> Verdict {
        let is_worse = |finding: &Finding| {
            finding.needs_a_reason() && (finding.is_worse() || finding.verdict == Verdict::Regressed)
        };
        if self.findings.iter().any(is_worse) { Verdict::Regressed } else { Verdict::CannotTell }
    }
}
