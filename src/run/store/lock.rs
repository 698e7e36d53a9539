//! Only one process writes to a run folder at a time, and others can tell which.

use crate::run::store::StoreError;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

const FILE: &str = ".lock";

/// Held for as long as it lives; the system lets go of it also when the process is killed.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

/// Who held it is nobody's business afterwards.
impl Drop for Lock {
    fn drop(&mut self) {
        // A name that stays does no harm: the lock is let go of all the same.
        let _ = self.file.set_len(0);
    }
}

impl Lock {
    pub fn hold(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join(FILE);
        super::refuse_what_is_no_file(&path)?;
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(StoreError::writing(&path))?;
        match file.try_lock() {
            Ok(()) => {
                let holder = format!("process {} on {}\n", std::process::id(), host());
                let written =
                    file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(holder.as_bytes()));
                written.map_err(StoreError::writing(&path))?;
                Ok(Lock { file })
            }
            Err(TryLockError::WouldBlock) => Err(busy(folder.to_path_buf(), file)),
            Err(TryLockError::Error(source)) => Err(StoreError::NoLock { path, source }),
        }
    }
}

/// Who holds the folder, as the holder wrote it down.
fn busy(folder: PathBuf, file: File) -> StoreError {
    let mut holder = String::new();
    // The holder may be about to write its name; that somebody holds the folder is certain all the same.
    let read = (&file).take(1000).read_to_string(&mut holder);
    let holder = read.ok().map(|_| holder.trim().to_string()).filter(|holder| !holder.is_empty());
    let age = file.metadata().ok().and_then(|metadata| metadata.modified().ok()?.elapsed().ok());
    let since = age.map_or(String::new(), |age| format!(", for {} s now", age.as_secs()));
    StoreError::Busy { folder, holder: holder.unwrap_or("another process".to_string()) + &since }
}

/// The machine's name where the system tells it, as Linux does.
fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    if name.trim().is_empty() { "this machine".to_string() } else { name.trim().to_string() }
}
