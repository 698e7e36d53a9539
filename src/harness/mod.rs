//! Whole commands as library functions: from a spec or a run folder to the report. The command line, tests and benches
//! call these; they print nothing, and tell a listener what happens.

mod merge;
mod report;
mod run;

use crate::analysis::{Findings, Results};
use crate::data::DataError;
use crate::report::{ReportError, is_written, write};
use crate::run::{Environment, Manifest, MergeError, Scatter, Store, StoreError};
use std::path::Path;

pub use merge::{Merging, merge};
pub use report::report;
pub use run::{Computed, Found, RunOptions, Running, compute, default_folder, run};

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum HarnessError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Merge(#[from] MergeError),
    #[error(transparent)]
    Report(#[from] ReportError),
}

/// What happens while a command is carried out.
pub enum Event<'a> {
    /// What the folder of a run holds before any cell is computed.
    Found(Found<'a>),
    /// Computing begins: the number of cells, and how many of them are done.
    Computing {
        cells: usize,
        done: usize,
    },
    /// So many more cells are on the disk.
    Stored(usize),
    Computed,
    /// The damaged journal of an earlier run has been moved here.
    DamagedJournalKept(&'a Path),
    /// The cells of a merged run were computed by several programs or machines.
    SeveralEnvironments(&'a [Environment]),
    /// The data is not where the run had it, so plots of people are left out.
    DataMissing,
    /// A shard is complete; there is no report before all of them are merged.
    ShardComplete {
        results: &'a Results<'a>,
        folder: &'a Path,
        cells: usize,
        all: usize,
    },
    /// The report is in the folder.
    Reported {
        findings: &'a Findings<'a>,
        folder: &'a Path,
    },
}

/// Hears of events; from any thread.
pub type Listener<'a> = &'a (dyn Fn(Event) + Sync);

/// Lets results that were computed afresh replace those of earlier runs.
fn complete(store: &mut Store, listen: Listener) -> Result<(), StoreError> {
    if let Some(damaged) = store.complete()? {
        listen(Event::DamagedJournalKept(&damaged));
    }
    Ok(())
}

/// Writes the report, unless the same one is there already; returns the number of failed cells.
fn conclude(
    folder: &Path,
    results: &Results,
    manifest: Manifest,
    scatters: &[Scatter],
    listen: Listener,
) -> Result<usize, ReportError> {
    let findings = Findings::of(results);
    if !is_written(folder, &manifest, scatters) {
        write(folder, &findings, manifest, scatters)?;
    }
    listen(Event::Reported { findings: &findings, folder });
    Ok(results.failed())
}
