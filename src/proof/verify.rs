//! Stored cells, computed once more in other ways.

use crate::proof::{Difference, ProofError, difference};
use crate::run::{Data, Outcome, StoreError, StoredRun, by_split, records_sha256, run_group, threads};
use crate::sample::stream;
use crate::spec::{Cell, Experiment};
use rand::seq::SliceRandom;
use rayon::prelude::*;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Which cells are computed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    All,
    /// So many: one of every method, setting and prior before there are two of any.
    Sample(usize),
}

/// What was found to be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    pub cells: usize,
    /// Of the experiment.
    pub all: usize,
    pub not_done: usize,
    /// Of the report, which are as they were written.
    pub files: usize,
}

/// Computes stored cells again, and checks the spec, the data and the files of the report by their hashes.
///
/// This happens twice: one thread goes backwards, cell by cell, and shares nothing between them; several threads go in a
/// random order, and cells share their split. `on_done` hears of every cell, each time.
pub fn verify(run: &Path, which: Which, on_done: impl Fn(usize, usize) + Sync) -> Result<Verified, ProofError> {
    let stored = StoredRun::open_repeatable(run)?;
    let (manifest, experiment) = (&stored.manifest, &stored.manifest.experiment);
    let data = stored.load_data()?;
    if let Some(name) = manifest.changed_file(run) {
        return Err(ProofError::ChangedFile { run: run.to_path_buf(), name: name.to_string() });
    }
    let (plan, contents) = (stored.plan(), stored.contents()?);
    let done: Vec<&Cell> = plan.cells.iter().filter(|cell| contents.outcome(&cell.id).is_some()).collect();
    if done.is_empty() {
        return Err(ProofError::NothingDone { run: run.to_path_buf() });
    }
    let cells = chosen(&done, which, &manifest.spec_sha256);
    let count = AtomicUsize::new(0);
    let check = |cell: &Cell, outcome: &Outcome| {
        on_done(count.fetch_add(1, Ordering::Relaxed) + 1, 2 * cells.len());
        contents.outcome(&cell.id).and_then(|stored| difference(experiment, cell, stored, outcome))
    };
    let backwards = cells.iter().rev().map(|cell| vec![*cell]).collect();
    let jobs = std::thread::available_parallelism().map_or(2, usize::from).max(2);
    for (groups, jobs, how) in [
        (backwards, 1, "on one thread, cell by cell, backwards".to_string()),
        (shuffled(by_split(cells.iter().copied())), jobs, format!("on {jobs} threads, in a random order")),
    ] {
        if let Some(difference) = repeat(experiment, &data, &groups, jobs, check)? {
            return Err(ProofError::Different { run: run.to_path_buf(), difference: Box::new(difference), how });
        }
    }
    if !manifest.files.is_empty() && records_sha256(plan, contents) != manifest.records_sha256 {
        return Err(ProofError::OtherRecords { run: run.to_path_buf() });
    }
    Ok(Verified {
        cells: cells.len(),
        all: plan.cells.len(),
        not_done: plan.cells.len() - done.len(),
        files: manifest.files.len(),
    })
}

/// Cells in the order of the plan.
fn chosen<'a>(done: &[&'a Cell], which: Which, name: &str) -> Vec<&'a Cell> {
    let Which::Sample(size) = which else { return done.to_vec() };
    let mut random = stream(&["verify", name]);
    let mut lines: Vec<Vec<usize>> = Vec::new();
    for places in (0..done.len()).collect::<Vec<_>>().chunk_by(|a, b| done[*a].line() == done[*b].line()) {
        let mut places = places.to_vec();
        places.shuffle(&mut random);
        lines.push(places);
    }
    let longest = lines.iter().map(Vec::len).max().unwrap_or_default();
    let in_turn = (0..longest).flat_map(|turn| lines.iter().filter_map(move |line| line.get(turn)));
    let mut places: Vec<usize> = in_turn.copied().take(size).collect();
    places.sort_unstable();
    places.into_iter().map(|place| done[place]).collect()
}

fn shuffled(mut groups: Vec<Vec<&Cell>>) -> Vec<Vec<&Cell>> {
    let mut random = stream(&["verify", "order"]);
    groups.shuffle(&mut random);
    groups.iter_mut().for_each(|cells| cells.shuffle(&mut random));
    groups
}

/// Computes groups of cells, each of one split, until one differs from what it should be.
fn repeat(
    experiment: &Experiment,
    data: &Data,
    groups: &[Vec<&Cell>],
    jobs: usize,
    check: impl Fn(&Cell, &Outcome) -> Option<Difference> + Sync,
) -> Result<Option<Difference>, StoreError> {
    let pool = threads(jobs)?;
    let found = OnceLock::new();
    pool.install(|| {
        groups.par_iter().with_max_len(1).for_each(|cells| {
            run_group(
                experiment,
                data,
                cells,
                |_| found.get().is_none(),
                |cell, outcome| {
                    let difference = check(cell, &outcome);
                    let is_well = difference.is_none();
                    if let Some(difference) = difference {
                        found.get_or_init(|| difference);
                    }
                    is_well
                },
            );
        });
    });
    Ok(found.into_inner())
}
