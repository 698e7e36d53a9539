//! Several runs of one experiment, put together.

use crate::run::store::StoreError;
use crate::run::{Data, DataFile, Environment, Manifest, Outcome, Start, Store, StoredRun};
use crate::spec::{Cell, Experiment, Plan};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Why nothing was merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(
        "{} and {} differ in {what}\n  help: merge runs of one experiment, on the same data, by the same version; \
         `doublepu compare` tells more",
        first.display(), other.display()
    )]
    Foreign { first: PathBuf, other: PathBuf, what: String },
    #[error(
        "{} and {} disagree on cell {cell}\n  help: `doublepu compare` shows where they differ; `doublepu verify` tells \
         which of them this machine would give",
        first.display(), other.display()
    )]
    Disagree { first: PathBuf, other: PathBuf, cell: String },
}

/// What was merged.
pub struct Merged {
    pub experiment: Experiment,
    pub plan: Plan,
    pub files: Vec<DataFile>,
    pub command: String,
    pub store: Store,
    /// The data, if one of the runs says where it is and it is still the same.
    pub data: Option<Data>,
}

impl Merged {
    /// The cells that no run has.
    pub fn missing(&self) -> Vec<&Cell> {
        let contents = self.store.contents();
        self.plan.cells.iter().filter(|cell| contents.shown(cell, &self.experiment.metrics).is_none()).collect()
    }
}

/// An outcome, with the run that it was found in and the environment that it was computed in.
struct Found {
    run: PathBuf,
    environment: Environment,
    outcome: Box<Outcome>,
}

/// Puts the outcomes of runs into a folder, beside what it holds. No outcome is if anything does not fit.
pub fn merge(runs: &[PathBuf], out: &Path) -> Result<Merged, MergeError> {
    let runs = runs.iter().map(|run| StoredRun::open_repeatable(run)).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = runs.first() else {
        return Err(StoreError::NotARun { folder: out.to_path_buf() }.into());
    };
    runs.iter().try_for_each(|run| refuse_foreign(first, run))?;
    if out.join("manifest.json").exists() {
        refuse_foreign(first, &StoredRun::open_repeatable(out)?)?;
    }
    let plan = first.manifest.plan();
    let Manifest { mut experiment, data: files, command, .. } = first.manifest.clone();
    let folders: Vec<PathBuf> = runs.iter().map(|run| run.manifest.folder.clone()).collect();
    let mut found: BTreeMap<&str, Found> = BTreeMap::new();
    for run in runs {
        gather(&plan, run, &mut found)?;
    }

    let mut store = Store::open(out, Start::Resume)?;
    let mut new: Vec<(Environment, Vec<Box<Outcome>>)> = Vec::new();
    for Found { run, environment, outcome } in found.into_values() {
        match store.outcome(&outcome.id) {
            Some(there) if there.agrees(&outcome) => {}
            Some(_) => {
                return Err(MergeError::Disagree { first: out.to_path_buf(), other: run, cell: outcome.id });
            }
            None => match new.iter_mut().find(|(other, _)| *other == environment) {
                Some((_, outcomes)) => outcomes.push(outcome),
                None => new.push((environment, vec![outcome])),
            },
        }
    }
    for (environment, outcomes) in new {
        store.append(&environment, outcomes)?;
    }
    let data = folders.into_iter().find_map(|folder| {
        let elsewhere = Experiment { folder, ..experiment.clone() };
        let data = Data::load_again(&elsewhere, &files).ok()?;
        experiment = elsewhere;
        Some(data)
    });
    Ok(Merged { experiment, plan, files, command, store, data })
}

fn refuse_foreign(first: &StoredRun, other: &StoredRun) -> Result<(), MergeError> {
    let Some(what) = difference(&first.manifest, &other.manifest) else { return Ok(()) };
    let (first, other) = (first.folder.clone(), other.folder.clone());
    Err(MergeError::Foreign { first, other, what: what.to_string() })
}

/// What keeps two runs from being merged.
fn difference(a: &Manifest, b: &Manifest) -> Option<&'static str> {
    if a.spec_sha256 != b.spec_sha256 {
        return Some("their specs");
    }
    if a.data != b.data {
        return Some("their data");
    }
    let version = &a.written_by.version;
    let same = |environment: &Environment| environment.version == *version;
    let all_the_same = [&b.written_by].into_iter().chain(&b.computed_by).all(same);
    (!all_the_same).then_some("the version of the program")
}

fn gather<'a>(plan: &'a Plan, run: StoredRun, found: &mut BTreeMap<&'a str, Found>) -> Result<(), MergeError> {
    let (folder, written_by) = (run.folder.clone(), run.manifest.written_by.clone());
    let mut contents = run.into_contents()?;
    for cell in &plan.cells {
        let Some(kept) = contents.kept.remove(&cell.id) else { continue };
        if let Some(other) = found.get(&*cell.id) {
            if !other.outcome.agrees(&kept.outcome) {
                let (first, other) = (other.run.clone(), folder);
                return Err(MergeError::Disagree { first, other, cell: cell.id.clone() });
            }
            continue;
        }
        let environment = kept.environment.map(|place| &contents.environments[place]);
        let environment = environment.unwrap_or(&written_by).clone();
        found.insert(&cell.id, Found { run: folder.clone(), environment, outcome: kept.outcome });
    }
    Ok(())
}
