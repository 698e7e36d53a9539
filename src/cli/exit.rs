//! Exit codes are an interface: scripts rely on them.

use crate::data::DataError;
use crate::export::ExportError;
use crate::gate::CheckError;
use crate::harness::HarnessError;
use crate::mistake::Mistake;
use crate::proof::ProofError;
use crate::report::ReportError;
use crate::run::{MergeError, StoreError};

pub const HELP: &str = "Exit codes:
    0  done; for `check`, nothing regressed
    2  bad command line or bad spec
    3  data missing, wrong checksum, or malformed
    4  some cells failed; the others are stored
    5  results incomplete, different, damaged, or not to be read or written
   10  `check`: something regressed; `accept`: refused, something is worse
   11  `check`: too few seeds to tell; `accept`: refused, something may be worse
   12  no baseline, or a baseline for something else
  130  interrupted; run again to go on";

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
    Interrupted = 130,
}

impl Exit {
    /// Where nothing was judged.
    pub fn of(error: &CheckError) -> Self {
        if error.has_no_baseline() { Exit::NoBaseline } else { Exit::BadResults }
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        std::process::ExitCode::from(exit as u8)
    }
}

/// Why a command could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum Stop {
    #[error(transparent)]
    Spec(#[from] Mistake),
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Export(#[from] ExportError),
    #[error(transparent)]
    Merge(MergeError),
    #[error(transparent)]
    Proof(#[from] ProofError),
    #[error(transparent)]
    Check(#[from] CheckError),
    /// An option that cannot be followed here.
    #[error(transparent)]
    CommandLine(Mistake),
    /// A table, plot or page could not be made or written.
    #[error(transparent)]
    Report(ReportError),
}

impl From<HarnessError> for Stop {
    fn from(error: HarnessError) -> Self {
        match error {
            HarnessError::Data(error) => Stop::Data(error),
            HarnessError::Store(error) => Stop::Store(error),
            HarnessError::Merge(error) => Stop::Merge(error),
            HarnessError::Report(error) => Stop::Report(error),
        }
    }
}

impl Stop {
    pub fn command_line(problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Stop::CommandLine(Mistake::new(problem, remedy))
    }

    pub fn exit(&self) -> Exit {
        match self {
            Stop::Spec(_) | Stop::CommandLine(_) => Exit::BadSpec,
            Stop::Data(_) | Stop::Export(ExportError::Data(_)) | Stop::Proof(ProofError::Data(_)) => Exit::BadData,
            Stop::Check(error) => Exit::of(error),
            Stop::Store(_) | Stop::Report(_) | Stop::Export(_) | Stop::Merge(_) | Stop::Proof(_) => Exit::BadResults,
        }
    }

    pub fn message(&self, colour: bool) -> String {
        match self {
            Stop::Spec(mistake) => mistake.render(colour),
            other => format!("error: {other}"),
        }
    }
}
