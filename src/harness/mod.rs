//! Whole commands as library functions, from a spec or a run folder to the report. The command line, tests and benches call
//! them; they print nothing and send events to a listener.

mod run;
mod stored;

use crate::analysis::{Findings, Results};
use crate::report::{ReportError, is_written, write};
use crate::run::{AttemptEnd, Environment, Manifest, RunError, Scatter, Store, environment};
use crate::spec::{Cell, Experiment};
use std::path::Path;

pub use run::{Computed, RunOptions, compute, default_folder, record_failure, run};
pub use stored::{merge, report};

/// What happens during a command.
pub enum Event<'a> {
    /// The folder of a run before any cell is computed.
    Found {
        store: &'a Store,
        found: Found,
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

/// What a folder has of the cells that are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    pub cells: usize,
    pub done: usize,
    /// Cells that failed earlier and run again.
    pub failed: usize,
    /// Those among the done cells that another build of the program computed.
    pub by_other_builds: usize,
}

impl Found {
    fn of(store: &Store, cells: &[&Cell], experiment: &Experiment) -> Self {
        let is_done = |cell: &&&Cell| store.holds(&cell.id, &experiment.metrics);
        let is_failed = |cell: &&&Cell| store.outcome(&cell.id).is_some_and(|outcome| outcome.result.is_err());
        let own = environment();
        let contents = store.contents();
        let is_own = |cell: &&&Cell| contents.environment_of(&cell.id).is_some_and(|by| by.is_same_build(&own));
        let count = |is: &dyn Fn(&&&Cell) -> bool| cells.iter().filter(is).count();
        Found {
            cells: cells.len(),
            done: count(&is_done),
            failed: count(&is_failed),
            by_other_builds: count(&|cell| is_done(cell) && !is_own(cell)),
        }
    }
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

/// A report or a shard that is complete in its folder.
struct Concluded {
    failed: usize,
    /// The sha256 of the manifest, if it was written.
    manifest: Option<String>,
}

impl Concluded {
    /// Records the manifest, and that the command ended with all results. Returns the number of failed cells.
    fn record(self, store: &mut Store) -> Result<usize, ReportError> {
        self.manifest.map_or(Ok(()), |sha256| store.record_manifest(sha256))?;
        store.end(AttemptEnd::Complete)?;
        Ok(self.failed)
    }
}

/// Writes the report unless an identical one is there.
fn conclude(
    folder: &Path,
    results: &Results,
    manifest: Manifest,
    scatters: &[Scatter],
    store: &Store,
    listen: Listener,
) -> Result<Concluded, ReportError> {
    let findings = Findings::of(results);
    let recorded = &store.contents().manifest_sha256;
    let is_recorded = recorded.is_some() && Manifest::stored_sha256(folder).ok() == *recorded;
    let is_there = is_recorded && is_written(folder, &manifest, scatters);
    let manifest = if is_there { None } else { Some(write(folder, &findings, manifest, scatters)?) };
    store.require_in_place()?;
    listen(Event::Reported { findings: &findings, folder });
    Ok(Concluded { failed: results.failed(), manifest })
}
