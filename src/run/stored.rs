//! A stored run folder: the one way to read what a run was made of and its results.
//!
//! It only reads; [`Store`] is for running cells.

use crate::run::data::plan;
use crate::run::{Contents, Manifest, Outcome, RunError, Store};
use crate::spec::{Cell, Plan, RESULTS_VERSION};
use crate::text::quoted;
use std::path::{Path, PathBuf};

/// A run folder with a manifest.
#[derive(Debug)]
pub struct StoredRun {
    pub folder: PathBuf,
    pub manifest: Manifest,
    /// The cells of the run, with their ids at the time.
    pub plan: Plan,
    pub contents: Contents,
}

impl StoredRun {
    /// Opens a run of any version of the program.
    pub fn open(folder: &Path) -> Result<Self, RunError> {
        let manifest = Manifest::read(folder)?;
        let plan = plan(&manifest.experiment, &manifest.data, manifest.written_by.results_version);
        Ok(StoredRun { folder: folder.to_path_buf(), manifest, plan, contents: Store::peek(folder)? })
    }

    /// Opens a run that this program can reproduce.
    pub fn open_repeatable(folder: &Path) -> Result<Self, RunError> {
        let run = StoredRun::open(folder)?;
        let version = run.manifest.written_by.results_version;
        if version == RESULTS_VERSION {
            return Ok(run);
        }
        let problem = format!("its results version is {version}, and this program's is {RESULTS_VERSION}");
        Err(RunError::at(folder, problem, "use the program that made it, or run again"))
    }

    /// The cells that tables can show, in the order of the plan: those that failed, and those with every metric of the spec.
    pub fn shown(&self) -> Vec<(&Cell, &Outcome)> {
        let metrics = &self.manifest.experiment.metrics;
        let shown = |cell| self.contents.shown(cell, metrics).map(|outcome| (cell, outcome));
        self.plan.cells.iter().filter_map(shown).collect()
    }

    /// Refuses a run with missing cells.
    pub fn require_complete(&self) -> Result<(), RunError> {
        let (all, shown) = (self.plan.cells.len(), self.shown().len());
        if shown == all {
            return Ok(());
        }
        let command = format!("{} --out {}", self.manifest.command, quoted(&self.folder.display().to_string()));
        Err(RunError::Incomplete { folder: self.folder.clone(), missing: all - shown, all, command })
    }
}
