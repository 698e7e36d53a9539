//! Why a cell has no result.

use crate::learn::PriorError;
use crate::math::metric::RankingError;
use crate::math::risk::EmptySample;
use crate::sample::SplitError;
use serde::{Deserialize, Serialize};

/// Why a cell has no result: a kind that programs can match, and a reason for people.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{}: {reason}", kind.name())]
pub struct Failure {
    pub kind: FailureKind,
    /// The first line is the same whenever the cell is computed again. What an external method wrote may follow it.
    pub reason: String,
}

impl Failure {
    /// The part of the reason that is the same whenever the cell is computed again.
    pub fn summary(&self) -> &str {
        self.reason.lines().next().unwrap_or_default()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr, strum::VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum FailureKind {
    EmptySample,
    EmptyPart,
    SingleClass,
    ImpossiblePrior,
    Unbounded,
    Indefinite,
    NotFinite,
    ForeignSolver,
    NoCandidate,
    ExternalMethod,
}

impl FailureKind {
    /// Whether the risk is not bounded below.
    pub fn has_no_minimum(self) -> bool {
        matches!(self, FailureKind::Unbounded | FailureKind::Indefinite)
    }

    /// The name in `cells.csv`.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl From<EmptySample> for Failure {
    fn from(error: EmptySample) -> Self {
        Failure { kind: FailureKind::EmptySample, reason: error.to_string() }
    }
}

impl From<SplitError> for Failure {
    fn from(error: SplitError) -> Self {
        Failure { kind: FailureKind::EmptyPart, reason: error.to_string() }
    }
}

impl From<PriorError> for Failure {
    fn from(error: PriorError) -> Self {
        Failure { kind: FailureKind::ImpossiblePrior, reason: error.to_string() }
    }
}

impl From<RankingError> for Failure {
    fn from(error: RankingError) -> Self {
        let kind = match error {
            RankingError::SingleClass { .. } => FailureKind::SingleClass,
            RankingError::NotFinite { .. } => FailureKind::NotFinite,
        };
        Failure { kind, reason: error.to_string() }
    }
}
