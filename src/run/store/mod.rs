//! The outcomes of a run folder: a journal to which finished cells are appended.

mod contents;
mod files;
mod folder;
mod journal;
mod lock;
mod record;

use crate::math::metric::Metric;
use crate::run::{Environment, Outcome, RunError, StoredRun, environment};
use chrono::{DateTime, SecondsFormat, Utc};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub use contents::{Attempt, AttemptEnd, Contents, Damage, Ended, Kept, Torn};
pub use files::{Staged, read_bounded, remove_if_there, write_atomically, write_concurrently};
use files::{is_in_place, refuse, sync_folder};
pub use folder::{claim, is_run_folder};
use journal::Journal;
pub use lock::Lock;
use record::Record;

const JOURNAL: &str = "journal.jsonl";
/// The journal of a run that starts over, until it is complete.
const FRESH_JOURNAL: &str = "journal.fresh.jsonl";
/// An unreadable journal that a complete fresh run has replaced.
const DAMAGED_JOURNAL: &str = "journal.damaged.jsonl";
/// What a run had in memory when its journal was removed or replaced.
const RESCUED_JOURNAL: &str = "journal.rescued.jsonl";

/// The files of every run folder, which no other output may overwrite.
pub(super) const OWN_FILES: [&str; 4] = [JOURNAL, FRESH_JOURNAL, folder::MARK, lock::FILE];

/// Whether a run continues with what its folder holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    Resume,
    Fresh,
}

/// The outcomes of a run folder, which it locks.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    journal: Journal,
    lock: Lock,
    /// Whether an attempt has begun and not ended.
    is_begun: bool,
}

impl Store {
    /// Opens a folder of the program, and creates it if necessary.
    ///
    /// A fresh start leaves the journal with earlier results in place until [`Store::complete`]. A resumed run continues
    /// the fresh journal if there is one.
    pub fn open(folder: &Path, start: Start) -> Result<Self, RunError> {
        claim(folder)?;
        let lock = Lock::hold(folder)?;
        let (usual, fresh) = (folder.join(JOURNAL), folder.join(FRESH_JOURNAL));
        refuse_other_than_file(&usual)?;
        let path = match start {
            Start::Resume => resumed(folder),
            Start::Fresh if usual.exists() => {
                remove_if_there(&fresh).map_err(RunError::writing(&fresh))?;
                fresh
            }
            Start::Fresh => usual,
        };
        let journal = Journal::open(&path)?;
        sync_folder(folder)?;
        Ok(Store { folder: folder.to_path_buf(), journal, lock, is_begun: false })
    }

    /// Continues the journal of a run that was read under a lock.
    pub fn of_stored(run: StoredRun, lock: Lock) -> Result<Self, RunError> {
        let journal = Journal::continued(&run.folder.join(JOURNAL), run.contents)?;
        Ok(Store { folder: run.folder, journal, lock, is_begun: false })
    }

    /// The results of a folder, without locking it; empty if there is no such folder.
    pub fn peek(folder: &Path) -> Result<Contents, RunError> {
        Contents::read(&folder.join(JOURNAL))
    }

    /// What a resumed run would continue with.
    pub fn peek_resumed(folder: &Path) -> Result<Contents, RunError> {
        Contents::read(&resumed(folder))
    }

    /// Whether a fresh start in a folder has not come to its end.
    pub fn has_fresh_start(folder: &Path) -> bool {
        folder.join(FRESH_JOURNAL).exists()
    }

    pub fn contents(&self) -> &Contents {
        &self.journal.contents
    }

    pub fn journal(&self) -> &Path {
        &self.journal.path
    }

    /// Whether results of an earlier start are waiting to be replaced.
    pub fn has_older_results(&self) -> bool {
        self.journal.path.ends_with(FRESH_JOURNAL)
    }

    /// Whether a cell is done. A failed cell is not: it runs again.
    pub fn holds(&self, id: &str, metrics: &[Metric]) -> bool {
        self.outcome(id).is_some_and(|outcome| outcome.is_done(metrics))
    }

    pub fn outcome(&self, id: &str) -> Option<&Outcome> {
        self.contents().outcome(id)
    }

    /// Adds outcomes; when this returns they are on the disk.
    pub fn append(&mut self, environment: &Environment, outcomes: Vec<Box<Outcome>>) -> Result<(), RunError> {
        self.write(environment, outcomes.into_iter().map(Record::Outcome).collect())
    }

    /// Records that a command starts to work on the folder. Until [`Store::end`], the folder's results are not final.
    pub fn begin(&mut self, command: &str) -> Result<(), RunError> {
        if self.is_begun {
            return Ok(());
        }
        let attempt = Attempt { command: command.to_string(), started: now() };
        self.write(&environment(), vec![Record::Attempt(Box::new(attempt))])?;
        self.is_begun = true;
        Ok(())
    }

    /// Records how the command ended, if it has begun.
    pub fn end(&mut self, how: AttemptEnd) -> Result<(), RunError> {
        self.require_in_place()?;
        if self.is_begun {
            self.write(&environment(), vec![Record::Ended(Ended { how, at: now() })])?;
            self.is_begun = false;
        }
        Ok(())
    }

    /// Records the sha256 of the manifest that was written.
    pub fn record_manifest(&mut self, sha256: String) -> Result<(), RunError> {
        if self.contents().manifest_sha256.as_ref() == Some(&sha256) {
            return Ok(());
        }
        self.write(&environment(), vec![Record::Manifest(sha256)])
    }

    fn write(&mut self, environment: &Environment, records: Vec<Record>) -> Result<(), RunError> {
        self.journal.append(environment, records)?;
        self.require_in_place()
    }

    /// Lets the results of a complete fresh start replace earlier ones.
    ///
    /// Older outcomes of other cells, such as those of other shards, are kept. A damaged journal is renamed, and its new
    /// path is returned.
    pub fn complete(&mut self) -> Result<Option<PathBuf>, RunError> {
        if !self.has_older_results() {
            return Ok(None);
        }
        let usual = self.folder.join(JOURNAL);
        let rename = |from: &Path, to: &Path| std::fs::rename(from, to).map_err(RunError::writing(to));
        let mut damaged = None;
        match Store::peek(&self.folder) {
            Ok(older) => {
                for (environment, mut outcomes) in older.by_environment(&environment()) {
                    outcomes.retain(|outcome| self.outcome(&outcome.id).is_none());
                    self.append(&environment, outcomes)?;
                }
            }
            Err(RunError::Damaged { .. }) => {
                let path = damaged.insert(self.unused(DAMAGED_JOURNAL));
                rename(&usual, path)?;
            }
            Err(error) => return Err(error),
        }
        rename(&self.journal.path, &usual)?;
        sync_folder(&self.folder)?;
        self.journal.path = usual;
        Ok(damaged)
    }

    /// Refuses to go on if somebody removed or replaced the folder, the journal or the lock. What is in memory is then
    /// written to a new journal.
    pub fn require_in_place(&self) -> Result<(), RunError> {
        if self.journal.is_in_place() && self.lock.is_in_place() {
            return Ok(());
        }
        Err(RunError::Displaced { path: self.journal.path.clone(), rescued: self.rescue().ok() })
    }

    /// Writes all outcomes to a new journal: at the journal's path if no file is there, otherwise beside it.
    fn rescue(&self) -> Result<PathBuf, RunError> {
        claim(&self.folder)?;
        let usual = &self.journal.path;
        let path = if std::fs::symlink_metadata(usual).is_err() { usual.clone() } else { self.unused(RESCUED_JOURNAL) };
        let mut journal = Journal::create(&path)?;
        for (environment, outcomes) in self.contents().clone().by_environment(&environment()) {
            journal.append(&environment, outcomes.into_iter().map(Record::Outcome).collect())?;
        }
        sync_folder(&self.folder)?;
        Ok(path)
    }

    /// The path of a new file: `name.jsonl`, or else `name-2.jsonl` and so on.
    fn unused(&self, name: &str) -> PathBuf {
        let numbered = |number: u32| match name.rsplit_once('.') {
            Some((stem, ending)) if number > 1 => self.folder.join(format!("{stem}-{number}.{ending}")),
            _ => self.folder.join(name),
        };
        (1..u32::MAX).map(numbered).find(|path| std::fs::symlink_metadata(path).is_err()).unwrap_or(numbered(u32::MAX))
    }
}

/// The time in UTC, to the second.
fn now() -> String {
    DateTime::<Utc>::from(SystemTime::now()).to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// The journal that a resumed run continues.
fn resumed(folder: &Path) -> PathBuf {
    let fresh = folder.join(FRESH_JOURNAL);
    if fresh.exists() { fresh } else { folder.join(JOURNAL) }
}

/// Opening a pipe would wait forever, and a link leads elsewhere.
fn refuse_other_than_file(path: &Path) -> Result<(), RunError> {
    refuse(path, "a file", |metadata| !metadata.is_file())
}

#[cfg(test)]
pub(in crate::run) mod tests {
    use super::*;
    use crate::learn::{Failure, FailureKind, Fit, Optimizer, Prior};
    use crate::math::metric::CalibrationBin;
    use crate::math::optim::{Boundedness, Ending};
    use crate::run::{Moment, SampleSizes, Scored};
    use std::collections::BTreeMap;

    pub fn outcome(id: &str, auc: Option<f64>) -> Outcome {
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
            metrics: BTreeMap::from([(Metric::RocAuc, Some(auc)), (Metric::BrierScore, None)]),
            curve: vec![0, 10_000],
            calibration: Some(vec![CalibrationBin { people: 3, expected: 0.1 + 0.2, found: 1 }]),
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
    fn a_cell_without_a_result_or_without_a_wanted_metric_is_not_done() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path(), Start::Resume).unwrap();
        store.append(&environment(), [outcome("a", Some(0.5)), outcome("b", None)].map(Box::new).into()).unwrap();
        assert!(store.holds("a", &[Metric::RocAuc]));
        assert!(!store.holds("a", &[Metric::RocAuc, Metric::LiftAt10]));
        assert!(!store.holds("b", &[Metric::RocAuc]) && store.outcome("b").is_some(), "a failed cell is tried again");
    }

    #[test]
    fn a_folder_is_held_by_one_process_at_a_time_and_says_which() {
        let folder = tempfile::tempdir().unwrap();
        let first = Store::open(folder.path(), Start::Resume).unwrap();
        let second = Store::open(folder.path(), Start::Fresh).unwrap_err();
        let holder = format!("is held by process {} on ", std::process::id());
        assert!(second.to_string().contains(&holder), "{second}");
        drop(first);
        assert!(Store::open(folder.path(), Start::Resume).is_ok());
    }

    #[test]
    fn a_fresh_start_keeps_what_was_there_until_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let open = |start| Store::open(folder.path(), start).unwrap();
        let kept = || Store::peek(folder.path()).unwrap().kept.into_keys().collect::<Vec<_>>();
        // Without anything to keep, a fresh start is like any other.
        assert!(!open(Start::Fresh).has_older_results());
        open(Start::Resume).append(&environment(), [outcome("a", Some(0.5))].map(Box::new).into()).unwrap();
        open(Start::Fresh).append(&environment(), [outcome("b", Some(0.5))].map(Box::new).into()).unwrap();
        assert_eq!(kept(), ["a"]);

        // It goes on where it was stopped, and another fresh start begins once more.
        assert!(open(Start::Resume).outcome("b").is_some());
        let mut store = open(Start::Fresh);
        assert!(store.outcome("b").is_none() && store.has_older_results());
        let (a, c) = (outcome("a", Some(0.6)), outcome("c", Some(0.5)));
        store.append(&environment(), [a.clone(), c].map(Box::new).into()).unwrap();
        assert_eq!(kept(), ["a"]);
        store.complete().unwrap();
        assert_eq!(kept(), ["a", "c"]);
        assert_eq!(Store::peek(folder.path()).unwrap().outcome("a"), Some(&a));
        drop(store);

        // What a part did not run again stays.
        let mut store = open(Start::Fresh);
        store.append(&environment(), [outcome("c", Some(0.7))].map(Box::new).into()).unwrap();
        store.complete().unwrap();
        assert_eq!(kept(), ["a", "c"]);
        drop(store);
        assert!(!open(Start::Resume).has_older_results());

        // A damaged journal is kept.
        let path = folder.path().join(JOURNAL);
        std::fs::write(&path, format!("x{}", std::fs::read_to_string(&path).unwrap())).unwrap();
        assert!(matches!(Store::open(folder.path(), Start::Resume), Err(RunError::Damaged { .. })));
        let mut store = open(Start::Fresh);
        store.append(&environment(), [outcome("d", Some(0.7))].map(Box::new).into()).unwrap();
        let aside = store.complete().unwrap().unwrap();
        assert!(std::fs::read_to_string(aside).unwrap().starts_with('x'));
        assert_eq!(kept(), ["d"]);
    }
}
