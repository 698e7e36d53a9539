//! Files that exist completely or not at all.

use crate::run::RunError;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a temporary file, renames it and syncs the folder. A link at the path is replaced, not followed.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!(".{name}.new"));
    let written = remove_if_there(&temporary)
        .and_then(|()| write_synced(&temporary, bytes))
        .and_then(|()| std::fs::rename(&temporary, path));
    written.map_err(|error| {
        // If the rest of a failed attempt cannot be removed either, the first error says why.
        let _ = std::fs::remove_file(&temporary);
        RunError::writing(path)(error)
    })?;
    sync_folder(path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")))
}

/// Writes a file that does not exist yet.
fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// The folder for files that are about to replace others.
const STAGE: &str = ".doublepu-new";

/// Files that are on the disk and have not replaced any others yet.
pub struct Staged<'a> {
    folder: &'a Path,
    /// Names may contain a folder.
    names: Vec<&'a str>,
}

impl<'a> Staged<'a> {
    pub fn write(folder: &'a Path, files: &'a BTreeMap<String, Vec<u8>>) -> Result<Self, RunError> {
        let staged = Staged { folder, names: files.keys().map(String::as_str).collect() };
        let stage = staged.stage();
        staged.remove().map_err(RunError::writing(&stage))?;
        for parent in staged.parents() {
            let path = folder.join(parent);
            refuse(&path, "a folder", |metadata| !metadata.is_dir())?;
            std::fs::create_dir_all(&path).map_err(RunError::writing(&path))?;
        }
        for name in &staged.names {
            refuse(&folder.join(name), "a file", |metadata| metadata.is_dir())?;
        }
        for parent in staged.parents() {
            std::fs::create_dir_all(stage.join(parent)).map_err(RunError::writing(&stage))?;
        }
        // In parallel, because nearly all of the time is spent waiting for the disk.
        files.par_iter().try_for_each(|(name, bytes)| {
            write_synced(&stage.join(name), bytes).map_err(RunError::writing(&folder.join(name)))
        })?;
        Ok(staged)
    }

    /// Lets them replace others. Links are replaced, not followed.
    pub fn put_in_place(self) -> Result<(), RunError> {
        let stage = self.stage();
        for name in &self.names {
            let path = self.folder.join(name);
            std::fs::rename(stage.join(name), &path).map_err(RunError::writing(&path))?;
        }
        self.parents().into_iter().try_for_each(|parent| sync_folder(&self.folder.join(parent)))
    }

    fn stage(&self) -> PathBuf {
        self.folder.join(STAGE)
    }

    fn parents(&self) -> BTreeSet<&'a Path> {
        self.names.iter().filter_map(|name| Path::new(*name).parent()).collect()
    }

    fn remove(&self) -> io::Result<()> {
        let stage = self.stage();
        match std::fs::symlink_metadata(&stage) {
            Ok(metadata) if metadata.is_dir() => std::fs::remove_dir_all(&stage),
            Ok(_) => std::fs::remove_file(&stage),
            Err(_) => Ok(()),
        }
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        // If the rest cannot be removed now, the next report removes it.
        let _ = self.remove();
    }
}

/// Whether an open file is the one at a path, with a given length.
pub fn is_in_place(file: &File, path: &Path, length: Option<u64>) -> bool {
    let (Ok(open), Ok(there)) = (file.metadata(), std::fs::symlink_metadata(path)) else { return false };
    there.is_file() && length.is_none_or(|length| there.len() == length) && is_same_file(&open, &there)
}

#[cfg(unix)]
fn is_same_file(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// Other systems do not let anybody remove or replace an open file.
#[cfg(not(unix))]
fn is_same_file(_: &Metadata, _: &Metadata) -> bool {
    true
}

/// Refuses a path that exists and is not what is expected; links are not followed.
pub fn refuse(path: &Path, expected: &str, is_wrong: impl Fn(&Metadata) -> bool) -> Result<(), RunError> {
    match std::fs::symlink_metadata(path) {
        Ok(metadata) if is_wrong(&metadata) => Err(is_not(path, expected)),
        _ => Ok(()),
    }
}

fn is_not(path: &Path, expected: &str) -> RunError {
    RunError::at(path, format!("is not {expected}"), "remove it, or give another folder with --out")
}

/// The bytes of a file, unless it has more than `most`.
pub fn read_bounded(path: &Path, most: u64) -> Result<Vec<u8>, RunError> {
    let metadata = std::fs::metadata(path).map_err(RunError::reading(path))?;
    if !metadata.is_file() {
        return Err(is_not(path, "a file"));
    }
    let bytes = metadata.len();
    if bytes > most {
        let problem = format!("has {bytes} bytes; at most {most} are allowed");
        return Err(RunError::at(path, problem, "give another folder with --out"));
    }
    std::fs::read(path).map_err(RunError::reading(path))
}

pub fn remove_if_there(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Makes new and changed names in a folder durable.
pub fn sync_folder(folder: &Path) -> Result<(), RunError> {
    // On other systems a folder cannot be opened, and names are durable without it.
    if cfg!(unix) {
        File::open(folder).and_then(|file| file.sync_all()).map_err(RunError::writing(folder))?;
    }
    Ok(())
}
