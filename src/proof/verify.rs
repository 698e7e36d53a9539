//! Stored cells, computed again in other ways.

use crate::proof::{Difference, difference};
use crate::run::{Data, Outcome, RunError, StoredRun, by_split, records_sha256, run_group, threads};
use crate::sample::stream;
use crate::spec::{Cell, Experiment};
use rand::seq::SliceRandom;
use rayon::prelude::*;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What was the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    pub cells: usize,
    /// All cells of the experiment.
    pub all: usize,
    pub not_done: usize,
    /// The number of unchanged files of the report.
    pub files: usize,
}

/// Computes stored cells again, and checks the spec, the data and the files of the report by their hashes.
///
/// `sample` is the number of cells, `None` for all: one of every method, setting and prior before a second of any. Each is
/// computed twice: on one thread, in reverse order, with nothing shared between cells; and on several threads, in random
/// order, with cells sharing their split. `on_done` is called after every cell of either pass.
pub fn verify(run: &Path, sample: Option<usize>, on_done: impl Fn(usize, usize) + Sync) -> Result<Verified, RunError> {
    const RUN_AGAIN: &str = "run it again, which writes the report again";
    let stored = StoredRun::open_repeatable(run)?;
    let (StoredRun { manifest, plan, contents, .. }, experiment) = (&stored, &stored.manifest.experiment);
    let data = Data::load_again(experiment, &manifest.data)?;
    if let Some(name) = manifest.changed_file(run) {
        return Err(RunError::at(run, format!("{name} is missing or has changed"), RUN_AGAIN));
    }
    let done: Vec<&Cell> = plan.cells.iter().filter(|cell| contents.outcome(&cell.id).is_some()).collect();
    if done.is_empty() {
        return Err(RunError::at(run, "none of its cells is done", "run it first"));
    }
    let cells = chosen(&done, sample, &manifest.spec_sha256);
    let count = AtomicUsize::new(0);
    let check = |cell: &Cell, outcome: &Outcome| {
        on_done(count.fetch_add(1, Ordering::Relaxed) + 1, 2 * cells.len());
        contents.outcome(&cell.id).and_then(|stored| difference(experiment, cell, stored, outcome))
    };
    let reversed = cells.iter().rev().map(|cell| vec![*cell]).collect();
    let jobs = std::thread::available_parallelism().map_or(2, usize::from).max(2);
    for (groups, jobs, how) in [
        (reversed, 1, "on one thread, in reverse order".to_string()),
        (shuffled(by_split(cells.iter().copied())), jobs, format!("on {jobs} threads, in random order")),
    ] {
        if let Some(difference) = repeat(experiment, &data, &groups, jobs, check)? {
            let (cell, name) = (&difference.cell, &difference.name);
            let column = difference.text([" is stored, ", " was computed"]);
            let problem = format!("cell {cell} ({name}) differs in {column}, {how}");
            let remedy =
                "the manifest and `doublepu compare` show what computed the stored results; --fresh runs them again";
            return Err(RunError::at(run, problem, remedy));
        }
    }
    if !manifest.files.is_empty() && records_sha256(plan, contents) != manifest.records_sha256 {
        return Err(RunError::at(run, "the report does not belong to the cells in the journal", RUN_AGAIN));
    }
    let (all, files) = (plan.cells.len(), manifest.files.len());
    Ok(Verified { cells: cells.len(), all, not_done: all - done.len(), files })
}

/// Cells in the order of the plan.
fn chosen<'a>(done: &[&'a Cell], sample: Option<usize>, name: &str) -> Vec<&'a Cell> {
    let Some(size) = sample else { return done.to_vec() };
    let mut random = stream(&["verify", name]);
    let mut turns: Vec<(usize, usize)> = Vec::new();
    for indices in (0..done.len()).collect::<Vec<_>>().chunk_by(|a, b| done[*a].line() == done[*b].line()) {
        let mut indices = indices.to_vec();
        indices.shuffle(&mut random);
        turns.extend(indices.into_iter().enumerate());
    }
    turns.sort_by_key(|(turn, _)| *turn);
    let mut indices: Vec<usize> = turns.into_iter().take(size).map(|(_, index)| index).collect();
    indices.sort_unstable();
    indices.into_iter().map(|index| done[index]).collect()
}

fn shuffled(mut groups: Vec<Vec<&Cell>>) -> Vec<Vec<&Cell>> {
    let mut random = stream(&["verify", "order"]);
    groups.shuffle(&mut random);
    groups.iter_mut().for_each(|cells| cells.shuffle(&mut random));
    groups
}

/// Computes groups of cells, each of one split, until one differs from its stored outcome.
fn repeat(
    experiment: &Experiment,
    data: &Data,
    groups: &[Vec<&Cell>],
    jobs: usize,
    check: impl Fn(&Cell, &Outcome) -> Option<Difference> + Sync,
) -> Result<Option<Difference>, RunError> {
    let found = OnceLock::new();
    let is_well = |cell: &Cell, outcome: Outcome| match check(cell, &outcome) {
        None => true,
        Some(difference) => {
            found.get_or_init(|| difference);
            false
        }
    };
    threads(jobs)?.install(|| {
        let groups = groups.par_iter().with_max_len(1);
        groups.for_each(|cells| run_group(experiment, data, cells, |_| found.get().is_none(), is_well));
    });
    Ok(found.into_inner())
}
