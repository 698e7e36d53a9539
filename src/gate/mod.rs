//! A run against a baseline: whether anything got worse, or whether the seeds are too few to tell.
//!
//! A run is reduced to a [`Snapshot`]; a [`Baseline`] is an accepted snapshot. If both are the same bits, the run passes.
//! Otherwise every line is judged seed by seed ([`Finding`]), and so are the other demands of the spec's `gate`. This room
//! reads rows and judges; it fits nothing and prints nothing.

mod accept;
mod baseline;
mod fit;
mod judge;
mod pin;
pub mod show;
mod snapshot;

use crate::run::{Replacement, RunError};
use crate::spec::Experiment;
use std::path::Path;

pub use accept::{Acceptance, AcceptanceEnd, Excuse, accept};
pub use baseline::Baseline;
pub use judge::{Demand, Evidence, Finding, Verdict};
pub use pin::{Laxer, LaxerDemand, PinnedGate};
pub use snapshot::{DataHash, LineLabel, Snapshot, SnapshotCell, SnapshotLine};

/// A run compared with its baseline.
pub struct Checked {
    pub experiment: String,
    pub cells: usize,
    /// The number of cells with the same values as in the baseline, to the bit.
    pub same: usize,
    /// The demands of the gate, in the order of the plan.
    pub findings: Vec<Finding>,
    /// Whether the baseline has the gate that it was accepted with. Those of earlier versions have none.
    pub is_gate_pinned: bool,
    /// What the run's gate demands less of than that gate.
    pub laxer: Vec<Laxer>,
    /// The programs and machines that computed the baseline and the run.
    pub computed_by: [Vec<String>; 2],
}

/// Which builds of the program may have computed the cells of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builds {
    /// This one.
    Own,
    Any,
}

/// Why nothing was judged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct CheckError {
    pub obstacle: Obstacle,
    message: String,
}

/// The kinds of [`CheckError`]; `doublepu check --format json` prints their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Obstacle {
    IncompleteRun,
    UnreadableRun,
    UnfinishedRun,
    OtherBuild,
    NothingRun,
    AllFailed,
    UnreadableBaseline,
    DamagedBaseline,
    UnwrittenFile,
    // With those that follow there is no baseline for this run.
    NoBaseline,
    ForeignBaseline,
    FutureBaseline,
    OtherExperiment,
    OtherData,
    MissingMethods,
    ExtraMethods,
    OtherSeeds,
    OtherSpec,
    NoMetric,
}

impl CheckError {
    fn new(obstacle: Obstacle, problem: impl std::fmt::Display, remedy: &str) -> Self {
        CheckError { obstacle, message: format!("{problem}\n  help: {remedy}") }
    }

    fn unwritten(path: &Path, reason: impl std::fmt::Display) -> Self {
        let problem = format!("it cannot be written: {reason}");
        CheckError::new(Obstacle::UnwrittenFile, problem, "give a file that can be written").at(path)
    }

    fn not_replaced(path: &Path, error: RunError) -> Self {
        match error {
            RunError::Io { reason, .. } => CheckError::unwritten(path, reason),
            other => CheckError { obstacle: Obstacle::UnwrittenFile, message: other.to_string() },
        }
    }

    /// The error in a file or folder.
    fn at(self, path: &Path) -> Self {
        CheckError { message: format!("{}: {}", path.display(), self.message), ..self }
    }

    /// Whether there is no baseline for this run, rather than something unreadable.
    pub fn has_no_baseline(&self) -> bool {
        self.obstacle >= Obstacle::NoBaseline
    }
}

impl From<RunError> for CheckError {
    fn from(error: RunError) -> Self {
        let is_incomplete = matches!(error, RunError::Incomplete { .. });
        let obstacle = if is_incomplete { Obstacle::IncompleteRun } else { Obstacle::UnreadableRun };
        CheckError { obstacle, message: error.to_string() }
    }
}

/// Compares a run with a baseline, according to the gate of the run's spec.
pub fn check(run: &Path, path: &Path, builds: Builds) -> Result<Checked, CheckError> {
    let (manifest, snapshot) = Snapshot::of_run(run, builds)?;
    let baseline = Baseline::read(path)?.ok_or_else(|| {
        let remedy = format!("make one from a run that you trust: doublepu accept RUN --baseline {}", path.display());
        CheckError::new(Obstacle::NoBaseline, "there is no such baseline", &remedy).at(path)
    })?;
    fit::fit(&baseline.snapshot, &snapshot, &manifest.experiment.gate).map_err(|misfit| misfit.at(path))?;
    Ok(Checked::with_gate(&manifest.experiment, &baseline, &snapshot))
}

/// Writes a file completely or not at all, and creates its folder if necessary.
///
/// A link to a file stays a link; a pipe or a device is written to.
pub fn write(path: &Path, text: &str) -> Result<(), CheckError> {
    if std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return std::fs::write(path, text).map_err(|error| CheckError::unwritten(path, error));
    }
    let unwritten = |error| CheckError::not_replaced(path, error);
    Replacement::begin(path).map_err(unwritten)?.finish(text.as_bytes()).map_err(unwritten)
}

impl Checked {
    /// Over the lines that both have. The snapshot of the run is of this experiment.
    pub fn of(experiment: &Experiment, baseline: &Snapshot, run: &Snapshot) -> Self {
        let twins = fit::twins(&baseline.lines, &run.lines);
        Checked {
            experiment: run.experiment.clone(),
            cells: run.lines.iter().map(|line| line.cells.len()).sum(),
            same: fit::same_cells(baseline, run, &twins),
            findings: judge::findings(experiment, baseline, run, &twins),
            is_gate_pinned: false,
            laxer: Vec::new(),
            computed_by: [baseline, run].map(|snapshot| snapshot.computed_by.clone()),
        }
    }

    /// The same, and the gate of the run against that of the baseline.
    fn with_gate(experiment: &Experiment, baseline: &Baseline, run: &Snapshot) -> Self {
        let Baseline { snapshot: before, gate, .. } = baseline;
        let twins = fit::twins(&before.lines, &run.lines);
        let laxer = gate.as_ref().map(|gate| gate.laxer(experiment, before, run, &twins));
        let is_gate_pinned = laxer.is_some();
        Checked { is_gate_pinned, laxer: laxer.unwrap_or_default(), ..Checked::of(experiment, before, run) }
    }

    /// The worst of all findings. A laxer gate is as bad as the worst that it may hide.
    pub fn verdict(&self) -> Verdict {
        let laxer = self.laxer.iter().map(|_| Verdict::Regressed);
        self.findings.iter().map(|finding| finding.verdict).chain(laxer).max().unwrap_or(Verdict::CannotTell)
    }

    pub fn has_same_bits(&self) -> bool {
        self.same == self.cells
    }
}
