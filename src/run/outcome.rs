//! What a cell came to.

use crate::learn::{Failure, Fit, Prior};
use serde::{Deserialize, Serialize};

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
    /// In the order of the experiment's metrics.
    pub metrics: Vec<f64>,
    /// The ROC curve as a picture needs it; see [`crate::metric::Ranking::roc_curve`].
    pub curve: Vec<u16>,
    /// Of a linear model over two numeric features: their weights and the intercept, before scaling.
    pub boundary: Option<[f64; 3]>,
    pub fit: Fit,
    /// Of a network: how training went.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Moment>,
}

/// A network after an epoch, judged on the test part. No choice is made by it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    pub epoch: u32,
    /// The signed risk on the training samples, without correction and ridge.
    pub training_risk: f64,
    pub roc_auc: f64,
}
