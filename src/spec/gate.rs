//! The checked gate of an experiment.

use crate::math::metric::Metric;
use serde::{Deserialize, Serialize};

/// The demands that `doublepu check` tests a run for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gate {
    /// The metrics to check against the baseline, ROC-AUC first, each with the largest drop in its mean that still
    /// passes.
    pub margins: Vec<(Metric, f64)>,
    /// Methods with demands of their own; each index occurs once.
    pub methods: Vec<MethodGate>,
    pub order: Vec<Order>,
}

/// The demands on the ROC-AUC of one method.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MethodGate {
    /// Its index in the experiment's methods.
    pub method: usize,
    /// Replaces the margin of all methods.
    pub margin: Option<f64>,
    /// The smallest mean that passes, whatever the baseline.
    pub at_least: Option<f64>,
}

/// The mean ROC-AUC of one method must reach that of another, less an allowance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// Indices in the experiment's methods.
    pub higher: usize,
    pub lower: usize,
    /// Negative if the first must be ahead by some amount.
    pub allowance: f64,
}

impl Default for Gate {
    fn default() -> Self {
        Gate { margins: vec![(Metric::RocAuc, 0.005)], methods: Vec::new(), order: Vec::new() }
    }
}

impl Gate {
    /// A default gate is not stored, so that specs without a gate keep the hash that they had before gates existed.
    pub fn is_default(&self) -> bool {
        *self == Gate::default()
    }

    /// The metrics to check for a method against the baseline, each with its margin.
    pub fn margins_of(&self, method: usize) -> impl Iterator<Item = (Metric, f64)> {
        let own = self.methods.iter().find(|gate| gate.method == method).and_then(|gate| gate.margin);
        self.margins.iter().map(move |(metric, shared)| {
            let own = own.filter(|_| *metric == Metric::RocAuc);
            (*metric, own.unwrap_or(*shared))
        })
    }
}
