//! Two runs: what they were made of, and what came out.

mod json;
mod lines;
mod made;
mod show;
mod twins;

use crate::analysis::Results;
use crate::proof::ProofError;
use crate::run::{StoreError, StoredRun, computed_by};
use lines::Pair;
use std::path::Path;
use twins::twins;

pub use lines::{LineDifference, MetricDifference};
pub use made::{Differing, Part};

/// How two runs differ.
pub struct Compared {
    /// The folders, as they were given.
    pub first: String,
    pub second: String,
    /// In spec, data, program and machine.
    pub made: Vec<Differing>,
    /// How many cells both have, by setting, method, prior and seed.
    pub shared: usize,
    /// How many of those came out the same, to the bit.
    pub same: usize,
    pub only_first: usize,
    pub only_second: usize,
    /// Those of which some cell differs, in the order of the first run.
    pub lines: Vec<LineDifference>,
}

/// Compares two runs, whatever versions made them.
pub fn compare(first: &Path, second: &Path) -> Result<Compared, ProofError> {
    let (a, b) = (read(first)?, read(second)?);
    let (results_a, results_b) = (results(&a)?, results(&b)?);
    let pairs: Vec<Pair> = twins(&results_a, &results_b).into_iter().map(Pair::new).collect();
    let lines: Vec<LineDifference> =
        pairs.iter().filter_map(|pair| pair.difference(&a.manifest, &b.manifest)).collect();
    let shared: usize = pairs.iter().map(|pair| pair.seeds.len()).sum();
    let different: usize = lines.iter().map(|line| line.shared - line.same).sum();
    Ok(Compared {
        first: first.display().to_string(),
        second: second.display().to_string(),
        made: made::of_runs(&a.manifest, &b.manifest),
        shared,
        same: shared - different,
        only_first: results_a.cells.len() - shared,
        only_second: results_b.cells.len() - shared,
        lines,
    })
}

/// One of the two, as its folder has it.
fn read(folder: &Path) -> Result<StoredRun, StoreError> {
    let mut run = StoredRun::open(folder)?;
    let computed_by = computed_by(run.plan(), run.contents()?);
    // When an unfinished run began, nobody had computed anything yet.
    if run.manifest.computed_by.is_empty() {
        run.manifest.computed_by = computed_by;
    }
    Ok(run)
}

fn results(run: &StoredRun) -> Result<Results<'_>, StoreError> {
    let contents = run.contents()?;
    Ok(Results::gather(&run.manifest.experiment, run.plan(), |id| contents.outcome(id)))
}
