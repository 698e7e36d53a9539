//! Metrics: pure functions of a scored test set. The order of people with equal scores never matters.

mod calibration;
mod judged;
mod ranking;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{EnumCount, IntoStaticStr, VariantArray};

pub use calibration::{CALIBRATION_BINS, CalibrationBin, brier_score, calibration};
pub use judged::Judged;
pub use ranking::{CURVE_POINTS, Group, Ranking, RankingError};

/// What a cell is judged by, on the test part; of W where nothing else is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[derive(EnumCount, IntoStaticStr, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Metric {
    /// The chance that a random potential customer is ranked above a random other person.
    RocAuc,
    /// The same among interested people alone: whether potential customers stand above loyal buyers.
    RocAucGivenInterest,
    /// The chance that a random interested person is ranked above a random other one, whether loyal or not.
    RocAucOfInterest,
    /// The mean precision over the potential customers, going down the ranking.
    AveragePrecision,
    /// The share of people of whom it is decided rightly, at the method's own threshold, whether they are potential
    /// customers.
    Accuracy,
    /// The harmonic mean of precision and recall, at the method's own threshold.
    F1,
    /// What wrong decisions cost a person on average, at the method's own threshold and costs.
    CostWeightedRisk,
    /// How many times more potential customers the best-ranked twentieth holds than a random twentieth.
    #[serde(rename = "lift_at_5")]
    #[strum(to_string = "lift_at_5")]
    LiftAt5,
    /// The same for the best-ranked tenth.
    #[serde(rename = "lift_at_10")]
    #[strum(to_string = "lift_at_10")]
    LiftAt10,
    /// The same for the best-ranked fifth.
    #[serde(rename = "lift_at_20")]
    #[strum(to_string = "lift_at_20")]
    LiftAt20,
    /// The share of potential customers among the best-ranked twentieth.
    #[serde(rename = "precision_at_5")]
    #[strum(to_string = "precision_at_5")]
    PrecisionAt5,
    /// The same for the best-ranked tenth.
    #[serde(rename = "precision_at_10")]
    #[strum(to_string = "precision_at_10")]
    PrecisionAt10,
    /// The same for the best-ranked fifth.
    #[serde(rename = "precision_at_20")]
    #[strum(to_string = "precision_at_20")]
    PrecisionAt20,
    /// The mean squared error of the probability that a method gives; nothing for one that gives none.
    BrierScore,
}

impl Metric {
    pub const ALL: [Metric; Metric::COUNT] = *Metric::VARIANTS.first_chunk().expect("as many as there are");

    /// The name in specs, and of the column in `cells.csv`.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The title in tables and on axes.
    pub fn title(self) -> &'static str {
        match self {
            Metric::RocAuc => "ROC-AUC",
            Metric::RocAucGivenInterest => "ROC-AUC given Y=+1",
            Metric::RocAucOfInterest => "ROC-AUC of Y",
            Metric::AveragePrecision => "average precision",
            Metric::Accuracy => "accuracy",
            Metric::F1 => "F1",
            Metric::CostWeightedRisk => "cost-weighted risk",
            Metric::LiftAt5 => "lift at 5%",
            Metric::LiftAt10 => "lift at 10%",
            Metric::LiftAt20 => "lift at 20%",
            Metric::PrecisionAt5 => "precision at 5%",
            Metric::PrecisionAt10 => "precision at 10%",
            Metric::PrecisionAt20 => "precision at 20%",
            Metric::BrierScore => "Brier score",
        }
    }

    pub fn higher_is_better(self) -> bool {
        !matches!(self, Metric::CostWeightedRisk | Metric::BrierScore)
    }

    /// Clips an interval to the values that the metric can take. With few seeds, intervals by Student's t exceed them.
    pub fn possible(self, (low, high): (f64, f64)) -> (f64, f64) {
        match self {
            Metric::CostWeightedRisk | Metric::LiftAt5 | Metric::LiftAt10 | Metric::LiftAt20 => (low.max(0.0), high),
            _ => (low.max(0.0), high.min(1.0)),
        }
    }
}
