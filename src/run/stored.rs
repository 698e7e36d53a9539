//! A stored run folder: the one way to read what a run was made of and its results.
//!
//! It only reads; [`Store`] is for running cells.

use crate::run::data::{find_moved, plan};
use crate::run::{Attempt, AttemptEnd, Contents, Ended, Environment, Manifest, Outcome, RunError, Store, environment};
use crate::spec::{Cell, Plan, RESULTS_VERSION};
use crate::text::{presentable, quoted};
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

    /// The same, with data files that are not where the run had them.
    pub fn open_with_data(folder: &Path, moved: &[PathBuf]) -> Result<Self, RunError> {
        let mut run = StoredRun::open_repeatable(folder)?;
        let Manifest { experiment, data, .. } = &mut run.manifest;
        find_moved(experiment, data, moved)?;
        Ok(run)
    }

    /// The cells that tables can show, in the order of the plan: those that failed, and those with every metric of the spec.
    pub fn shown(&self) -> Vec<(&Cell, &Outcome)> {
        let metrics = &self.manifest.experiment.metrics;
        let shown = |cell| self.contents.shown(cell, metrics).map(|outcome| (cell, outcome));
        self.plan.cells.iter().filter_map(shown).collect()
    }

    /// Why the results may not be those of the last command; `None` if it ended with all of them. Earlier versions did not
    /// record commands.
    pub fn unfinished(&self) -> Option<String> {
        if Store::has_fresh_start(&self.folder) {
            return Some("`run --fresh` was started and is not complete".to_string());
        }
        let (Attempt { command, started }, end) = self.contents.attempts.last()?;
        let ended = match end {
            Some(Ended { how: AttemptEnd::Complete, .. }) => return None,
            Some(Ended { how: AttemptEnd::Interrupted, .. }) => "was interrupted",
            None => "failed, was killed, or is still running",
        };
        Some(presentable(&format!("the last command {ended}: {command} (started {started})")))
    }

    /// The other builds of the program that computed cells of the run; `None` among them if a cell's build is not recorded.
    pub fn other_builds(&self) -> Vec<Option<&Environment>> {
        let own = environment();
        let mut others = Vec::new();
        for by in self.plan.cells.iter().map(|cell| self.contents.environment_of(&cell.id)) {
            if by.is_none_or(|by| !by.is_same_build(&own)) && !others.contains(&by) {
                others.push(by);
            }
        }
        others
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
