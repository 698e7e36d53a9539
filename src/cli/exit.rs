//! Exit codes are an interface: scripts rely on them.

use crate::cli::colour_on_stderr;
use crate::gate::{CheckError, Verdict};
use crate::mistake::Mistake;
use crate::report::ReportError;
use crate::run::RunError;
use crate::text::visible;

pub const HELP: &str = "Exit codes:
    0  done; for `check`, nothing regressed
    2  bad command line or bad spec
    3  data missing, malformed, or with a wrong checksum
    4  some cells failed; the others are stored
    5  results incomplete, different, damaged, or not readable or writable
   10  `check`: something regressed, or the gate is laxer; `accept`: refused for that
   11  `check`: too few seeds to tell; `accept`: refused, something may be worse
   12  no baseline, or a baseline for something else
   13  `check`: something is suspiciously better; `accept`: refused for that
   70  internal error: a bug in doublepu
   71  too little memory, or too few threads, on this system
  130  interrupted; run again to continue";

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    Done = 0,
    BadSpec = 2,
    BadData = 3,
    SomeCellsFailed = 4,
    BadResults = 5,
    Regression = 10,
    Inconclusive = 11,
    NoBaseline = 12,
    Suspicious = 13,
    InternalError = 70,
    NoResources = 71,
    Interrupted = 130,
}

impl Exit {
    /// After a run with a number of failed cells.
    pub fn after(failed: usize) -> Self {
        if failed == 0 { Exit::Done } else { Exit::SomeCellsFailed }
    }
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Passed => Exit::Done,
            Verdict::CannotTell => Exit::Inconclusive,
            Verdict::Suspicious => Exit::Suspicious,
            Verdict::Regressed => Exit::Regression,
        }
    }
}

impl From<&CheckError> for Exit {
    fn from(error: &CheckError) -> Self {
        if error.has_no_baseline() { Exit::NoBaseline } else { Exit::BadResults }
    }
}

/// Why a command failed: its exit code, and the message for stderr, in which nothing is hidden.
#[derive(Debug)]
pub struct Stop {
    pub exit: Exit,
    pub message: String,
}

impl Stop {
    fn new(exit: Exit, error: impl std::fmt::Display) -> Self {
        Stop { exit, message: visible(&format!("error: {error}")).into_owned() }
    }

    /// An option that cannot be used here.
    pub fn command_line(problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Mistake::new(problem, remedy).into()
    }
}

impl From<Mistake> for Stop {
    fn from(mistake: Mistake) -> Self {
        Stop { exit: Exit::BadSpec, message: mistake.render(colour_on_stderr()) }
    }
}

impl From<RunError> for Stop {
    fn from(error: RunError) -> Self {
        let exit = match error {
            RunError::Data(_) => Exit::BadData,
            RunError::NoMethod { .. } => Exit::BadSpec,
            RunError::NoThreads { .. } => Exit::NoResources,
            _ => Exit::BadResults,
        };
        Stop::new(exit, error)
    }
}

impl From<ReportError> for Stop {
    fn from(error: ReportError) -> Self {
        match error {
            ReportError::Store(error) => error.into(),
            other => Stop::new(Exit::BadResults, other),
        }
    }
}

impl From<CheckError> for Stop {
    fn from(error: CheckError) -> Self {
        Stop::new(Exit::from(&error), error)
    }
}
