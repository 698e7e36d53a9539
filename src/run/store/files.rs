//! Files that are whole or not there at all.

use crate::run::store::StoreError;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

/// What a table was written to.
pub fn csv_bytes(writer: csv::Writer<Vec<u8>>) -> csv::Result<Vec<u8>> {
    writer.into_inner().map_err(|error| error.into_error().into())
}

/// Writes beside and renames, so that a file is never half there. A link in its place is replaced, not followed.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.new"));
    let write = || {
        remove_if_there(&beside)?;
        let mut file = OpenOptions::new().write(true).create_new(true).open(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&beside, path)
    };
    write().map_err(|source| {
        // What is left of a failed attempt; if it cannot be removed either, the first error says why.
        let _ = std::fs::remove_file(&beside);
        StoreError::writing(path)(source)
    })
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
