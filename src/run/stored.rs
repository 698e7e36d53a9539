//! A run folder as somebody left it: the one way to read what a run was made of and what came out.
//!
//! It reads and never writes; [`Store`] is for those who run cells.

use crate::data::DataError;
use crate::run::{Contents, Data, Manifest, Outcome, Store, StoreError};
use crate::spec::{Cell, Plan};
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

/// A run folder with a manifest. The plan is made and the journal read when they are first asked for, so that whoever
/// finds the manifest unfit does not wait for them.
#[derive(Debug)]
pub struct StoredRun {
    pub folder: PathBuf,
    pub manifest: Manifest,
    plan: OnceCell<Plan>,
    contents: OnceCell<Contents>,
}

impl StoredRun {
    /// Whatever version of the program made it.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let manifest = Manifest::read(folder)?;
        Ok(StoredRun { folder: folder.to_path_buf(), manifest, plan: OnceCell::new(), contents: OnceCell::new() })
    }

    /// Only a run whose results this program would give.
    pub fn open_repeatable(folder: &Path) -> Result<Self, StoreError> {
        let run = StoredRun::open(folder)?;
        if run.manifest.is_repeatable() {
            return Ok(run);
        }
        Err(StoreError::OtherVersion { folder: run.folder, version: run.manifest.written_by.results_version })
    }

    /// The cells of the run, with the ids that they had.
    pub fn plan(&self) -> &Plan {
        self.plan.get_or_init(|| self.manifest.plan())
    }

    /// What the journal holds.
    pub fn contents(&self) -> Result<&Contents, StoreError> {
        if let Some(contents) = self.contents.get() {
            return Ok(contents);
        }
        let contents = Store::peek(&self.folder)?;
        Ok(self.contents.get_or_init(|| contents))
    }

    /// The same, for whoever takes the outcomes elsewhere.
    pub fn into_contents(self) -> Result<Contents, StoreError> {
        self.contents.into_inner().map_or_else(|| Store::peek(&self.folder), Ok)
    }

    pub fn outcome(&self, id: &str) -> Result<Option<&Outcome>, StoreError> {
        Ok(self.contents()?.outcome(id))
    }

    /// The cells that tables can show, in the order of the plan: those that failed, and those with every metric of the spec.
    pub fn shown(&self) -> Result<Vec<(&Cell, &Outcome)>, StoreError> {
        let (contents, metrics) = (self.contents()?, &self.manifest.experiment.metrics);
        let shown = |cell| contents.shown(cell, metrics).map(|outcome| (cell, outcome));
        Ok(self.plan().cells.iter().filter_map(shown).collect())
    }

    /// How many cells of the plan are not there to be shown.
    pub fn missing(&self) -> Result<usize, StoreError> {
        Ok(self.plan().cells.len() - self.shown()?.len())
    }

    /// Refuses a run that has cells left to do.
    pub fn require_complete(&self) -> Result<(), StoreError> {
        let (all, missing) = (self.plan().cells.len(), self.missing()?);
        if missing == 0 {
            return Ok(());
        }
        let command = self.manifest.command_to_go_on(&self.folder);
        Err(StoreError::Incomplete { folder: self.folder.clone(), missing, all, command })
    }

    /// The data of the run once more: it must be what it was then.
    pub fn load_data(&self) -> Result<Data, DataError> {
        Data::load_again(&self.manifest.experiment, &self.manifest.data)
    }
}
