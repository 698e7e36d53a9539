//! What a cell came to.

use crate::learn::{Failure, Fit, Prior};
use crate::math::metric::{CalibrationBin, Metric};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One finished cell, as the journal keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The cell's.
    pub id: String,
    pub sizes: Option<SampleSizes>,
    /// The numbers that the method was told.
    pub prior: Option<Prior>,
    pub result: Result<Scored, Failure>,
    /// How long it took; the only thing here that differs from run to run.
    pub seconds: f64,
}

impl Outcome {
    /// Whether it is a result that tells of each of these metrics.
    pub fn is_done(&self, metrics: &[Metric]) -> bool {
        self.result.is_ok() && self.can_be_shown(metrics)
    }

    /// Whether it is a failure, or tells of each of these metrics.
    pub fn can_be_shown(&self, metrics: &[Metric]) -> bool {
        self.result.as_ref().map_or(true, |scored| metrics.iter().all(|metric| scored.metrics.contains_key(metric)))
    }

    /// Whether the same came out, to the bit; the time that it took does not count.
    pub fn agrees(&self, other: &Outcome) -> bool {
        // As text, in which 0 and -0 are not the same.
        let text = |outcome: &Outcome| serde_json::to_string(&Outcome { seconds: 0.0, ..outcome.clone() }).ok();
        text(self) == text(other)
    }
}

/// How many rows each sample has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleSizes {
    pub interest: usize,
    pub unlabeled: usize,
    pub loyal: usize,
    pub train: usize,
    pub test: usize,
}

/// A fitted method, judged on the test part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scored {
    /// All there are, so that another choice of metrics in a spec needs no other fit; `None` for one that this test part
    /// or this method has no value of.
    pub metrics: BTreeMap<Metric, Option<f64>>,
    /// The ROC curve as a picture needs it; see [`crate::math::metric::Ranking::roc_curve`].
    pub curve: Vec<u16>,
    /// Of a method that gives probabilities.
    pub calibration: Option<Vec<CalibrationBin>>,
    /// Of a linear model over two numeric features: their weights and the intercept, before scaling.
    pub boundary: Option<[f64; 3]>,
    pub fit: Fit,
    /// Of a network: how training went.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Moment>,
}

impl Scored {
    /// The value of a metric, if it has one here.
    pub fn metric(&self, metric: Metric) -> Option<f64> {
        self.metrics.get(&metric).copied().flatten()
    }
}

/// A network after an epoch, judged on the test part. No choice is made by it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    pub epoch: u32,
    /// The signed risk on the training samples, without correction and ridge.
    pub training_risk: f64,
    pub roc_auc: f64,
}
