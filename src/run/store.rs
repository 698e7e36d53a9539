//! Where outcomes are kept: a journal of one JSON line a cell, appended to as cells are done.

use crate::run::Outcome;
use crate::spec::Plan;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The outcomes of a run folder. Only one process holds a folder at a time.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    journal: File,
    outcomes: BTreeMap<String, Outcome>,
}

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("{}: {source}\n  help: give a folder that can be written, with --out", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{} is used by another run\n  help: wait until it has ended, or give another folder with --out", path.display())]
    Busy { path: PathBuf },
    #[error(
        "{}: line {line} is damaged: {reason}\n  help: restore the file, or start over with --fresh",
        path.display()
    )]
    Damaged { path: PathBuf, line: usize, reason: String },
    #[error(
        "{}: the outcome of cell {cell} does not have this experiment's metrics\n  help: start over with --fresh",
        path.display()
    )]
    Foreign { path: PathBuf, cell: String },
    #[error("{}: {reason}\n  help: give the folder of a finished run, such as results/runs/smoke", path.display())]
    NotARun { path: PathBuf, reason: String },
    #[error("threads cannot be started: {0}")]
    Threads(String),
}

impl StoreError {
    pub fn threads(error: rayon::ThreadPoolBuildError) -> Self {
        StoreError::Threads(error.to_string())
    }

    fn io(path: &Path) -> impl Fn(io::Error) -> StoreError {
        move |source| StoreError::Io { path: path.to_path_buf(), source }
    }
}

impl Store {
    /// Opens a folder, made if need be. With `fresh`, what it holds is forgotten.
    pub fn open(folder: &Path, fresh: bool) -> Result<Self, StoreError> {
        std::fs::create_dir_all(folder).map_err(StoreError::io(folder))?;
        let path = folder.join("journal.jsonl");
        let io = |source| StoreError::Io { path: path.clone(), source };
        let mut journal =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(&io)?;
        match journal.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::Busy { path: folder.to_path_buf() }),
            Err(TryLockError::Error(source)) => return Err(io(source)),
        }
        if fresh {
            journal.set_len(0).map_err(&io)?;
        }
        let mut bytes = Vec::new();
        journal.read_to_end(&mut bytes).map_err(&io)?;
        let (outcomes, whole) = read_journal(&path, &bytes)?;
        // A last line that was torn by a crash is cut off; its cell runs again.
        journal.set_len(whole as u64).map_err(&io)?;
        journal.seek(SeekFrom::End(0)).map_err(&io)?;
        Ok(Store { path, journal, outcomes })
    }

    /// What a folder holds, without opening it for a run; nothing if there is no such folder.
    pub fn peek(folder: &Path) -> Result<BTreeMap<String, Outcome>, StoreError> {
        let path = folder.join("journal.jsonl");
        match std::fs::read(&path) {
            Ok(bytes) => Ok(read_journal(&path, &bytes)?.0),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeMap::new()),
            Err(source) => Err(StoreError::Io { path, source }),
        }
    }

    /// Whether a cell is done. A failed one is not: it is tried again.
    pub fn holds(&self, id: &str) -> bool {
        self.outcomes.get(id).is_some_and(|outcome| outcome.result.is_ok())
    }

    pub fn outcome(&self, id: &str) -> Option<&Outcome> {
        self.outcomes.get(id)
    }

    /// Refuses outcomes of planned cells that do not have as many metrics as the experiment.
    pub fn check(&self, plan: &Plan, metrics: usize) -> Result<(), StoreError> {
        let odd = |outcome: &&Outcome| outcome.result.as_ref().is_ok_and(|scored| scored.metrics.len() != metrics);
        match plan.cells.iter().filter_map(|cell| self.outcome(&cell.id)).find(odd) {
            None => Ok(()),
            Some(outcome) => Err(StoreError::Foreign { path: self.path.clone(), cell: outcome.id.clone() }),
        }
    }

    pub fn append(&mut self, outcomes: Vec<Outcome>) -> Result<(), StoreError> {
        let mut lines = Vec::new();
        for outcome in &outcomes {
            serde_json::to_writer(&mut lines, outcome).map_err(|error| StoreError::io(&self.path)(error.into()))?;
            lines.push(b'\n');
        }
        // One write for the whole group: a crash tears the last line at the most.
        self.journal.write_all(&lines).map_err(StoreError::io(&self.path))?;
        self.outcomes.extend(outcomes.into_iter().map(|outcome| (outcome.id.clone(), outcome)));
        Ok(())
    }
}

/// The outcomes, later ones replacing earlier ones of the same cell, and the length of the whole lines.
fn read_journal(path: &Path, bytes: &[u8]) -> Result<(BTreeMap<String, Outcome>, usize), StoreError> {
    let mut outcomes = BTreeMap::new();
    let mut whole = 0;
    for (index, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        if !line.ends_with(b"\n") {
            break;
        }
        let outcome: Outcome = serde_json::from_slice(line).map_err(|error| StoreError::Damaged {
            path: path.to_path_buf(),
            line: index + 1,
            reason: error.to_string(),
        })?;
        whole += line.len();
        outcomes.insert(outcome.id.clone(), outcome);
    }
    Ok((outcomes, whole))
}

/// What a table was written to.
pub fn csv_bytes(writer: csv::Writer<Vec<u8>>) -> csv::Result<Vec<u8>> {
    writer.into_inner().map_err(|error| error.into_error().into())
}

/// Writes beside and renames, so that a file is never half there.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.new"));
    let written = std::fs::write(&beside, bytes).and_then(|()| std::fs::rename(&beside, path));
    written.map_err(|source| {
        // What is left of a failed attempt; if it cannot be removed either, the first error says why.
        let _ = std::fs::remove_file(&beside);
        StoreError::io(path)(source)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{Failure, FailureKind, Fit, Optimizer, Prior};
    use crate::optim::{Boundedness, Ending};
    use crate::run::{Moment, SampleSizes, Scored};

    fn outcome(id: &str, auc: Option<f64>) -> Outcome {
        let fit = Fit {
            ending: Ending::Converged,
            optimizer: Some(Optimizer::Newton),
            iterations: Some(3),
            objective: Some(0.1 + 0.2),
            gradient_norm: Some(1e-9),
            relative_gradient: Some(1e-10),
            starts: None,
            convex: Some(true),
            bounded: Some(Boundedness::Bounded),
            tuned: None,
        };
        let scored = |auc| Scored {
            metrics: vec![auc],
            curve: vec![0, 10_000],
            boundary: Some([1.0, 2.0, 0.1]),
            fit,
            history: vec![Moment { epoch: 1, training_risk: -0.1, roc_auc: auc }],
        };
        let failure = Failure { kind: FailureKind::EmptySample, reason: "D_L has no row".into() };
        Outcome {
            id: id.to_string(),
            sizes: Some(SampleSizes { interest: 1, unlabeled: 2, loyal: 3, train: 4, test: 5 }),
            prior: Some(Prior::new(0.4738, 0.0046).unwrap()),
            result: auc.map(scored).ok_or(failure),
            seconds: 0.25,
        }
    }

    #[test]
    fn what_was_stored_comes_back_bit_for_bit() {
        let folder = tempfile::tempdir().unwrap();
        let outcomes = vec![outcome("a", Some(1.0 / 3.0)), outcome("b", None)];
        Store::open(folder.path(), false).unwrap().append(outcomes.clone()).unwrap();
        let store = Store::open(folder.path(), false).unwrap();
        assert_eq!(store.outcome("a"), Some(&outcomes[0]));
        assert_eq!(store.outcome("b"), Some(&outcomes[1]));
        assert!(store.holds("a") && !store.holds("b"), "a failed cell is tried again");
    }

    #[test]
    fn a_torn_last_line_is_dropped_and_damage_before_it_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        Store::open(folder.path(), false)
            .unwrap()
            .append(vec![outcome("a", Some(0.5)), outcome("b", Some(0.6))])
            .unwrap();
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 5]).unwrap();
        let mut store = Store::open(folder.path(), false).unwrap();
        assert!(store.holds("a") && !store.holds("b"));
        store.append(vec![outcome("b", Some(0.6))]).unwrap();
        drop(store);
        assert_eq!(std::fs::read(&path).unwrap(), whole);

        let mut damaged = whole.clone();
        damaged[0] = b'x';
        std::fs::write(&path, damaged).unwrap();
        assert!(matches!(Store::open(folder.path(), false), Err(StoreError::Damaged { line: 1, .. })));
    }

    #[test]
    fn a_folder_is_held_by_one_run_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let first = Store::open(folder.path(), false).unwrap();
        assert!(matches!(Store::open(folder.path(), false), Err(StoreError::Busy { .. })));
        drop(first);
        assert!(Store::open(folder.path(), false).is_ok());
    }

    #[test]
    fn fresh_forgets_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        Store::open(folder.path(), false).unwrap().append(vec![outcome("a", Some(0.5))]).unwrap();
        assert!(!Store::open(folder.path(), true).unwrap().holds("a"));
    }
}
