//! Whole commands as library functions, from a spec or a run folder to the report. The command line, tests and benches call
//! them; they print nothing and send events to a listener.

mod run;
mod stored;

use crate::analysis::{Findings, Results};
use crate::report::{ReportError, is_written, write};
use crate::run::{Environment, Manifest, RunError, Scatter, Store};
use std::path::Path;

pub use run::{Computed, RunOptions, compute, default_folder, run};
pub use stored::{merge, report};

/// What happens during a command.
pub enum Event<'a> {
    /// The folder of a run before any cell is computed. The cells that failed earlier run again.
    Found {
        store: &'a Store,
        cells: usize,
        done: usize,
        failed: usize,
    },
    /// Computing starts: the number of cells, and how many of them are done.
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
    /// The data is not where the run had it, so scatter plots are left out.
    DataMissing,
    /// A shard is complete; the report is written when all of them are merged.
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

/// Receives events, from any thread.
pub type Listener<'a> = &'a (dyn Fn(Event) + Sync);

/// Lets the results of a fresh start replace those of earlier runs.
fn complete(store: &mut Store, listen: Listener) -> Result<(), RunError> {
    if let Some(damaged) = store.complete()? {
        listen(Event::DamagedJournalKept(&damaged));
    }
    Ok(())
}

/// Writes the report unless an identical one is there; returns the number of failed cells.
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
