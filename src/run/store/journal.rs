//! The journal: an append-only file of one line a record, each with a checksum.
//!
//! A line is 16 hexadecimal digits of the record's sha256, a blank, and the record as JSON. A run that is killed can tear
//! the record that it was writing: a last line that is not whole is left out, and its cell runs again. Any other line
//! that cannot be read is damage, which nobody should get past unnoticed. A power failure can do such damage to what
//! was not synced yet, up to as many records as may wait; then the lines can be removed, and nothing else is lost.

use crate::data::sha256;
use crate::math::metric::Metric;
use crate::run::store::{StoreError, refuse_what_is_no_file};
use crate::run::{Environment, Outcome};
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
    /// Who computed the outcomes that follow.
    Environment(Cow<'a, Environment>),
    Outcome(Cow<'a, Outcome>),
}

/// An outcome with where it comes from.
#[derive(Clone, Debug)]
pub struct Kept {
    /// In a box, since a tree moves what it holds whenever something is added.
    pub outcome: Box<Outcome>,
    /// Of its record in the journal.
    pub checksum: String,
    /// The place in [`Contents::environments`] of the program and machine that computed it.
    pub environment: Option<usize>,
}

/// What a journal holds.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    pub environments: Vec<Environment>,
    /// By cell; of several records of one cell the last counts.
    pub kept: BTreeMap<String, Kept>,
    /// How many bytes the readable records take.
    length: u64,
    pub torn: Option<Torn>,
}

/// The end of a journal that a crash left unreadable.
#[derive(Clone, Debug, PartialEq)]
pub struct Torn {
    pub line: usize,
    pub bytes: u64,
}

/// A line that cannot be read and is not a torn end.
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
        // Each line is read by itself, which takes nearly all of the time; what they add up to depends on their order.
        let read: Vec<_> = lines.par_iter().map(|line| read_line(line)).collect();
        let mut contents = Contents::default();
        for (index, (line, read)) in lines.iter().zip(read).enumerate() {
            let (place, byte) = (index + 1, contents.length);
            match read {
                Ok((checksum, record)) => {
                    contents.add(checksum.to_string(), record);
                    contents.length += line.len() as u64;
                }
                Err(Unreadable::NotWhole(_)) if place == lines.len() => {
                    contents.torn = Some(Torn { line: place, bytes: line.len() as u64 });
                }
                Err(Unreadable::NotWhole(reason)) => {
                    return Err(Damage { line: place, byte, reason: reason.to_string() });
                }
                // What bears its checksum was not torn, whoever wrote it.
                Err(Unreadable::NotUnderstood(error)) => {
                    let reason = format!("it is whole, but this program does not understand it: {error}");
                    return Err(Damage { line: place, byte, reason });
                }
            }
        }
        Ok(contents)
    }

    /// What a file holds; `None` if there is no such file.
    pub fn read(path: &Path) -> Result<Option<Self>, StoreError> {
        refuse_what_is_no_file(path)?;
        match std::fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::reading(path)(error)),
            Ok(bytes) => Contents::parse(&bytes)
                .map(Some)
                .map_err(|damage| StoreError::Damaged { path: path.to_path_buf(), damage }),
        }
    }

    pub fn outcome(&self, id: &str) -> Option<&Outcome> {
        self.kept.get(id).map(|kept| &*kept.outcome)
    }

    /// What a cell came to, if tables of these metrics can show it.
    pub fn shown(&self, cell: &Cell, metrics: &[Metric]) -> Option<&Outcome> {
        self.outcome(&cell.id).filter(|outcome| outcome.can_be_shown(metrics))
    }

    /// The outcomes by the environment that they were computed in; `unknown` stands in where none is recorded.
    pub fn by_environment(self, unknown: &Environment) -> Vec<(Environment, Vec<Box<Outcome>>)> {
        let environments = [unknown].into_iter().chain(&self.environments);
        let mut groups: Vec<_> = environments.map(|environment| (environment.clone(), Vec::new())).collect();
        for Kept { outcome, environment, .. } in self.kept.into_values() {
            groups[environment.map_or(0, |place| place + 1)].1.push(outcome);
        }
        groups
    }

    fn add(&mut self, checksum: String, record: Record) {
        match record {
            Record::Environment(environment) => self.enter(&environment),
            Record::Outcome(outcome) => self.keep(checksum, Box::new(outcome.into_owned())),
        }
    }

    fn keep(&mut self, checksum: String, outcome: Box<Outcome>) {
        let environment = self.environments.len().checked_sub(1);
        self.kept.insert(outcome.id.clone(), Kept { outcome, checksum, environment });
    }

    /// What follows is computed here. The list keeps the order of the journal, so the last one is the present one.
    fn enter(&mut self, environment: &Environment) {
        if self.environments.last() != Some(environment) {
            self.environments.push(environment.clone());
        }
    }
}

/// Why a line gives no record.
enum Unreadable {
    NotWhole(&'static str),
    NotUnderstood(serde_json::Error),
}

fn read_line(line: &[u8]) -> Result<(&str, Record<'static>), Unreadable> {
    let (checksum, json) = whole_line(line).map_err(Unreadable::NotWhole)?;
    Ok((checksum, serde_json::from_str(json).map_err(Unreadable::NotUnderstood)?))
}

/// The checksum and the record of a line, if they fit.
fn whole_line(line: &[u8]) -> Result<(&str, &str), &'static str> {
    let text = line.strip_suffix(b"\n").ok_or("it has no end")?;
    let text = str::from_utf8(text).map_err(|_| "it is not text")?;
    let (checksum, json) = text.split_once(' ').ok_or("it has no checksum")?;
    if checksum == checksum_of(json.as_bytes()) { Ok((checksum, json)) } else { Err("its checksum does not fit") }
}

fn checksum_of(json: &[u8]) -> String {
    sha256(json)[..CHECKSUM_DIGITS].to_string()
}

/// Adds the line of a record and gives its checksum.
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
    file: File,
    contents: Contents,
    /// Room for the lines of a batch. With it, and with outcomes in boxes, the sweep's journal takes 45 ms where it took 55.
    lines: Vec<u8>,
}

impl Journal {
    /// Opens a journal, made if need be, and cuts off what a crash left unreadable.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let contents = Contents::read(path)?.unwrap_or_default();
        let io = StoreError::writing(path);
        let file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(&io)?;
        if contents.torn.is_some() {
            file.set_len(contents.length).map_err(&io)?;
        }
        Ok(Journal { path: path.to_path_buf(), file, contents, lines: Vec::new() })
    }

    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// Adds outcomes that were computed in an environment; when this returns they are on the disk.
    ///
    /// They are written at once and synced once, however many they are. If that fails, the journal is as it was.
    #[expect(
        clippy::vec_box,
        reason = "outcomes stay where they were computed, from the thread that did to the tree that keeps them"
    )]
    pub fn append(&mut self, environment: &Environment, outcomes: Vec<Box<Outcome>>) -> Result<(), StoreError> {
        if outcomes.is_empty() {
            return Ok(());
        }
        let unwritable = |error: serde_json::Error| StoreError::writing(&self.path)(error.into());
        let is_entered = self.contents.environments.last() == Some(environment);
        self.lines.clear();
        if !is_entered {
            let record = Record::Environment(Cow::Borrowed(environment));
            write_line(&mut self.lines, &record).map_err(unwritable)?;
        }
        let mut checksums = Vec::with_capacity(outcomes.len());
        for outcome in &outcomes {
            let record = Record::Outcome(Cow::Borrowed(outcome));
            checksums.push(write_line(&mut self.lines, &record).map_err(unwritable)?);
        }
        let written = self.file.write_all(&self.lines).and_then(|()| self.file.sync_data());
        let kept = match &written {
            Ok(()) => self.lines.len(),
            Err(_) => self.cut_to_whole_lines(),
        };
        self.contents.length += kept as u64;
        let mut whole = self.lines[..kept].iter().filter(|byte| **byte == b'\n').count();
        if !is_entered && whole > 0 {
            self.contents.enter(environment);
            whole -= 1;
        }
        for (checksum, outcome) in checksums.into_iter().zip(outcomes).take(whole) {
            self.contents.keep(checksum, outcome);
        }
        written.map_err(StoreError::writing(&self.path))
    }

    /// Keeps the lines that are in the file as a whole, after a batch of them was cut off; tells how many bytes that are.
    fn cut_to_whole_lines(&mut self) -> usize {
        let length = self.contents.length;
        let there = self.file.metadata().map_or(0, |metadata| metadata.len().saturating_sub(length)) as usize;
        let there = &self.lines[..there.min(self.lines.len())];
        let whole = there.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        // If half a record cannot be cut off either, it is the torn end that the next run will leave out.
        let cut = self.file.set_len(length + whole as u64).and_then(|()| self.file.sync_data());
        if cut.is_ok() { whole } else { 0 }
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
        let contents = Contents::read(&path).unwrap().unwrap();
        assert_eq!(contents.outcome("a"), Some(&outcomes[0]));
        assert_eq!(contents.outcome("b"), Some(&outcomes[1]));
        assert_eq!(contents.environments, [environment()]);
        assert_eq!(contents.torn, None);
        assert!(Contents::read(&path.with_file_name("other")).unwrap().is_none());
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
            let contents = journal.contents();
            assert!(contents.outcome("a").is_some() && contents.outcome("b").is_some(), "{cut}");
            assert_eq!(contents.outcome("c").is_some(), cut >= between, "{cut}");
            assert_eq!(contents.outcome("d"), None, "{cut}");
            assert_eq!(contents.torn.is_some(), cut != before && cut != between, "{cut}");
            for outcome in &outcomes {
                if journal.contents().outcome(&outcome.id).is_none() {
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
        assert_eq!((damage.line, &*damage.reason), (1, "its checksum does not fit"));
        let last_two = text.replace("\"id\":\"b\"", "\"id\":\"x\"").replace("\"id\":\"c\"", "\"id\":\"y\"");
        assert_eq!(Contents::parse(last_two.as_bytes()).unwrap_err().line, 3);

        let json = "{\"outcome\":{\"id\":\"d\"}}";
        let foreign = format!("{text}{} {json}\n", checksum_of(json.as_bytes()));
        let damage = Contents::parse(foreign.as_bytes()).unwrap_err();
        assert!(damage.line == 5 && damage.reason.contains("does not understand it: missing field"), "{damage:?}");
    }
}
