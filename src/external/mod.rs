//! Methods that run outside of this process, in any language: the protocol, and the processes that speak it.
//!
//! A worker is a long-lived process that answers one request after another. Each thread that computes cells uses a worker of
//! its own; a worker that takes too long, breaks off or breaks the protocol is killed, and the next request starts another.

mod program;
mod protocol;
#[cfg(target_os = "linux")]
mod sandbox;
mod watchdog;
mod worker;
mod workers;

pub use program::{Program, SourceFile, find_executable};
pub use protocol::{Array, Request};
pub use workers::{Answer, Session, ask, ask_alone, kill_all, version_list, versions};

/// Why there is no answer, and what the worker wrote.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{problem}{}", shown(self))]
pub struct Trouble {
    pub problem: String,
    /// All that is kept of stderr, and of stdout before the hello.
    pub log: Vec<String>,
}

impl Trouble {
    fn new(problem: impl Into<String>) -> Self {
        Trouble { problem: problem.into(), log: Vec::new() }
    }

    /// The end of the log on one line.
    pub fn last_lines(&self) -> String {
        let lines: Vec<&str> = self.log.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
        lines[lines.len().saturating_sub(LINES_SHOWN)..].join(" | ")
    }
}

/// The number of lines of the log in a message.
const LINES_SHOWN: usize = 3;

fn shown(trouble: &Trouble) -> String {
    let last = trouble.last_lines();
    if last.is_empty() { last } else { format!("; its last lines: {last}") }
}
