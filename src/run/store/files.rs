//! Files that exist completely or not at all.

use crate::run::RunError;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Writes a temporary file, renames it and syncs the folder. A link at the path is replaced, not followed.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    write_and_rename(".new", path, bytes)
}

/// The same where several processes may write the file: the last one wins, and none disturbs another.
pub fn write_concurrently(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    write_and_rename(&format!(".{}.new", std::process::id()), path, bytes)
}

fn write_and_rename(ending: &str, path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!(".{name}{ending}"));
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

/// Writes files into a folder: none is replaced before all of them are on the disk.
///
/// Names may contain a folder. Links are replaced, not followed.
pub fn write_together(folder: &Path, files: &BTreeMap<String, Vec<u8>>) -> Result<(), RunError> {
    let temporary = folder.join(".new");
    let remove = || match std::fs::symlink_metadata(&temporary) {
        Ok(metadata) if metadata.is_dir() => std::fs::remove_dir_all(&temporary),
        Ok(_) => std::fs::remove_file(&temporary),
        Err(_) => Ok(()),
    };
    remove().map_err(RunError::writing(&temporary))?;
    let parents: BTreeSet<&Path> = files.keys().filter_map(|name| Path::new(name).parent()).collect();
    for parent in parents.iter().map(|parent| folder.join(parent)) {
        refuse(&parent, "a folder", |metadata| !metadata.is_dir())?;
        std::fs::create_dir_all(&parent).map_err(RunError::writing(&parent))?;
    }
    for name in files.keys() {
        refuse(&folder.join(name), "a file", |metadata| metadata.is_dir())?;
    }
    let write = || -> Result<(), RunError> {
        for parent in &parents {
            std::fs::create_dir_all(temporary.join(parent)).map_err(RunError::writing(&temporary))?;
        }
        // In parallel, because nearly all of the time is spent waiting for the disk.
        files.par_iter().try_for_each(|(name, bytes)| {
            write_synced(&temporary.join(name), bytes).map_err(RunError::writing(&folder.join(name)))
        })?;
        files
            .keys()
            .map(|name| (folder.join(name), temporary.join(name)))
            .try_for_each(|(path, written)| std::fs::rename(written, &path).map_err(RunError::writing(&path)))
    };
    let written = write();
    // If the rest cannot be removed now, the next call removes it.
    let _ = remove();
    written?;
    parents.iter().try_for_each(|parent| sync_folder(&folder.join(parent)))
}

/// Refuses a path that exists and is not what is expected; links are not followed.
pub fn refuse(path: &Path, expected: &str, is_wrong: impl Fn(&std::fs::Metadata) -> bool) -> Result<(), RunError> {
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
