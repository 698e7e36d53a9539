//! The journal: an append-only file with one record per line, each with a checksum.
//!
//! A line is 16 hexadecimal digits of the record's sha256, a space, and the record as JSON. A killed run can leave its last
//! record incomplete: such a last line is dropped, and its cell runs again. Any other unreadable line is damage and is
//! reported. A power failure can cause such damage in records that were not synced yet; these lines can be removed
//! without losing anything else.

use crate::data::sha256;
use crate::math::metric::Metric;
use crate::run::store::refuse_other_than_file;
use crate::run::{Environment, Outcome, RunError};
use crate::spec::Cell;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const CHECKSUM_DIGITS: usize = 16;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "nearly all records are outcomes")]
enum Record<'a> {
    /// The program and machine that computed the outcomes that follow.
    Environment(Cow<'a, Environment>),
    Outcome(Cow<'a, Outcome>),
}

/// An outcome and its origin.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Boxed, because a tree moves its values on every insertion.
    pub outcome: Box<Outcome>,
    /// Of the record in the journal.
    pub checksum: String,
    /// The index in [`Contents::environments`] of the program and machine that computed it.
    pub environment: Option<usize>,
}

/// The contents of a journal.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    pub environments: Vec<Environment>,
    /// By cell id; the last record of a cell counts.
    pub kept: BTreeMap<String, Kept>,
    /// The number of bytes of the readable records.
    length: u64,
    pub torn: Option<Torn>,
}

/// The end of a journal that a crash left unreadable.
#[derive(Clone, Debug, PartialEq)]
pub struct Torn {
    pub line: usize,
    pub bytes: u64,
}

/// An unreadable line before the end.
#[derive(Clone, Debug, PartialEq)]
pub struct Damage {
    /// Counted from 1.
    pub line: usize,
    pub byte: u64,
    pub reason: String,
}

impl Contents {
    pub fn parse(bytes: &[u8]) -> Result<Self, Damage> {
        let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
        // Parsing a line takes nearly all of the time and can be done in parallel; adding records depends on their order.
        let read: Vec<_> = lines.par_iter().map(|line| read_line(line)).collect();
        let mut contents = Contents::default();
        for ((number, line), read) in (1..).zip(&lines).zip(read) {
            let reason = match read {
                Ok((checksum, Ok(record))) => {
                    match record {
                        Record::Environment(environment) => contents.enter(&environment),
                        Record::Outcome(outcome) => contents.keep(checksum.to_string(), Box::new(outcome.into_owned())),
                    }
                    contents.length += line.len() as u64;
                    continue;
                }
                // A line with a correct checksum is complete.
                Ok((_, Err(error))) => format!("it is complete, but this program does not understand it: {error}"),
                Err(_) if number == lines.len() => {
                    contents.torn = Some(Torn { line: number, bytes: line.len() as u64 });
                    break;
                }
                Err(reason) => reason.to_string(),
            };
            return Err(Damage { line: number, byte: contents.length, reason });
        }
        Ok(contents)
    }

    /// The contents of a file; empty if there is no such file.
    pub fn read(path: &Path) -> Result<Self, RunError> {
        refuse_other_than_file(path)?;
        match std::fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Contents::default()),
            Err(error) => Err(RunError::reading(path)(error)),
            Ok(bytes) => {
                Contents::parse(&bytes).map_err(|damage| RunError::Damaged { path: path.to_path_buf(), damage })
            }
        }
    }

    pub fn outcome(&self, id: &str) -> Option<&Outcome> {
        self.kept.get(id).map(|kept| &*kept.outcome)
    }

    /// The outcome of a cell, if tables of these metrics can show it.
    pub fn shown(&self, cell: &Cell, metrics: &[Metric]) -> Option<&Outcome> {
        self.outcome(&cell.id).filter(|outcome| outcome.can_be_shown(metrics))
    }

    /// The outcomes by environment; `unknown` is used where none is recorded.
    pub fn by_environment(self, unknown: &Environment) -> Vec<(Environment, Vec<Box<Outcome>>)> {
        let environments = [unknown].into_iter().chain(&self.environments);
        let mut groups: Vec<_> = environments.map(|environment| (environment.clone(), Vec::new())).collect();
        for Kept { outcome, environment, .. } in self.kept.into_values() {
            groups[environment.map_or(0, |index| index + 1)].1.push(outcome);
        }
        groups
    }

    fn keep(&mut self, checksum: String, outcome: Box<Outcome>) {
        let environment = self.environments.len().checked_sub(1);
        self.kept.insert(outcome.id.clone(), Kept { outcome, checksum, environment });
    }

    /// Sets the environment of the outcomes that follow. The list keeps the order of the journal, so its last entry counts.
    fn enter(&mut self, environment: &Environment) {
        if self.environments.last() != Some(environment) {
            self.environments.push(environment.clone());
        }
    }
}

/// The checksum of a line and its record, if they match; or what is wrong with the line.
fn read_line(line: &[u8]) -> Result<(&str, serde_json::Result<Record<'static>>), &'static str> {
    let text = line.strip_suffix(b"\n").ok_or("it has no end")?;
    let text = str::from_utf8(text).map_err(|_| "it is not text")?;
    let (checksum, json) = text.split_once(' ').ok_or("it has no checksum")?;
    if checksum != checksum_of(json.as_bytes()) {
        return Err("its checksum does not match");
    }
    Ok((checksum, serde_json::from_str(json)))
}

fn checksum_of(json: &[u8]) -> String {
    sha256(json)[..CHECKSUM_DIGITS].to_string()
}

/// Appends the line of a record and returns its checksum.
fn write_line(lines: &mut Vec<u8>, record: &Record) -> serde_json::Result<String> {
    let start = lines.len();
    lines.extend([b' '; CHECKSUM_DIGITS + 1]);
    serde_json::to_writer(&mut *lines, record)?;
    let checksum = checksum_of(&lines[start + CHECKSUM_DIGITS + 1..]);
    lines[start..start + CHECKSUM_DIGITS].copy_from_slice(checksum.as_bytes());
    lines.push(b'\n');
    Ok(checksum)
}

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal {
    pub path: PathBuf,
    pub contents: Contents,
    file: File,
    /// A reused buffer. With it and with boxed outcomes, writing the sweep's journal takes 45 ms instead of 55.
    lines: Vec<u8>,
}

impl Journal {
    /// Opens a journal, creates it if necessary, and cuts off an incomplete end.
    pub fn open(path: &Path) -> Result<Self, RunError> {
        let contents = Contents::read(path)?;
        let io = RunError::writing(path);
        let file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(&io)?;
        if contents.torn.is_some() {
            file.set_len(contents.length).map_err(&io)?;
        }
        Ok(Journal { path: path.to_path_buf(), contents, file, lines: Vec::new() })
    }

    /// Adds outcomes that were computed in an environment; when this returns they are on the disk.
    ///
    /// A batch is written and synced once. If that fails, the journal keeps only complete lines.
    #[expect(clippy::vec_box, reason = "an outcome is not moved between the thread that computes it and the tree")]
    pub fn append(&mut self, environment: &Environment, outcomes: Vec<Box<Outcome>>) -> Result<(), RunError> {
        if outcomes.is_empty() {
            return Ok(());
        }
        let unwritable = |error: serde_json::Error| RunError::writing(&self.path)(error.into());
        let is_entered = self.contents.environments.last() == Some(environment);
        self.lines.clear();
        if !is_entered {
            write_line(&mut self.lines, &Record::Environment(Cow::Borrowed(environment))).map_err(unwritable)?;
        }
        let mut checksums = Vec::with_capacity(outcomes.len());
        for outcome in &outcomes {
            let record = Record::Outcome(Cow::Borrowed(outcome));
            checksums.push(write_line(&mut self.lines, &record).map_err(unwritable)?);
        }
        let written = self.file.write_all(&self.lines).and_then(|()| self.file.sync_data());
        let kept = if written.is_ok() { self.lines.len() } else { self.cut_to_complete_lines() };
        self.contents.length += kept as u64;
        let mut count = self.lines[..kept].iter().filter(|byte| **byte == b'\n').count();
        if !is_entered && count > 0 {
            self.contents.enter(environment);
            count -= 1;
        }
        for (checksum, outcome) in checksums.into_iter().zip(outcomes).take(count) {
            self.contents.keep(checksum, outcome);
        }
        written.map_err(RunError::writing(&self.path))
    }

    /// After a failed write: cuts the file to the complete lines of the batch and returns their number of bytes.
    fn cut_to_complete_lines(&mut self) -> usize {
        let length = self.contents.length;
        let written = self.file.metadata().map_or(0, |metadata| metadata.len().saturating_sub(length)) as usize;
        let written = &self.lines[..written.min(self.lines.len())];
        let complete = written.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        // If the file cannot be cut either, the next run drops the incomplete end.
        let cut = self.file.set_len(length + complete as u64).and_then(|()| self.file.sync_data());
        if cut.is_ok() { complete } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::environment;
    use crate::run::store::tests::outcome;

    fn journal_of(outcomes: Vec<Outcome>) -> (tempfile::TempDir, PathBuf, Vec<u8>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let mut journal = Journal::open(&path).unwrap();
        for outcome in outcomes {
            journal.append(&environment(), vec![Box::new(outcome)]).unwrap();
        }
        let bytes = std::fs::read(&path).unwrap();
        (folder, path, bytes)
    }

    #[test]
    fn what_was_written_comes_back_bit_for_bit() {
        let outcomes = [outcome("a", Some(1.0 / 3.0)), outcome("b", None)];
        let (_folder, path, _) = journal_of(outcomes.to_vec());
        let contents = Contents::read(&path).unwrap();
        assert_eq!(contents.outcome("a"), Some(&outcomes[0]));
        assert_eq!(contents.outcome("b"), Some(&outcomes[1]));
        assert_eq!(contents.environments, [environment()]);
        assert_eq!(contents.torn, None);
        assert!(Contents::read(&path.with_file_name("other")).unwrap().kept.is_empty());
    }

    #[test]
    fn cut_off_at_any_byte_of_its_last_two_records_it_goes_on_to_the_same_bytes() {
        let outcomes: Vec<Outcome> = ["a", "b", "c", "d"].map(|id| outcome(id, Some(0.7))).to_vec();
        let (_folder, path, whole) = journal_of(outcomes.clone());
        let ends: Vec<usize> = (1..=whole.len()).filter(|end| whole[end - 1] == b'\n').collect();
        let [.., before, between, end] = ends[..] else { panic!("{ends:?}") };
        for cut in before..end {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let mut journal = Journal::open(&path).unwrap();
            let contents = &journal.contents;
            assert!(contents.outcome("a").is_some() && contents.outcome("b").is_some(), "{cut}");
            assert_eq!(contents.outcome("c").is_some(), cut >= between, "{cut}");
            assert_eq!(contents.outcome("d"), None, "{cut}");
            assert_eq!(contents.torn.is_some(), cut != before && cut != between, "{cut}");
            for outcome in &outcomes {
                if journal.contents.outcome(&outcome.id).is_none() {
                    journal.append(&environment(), vec![Box::new(outcome.clone())]).unwrap();
                }
            }
            assert_eq!(std::fs::read(&path).unwrap(), whole, "{cut}");
        }
    }

    #[test]
    fn any_flipped_byte_before_the_end_of_the_last_record_but_one_is_refused_with_its_place() {
        let (_folder, _path, whole) = journal_of(["a", "b", "c"].map(|id| outcome(id, Some(0.7))).to_vec());
        let last = whole[..whole.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
        // Without the line end at last - 1, the last two records are one torn line.
        for (byte, flip) in (0..last - 1).zip([0x01, 0x80, 0x20, 0xff].into_iter().cycle()) {
            let mut damaged = whole.clone();
            damaged[byte] ^= flip;
            let damage = Contents::parse(&damaged).unwrap_err();
            let line = whole[..byte].iter().filter(|byte| **byte == b'\n').count() + 1;
            assert_eq!(damage.line, line, "byte {byte}: {damage:?}");
            assert!(damage.byte <= byte as u64);
        }
    }

    #[test]
    fn a_flip_in_the_last_record_costs_that_record_alone() {
        let (_folder, _path, whole) = journal_of(["a", "b"].map(|id| outcome(id, Some(0.7))).to_vec());
        let last = whole[..whole.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
        for byte in last..whole.len() {
            let mut damaged = whole.clone();
            damaged[byte] ^= 0x01;
            let contents = Contents::parse(&damaged).unwrap();
            assert!(contents.outcome("a").is_some() && contents.outcome("b").is_none(), "{byte}");
            assert_eq!(contents.torn, Some(Torn { line: 3, bytes: (whole.len() - last) as u64 }), "{byte}");
        }
    }

    #[test]
    fn several_unreadable_lines_at_the_end_are_damage_and_so_is_what_only_others_understand() {
        let (_folder, _path, whole) = journal_of(["a", "b", "c"].map(|id| outcome(id, Some(0.7))).to_vec());
        let text = String::from_utf8(whole).unwrap();
        let damage = Contents::parse(text.replace('\n', "\r\n").as_bytes()).unwrap_err();
        assert_eq!((damage.line, &*damage.reason), (1, "its checksum does not match"));
        let last_two = text.replace("\"id\":\"b\"", "\"id\":\"x\"").replace("\"id\":\"c\"", "\"id\":\"y\"");
        assert_eq!(Contents::parse(last_two.as_bytes()).unwrap_err().line, 3);

        let json = "{\"outcome\":{\"id\":\"d\"}}";
        let foreign = format!("{text}{} {json}\n", checksum_of(json.as_bytes()));
        let damage = Contents::parse(foreign.as_bytes()).unwrap_err();
        assert!(damage.line == 5 && damage.reason.contains("does not understand it: missing field"), "{damage:?}");
    }
}
