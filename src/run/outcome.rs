//! The outcome of a cell.

use crate::learn::{Failure, Fit, Prior};
use crate::math::metric::{CalibrationBin, Metric};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How far rounding may move a value out of its range.
const ROUNDING: f64 = 1e-9;

/// One finished cell, as the journal stores it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The cell's id.
    pub id: String,
    pub sizes: Option<SampleSizes>,
    /// The prior that the method was given.
    pub prior: Option<Prior>,
    pub result: Result<Scored, Failure>,
    /// The time it took; the only field that differs from run to run.
    pub seconds: f64,
}

impl Outcome {
    /// Whether it is a result with each of these metrics.
    pub fn is_done(&self, metrics: &[Metric]) -> bool {
        self.result.is_ok() && self.can_be_shown(metrics)
    }

    /// Whether it is a failure or has each of these metrics.
    pub fn can_be_shown(&self, metrics: &[Metric]) -> bool {
        self.result.as_ref().map_or(true, |scored| metrics.iter().all(|metric| scored.metrics.contains_key(metric)))
    }

    /// A value that no cell can have. A journal may have been edited, and plots would be drawn far outside of their axes.
    pub fn impossible_value(&self) -> Option<String> {
        let Scored { metrics, calibration, .. } = self.result.as_ref().ok()?;
        let is_possible = |metric: Metric, value: f64| {
            let (low, high) = metric.possible((value, value));
            (value - low).abs().max((value - high).abs()) <= ROUNDING
        };
        let metrics = metrics.iter().filter_map(|(metric, value)| Some((*metric, (*value)?)));
        let mut impossible = metrics.filter(|(metric, value)| !is_possible(*metric, *value));
        let is_bin = |bin: &&CalibrationBin| {
            let people = f64::from(bin.people);
            bin.found <= bin.people && (-ROUNDING..=people * (1.0 + ROUNDING)).contains(&bin.expected)
        };
        let bin = calibration.iter().flatten().find(|bin| !is_bin(bin));
        let metric = impossible.next().map(|(metric, value)| format!("its {} is {value:?}", metric.title()));
        metric.or_else(|| {
            let CalibrationBin { people, expected, found } = bin?;
            Some(format!("a calibration bin has {people} people, of whom {expected:?} are expected and {found} found"))
        })
    }

    /// Whether two outcomes are the same bits; the time does not count.
    pub fn agrees(&self, other: &Outcome) -> bool {
        // Compared as text, in which 0 and -0 differ.
        let text = |outcome: &Outcome| {
            let mut same = Outcome { seconds: 0.0, ..outcome.clone() };
            same.result = same.result.map_err(|failure| Failure { reason: failure.summary().to_string(), ..failure });
            serde_json::to_string(&same).ok()
        };
        text(self) == text(other)
    }
}

/// The number of rows of each sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleSizes {
    pub interest: usize,
    pub unlabeled: usize,
    pub loyal: usize,
    pub train: usize,
    pub test: usize,
}

/// A fitted method, evaluated on the test set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scored {
    /// Every metric, so that selecting others in a spec needs no new fit; `None` if there is no value here.
    pub metrics: BTreeMap<Metric, Option<f64>>,
    /// The ROC curve at the resolution of a plot; see [`crate::math::metric::Ranking::roc_curve`].
    pub curve: Vec<u16>,
    /// For a method that predicts probabilities.
    pub calibration: Option<Vec<CalibrationBin>>,
    /// For a linear model over two numeric features: their weights and the intercept, before scaling.
    pub boundary: Option<[f64; 3]>,
    pub fit: Fit,
    /// For a network: one entry per recorded epoch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Moment>,
}

impl Scored {
    /// The value of a metric, if it has one.
    pub fn metric(&self, metric: Metric) -> Option<f64> {
        self.metrics.get(&metric).copied().flatten()
    }
}

/// A network after an epoch, evaluated on the test set. Nothing is selected by it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    pub epoch: u32,
    /// The signed risk on the training samples, without correction and ridge.
    pub training_risk: f64,
    pub roc_auc: f64,
}
