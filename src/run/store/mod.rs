//! Where outcomes are kept: a folder with a journal that is appended to as cells are done.

mod files;
mod journal;
mod lock;

use crate::math::metric::Metric;
use crate::run::{Environment, Outcome, environment};
use crate::spec::RESULTS_VERSION;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

pub use files::{read_bounded, remove_if_there, sync_folder, write_atomically, write_beside_others, write_together};
use journal::Journal;
pub use journal::{Contents, Damage, Kept, Torn};
pub use lock::Lock;

pub(super) const JOURNAL: &str = "journal.jsonl";
/// The journal of a run that starts over, until it is complete.
pub(super) const FRESH_JOURNAL: &str = "journal.fresh.jsonl";

/// A journal that could not be read when a run had started over and was complete.
const DAMAGED_JOURNAL: &str = "journal.damaged.jsonl";

/// Whether a run goes on from what its folder holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    Resume,
    Fresh,
}

/// The outcomes of a run folder. Only one process holds a folder at a time.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    journal: Journal,
    _lock: Lock,
}

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("{}: {source}\n  help: give a folder that can be {}, with --out", path.display(), access.participle())]
    Io { path: PathBuf, access: Access, source: io::Error },
    #[error(
        "{}: there is no room left: {source}\n  help: make room and give the command again; every cell that was done is kept",
        path.display()
    )]
    Full { path: PathBuf, source: io::Error },
    #[error("{} has {bytes} bytes, where it may have {most}\n  help: give another folder with --out", path.display())]
    TooLarge { path: PathBuf, bytes: u64, most: u64 },
    #[error("{} is not a file\n  help: remove it, or give another folder with --out", path.display())]
    NotAFile { path: PathBuf },
    #[error("{} is not a folder\n  help: remove it, or give another folder with --out", path.display())]
    NotAFolder { path: PathBuf },
    #[error("{} is held by {holder}\n  help: wait until it has ended, or give another folder with --out", folder.display())]
    Busy { folder: PathBuf, holder: String },
    #[error(
        "{}: line {}, which starts at byte {}, is damaged: {}\n  help: restore the file; or remove that line, and a cell \
         that it held runs again; or start over with `doublepu run --fresh`",
        path.display(), damage.line, damage.byte, damage.reason
    )]
    Damaged { path: PathBuf, damage: Damage },
    #[error("{} holds the report of another experiment\n  help: give another folder with --out", folder.display())]
    OtherReport { folder: PathBuf },
    #[error("{}: {reason}\n  help: restore the file, or run again", path.display())]
    DamagedManifest { path: PathBuf, reason: String },
    #[error("{} has no manifest.json\n  help: give the folder of a run, such as results/runs/smoke", folder.display())]
    NotARun { folder: PathBuf },
    #[error(
        "{}: its results version is {version}, where this program's is {RESULTS_VERSION}\n  help: use the program that \
         made it, or run again",
        folder.display()
    )]
    OtherVersion { folder: PathBuf, version: u32 },
    #[error(
        "{}: {missing} of {all} cells are missing, so there is no result yet\n  help: run the rest: {command}; or, of \
         a shard, merge it with the others",
        folder.display()
    )]
    Incomplete { folder: PathBuf, missing: usize, all: usize, command: String },
    #[error("{} cannot be locked: {source}\n  help: give a folder on another file system, with --out", path.display())]
    NoLock { path: PathBuf, source: io::Error },
    #[error("threads cannot be started: {0}")]
    Threads(String),
}

/// What could not be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Reading,
    Writing,
}

impl Access {
    fn participle(self) -> &'static str {
        match self {
            Access::Reading => "read",
            Access::Writing => "written",
        }
    }
}

impl StoreError {
    pub fn threads(error: rayon::ThreadPoolBuildError) -> Self {
        StoreError::Threads(error.to_string())
    }

    pub fn reading(path: &Path) -> impl Fn(io::Error) -> StoreError {
        move |source| StoreError::Io { path: path.to_path_buf(), access: Access::Reading, source }
    }

    pub fn writing(path: &Path) -> impl Fn(io::Error) -> StoreError {
        move |source| match source.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                StoreError::Full { path: path.to_path_buf(), source }
            }
            _ => StoreError::Io { path: path.to_path_buf(), access: Access::Writing, source },
        }
    }
}

impl Store {
    /// Opens a folder, made if need be.
    ///
    /// A fresh start leaves the journal of earlier results alone until [`Store::complete`]; a run that is resumed goes
    /// on with the fresh one, if there is one.
    pub fn open(folder: &Path, start: Start) -> Result<Self, StoreError> {
        std::fs::create_dir_all(folder).map_err(StoreError::writing(folder))?;
        let lock = Lock::hold(folder)?;
        let (usual, fresh) = (folder.join(JOURNAL), folder.join(FRESH_JOURNAL));
        refuse_what_is_no_file(&usual)?;
        let path = match start {
            Start::Resume if fresh.exists() => fresh,
            Start::Resume => usual,
            Start::Fresh if usual.exists() => {
                remove_if_there(&fresh).map_err(StoreError::writing(&fresh))?;
                fresh
            }
            Start::Fresh => usual,
        };
        let journal = Journal::open(&path)?;
        sync_folder(folder)?;
        Ok(Store { folder: folder.to_path_buf(), journal, _lock: lock })
    }

    /// Keeps others from writing to a folder for as long as the lock lives.
    pub fn hold(folder: &Path) -> Result<Lock, StoreError> {
        Lock::hold(folder)
    }

    /// What a folder's last complete start came to, without opening it for a run; nothing if there is no such folder.
    pub fn peek(folder: &Path) -> Result<Contents, StoreError> {
        Ok(Contents::read(&folder.join(JOURNAL))?.unwrap_or_default())
    }

    /// What a run that is resumed would go on from.
    pub fn peek_resumed(folder: &Path) -> Result<Contents, StoreError> {
        match Contents::read(&folder.join(FRESH_JOURNAL))? {
            Some(fresh) => Ok(fresh),
            None => Store::peek(folder),
        }
    }

    pub fn contents(&self) -> &Contents {
        self.journal.contents()
    }

    pub fn journal(&self) -> &Path {
        &self.journal.path
    }

    /// Whether the results of an earlier start wait to be replaced.
    pub fn has_older_results(&self) -> bool {
        self.journal.path.ends_with(FRESH_JOURNAL)
    }

    /// Whether a cell is done. A failed one is not: it is tried again.
    pub fn holds(&self, id: &str, metrics: &[Metric]) -> bool {
        self.outcome(id).is_some_and(|outcome| outcome.is_done(metrics))
    }

    pub fn outcome(&self, id: &str) -> Option<&Outcome> {
        self.contents().outcome(id)
    }

    /// Keeps outcomes; when this returns they are on the disk.
    pub fn append(&mut self, environment: &Environment, outcomes: Vec<Box<Outcome>>) -> Result<(), StoreError> {
        self.journal.append(environment, outcomes)
    }

    /// All that was asked for is here: what was started afresh takes the place of what was there before.
    ///
    /// Older outcomes of cells that were not asked for, as those of other shards, are kept. A damaged journal, out of
    /// which a fresh start is a way, is put aside: this tells where.
    pub fn complete(&mut self) -> Result<Option<PathBuf>, StoreError> {
        if !self.has_older_results() {
            return Ok(None);
        }
        let usual = self.folder.join(JOURNAL);
        let rename = |from: &Path, to: &Path| std::fs::rename(from, to).map_err(StoreError::writing(to));
        let mut aside = None;
        match Store::peek(&self.folder) {
            Ok(older) => {
                for (environment, mut outcomes) in older.by_environment(&environment()) {
                    outcomes.retain(|outcome| self.outcome(&outcome.id).is_none());
                    self.append(&environment, outcomes)?;
                }
            }
            Err(StoreError::Damaged { .. }) => {
                let damaged = self.folder.join(DAMAGED_JOURNAL);
                rename(&usual, &damaged)?;
                aside = Some(damaged);
            }
            Err(error) => return Err(error),
        }
        rename(&self.journal.path, &usual)?;
        sync_folder(&self.folder)?;
        self.journal.path = usual;
        Ok(aside)
    }
}

/// A link or pipe in the place of a file would lead elsewhere, or wait for ever.
fn refuse_what_is_no_file(path: &Path) -> Result<(), StoreError> {
    match std::fs::symlink_metadata(path) {
        Ok(metadata) if !metadata.is_file() => Err(StoreError::NotAFile { path: path.to_path_buf() }),
        _ => Ok(()),
    }
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

        // What cannot be read is kept for whoever can.
        let path = folder.path().join(JOURNAL);
        std::fs::write(&path, format!("x{}", std::fs::read_to_string(&path).unwrap())).unwrap();
        assert!(matches!(Store::open(folder.path(), Start::Resume), Err(StoreError::Damaged { .. })));
        let mut store = open(Start::Fresh);
        store.append(&environment(), [outcome("d", Some(0.7))].map(Box::new).into()).unwrap();
        let aside = store.complete().unwrap().unwrap();
        assert!(std::fs::read_to_string(aside).unwrap().starts_with('x'));
        assert_eq!(kept(), ["d"]);
    }
}
