//! Scores against truth: pure functions of a ranking. The order of people with equal scores never matters.

mod ranking;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use ranking::{CURVE_POINTS, Ranking, RankingError};

/// What a cell is judged by; always of W on the test part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// The chance that a random potential customer is ranked above a random other person.
    RocAuc,
    /// The mean precision over the potential customers, going down the ranking.
    AveragePrecision,
    /// How many times more potential customers the best-ranked tenth holds than a random tenth.
    #[serde(rename = "lift_at_10")]
    LiftAt10,
}

impl Metric {
    pub const ALL: [Metric; 3] = [Metric::RocAuc, Metric::AveragePrecision, Metric::LiftAt10];

    /// As written in specs and as a column of `cells.csv`.
    pub fn name(self) -> &'static str {
        match self {
            Metric::RocAuc => "roc_auc",
            Metric::AveragePrecision => "average_precision",
            Metric::LiftAt10 => "lift_at_10",
        }
    }

    /// As written in tables and on axes.
    pub fn title(self) -> &'static str {
        match self {
            Metric::RocAuc => "ROC-AUC",
            Metric::AveragePrecision => "average precision",
            Metric::LiftAt10 => "lift at 10%",
        }
    }

    /// The part of an interval that the metric can take; with few seeds Student's t goes beyond it.
    pub fn possible(self, (low, high): (f64, f64)) -> (f64, f64) {
        match self {
            Metric::RocAuc | Metric::AveragePrecision => (low.max(0.0), high.min(1.0)),
            Metric::LiftAt10 => (low.max(0.0), high),
        }
    }

    pub fn of(self, ranking: &Ranking) -> f64 {
        match self {
            Metric::RocAuc => ranking.roc_auc(),
            Metric::AveragePrecision => ranking.average_precision(),
            Metric::LiftAt10 => ranking.lift(0.1),
        }
    }
}
