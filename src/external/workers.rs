//! The workers of this process that wait for their next request.

use crate::external::protocol::NoScores;
use crate::external::worker::Worker;
use crate::external::{Program, Request, Trouble};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub use crate::external::worker::kill_all;

static WORKERS: Mutex<Workers> = Mutex::new(Workers { idle: BTreeMap::new(), versions: BTreeMap::new() });

struct Workers {
    /// By the key of the program.
    idle: BTreeMap<String, Vec<Worker>>,
    /// What the first worker of a program reported.
    versions: BTreeMap<String, BTreeMap<String, String>>,
}

/// Scores, and how they came about.
#[derive(Debug)]
pub struct Answer {
    pub scores: Vec<f64>,
    pub versions: BTreeMap<String, String>,
    /// What the worker wrote to stderr meanwhile.
    pub log: Vec<String>,
    /// The time that it took to start a worker, if that was necessary.
    pub starting: Option<Duration>,
    pub answering: Duration,
}

/// Workers are kept for the next request until this is dropped.
#[derive(Debug)]
#[must_use]
pub struct Session(());

impl Session {
    pub fn begin() -> Self {
        Session(())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let idle = {
            let mut workers = lock();
            workers.versions.clear();
            std::mem::take(&mut workers.idle)
        };
        let mut idle: Vec<Worker> = idle.into_values().flatten().collect();
        // All inputs end before the first worker is waited for.
        idle.iter_mut().for_each(Worker::end_input);
    }
}

fn lock() -> MutexGuard<'static, Workers> {
    WORKERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The answer of a waiting worker, or else of a new one.
pub fn ask(program: &Program, request: &Request) -> Result<Answer, Trouble> {
    let key = program.key();
    let waiting = std::iter::from_fn(|| lock().idle.get_mut(&key).and_then(Vec::pop)).find(Worker::is_running);
    let start = Instant::now();
    let is_new = waiting.is_none();
    let mut worker = waiting.map_or_else(|| started(program), Ok)?;
    let starting = is_new.then(|| start.elapsed());
    let start = Instant::now();
    match worker.ask(request, program.timeout) {
        Ok(scores) => {
            let (versions, log, answering) = (worker.versions.clone(), worker.take_log(), start.elapsed());
            keep(program, worker);
            Ok(Answer { scores, versions, log, starting, answering })
        }
        Err(NoScores::Error(error)) => {
            let log = worker.settled_log();
            keep(program, worker);
            Err(Trouble { problem: format!("it reports: {error}"), log })
        }
        Err(NoScores::Ended(problem)) => Err(worker.ended(Trouble::new(problem))),
        Err(NoScores::Broken(trouble)) => Err(worker.broken(trouble)),
    }
}

/// The answer of a worker of its own, which then ends, so that its log is complete.
pub fn ask_alone(program: &Program, request: &Request) -> Result<Answer, Trouble> {
    let start = Instant::now();
    let mut worker = started(program)?;
    let starting = Some(start.elapsed());
    let start = Instant::now();
    let answered = worker.ask(request, program.timeout);
    let answering = start.elapsed();
    match answered {
        Ok(scores) => {
            let versions = worker.versions.clone();
            let Trouble { log, .. } = worker.finished(String::new());
            Ok(Answer { scores, versions, log, starting, answering })
        }
        Err(NoScores::Error(error)) => Err(worker.finished(format!("it reports: {error}"))),
        Err(NoScores::Ended(problem)) => Err(worker.ended(Trouble::new(problem))),
        Err(NoScores::Broken(trouble)) => Err(worker.broken(trouble)),
    }
}

/// The versions that a program reports. A worker that is started for it is kept.
pub fn versions(program: &Program) -> Result<BTreeMap<String, String>, Trouble> {
    if let Some(known) = lock().versions.get(&program.key()) {
        return Ok(known.clone());
    }
    let worker = started(program)?;
    let versions = worker.versions.clone();
    keep(program, worker);
    Ok(versions)
}

fn keep(program: &Program, worker: Worker) {
    lock().idle.entry(program.key()).or_default().push(worker);
}

/// A new worker, which must report the same versions as those before it.
fn started(program: &Program) -> Result<Worker, Trouble> {
    let worker = Worker::start(program)?;
    let first = lock().versions.entry(program.key()).or_insert_with(|| worker.versions.clone()).clone();
    if first != worker.versions {
        let (first, now) = (version_list(&first), version_list(&worker.versions));
        return Err(Trouble::new(format!("it reports the versions {now}, but another of its workers {first}")));
    }
    Ok(worker)
}

/// Versions in a message.
pub fn version_list(versions: &BTreeMap<String, String>) -> String {
    if versions.is_empty() {
        return "no reported versions".to_string();
    }
    versions.iter().map(|(name, version)| format!("{name} {version}")).collect::<Vec<_>>().join(", ")
}
