//! External methods before anything is run: that they start, and that stored cells were computed with the same versions.

use crate::external;
use crate::run::{Contents, Outcome, RunError};
use crate::spec::{Cell, Experiment};
use std::collections::{BTreeMap, BTreeSet};

type Versions = BTreeMap<String, String>;

/// Starts every external method among the pending cells, and refuses one whose versions are not those of its stored cells.
pub fn start_externals(
    experiment: &Experiment,
    pending: &[&Cell],
    all: &[&Cell],
    stored: &Contents,
) -> Result<(), RunError> {
    let methods: BTreeSet<usize> = pending.iter().map(|cell| cell.method).collect();
    for method in methods {
        for external in experiment.methods[method].method.externals() {
            let name = external.name.clone();
            let present = external::versions(&external.program())
                .map_err(|trouble| RunError::NoMethod { name, reason: trouble.to_string() })?;
            let is_of_program = |cell: &&&Cell| experiment.methods[cell.method].method.name() == external.name;
            let cells = all.iter().filter(is_of_program);
            refuse_others(&external.name, &present, cells.filter_map(|cell| stored.outcome(&cell.id)))?;
        }
    }
    Ok(())
}

/// Refuses cells of a method that were computed with different versions, for instance in several shards.
pub fn refuse_mixed_versions<'a>(
    experiment: &Experiment,
    cells: impl Iterator<Item = (&'a Cell, &'a Outcome)>,
) -> Result<(), RunError> {
    let mut known: BTreeMap<&str, &Versions> = BTreeMap::new();
    for (cell, outcome) in cells {
        let method = &experiment.methods[cell.method].method;
        let (true, Ok(scored)) = (!method.externals().is_empty(), &outcome.result) else { continue };
        let first = known.entry(method.name()).or_insert(&scored.fit.versions);
        refuse_others(method.name(), first, std::iter::once(outcome))?;
    }
    Ok(())
}

fn refuse_others<'a>(
    name: &str,
    versions: &Versions,
    mut outcomes: impl Iterator<Item = &'a Outcome>,
) -> Result<(), RunError> {
    let other = outcomes.find_map(|outcome| {
        outcome.result.as_ref().ok().map(|scored| &scored.fit.versions).filter(|stored| *stored != versions)
    });
    let Some(stored) = other else { return Ok(()) };
    let problem = format!(
        "cells of `{name}` were computed with {}, and others with {}",
        external::version_list(stored),
        external::version_list(versions)
    );
    Err(RunError::refused(problem, "install the same versions again, or run all cells again with --fresh"))
}
