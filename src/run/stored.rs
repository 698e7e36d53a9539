//! A stored run folder: the one way to read what a run was made of and its results.
//!
//! It only reads; [`Store`] is for running cells.

use crate::data::DataError;
use crate::run::{Contents, Data, Manifest, Outcome, RunError, Store};
use crate::spec::{Cell, Plan, RESULTS_VERSION};
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

/// A run folder with a manifest.
#[derive(Debug)]
pub struct StoredRun {
    pub folder: PathBuf,
    pub manifest: Manifest,
    /// The cells of the run, with their ids at the time.
    pub plan: Plan,
    /// Read on first use, so that a run with an unsuitable manifest is refused without a wait.
    contents: OnceCell<Contents>,
}

impl StoredRun {
    /// Opens a run of any version of the program.
    pub fn open(folder: &Path) -> Result<Self, RunError> {
        let manifest = Manifest::read(folder)?;
        let plan = manifest.plan();
        Ok(StoredRun { folder: folder.to_path_buf(), manifest, plan, contents: OnceCell::new() })
    }

    /// Opens a run that this program can reproduce.
    pub fn open_repeatable(folder: &Path) -> Result<Self, RunError> {
        let run = StoredRun::open(folder)?;
        let version = run.manifest.written_by.results_version;
        if version == RESULTS_VERSION {
            return Ok(run);
        }
        let folder = folder.display();
        let problem = format!("{folder}: its results version is {version}, and this program's is {RESULTS_VERSION}");
        Err(RunError::refused(problem, "use the program that made it, or run again"))
    }

    /// What the journal holds.
    pub fn contents(&self) -> Result<&Contents, RunError> {
        if let Some(contents) = self.contents.get() {
            return Ok(contents);
        }
        let contents = Store::peek(&self.folder)?;
        Ok(self.contents.get_or_init(|| contents))
    }

    pub fn into_contents(self) -> Result<Contents, RunError> {
        self.contents.into_inner().map_or_else(|| Store::peek(&self.folder), Ok)
    }

    /// The cells that tables can show, in the order of the plan: those that failed, and those with every metric of the spec.
    pub fn shown(&self) -> Result<Vec<(&Cell, &Outcome)>, RunError> {
        let (contents, metrics) = (self.contents()?, &self.manifest.experiment.metrics);
        let shown = |cell| contents.shown(cell, metrics).map(|outcome| (cell, outcome));
        Ok(self.plan.cells.iter().filter_map(shown).collect())
    }

    /// Refuses a run with missing cells.
    pub fn require_complete(&self) -> Result<(), RunError> {
        let (all, shown) = (self.plan.cells.len(), self.shown()?.len());
        if shown == all {
            return Ok(());
        }
        let command = self.manifest.command_to_go_on(&self.folder);
        Err(RunError::Incomplete { folder: self.folder.clone(), missing: all - shown, all, command })
    }

    /// Loads the data of the run, which must be unchanged.
    pub fn load_data(&self) -> Result<Data, DataError> {
        Data::load_again(&self.manifest.experiment, &self.manifest.data)
    }
}
