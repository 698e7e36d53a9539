//! From the folders of shards to one report.

use crate::analysis::Results;
use crate::harness::{Event, Listener, complete, conclude};
use crate::report::ReportError;
use crate::run::{self, Manifest, Merged};
use std::path::{Path, PathBuf};

/// How a merge ended.
pub enum Merging {
    /// Some cells are in none of the runs; all others are kept.
    Incomplete(Box<Merged>),
    /// With the number of failed cells.
    Complete { failed: usize },
}

/// Merges runs of one experiment, and writes the report if no cell is missing.
pub fn merge(runs: &[PathBuf], out: &Path, listen: Listener) -> Result<Merging, ReportError> {
    let mut merged = run::merge(runs, out)?;
    let is_complete = merged.missing().is_empty();
    if is_complete {
        complete(&mut merged.store, listen)?;
    }
    let Merged { experiment, plan, files, command, store, data } = &merged;
    let manifest = Manifest::new(experiment, plan, files, store.contents(), command)?;
    if !is_complete {
        if !store.has_older_results() {
            manifest.write_ahead(out)?;
        }
        return Ok(Merging::Incomplete(Box::new(merged)));
    }
    if manifest.computed_by.len() > 1 {
        listen(Event::SeveralEnvironments(&manifest.computed_by));
    }
    if data.is_none() {
        listen(Event::DataMissing);
    }
    let scatters = data.as_ref().map_or(Vec::new(), |data| run::scatters(experiment, data));
    let results = Results::gather(experiment, plan, |id| store.outcome(id));
    Ok(Merging::Complete { failed: conclude(out, &results, manifest, &scatters, listen)? })
}
