//! Files that are whole or not there at all.

use crate::run::store::StoreError;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

/// Writes beside and renames, so that a file is never half there. A link in its place is replaced, not followed.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    write_by_way_of(".new", path, bytes)
}

/// The same where other processes may write to the same file: the last one wins, and none gets into another's way.
pub fn write_beside_others(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    write_by_way_of(&format!(".{}.new", std::process::id()), path, bytes)
}

fn write_by_way_of(ending: &str, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}{ending}"));
    let written = remove_if_there(&beside)
        .and_then(|()| write_synced(&beside, bytes))
        .and_then(|()| std::fs::rename(&beside, path));
    written.map_err(|source| {
        // What is left of a failed attempt; if it cannot be removed either, the first error says why.
        let _ = std::fs::remove_file(&beside);
        StoreError::writing(path)(source)
    })
}

/// Writes a file that is not there yet.
fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Writes files into a folder: nothing is replaced until all of them are on the disk.
///
/// Names may have a folder in them. Links are replaced, not followed.
pub fn write_together(folder: &Path, files: &BTreeMap<String, Vec<u8>>) -> Result<(), StoreError> {
    let aside = folder.join(".new");
    let remove = || match std::fs::symlink_metadata(&aside) {
        Ok(metadata) if metadata.is_dir() => std::fs::remove_dir_all(&aside),
        Ok(_) => std::fs::remove_file(&aside),
        Err(_) => Ok(()),
    };
    remove().map_err(StoreError::writing(&aside))?;
    let parents: BTreeSet<&Path> = files.keys().filter_map(|name| Path::new(name).parent()).collect();
    for parent in parents.iter().map(|parent| folder.join(parent)) {
        if std::fs::symlink_metadata(&parent).is_ok_and(|metadata| !metadata.is_dir()) {
            return Err(StoreError::NotAFolder { path: parent });
        }
        std::fs::create_dir_all(&parent).map_err(StoreError::writing(&parent))?;
    }
    for path in files.keys().map(|name| folder.join(name)) {
        if std::fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_dir()) {
            return Err(StoreError::NotAFile { path });
        }
    }
    let write = || -> Result<(), StoreError> {
        for parent in &parents {
            std::fs::create_dir_all(aside.join(parent)).map_err(StoreError::writing(&aside))?;
        }
        // At the same time, since nearly all of it is waiting for the disk.
        files.par_iter().try_for_each(|(name, bytes)| {
            write_synced(&aside.join(name), bytes).map_err(StoreError::writing(&folder.join(name)))
        })?;
        for name in files.keys() {
            let path = folder.join(name);
            std::fs::rename(aside.join(name), &path).map_err(StoreError::writing(&path))?;
        }
        Ok(())
    };
    let written = write();
    // If what is left cannot be removed now, the next writing will.
    let _ = remove();
    written?;
    parents.iter().try_for_each(|parent| sync_folder(&folder.join(parent)))
}

/// The bytes of a file that has no more than so many.
pub fn read_bounded(path: &Path, most: u64) -> Result<Vec<u8>, StoreError> {
    let metadata = std::fs::metadata(path).map_err(StoreError::reading(path))?;
    if !metadata.is_file() {
        return Err(StoreError::NotAFile { path: path.to_path_buf() });
    }
    let bytes = metadata.len();
    if bytes > most {
        return Err(StoreError::TooLarge { path: path.to_path_buf(), bytes, most });
    }
    std::fs::read(path).map_err(StoreError::reading(path))
}

pub fn remove_if_there(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Makes sure that names that were given or changed in a folder survive a crash.
pub fn sync_folder(folder: &Path) -> Result<(), StoreError> {
    // Elsewhere than on Unix a folder cannot be opened, and names are safe without it.
    if cfg!(unix) {
        std::fs::File::open(folder).and_then(|file| file.sync_all()).map_err(StoreError::writing(folder))?;
    }
    Ok(())
}
