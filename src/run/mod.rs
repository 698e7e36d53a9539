//! Executing cells: in parallel, resumable, and with the same bits whatever the order.
//!
//! This room measures and stores; it does not print and does not draw.

mod cell;
mod data;
mod manifest;
mod outcome;
mod scatter;
mod store;

use crate::spec::{Cell, Experiment, Plan};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

pub use cell::SplitSamples;
pub use data::{Data, DataFile};
pub use manifest::{Environment, FinishedRun, Manifest, environment, read_run};
pub use outcome::{Moment, Outcome, SampleSizes, Scored};
pub use scatter::{Scatter, ScatterGroup, scatters};
pub use store::{Store, StoreError, csv_bytes, write_atomically};

/// Whether a run came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    Complete,
    Interrupted,
}

/// Runs every cell that the store does not hold yet, on `jobs` threads, and stores each as it is done.
///
/// Work is grouped by (setting, seed), so that all methods and priors of a seed share one split and its matrices.
/// When `stop` is set, the groups under way are finished and no other is begun.
pub fn execute(
    experiment: &Experiment,
    plan: &Plan,
    data: &Data,
    store: &mut Store,
    jobs: usize,
    stop: &AtomicBool,
    on_done: impl Fn(usize) + Sync,
) -> Result<RunEnd, StoreError> {
    let mut groups: BTreeMap<(u32, usize), Vec<&Cell>> = BTreeMap::new();
    for cell in plan.cells.iter().filter(|cell| !store.holds(&cell.id)) {
        groups.entry((cell.seed, cell.setting)).or_default().push(cell);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build().map_err(StoreError::threads)?;
    let store = Mutex::new(store);
    let groups: Vec<_> = groups.into_iter().collect();
    pool.install(|| {
        groups.par_iter().with_max_len(1).try_for_each(|((seed, setting), cells)| {
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let outcomes = cell::run_group(experiment, data, *setting, *seed, cells);
            let mut store = store.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            store.append(outcomes)?;
            on_done(cells.len());
            Ok(())
        })
    })?;
    Ok(if stop.load(Ordering::Relaxed) { RunEnd::Interrupted } else { RunEnd::Complete })
}
