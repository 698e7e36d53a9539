//! Making a run the baseline, if it is not worse or a reason is given.

use crate::gate::{Baseline, Builds, CheckError, Checked, Finding, Snapshot, Verdict, fit, show, write};
use std::path::Path;

/// Findings beyond this number are only counted in a reason.
const MOST_NAMED: usize = 3;

/// The result of making a run the baseline.
pub struct Acceptance {
    /// The run against the previous baseline, over the lines that both have.
    pub checked: Checked,
    /// The lines that the baseline did not have.
    pub added: Vec<String>,
    /// The lines that only the baseline had.
    pub removed: Vec<String>,
    pub end: AcceptanceEnd,
}

#[derive(Clone, Debug, PartialEq)]
pub enum AcceptanceEnd {
    Created,
    Updated,
    /// The file already has these results.
    Unchanged,
    /// Nothing was written: something is worse or may be, and no reason is given.
    Refused(Verdict),
}

/// Makes a run the baseline. `because` is the reason for accepting worse results, if there are any.
pub fn accept(run: &Path, path: &Path, builds: Builds, because: Option<&str>) -> Result<Acceptance, CheckError> {
    let (manifest, snapshot) = Snapshot::of_run(run, builds)?;
    let stored = Baseline::read(path)?;
    let exists = stored.is_some();
    let Baseline { snapshot: before, mut reasons } = stored.unwrap_or_default();
    let twins = fit::twins(&before.lines, &snapshot.lines);
    if exists && before.experiment != snapshot.experiment && twins.iter().all(Option::is_none) {
        // The path is probably wrong.
        return Err(fit::other_experiment(&before, &snapshot).at(path));
    }
    let checked = Checked::of(&manifest.experiment, &before, &snapshot);
    let new = snapshot.lines.iter().zip(&twins).filter(|(_, twin)| twin.is_none());
    let added = new.map(|(line, _)| line.label.to_string()).collect();
    let removed = fit::without_twin(&before.lines, &twins).into_iter().map(|line| line.label.to_string()).collect();
    let end = match checked.doubt() {
        Some(verdict) if because.is_none() => AcceptanceEnd::Refused(verdict),
        _ if exists && before.says_the_same(&snapshot) => AcceptanceEnd::Unchanged,
        _ if exists => AcceptanceEnd::Updated,
        _ => AcceptanceEnd::Created,
    };
    if matches!(end, AcceptanceEnd::Created | AcceptanceEnd::Updated) {
        reasons.extend(because.and_then(|because| reason(because, &checked)));
        let text = Baseline { snapshot, reasons }.text();
        write(path, &text.map_err(|error| CheckError::unwritten(path, error))?)?;
    }
    Ok(Acceptance { checked, added, removed, end })
}

/// The reason with the findings that need one; `None` if there are none.
fn reason(because: &str, checked: &Checked) -> Option<String> {
    let worse: Vec<&Finding> = checked.findings.iter().filter(|finding| finding.needs_a_reason()).collect();
    let more = worse.len().saturating_sub(MOST_NAMED);
    let more = if more > 0 { format!(" And {more} more.") } else { String::new() };
    let named: Vec<String> = worse.iter().take(MOST_NAMED).map(|finding| show::sentence(finding)).collect();
    if worse.is_empty() { None } else { Some(format!("{because} [{}{more}]", named.join(" "))) }
}

impl Finding {
    /// Whether it is compared with the baseline and does not pass, or passes with a significant loss: losses within the
    /// margin add up. No baseline changes the other demands of a spec.
    pub fn needs_a_reason(&self) -> bool {
        self.is_of_baseline() && (self.verdict != Verdict::Passed || self.is_worse())
    }
}

impl Checked {
    /// Whether something is worse, or only may be; `None` if nothing needs a reason.
    fn doubt(&self) -> Option<Verdict> {
        let mut doubtful = self.findings.iter().filter(|finding| finding.needs_a_reason()).peekable();
        doubtful.peek()?;
        let is_worse = |finding: &Finding| finding.is_worse() || finding.verdict == Verdict::Regressed;
        Some(if doubtful.any(is_worse) { Verdict::Regressed } else { Verdict::CannotTell })
    }
}
