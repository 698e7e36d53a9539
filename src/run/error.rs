//! Why a run could not be computed, stored, read or reproduced.

use crate::data::DataError;
use crate::run::Damage;
use std::fmt::Display;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The cases that a caller distinguishes; all others are `Refused`.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error("{}: {reason}\n  help: {remedy}", path.display())]
    Io { path: PathBuf, reason: String, remedy: &'static str },
    #[error(
        "{}: line {}, which starts at byte {}, is damaged: {}\n  help: restore the file; or remove this line, and its cell \
         runs again; or start over with `doublepu run --fresh`",
        path.display(), damage.line, damage.byte, damage.reason
    )]
    Damaged { path: PathBuf, damage: Damage },
    #[error(
        "{}: {missing} of {all} cells are missing, so there is no result yet\n  help: run the rest: {command}; or, for a \
         shard, merge it with the others",
        folder.display()
    )]
    Incomplete { folder: PathBuf, missing: usize, all: usize, command: String },
    #[error(
        "{}: the journal, its folder or its lock was removed, replaced or changed by another program during the run\n  help: \
         {}",
        path.display(), rescued_text(path, rescued.as_deref())
    )]
    Displaced { path: PathBuf, rescued: Option<PathBuf> },
    #[error(
        "threads cannot be started: {reason}\n  help: use fewer, with --jobs, or raise the limits of memory and processes"
    )]
    NoThreads { reason: String },
    #[error(
        "the method `{name}` does not start: {reason}\n  help: correct `command` in the spec, or the program, which in Python ends with `serve(..)`; \
         `doublepu try-method` shows everything that it writes"
    )]
    NoMethod { name: String, reason: String },
    #[error("{problem}\n  help: {remedy}")]
    Refused { problem: String, remedy: &'static str },
}

impl RunError {
    pub fn refused(problem: impl Into<String>, remedy: &'static str) -> Self {
        RunError::Refused { problem: problem.into(), remedy }
    }

    /// A problem of a file or folder.
    pub fn at(path: &Path, problem: impl Display, remedy: &'static str) -> Self {
        RunError::refused(format!("{}: {problem}", path.display()), remedy)
    }

    pub fn reading(path: &Path) -> impl Fn(io::Error) -> RunError {
        let remedy = "give a folder that can be read, with --out";
        move |error| RunError::Io { path: path.to_path_buf(), reason: error.to_string(), remedy }
    }

    pub fn writing(path: &Path) -> impl Fn(io::Error) -> RunError {
        move |error| {
            let (reason, remedy) = match error.kind() {
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => (
                    format!("no space is left: {error}"),
                    "free some space and repeat the command; every finished cell is kept",
                ),
                _ => (error.to_string(), "give a folder that can be written, with --out"),
            };
            RunError::Io { path: path.to_path_buf(), reason, remedy }
        }
    }
}

/// Where the finished cells are after the journal was lost, and how to continue.
fn rescued_text(journal: &Path, rescued: Option<&Path>) -> String {
    match rescued {
        None => "restore it and repeat the command; what was not in it could not be written anywhere".to_string(),
        Some(path) if path == journal => "every finished cell was written again; repeat the command".to_string(),
        Some(path) => {
            let (path, journal) = (path.display(), journal.display());
            format!("every finished cell is in {path}; move it to {journal} and repeat the command")
        }
    }
}
