//! Executing cells: in parallel, resumable, and with the same bits in any order.
//!
//! This room measures and stores; it prints and draws nothing.

mod cell;
mod cell_row;
mod data;
mod error;
mod external;
mod manifest;
mod merge;
mod outcome;
mod scatter;
mod shard;
mod store;
mod stored;
mod trial;

use crate::data::start_reading_threads;
use crate::spec::{Cell, Experiment};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::time::{Duration, Instant};

pub use cell::{Fitted, SplitSamples, compute, run_group};
pub use cell_row::{CellColumn, CellTable, Field, Kind};
pub use data::{Data, DataFile, find_moved};
pub use error::RunError;
pub use external::{refuse_mixed_versions, start_externals};
pub use manifest::{Environment, Manifest, computed_by, environment, records_sha256, spec_sha256};
pub use merge::{Merged, merge};
pub use outcome::{Moment, Outcome, SampleSizes, Scored};
pub use scatter::{Scatter, ScatterGroup, scatters};
pub use shard::Shard;
pub use store::{
    Attempt, AttemptEnd, Contents, Damage, Ended, Kept, Lock, Replacement, Staged, Start, Store, Torn, claim,
    is_run_folder, read_bounded, remove_if_there, write_atomically,
};
pub use stored::StoredRun;
pub use trial::{Answered, Failed, Trial, try_method};

/// How many finished cells may wait to be stored. A slow disk then delays the computation instead of filling the memory.
const MOST_WAITING: usize = 4096;
/// How long a batch collects finished cells.
const BETWEEN_SYNCS: Duration = Duration::from_millis(50);
/// How often the queue of finished cells is emptied.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// Whether a run has finished all cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    Complete,
    Interrupted,
}

/// Runs the cells that the store lacks and stores each; `on_done` is called with the number of cells that are on the disk.
///
/// Work is grouped by (setting, seed), so that all methods and priors of a seed share one split and its matrices. It runs
/// on the current thread pool. After `stop` is set, the cells in progress are finished and no others are started.
pub fn execute(
    experiment: &Experiment,
    cells: &[&Cell],
    data: &Data,
    store: &mut Store,
    stop: &AtomicBool,
    on_done: impl Fn(usize) + Send,
) -> Result<RunEnd, RunError> {
    let groups = by_split(cells.iter().filter(|cell| !store.holds(&cell.id, &experiment.metrics)).copied());
    let left_over = AtomicBool::new(false);
    let (sender, receiver) = sync_channel(MOST_WAITING);
    std::thread::scope(|scope| {
        let keeper =
            std::thread::Builder::new().spawn_scoped(scope, || keep(store, receiver, on_done)).map_err(no_threads)?;
        groups.into_par_iter().with_max_len(1).for_each_with(sender, |sender, cells| {
            let begin = |_: &Cell| {
                let go_on = !stop.load(Ordering::Relaxed);
                left_over.fetch_or(!go_on, Ordering::Relaxed);
                go_on
            };
            // Sending fails after the store has failed.
            run_group(experiment, data, &cells, begin, |_, outcome| sender.send(Box::new(outcome)).is_ok());
        });
        // No more outcomes will come, so the last batch need not wait.
        keeper.thread().unpark();
        keeper.join().unwrap_or_else(|panic| resume_unwind(panic))
    })?;
    Ok(if left_over.into_inner() { RunEnd::Interrupted } else { RunEnd::Complete })
}

/// Starts the threads of the process, once: by default, rayon and polars would start them on first use and panic if they
/// cannot. `jobs` is the number of cells that are computed at a time, 0 for one on each core.
pub fn start_threads(jobs: usize) -> Result<(), RunError> {
    rayon::ThreadPoolBuilder::new().num_threads(jobs).build_global().map_err(no_threads)?;
    start_reading_threads().map_err(no_threads)
}

/// A thread pool of a given size.
pub fn threads(jobs: usize) -> Result<rayon::ThreadPool, RunError> {
    rayon::ThreadPoolBuilder::new().num_threads(jobs).build().map_err(no_threads)
}

fn no_threads(error: impl ToString) -> RunError {
    RunError::NoThreads { reason: error.to_string() }
}

/// Cells grouped by the split that they share: a seed of a setting.
pub fn by_split<'a>(cells: impl Iterator<Item = &'a Cell>) -> Vec<Vec<&'a Cell>> {
    let mut groups: BTreeMap<(u32, usize), Vec<&Cell>> = BTreeMap::new();
    cells.for_each(|cell| groups.entry((cell.seed, cell.setting)).or_default().push(cell));
    groups.into_values().collect()
}

/// Stores outcomes in batches: syncing the disk for every cell, or only being woken for it, would delay the computation.
/// A crash loses at most what was computed within [`BETWEEN_SYNCS`].
fn keep(store: &mut Store, outcomes: Receiver<Box<Outcome>>, on_done: impl Fn(usize)) -> Result<(), RunError> {
    let environment = environment();
    let mut is_open = true;
    while is_open {
        let mut batch = Vec::new();
        let end = Instant::now() + BETWEEN_SYNCS;
        while is_open && Instant::now() < end {
            std::thread::park_timeout(BETWEEN_LOOKS);
            is_open = loop {
                match outcomes.try_recv() {
                    Ok(outcome) => batch.push(outcome),
                    Err(reason) => break reason == TryRecvError::Empty,
                }
            };
        }
        let count = batch.len();
        if count > 0 {
            store.append(&environment, batch)?;
            on_done(count);
        }
    }
    Ok(())
}
