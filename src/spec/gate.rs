//! The checked gate of an experiment.

use crate::math::metric::Metric;
use serde::{Deserialize, Serialize};

/// The demands that `doublepu check` tests a run for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gate {
    /// The metrics to check against the baseline, ROC-AUC first, each with the largest drop in its mean that still
    /// passes.
    pub margins: Vec<(Metric, f64)>,
    /// The largest rise in mean ROC-AUC against the baseline that is not suspicious. The default is not stored, so that
    /// specs without this key keep the hash that they had before it existed.
    #[serde(default = "default_rise", skip_serializing_if = "is_default_rise")]
    pub rise: f64,
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
    /// Replaces the rise of all methods.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rise: Option<f64>,
    /// The smallest mean that passes, whatever the baseline.
    pub at_least: Option<f64>,
    /// The largest mean that is not suspicious, whatever the baseline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<f64>,
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

/// What a gate demands of one method, its own demands and those of all methods together. Other methods are named by `M`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Demands<M> {
    /// The metrics to check against the baseline, ROC-AUC first, each with its margin.
    pub margins: Vec<(Metric, f64)>,
    pub rise: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<f64>,
    /// The methods whose mean ROC-AUC must be reached, each with its allowance.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub reach: Vec<(M, f64)>,
}

const fn default_rise() -> f64 {
    0.03
}

fn is_default_rise(rise: &f64) -> bool {
    *rise == default_rise()
}

impl Default for Gate {
    fn default() -> Self {
        let margins = vec![(Metric::RocAuc, 0.005)];
        Gate { margins, rise: default_rise(), methods: Vec::new(), order: Vec::new() }
    }
}

impl Gate {
    /// A default gate is not stored, so that specs without a gate keep the hash that they had before gates existed.
    pub fn is_default(&self) -> bool {
        *self == Gate::default()
    }

    /// What is demanded of a method.
    pub fn demands_on(&self, method: usize) -> Demands<usize> {
        // Nothing is left out: `check` judges by these demands, and baselines pin them.
        let Gate { margins, rise, methods, order } = self;
        let mut demands =
            Demands { margins: margins.clone(), rise: *rise, at_least: None, at_most: None, reach: Vec::new() };
        for own in methods.iter().filter(|gate| gate.method == method) {
            let MethodGate { method: _, margin, rise, at_least, at_most } = own;
            let shared = demands.margins.iter_mut().filter(|(metric, _)| *metric == Metric::RocAuc);
            shared.for_each(|(_, shared)| *shared = margin.unwrap_or(*shared));
            demands.rise = rise.unwrap_or(demands.rise);
            (demands.at_least, demands.at_most) = (*at_least, *at_most);
        }
        for Order { higher: _, lower, allowance } in order.iter().filter(|order| order.higher == method) {
            demands.reach.push((*lower, *allowance));
        }
        demands
    }
}

impl<M> Demands<M> {
    /// The same demands with other names of methods. A method without a name is left out.
    pub fn with_names<N>(self, name: impl Fn(M) -> Option<N>) -> Demands<N> {
        let Demands { margins, rise, at_least, at_most, reach } = self;
        let reach = reach.into_iter().filter_map(|(method, allowance)| Some((name(method)?, allowance))).collect();
        Demands { margins, rise, at_least, at_most, reach }
    }
}
