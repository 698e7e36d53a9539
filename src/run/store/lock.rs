//! One process at a time writes to a run folder, and others can see which.

use crate::run::RunError;
use crate::run::store::{is_in_place, refuse_other_than_file};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

pub const FILE: &str = ".lock";

/// Held until it is dropped; the operating system also releases it when the process is killed.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    file: File,
}

impl Drop for Lock {
    fn drop(&mut self) {
        // If the holder's name remains, it does no harm: the lock is released anyway.
        let _ = self.file.set_len(0);
    }
}

impl Lock {
    pub fn hold(folder: &Path) -> Result<Self, RunError> {
        let path = folder.join(FILE);
        refuse_other_than_file(&path)?;
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&path).map_err(RunError::writing(&path))?;
        match file.try_lock() {
            Ok(()) => {
                let holder = format!("process {} on {}\n", std::process::id(), host());
                file.set_len(0)
                    .and_then(|()| file.rewind())
                    .and_then(|()| file.write_all(holder.as_bytes()))
                    .map_err(RunError::writing(&path))?;
                Ok(Lock { path, file })
            }
            Err(TryLockError::WouldBlock) => {
                let problem = format!("is held by {}", holder(&file));
                Err(RunError::at(folder, problem, "wait until it has ended, or give another folder with --out"))
            }
            Err(TryLockError::Error(error)) => {
                let problem = format!("cannot be locked: {error}");
                Err(RunError::at(&path, problem, "give a folder on another file system, with --out"))
            }
        }
    }

    /// Whether the lock is the file at its path. Otherwise another process may hold one there.
    pub fn is_in_place(&self) -> bool {
        is_in_place(&self.file, &self.path, None)
    }
}

/// The name that the holder wrote, and for how long it has held the lock.
fn holder(file: &File) -> String {
    let mut holder = String::new();
    // The holder may not have written its name yet.
    let _ = file.take(1000).read_to_string(&mut holder);
    let name = if holder.trim().is_empty() { "another process" } else { holder.trim() };
    let age = file.metadata().ok().and_then(|metadata| metadata.modified().ok()?.elapsed().ok());
    let since = age.map_or(String::new(), |age| format!(", for {} s so far", age.as_secs()));
    format!("{name}{since}")
}

/// The name of the machine, where the system has it in a file as Linux does.
fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    if name.trim().is_empty() { "this machine".to_string() } else { name.trim().to_string() }
}
