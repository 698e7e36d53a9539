//! Results against a baseline: whether anything got worse, or whether that cannot be told.
//!
//! A run is reduced to a [`Snapshot`], and a [`Baseline`] is a snapshot that was accepted. If both are the same to the
//! bit, that is the answer. Otherwise every line is judged seed by seed ([`Finding`]), and so is what the spec's `gate`
//! demands beside. This room reads rows and judges; it fits nothing and prints nothing.

mod accept;
mod baseline;
mod evidence;
mod fit;
mod judge;
pub mod show;
mod snapshot;

use crate::run::{Manifest, StoreError, sync_folder, write_beside_others};
use crate::spec::Experiment;
use std::io;
use std::path::{Path, PathBuf};

pub use accept::{Acceptance, AcceptanceEnd, accept};
pub use baseline::{Baseline, FORMAT};
pub use fit::Misfit;
pub use judge::{Demand, Finding, Verdict};
pub use snapshot::{DataHash, LineLabel, Snapshot, SnapshotCell, SnapshotLine};

/// A run held against its baseline.
pub struct Checked {
    pub experiment: String,
    pub cells: usize,
    /// How many of them have the same values as in the baseline, to the bit.
    pub same: usize,
    /// The demands of the gate, in the order of the plan.
    pub findings: Vec<Finding>,
    /// The programs and machines behind the baseline and behind the run.
    pub computed_by: [Vec<String>; 2],
}

/// Why nothing was judged.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{}: no cell of it has been run, so there is nothing to judge\n  help: run it first", run.display())]
    NothingRun { run: PathBuf },
    #[error("{}: every one of its cells failed, so there is nothing to judge\n  help: cells.csv has the reasons", run.display())]
    AllFailed { run: PathBuf },
    #[error(
        "{}: there is no such baseline\n  help: make one of a run that you trust: doublepu accept RUN --baseline {}",
        path.display(), path.display()
    )]
    NoBaseline { path: PathBuf },
    #[error("{}: {source}\n  help: give a baseline that can be read", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("{}: {error}", path.display())]
    Baseline { path: PathBuf, error: BaselineError },
    #[error("{}: {misfit}", path.display())]
    Misfit { path: PathBuf, misfit: Misfit },
    #[error("{}: it cannot be written: {reason}\n  help: give a file that can be written", path.display())]
    Unwritten { path: PathBuf, reason: String },
}

/// What is wrong with a file in the place of a baseline.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BaselineError {
    #[error("this is not a baseline\n  help: give a file that `doublepu accept` wrote")]
    Foreign,
    #[error(
        "this baseline has format {format}, and this program reads format {FORMAT}\n  help: use the version of doublepu \
         that wrote it, or a newer one"
    )]
    Future { format: u32 },
    #[error(
        "this baseline has a metric `{name}` that this program does not know\n  help: use the version of doublepu that \
         wrote it, or a newer one"
    )]
    UnknownMetric { name: String },
    #[error(
        "this baseline is damaged: {reason}\n  help: restore the file; or remove it and accept a run that you trust"
    )]
    Damaged { reason: String },
}

impl BaselineError {
    fn damaged(reason: impl Into<String>) -> Self {
        BaselineError::Damaged { reason: crate::text::presentable(&reason.into()) }
    }
}

impl CheckError {
    fn baseline(path: &Path, error: BaselineError) -> Self {
        CheckError::Baseline { path: path.to_path_buf(), error }
    }

    /// For programs: every situation has a word of its own.
    pub fn name(&self) -> &'static str {
        match self {
            CheckError::Store(StoreError::Incomplete { .. }) => "incomplete_run",
            CheckError::Store(_) => "unreadable_run",
            CheckError::NothingRun { .. } => "nothing_run",
            CheckError::AllFailed { .. } => "all_failed",
            CheckError::NoBaseline { .. } => "no_baseline",
            CheckError::Unreadable { .. } => "unreadable_baseline",
            CheckError::Baseline { error: BaselineError::Foreign, .. } => "foreign_baseline",
            CheckError::Baseline {
                error: BaselineError::Future { .. } | BaselineError::UnknownMetric { .. }, ..
            } => "future_baseline",
            CheckError::Baseline { error: BaselineError::Damaged { .. }, .. } => "damaged_baseline",
            CheckError::Misfit { misfit, .. } => misfit.name(),
            CheckError::Unwritten { .. } => "unwritten_file",
        }
    }

    /// Whether there is no baseline for this run, rather than something unreadable.
    pub fn has_no_baseline(&self) -> bool {
        match self {
            CheckError::NoBaseline { .. } | CheckError::Misfit { .. } => true,
            CheckError::Baseline { error, .. } => !matches!(error, BaselineError::Damaged { .. }),
            _ => false,
        }
    }
}

/// Holds a run against a baseline, by the gate of the run's spec.
pub fn check(run: &Path, path: &Path) -> Result<Checked, CheckError> {
    let (manifest, snapshot) = measured(run)?;
    let baseline = Baseline::read(path)?.ok_or_else(|| CheckError::NoBaseline { path: path.to_path_buf() })?;
    fit::fit(&baseline.snapshot, &snapshot, &manifest.experiment.gate)
        .map_err(|misfit| CheckError::Misfit { path: path.to_path_buf(), misfit })?;
    Ok(Checked::of(&manifest.experiment, &baseline.snapshot, &snapshot))
}

/// Puts a text in its place, whole or not at all; its folder is made if need be.
///
/// A link stays what it is, and so does a pipe or a device, which are written to.
pub fn write(path: &Path, text: &str) -> Result<(), CheckError> {
    let unwritten = |reason: String| CheckError::Unwritten { path: path.to_path_buf(), reason };
    if std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return std::fs::write(path, text).map_err(|error| unwritten(error.to_string()));
    }
    let path = &std::fs::canonicalize(path).unwrap_or(path.to_path_buf());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|error| unwritten(error.to_string()))?;
    let written = write_beside_others(path, text.as_bytes()).and_then(|()| sync_folder(folder));
    written.map_err(|error| match error {
        StoreError::Io { source, .. } | StoreError::Full { source, .. } => unwritten(source.to_string()),
        other => other.into(),
    })
}

/// A run with something to judge.
fn measured(run: &Path) -> Result<(Manifest, Snapshot), CheckError> {
    let (manifest, snapshot) = Snapshot::of_run(run)?;
    if !snapshot.has_values() {
        return Err(CheckError::AllFailed { run: run.to_path_buf() });
    }
    Ok((manifest, snapshot))
}

impl Checked {
    /// Over the lines that both have. The snapshot of the run is of this experiment.
    pub fn of(experiment: &Experiment, baseline: &Snapshot, run: &Snapshot) -> Self {
        let twins = fit::twins(&baseline.lines, &run.lines);
        Checked {
            experiment: run.experiment.clone(),
            cells: run.cells(),
            same: fit::same_cells(baseline, run, &twins),
            findings: judge::findings(experiment, baseline, run, &twins),
            computed_by: [baseline, run].map(|snapshot| snapshot.computed_by.clone()),
        }
    }

    /// The worst of all findings.
    pub fn verdict(&self) -> Verdict {
        self.findings.iter().map(|finding| finding.verdict).max().unwrap_or(Verdict::CannotTell)
    }

    pub fn has_same_bits(&self) -> bool {
        self.same == self.cells
    }

    pub fn count(&self, verdict: Verdict) -> usize {
        self.findings.iter().filter(|finding| finding.verdict == verdict).count()
    }
}
