//! Comparing two runs: their inputs, environment and results.

mod lines;
mod made;
mod show;
mod twins;

use crate::analysis::Results;
use crate::run::{RunError, StoredRun, computed_by};
use lines::Pair;
use serde::Serialize;
use std::path::Path;
use twins::twins;

pub use lines::{LineCells, LineDifference, MetricDifference};
pub use made::{Differing, Part};
pub use show::Layout;

/// How two runs differ.
#[derive(Serialize)]
pub struct Compared {
    /// The folders, as given.
    pub first: String,
    pub second: String,
    /// In spec, data, program and machine.
    #[serde(rename = "differs")]
    pub made: Vec<Differing>,
    pub cells: CellCounts,
    /// The lines with a cell that differs, in the order of the first run.
    pub lines: Vec<LineDifference>,
}

/// How many cells are in the runs, by setting, method, prior and seed.
#[derive(Serialize)]
pub struct CellCounts {
    pub in_both: usize,
    /// The cells in both runs with the same bits.
    pub same: usize,
    pub only_in_first: usize,
    pub only_in_second: usize,
}

/// Compares two runs of any versions.
pub fn compare(first: &Path, second: &Path) -> Result<Compared, RunError> {
    let (a, b) = (read(first)?, read(second)?);
    let (results_a, results_b) = (results(&a), results(&b));
    let pairs: Vec<Pair> = twins(&results_a, &results_b).into_iter().map(Pair::new).collect();
    let lines: Vec<LineDifference> =
        pairs.iter().filter_map(|pair| pair.difference(&a.manifest, &b.manifest)).collect();
    let in_both: usize = pairs.iter().map(|pair| pair.seeds.len()).sum();
    let different: usize = lines.iter().map(|line| line.cells.in_both - line.cells.same).sum();
    Ok(Compared {
        first: first.display().to_string(),
        second: second.display().to_string(),
        made: made::of_runs(&a.manifest, &b.manifest),
        cells: CellCounts {
            in_both,
            same: in_both - different,
            only_in_first: results_a.cells.len() - in_both,
            only_in_second: results_b.cells.len() - in_both,
        },
        lines,
    })
}

fn read(folder: &Path) -> Result<StoredRun, RunError> {
    let mut run = StoredRun::open(folder)?;
    // The manifest of an unfinished run was written before any cell was computed.
    if run.manifest.computed_by.is_empty() {
        run.manifest.computed_by = computed_by(&run.plan, &run.contents);
    }
    Ok(run)
}

fn results(run: &StoredRun) -> Results<'_> {
    Results::gather(&run.manifest.experiment, &run.plan, |id| run.contents.outcome(id))
}
