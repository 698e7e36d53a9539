//! Replacing a file that several processes may want to replace, one process at a time.

use crate::run::RunError;
use crate::run::store::files::{is_in_place, sync_folder};
use crate::run::store::refuse_other_than_file;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const LONGEST_WAIT: Duration = Duration::from_secs(10);
const BETWEEN_TRIES: Duration = Duration::from_millis(20);

/// The right to replace a file, until it is dropped.
///
/// It is a lock on the temporary file with the new contents, which has one name for all processes: what a killed process
/// leaves is not locked, and the next one uses it.
#[derive(Debug)]
pub struct Replacement {
    path: PathBuf,
    temporary: PathBuf,
    file: File,
}

impl Replacement {
    /// Waits for a process that replaces the file at the moment. Creates the folder if necessary; a link to a file is
    /// followed.
    pub fn begin(path: &Path) -> Result<Self, RunError> {
        Replacement::begin_within(LONGEST_WAIT, path)
    }

    fn begin_within(longest: Duration, path: &Path) -> Result<Self, RunError> {
        let path = std::fs::canonicalize(path).unwrap_or(path.to_path_buf());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(RunError::writing(&path))?;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let temporary = path.with_file_name(format!(".{name}.new"));
        let start = Instant::now();
        loop {
            refuse_other_than_file(&temporary)?;
            let mut options = OpenOptions::new();
            let options = options.read(true).write(true).create(true).truncate(false);
            let file = options.open(&temporary).map_err(RunError::writing(&path))?;
            match file.try_lock() {
                Ok(()) if is_in_place(&file, &temporary, None) => return Ok(Replacement { path, temporary, file }),
                // Its last holder has renamed or removed it since it was opened.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) if start.elapsed() < longest => std::thread::sleep(BETWEEN_TRIES),
                Err(TryLockError::WouldBlock) => {
                    let problem = "another process has been writing it for too long";
                    return Err(RunError::at(&path, problem, "wait until it has ended, and repeat the command"));
                }
                Err(TryLockError::Error(error)) => {
                    let problem = format!("cannot be locked: {error}");
                    return Err(RunError::at(&path, problem, "give a file on another file system"));
                }
            }
        }
    }

    /// Replaces the file, whose new contents are then on the disk.
    pub fn finish(mut self, bytes: &[u8]) -> Result<(), RunError> {
        let written = self
            .file
            .set_len(0)
            .and_then(|()| self.file.rewind())
            .and_then(|()| self.file.write_all(bytes))
            .and_then(|()| self.file.sync_all())
            .and_then(|()| std::fs::rename(&self.temporary, &self.path));
        written.map_err(RunError::writing(&self.path))?;
        sync_folder(self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")))
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        // After a rename, another process may already have its own file there.
        if is_in_place(&self.file, &self.temporary, None) {
            // If it cannot be removed, the next replacement uses it.
            let _ = std::fs::remove_file(&self.temporary);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        entries.map(|name| name.to_str().unwrap().to_string()).collect()
    }

    #[test]
    fn one_process_at_a_time_replaces_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/base.csv");
        let first = Replacement::begin(&path).unwrap();
        let error = Replacement::begin_within(Duration::ZERO, &path).unwrap_err().to_string();
        assert!(error.contains("another process has been writing it") && error.contains("help: wait"), "{error}");
        first.finish(b"one").unwrap();
        let second = Replacement::begin_within(Duration::ZERO, &path).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"one");
        drop(second);
        assert_eq!(names(path.parent().unwrap()), ["base.csv"], "nothing else is left");
    }

    #[test]
    fn what_a_killed_process_left_is_used_by_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("base.csv");
        std::fs::write(folder.path().join(".base.csv.new"), "half of a long fi").unwrap();
        Replacement::begin(&path).unwrap().finish(b"whole").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"whole");
        assert_eq!(names(folder.path()), ["base.csv"]);
    }

    #[test]
    fn many_threads_lose_no_addition() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("base.csv");
        std::thread::scope(|scope| {
            for number in 0..8u8 {
                let path = &path;
                scope.spawn(move || {
                    let replacement = Replacement::begin(path).unwrap();
                    let mut bytes = std::fs::read(path).unwrap_or_default();
                    bytes.push(number);
                    replacement.finish(&bytes).unwrap();
                });
            }
        });
        let mut bytes = std::fs::read(&path).unwrap();
        bytes.sort();
        assert_eq!(bytes, (0..8).collect::<Vec<_>>());
    }
}
