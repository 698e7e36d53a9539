//! The contents of a journal: the outcomes of cells, what computed them, and which commands worked on the folder.
//!
//! A killed run can leave its last line incomplete: it is dropped, and its cell runs again. Any other unreadable line is
//! damage and is reported. A power failure can cause such damage in records that were not synced yet; these lines can be
//! removed without losing anything else, but the seals then show that lines are missing.

use crate::math::metric::Metric;
use crate::run::store::record::{Chain, Record, read_line};
use crate::run::store::refuse_other_than_file;
use crate::run::{Environment, Outcome, RunError};
use crate::spec::Cell;
use crate::text::presentable;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

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

/// A command that computes or reports the results of a folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// The command that gives the same results.
    pub command: String,
    /// The time in UTC.
    pub started: String,
}

/// How and when a command ended. A command that failed or was killed leaves no such record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ended {
    pub how: AttemptEnd,
    /// The time in UTC.
    pub at: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptEnd {
    Complete,
    Interrupted,
}

/// The contents of a journal.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    pub environments: Vec<Environment>,
    /// By cell id; the last record of a cell counts.
    pub kept: BTreeMap<String, Kept>,
    /// The commands that worked on the folder, each with its end; a journal of an earlier version has none.
    pub attempts: Vec<(Attempt, Option<Ended>)>,
    /// The sha256 of `manifest.json` when it was last written.
    pub manifest_sha256: Option<String>,
    pub seals: Seals,
    /// The number of bytes of the readable records.
    pub(super) length: u64,
    pub torn: Option<Torn>,
}

/// What the seals say about the lines before them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seals {
    pub(super) chain: Chain,
    /// The number of lines so far.
    lines: usize,
    /// The line of the last seal; `None` in a journal of an earlier version.
    pub last: Option<usize>,
    /// The lines before the first seal that does not match, from the seal before it to that seal.
    pub broken: Option<(usize, usize)>,
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
                Ok((_, Ok(Record::Outcome(outcome)))) if let Some(problem) = outcome.impossible_value() => {
                    format!("cell {} cannot be what a program computed: {problem}", presentable(&outcome.id))
                }
                Ok((checksum, Ok(record))) => {
                    contents.add(record, checksum.to_string());
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

    /// The program and machine that computed the outcome of a cell, if it is recorded.
    pub fn environment_of(&self, id: &str) -> Option<&Environment> {
        self.environments.get(self.kept.get(id)?.environment?)
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

    /// Whether the last command is known to have ended with all results.
    pub fn is_settled(&self) -> bool {
        let end = self.attempts.last().and_then(|(_, end)| end.as_ref());
        end.is_some_and(|end| end.how == AttemptEnd::Complete)
    }

    /// Adds the record of the next line.
    fn add(&mut self, record: Record, checksum: String) {
        self.seals.lines += 1;
        if let Record::Seal(chain) = record {
            self.seals.check(chain);
        }
        self.seals.chain.add(&checksum);
        self.insert(record, checksum);
    }

    /// Adds the record of a line that was just written, with the chain up to and including this line.
    pub(super) fn add_written(&mut self, record: Record, checksum: String, chain: Chain) {
        self.seals.lines += 1;
        if matches!(record, Record::Seal(_)) {
            self.seals.last = Some(self.seals.lines);
        }
        self.seals.chain = chain;
        self.insert(record, checksum);
    }

    fn insert(&mut self, record: Record, checksum: String) {
        match record {
            Record::Environment(environment) => self.enter(*environment),
            Record::Outcome(outcome) => {
                let environment = self.environments.len().checked_sub(1);
                self.kept.insert(outcome.id.clone(), Kept { outcome, checksum, environment });
            }
            Record::Attempt(attempt) => self.attempts.push((*attempt, None)),
            Record::Ended(ended) => {
                self.attempts.last_mut().into_iter().for_each(|(_, end)| *end = Some(ended.clone()));
            }
            Record::Manifest(sha256) => self.manifest_sha256 = Some(sha256),
            Record::Seal(_) => {}
        }
    }

    /// Sets the environment of the outcomes that follow. The list keeps the order of the journal, so its last entry counts.
    fn enter(&mut self, environment: Environment) {
        if self.environments.last() != Some(&environment) {
            self.environments.push(environment);
        }
    }
}

impl Seals {
    /// Compares a seal at the current line with the lines before it. Later lines are checked against later seals.
    fn check(&mut self, chain: Chain) {
        if chain != self.chain && self.broken.is_none() {
            self.broken = Some((self.last.map_or(1, |last| last + 1), self.lines));
        }
        self.chain = chain;
        self.last = Some(self.lines);
    }
}
