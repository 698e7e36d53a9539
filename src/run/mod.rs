//! Executing cells: in parallel, resumable, and with the same bits whatever the order.
//!
//! This room measures and stores; it does not print and does not draw.

mod cell;
mod data;
mod manifest;
mod merge;
mod outcome;
mod row;
mod scatter;
mod shard;
mod store;
mod stored;

use crate::spec::{Cell, Experiment};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::time::{Duration, Instant};

pub use cell::{Fitted, SplitSamples, compute, run_group};
pub use data::{Data, DataFile};
pub use manifest::{Environment, Manifest, computed_by, environment, records_sha256, spec_sha256};
pub use merge::{MergeError, Merged, merge};
pub use outcome::{Moment, Outcome, SampleSizes, Scored};
pub use row::{cell_columns, cell_row};
pub use scatter::{Scatter, ScatterGroup, scatters};
pub use shard::Shard;
pub use store::{
    Contents, Damage, Kept, Lock, Start, Store, StoreError, Torn, read_bounded, remove_if_there, sync_folder,
    write_atomically, write_beside_others, write_together,
};
pub use stored::StoredRun;

/// How many finished cells may wait to be stored; a slow disk holds up the computing and not the memory.
const MOST_WAITING: usize = 4096;
/// How long finished cells wait for others to be stored with.
const BETWEEN_SYNCS: Duration = Duration::from_millis(50);
/// How long they wait to be looked at.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// Whether a run came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    Complete,
    Interrupted,
}

/// Runs those of the cells that the store does not hold, and stores each; `on_done` hears of cells that are on the disk.
///
/// Work is grouped by (setting, seed), so that all methods and priors of a seed share one split and its matrices. It runs
/// on the current thread pool. When `stop` is set, the cells under way are finished and no other is begun.
pub fn execute(
    experiment: &Experiment,
    cells: &[&Cell],
    data: &Data,
    store: &mut Store,
    stop: &AtomicBool,
    on_done: impl Fn(usize) + Send,
) -> Result<RunEnd, StoreError> {
    let groups = by_split(cells.iter().filter(|cell| !store.holds(&cell.id, &experiment.metrics)).copied());
    let left_over = AtomicBool::new(false);
    let (sender, receiver) = sync_channel(MOST_WAITING);
    std::thread::scope(|scope| {
        let keeper = scope.spawn(|| keep(store, receiver, on_done));
        groups.into_par_iter().with_max_len(1).for_each_with(sender, |sender, cells| {
            let begin = |_: &Cell| {
                let go_on = !stop.load(Ordering::Relaxed);
                left_over.fetch_or(!go_on, Ordering::Relaxed);
                go_on
            };
            // When the store has failed, nothing receives outcomes any more.
            run_group(experiment, data, &cells, begin, |_, outcome| sender.send(Box::new(outcome)).is_ok());
        });
        // There is nothing more to wait for.
        keeper.thread().unpark();
        keeper.join().unwrap_or_else(|panic| resume_unwind(panic))
    })?;
    Ok(if left_over.into_inner() { RunEnd::Interrupted } else { RunEnd::Complete })
}

/// So many threads to compute on.
pub fn threads(jobs: usize) -> Result<rayon::ThreadPool, StoreError> {
    rayon::ThreadPoolBuilder::new().num_threads(jobs).build().map_err(StoreError::threads)
}

/// Cells by the split that they share: a seed of a setting.
pub fn by_split<'a>(cells: impl Iterator<Item = &'a Cell>) -> Vec<Vec<&'a Cell>> {
    let mut groups: BTreeMap<(u32, usize), Vec<&Cell>> = BTreeMap::new();
    cells.for_each(|cell| groups.entry((cell.seed, cell.setting)).or_default().push(cell));
    groups.into_values().collect()
}

/// Stores outcomes in batches: to sync the disk for every cell, or only to be woken for it, would hold up those that
/// compute. What a crash may lose is what was computed within [`BETWEEN_SYNCS`].
fn keep(store: &mut Store, outcomes: Receiver<Box<Outcome>>, on_done: impl Fn(usize)) -> Result<(), StoreError> {
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
                    Err(nothing) => break nothing == TryRecvError::Empty,
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
