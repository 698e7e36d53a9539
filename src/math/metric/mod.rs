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

/// A metric of a cell on the test set. Unless stated otherwise, it refers to W.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[derive(EnumCount, IntoStaticStr, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Metric {
    /// The probability that a random potential customer is ranked above a random other person.
    RocAuc,
    /// The probability that a random potential customer is ranked above a random loyal buyer.
    RocAucGivenInterest,
    /// The probability that a random interested person, loyal or not, is ranked above a random person without interest.
    RocAucOfInterest,
    /// The mean, over potential customers, of the precision at their rank.
    AveragePrecision,
    /// The share of correct decisions at the method's own threshold.
    Accuracy,
    /// The harmonic mean of precision and recall at the method's own threshold.
    F1,
    /// The mean cost of wrong decisions per person, at the method's own threshold and costs. Lower is better.
    CostWeightedRisk,
    /// The share of potential customers in the top 5% of the ranking, divided by their share in the test set.
    #[serde(rename = "lift_at_5")]
    #[strum(to_string = "lift_at_5")]
    LiftAt5,
    /// The share of potential customers in the top 10% of the ranking, divided by their share in the test set.
    #[serde(rename = "lift_at_10")]
    #[strum(to_string = "lift_at_10")]
    LiftAt10,
    /// The share of potential customers in the top 20% of the ranking, divided by their share in the test set.
    #[serde(rename = "lift_at_20")]
    #[strum(to_string = "lift_at_20")]
    LiftAt20,
    /// The share of potential customers in the top 5% of the ranking.
    #[serde(rename = "precision_at_5")]
    #[strum(to_string = "precision_at_5")]
    PrecisionAt5,
    /// The share of potential customers in the top 10% of the ranking.
    #[serde(rename = "precision_at_10")]
    #[strum(to_string = "precision_at_10")]
    PrecisionAt10,
    /// The share of potential customers in the top 20% of the ranking.
    #[serde(rename = "precision_at_20")]
    #[strum(to_string = "precision_at_20")]
    PrecisionAt20,
    /// The mean squared error of the method's probability of W = +1. Empty for methods without probabilities. Lower is better.
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
