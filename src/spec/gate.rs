//! What a run must hold to, as understood.

use crate::math::metric::Metric;
use serde::{Deserialize, Serialize};

/// The demands that `doublepu check` makes of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gate {
    /// What is held against the baseline, ROC-AUC first, each with the loss in its mean that may be.
    pub margins: Vec<(Metric, f64)>,
    /// Methods with demands of their own; no place occurs twice.
    pub methods: Vec<MethodGate>,
    pub order: Vec<Order>,
}

/// What is demanded of one method in ROC-AUC.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MethodGate {
    /// Its place among the experiment's methods.
    pub method: usize,
    /// Instead of the margin of all methods.
    pub margin: Option<f64>,
    /// What its mean must reach, whatever the baseline.
    pub at_least: Option<f64>,
}

/// The mean ROC-AUC of one method must reach that of another, less an allowance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// Places among the experiment's methods.
    pub higher: usize,
    pub lower: usize,
    /// Negative where the first must be ahead by something.
    pub allowance: f64,
}

impl Default for Gate {
    fn default() -> Self {
        Gate { margins: vec![(Metric::RocAuc, 0.005)], methods: Vec::new(), order: Vec::new() }
    }
}

impl Gate {
    /// Specs that say nothing of a gate are written as they were before there was one, and keep their hash.
    pub fn is_default(&self) -> bool {
        *self == Gate::default()
    }

    /// What a method is held against the baseline by, each with the loss that it may have.
    pub fn margins_of(&self, method: usize) -> impl Iterator<Item = (Metric, f64)> {
        let own = self.methods.iter().find(|gate| gate.method == method).and_then(|gate| gate.margin);
        self.margins.iter().map(move |(metric, shared)| {
            let own = own.filter(|_| *metric == Metric::RocAuc);
            (*metric, own.unwrap_or(*shared))
        })
    }
}
