//! From a stored run to its report, written again.

use crate::analysis::{Findings, Results};
use crate::harness::{Event, Listener};
use crate::report::{ReportError, stored_scatters, write};
use crate::run::{self, Lock, Manifest, Scatter, StoredRun};
use std::path::Path;

/// Writes the report of a complete run again; returns the number of failed cells.
pub fn report(folder: &Path, listen: Listener) -> Result<usize, ReportError> {
    let stored = StoredRun::open_repeatable(folder)?;
    let _lock = Lock::hold(folder)?;
    stored.require_complete()?;
    let (Manifest { experiment, data, command, .. }, plan) = (&stored.manifest, &stored.plan);
    let contents = stored.contents()?;
    let results = Results::gather(experiment, plan, |id| contents.outcome(id));
    let manifest = Manifest::new(experiment, plan, data, contents, command)?;
    let findings = Findings::of(&results);
    write(folder, &findings, manifest, &scatters(&stored, listen))?;
    listen(Event::Reported { findings: &findings, folder });
    Ok(results.failed())
}

/// The points of the boundary plots: from an earlier report, or from the data if it is available.
fn scatters(stored: &StoredRun, listen: Listener) -> Vec<Scatter> {
    if let Some(scatters) = stored_scatters(&stored.folder, &stored.manifest) {
        return scatters;
    }
    match stored.load_data() {
        Ok(data) => run::scatters(&stored.manifest.experiment, &data),
        Err(_) => {
            listen(Event::DataMissing);
            Vec::new()
        }
    }
}
