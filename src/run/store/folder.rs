//! Which folders belong to the program: it writes to no other.

use crate::run::store::record::read_line;
use crate::run::store::{FRESH_JOURNAL, JOURNAL};
use crate::run::{Manifest, RunError};
use std::fs::{DirEntry, File, OpenOptions};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::path::Path;

/// The mark in every run folder.
pub const MARK: &str = ".doublepu-run";
const MARK_TEXT: &str = "doublepu made this folder. It replaces or removes only its own files: the journals, manifest.json \
                         and what manifest.json lists.\n";
/// A record is far shorter.
const MOST_OF_A_LINE: u64 = 1 << 20;

/// Creates a folder if necessary and marks it. Refuses a folder with other contents than those of a run.
pub fn claim(folder: &Path) -> Result<(), RunError> {
    std::fs::create_dir_all(folder).map_err(RunError::writing(folder))?;
    if is_marked(folder) {
        return Ok(());
    }
    if !is_of_earlier_version(folder) && !is_vacant(folder).map_err(RunError::reading(folder))? {
        let problem = "is not empty, and it is not a run folder of doublepu";
        return Err(RunError::at(folder, problem, "give a new or an empty folder with --out"));
    }
    let mark = folder.join(MARK);
    match OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&mark)
        .and_then(|mut file| file.write_all(MARK_TEXT.as_bytes()))
    {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(RunError::writing(&mark)(error)),
        _ => Ok(()),
    }
}

/// Whether a folder is a run folder.
pub fn is_run_folder(folder: &Path) -> bool {
    is_marked(folder) || is_of_earlier_version(folder)
}

fn is_marked(folder: &Path) -> bool {
    std::fs::symlink_metadata(folder.join(MARK)).is_ok_and(|metadata| metadata.is_file())
}

/// Earlier versions left no mark, but a manifest or a journal.
fn is_of_earlier_version(folder: &Path) -> bool {
    Manifest::read(folder).is_ok() || [JOURNAL, FRESH_JOURNAL].iter().any(|name| is_journal(&folder.join(name)))
}

fn is_journal(path: &Path) -> bool {
    if !std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return false;
    }
    let mut line = Vec::new();
    let read = File::open(path).and_then(|file| BufReader::new(file.take(MOST_OF_A_LINE)).read_until(b'\n', &mut line));
    read.is_ok() && read_line(&line).is_ok()
}

/// Whether a folder holds nothing but shards, which are in the folder of their experiment. Another process may mark it at
/// the same time.
fn is_vacant(folder: &Path) -> io::Result<bool> {
    let entries: Vec<DirEntry> = std::fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    let is_shard =
        |entry: &DirEntry| entry.file_name().to_string_lossy().starts_with("shard-") && is_run_folder(&entry.path());
    Ok(entries.iter().any(|entry| entry.file_name() == MARK) || entries.iter().all(is_shard))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_empty_and_marked_folders_are_claimed_and_others_are_not() {
        let desk = tempfile::tempdir().unwrap();
        let folder = desk.path().join("a/b");
        claim(&folder).unwrap();
        assert!(is_marked(&folder));
        std::fs::write(folder.join("notes.txt"), "mine").unwrap();
        claim(&folder).unwrap();
        for (name, text) in
            [("notes.txt", ""), ("manifest.json", "{}"), ("journal.jsonl", "{\"my\": 1}\n"), (".lock", "")]
        {
            let other = desk.path().join(name.replace('.', "-"));
            std::fs::create_dir(&other).unwrap();
            std::fs::write(other.join(name), text).unwrap();
            let refused = claim(&other).unwrap_err().to_string();
            assert!(
                refused.contains("is not empty, and it is not a run folder of doublepu\n  help: give a new"),
                "{refused}"
            );
            assert_eq!(std::fs::read_dir(&other).unwrap().count(), 1);
        }
        // The folder of an experiment with shards in it.
        let shards = desk.path().join("shards");
        claim(&shards.join("shard-1-of-2")).unwrap();
        claim(&shards).unwrap();
        let foreign = desk.path().join("foreign");
        std::fs::create_dir_all(foreign.join("shard-1-of-2")).unwrap();
        assert!(claim(&foreign).is_err());
    }
}
