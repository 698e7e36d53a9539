//! Merging several runs of one experiment.

use crate::run::{Data, Environment, Manifest, Outcome, RunError, Start, Store, StoredRun, refuse_mixed_versions};
use crate::spec::{Cell, Plan};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A folder with the outcomes of several runs.
pub struct Merged {
    /// Of the first run.
    pub manifest: Manifest,
    pub plan: Plan,
    pub store: Store,
    /// The data, if it is where one of the runs had it and unchanged.
    pub data: Option<Data>,
}

impl Merged {
    /// The cells that no run has.
    pub fn missing(&self) -> Vec<&Cell> {
        let contents = self.store.contents();
        let metrics = &self.manifest.experiment.metrics;
        self.plan.cells.iter().filter(|cell| contents.shown(cell, metrics).is_none()).collect()
    }
}

/// An outcome with its run and its environment.
type Found = (PathBuf, Environment, Box<Outcome>);

/// Adds the outcomes of runs to a folder. If anything does not agree, nothing is added.
pub fn merge(runs: &[PathBuf], out: &Path) -> Result<Merged, RunError> {
    let runs = runs.iter().map(|run| StoredRun::open_repeatable(run)).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = runs.first() else {
        return Err(RunError::refused("there is no run to merge", "give the folders of runs"));
    };
    runs.iter().try_for_each(|run| refuse_foreign(first, run))?;
    if out.join("manifest.json").exists() {
        refuse_foreign(first, &StoredRun::open_repeatable(out)?)?;
    }
    let (plan, mut manifest) = (first.plan.clone(), first.manifest.clone());
    let folders: Vec<PathBuf> = runs.iter().map(|run| run.manifest.folder.clone()).collect();
    let found = gather(&plan, runs)?;

    let mut store = Store::open(out, Start::Resume)?;
    let outcomes = plan.cells.iter().flat_map(|cell| {
        let new = found.get(&cell.id).map(|(_, _, outcome)| &**outcome);
        new.into_iter().chain(store.outcome(&cell.id)).map(move |outcome| (cell, outcome))
    });
    refuse_mixed_versions(&manifest.experiment, outcomes)?;
    let mut new: Vec<(Environment, Vec<Box<Outcome>>)> = Vec::new();
    for (run, environment, outcome) in found.into_values() {
        match store.outcome(&outcome.id).map(|stored| chosen(stored, &outcome)) {
            Some(Some(Choice::First)) => {}
            None | Some(Some(Choice::Second)) => match new.iter_mut().find(|(other, _)| *other == environment) {
                Some((_, outcomes)) => outcomes.push(outcome),
                None => new.push((environment, vec![outcome])),
            },
            Some(None) => return Err(disagreement(out, &run, &outcome.id)),
        }
    }
    store.begin(&manifest.command)?;
    new.into_iter().try_for_each(|(environment, outcomes)| store.append(&environment, outcomes))?;
    let data = folders.into_iter().find_map(|folder| {
        let elsewhere = manifest.experiment.clone().in_folder(&folder);
        let data = Data::load_again(&elsewhere, &manifest.data).ok()?;
        manifest.experiment = elsewhere;
        Some(data)
    });
    Ok(Merged { manifest, plan, store, data })
}

/// The outcomes of runs for the cells of a plan, by cell id.
fn gather(plan: &Plan, runs: Vec<StoredRun>) -> Result<BTreeMap<String, Found>, RunError> {
    let ids: BTreeSet<&str> = plan.cells.iter().map(|cell| &*cell.id).collect();
    let mut found: BTreeMap<String, Found> = BTreeMap::new();
    for StoredRun { folder, manifest, contents, .. } in runs {
        for (environment, outcomes) in contents.by_environment(&manifest.written_by) {
            for outcome in outcomes.into_iter().filter(|outcome| ids.contains(&*outcome.id)) {
                match found.get(&outcome.id).map(|(first, _, other)| (first, chosen(other, &outcome))) {
                    Some((_, Some(Choice::First))) => {}
                    Some((first, None)) => return Err(disagreement(first, &folder, &outcome.id)),
                    None | Some((_, Some(Choice::Second))) => {
                        found.insert(outcome.id.clone(), (folder.clone(), environment.clone(), outcome));
                    }
                }
            }
        }
    }
    Ok(found)
}

/// Which of two outcomes of a cell counts.
enum Choice {
    First,
    Second,
}

/// A failed cell runs again, so a result counts more than a failure. `None` if there are two different results.
fn chosen(first: &Outcome, second: &Outcome) -> Option<Choice> {
    match (&first.result, &second.result) {
        (_, Err(_)) => Some(Choice::First),
        (Err(_), Ok(_)) => Some(Choice::Second),
        (Ok(_), Ok(_)) => first.agrees(second).then_some(Choice::First),
    }
}

fn disagreement(first: &Path, other: &Path, cell: &str) -> RunError {
    RunError::refused(
        format!("{} and {} disagree on cell {cell}", first.display(), other.display()),
        "`doublepu compare` shows where they differ; `doublepu verify` shows which of them this machine reproduces",
    )
}

/// Runs can be merged if they have the same spec, data and version of the program.
fn refuse_foreign(first: &StoredRun, other: &StoredRun) -> Result<(), RunError> {
    let (a, b) = (&first.manifest, &other.manifest);
    let version = &a.written_by.version;
    let what = if a.spec_sha256 != b.spec_sha256 {
        "their specs"
    } else if a.data != b.data {
        "their data"
    } else if [&b.written_by].into_iter().chain(&b.computed_by).any(|by| by.version != *version) {
        "the version of the program"
    } else {
        return Ok(());
    };
    Err(RunError::refused(
        format!("{} and {} differ in {what}", first.folder.display(), other.folder.display()),
        "merge runs of one experiment, on the same data, by the same version; `doublepu compare` shows details",
    ))
}
