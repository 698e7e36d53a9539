//! From the folders of shards to the report of the whole.

use crate::analysis::Results;
use crate::harness::{Event, HarnessError, Listener, complete, conclude};
use crate::run::{self, Manifest, Merged, StoreError};
use std::path::{Path, PathBuf};

/// How a merge ended.
pub enum Merging {
    /// Cells are in none of the runs; what there is has been kept.
    Incomplete(Box<Merged>),
    /// So many cells failed.
    Complete { failed: usize },
}

/// Puts runs of one experiment together, and writes the report if no cell is missing.
pub fn merge(runs: &[PathBuf], out: &Path, listen: Listener) -> Result<Merging, HarnessError> {
    let mut merged = run::merge(runs, out)?;
    if !merged.missing().is_empty() {
        if !merged.store.has_older_results() {
            manifest(&merged)?.write_ahead(out)?;
        }
        return Ok(Merging::Incomplete(Box::new(merged)));
    }
    complete(&mut merged.store, listen)?;
    let manifest = manifest(&merged)?;
    if manifest.computed_by.len() > 1 {
        listen(Event::SeveralEnvironments(&manifest.computed_by));
    }
    let Merged { experiment, plan, store, data, .. } = &merged;
    if data.is_none() {
        listen(Event::DataMissing);
    }
    let scatters = data.as_ref().map_or(Vec::new(), |data| run::scatters(experiment, data));
    let results = Results::gather(experiment, plan, |id| store.outcome(id));
    Ok(Merging::Complete { failed: conclude(out, &results, manifest, &scatters, listen)? })
}

fn manifest(merged: &Merged) -> Result<Manifest, StoreError> {
    let Merged { experiment, plan, files, command, store, .. } = merged;
    Manifest::new(experiment, plan, files, store.contents(), command.clone())
}
