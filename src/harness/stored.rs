//! From stored runs to a report: written again, or of several runs together.

use crate::analysis::{Findings, Results};
use crate::harness::{Event, Listener, complete, conclude};
use crate::report::{ReportError, stored_scatters, write};
use crate::run::{self, AttemptEnd, Data, Lock, Manifest, Merged, Scatter, Store, StoredRun, claim};
use std::path::{Path, PathBuf};

/// Writes the report of a complete run again; returns the number of failed cells.
///
/// `moved` are data files that are not where the run had them.
pub fn report(folder: &Path, moved: &[PathBuf], listen: Listener) -> Result<usize, ReportError> {
    // A folder without a manifest is refused before the lock creates a file in it.
    Manifest::read(folder)?;
    claim(folder)?;
    let lock = Lock::hold(folder)?;
    let stored = StoredRun::open_with_data(folder, moved)?;
    stored.require_complete()?;
    let StoredRun { manifest: Manifest { experiment, data, command, .. }, plan, contents, .. } = &stored;
    let results = Results::gather(experiment, plan, |id| contents.outcome(id));
    let manifest = Manifest::new(experiment, plan, data, contents, command)?;
    let findings = Findings::of(&results);
    let written = write(folder, &findings, manifest, &scatters(&stored, listen))?;
    listen(Event::Reported { findings: &findings, folder });
    let failed = results.failed();
    Store::of_stored(stored, lock)?.record_manifest(written)?;
    Ok(failed)
}

/// The points of the boundary plots: from an earlier report, or from the data if it is available.
fn scatters(stored: &StoredRun, listen: Listener) -> Vec<Scatter> {
    let Manifest { experiment, data, .. } = &stored.manifest;
    let load = || match Data::load_again(experiment, data) {
        Ok(data) => run::scatters(experiment, &data),
        Err(_) => {
            listen(Event::DataMissing);
            Vec::new()
        }
    };
    stored_scatters(&stored.folder, &stored.manifest).unwrap_or_else(load)
}

/// Merges runs of one experiment, and writes the report if no cell is missing. Also returns the number of failed cells, or
/// `None` if cells are missing.
pub fn merge(runs: &[PathBuf], out: &Path, listen: Listener) -> Result<(Merged, Option<usize>), ReportError> {
    let mut merged = run::merge(runs, out)?;
    let is_complete = merged.missing().is_empty();
    if is_complete {
        complete(&mut merged.store, listen)?;
    }
    let Merged { manifest: Manifest { experiment, data: files, command, .. }, plan, store, data } = &mut merged;
    let manifest = Manifest::new(experiment, plan, files, store.contents(), command)?;
    if !is_complete {
        if !store.has_older_results() {
            manifest.write_ahead(out)?.map_or(Ok(()), |sha256| store.record_manifest(sha256))?;
        }
        store.end(AttemptEnd::Interrupted)?;
        return Ok((merged, None));
    }
    if manifest.computed_by.len() > 1 {
        listen(Event::SeveralEnvironments(&manifest.computed_by));
    }
    if data.is_none() {
        listen(Event::DataMissing);
    }
    let scatters = data.as_ref().map_or(Vec::new(), |data| run::scatters(experiment, data));
    let results = Results::gather(experiment, plan, |id| store.outcome(id));
    let concluded = conclude(out, &results, manifest, &scatters, store, listen)?;
    let failed = concluded.record(store)?;
    Ok((merged, Some(failed)))
}
