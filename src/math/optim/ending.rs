//! How a fit ended.

use crate::math::optim::{Objective, Point};
use serde::{Deserialize, Serialize};

/// How a fit ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Ending {
    /// The gradient is small enough.
    Converged,
    /// The allowed number of iterations was used up.
    IterationLimit,
    /// No step lowers the value any more, though the gradient is not small enough.
    Stalled,
    /// The given number of passes over the data is complete.
    EpochsDone,
    /// The value falls without bound.
    Unbounded,
    /// A quadratic objective whose Hessian has a negative eigenvalue: it has no minimum.
    Indefinite,
    /// There was no iterative minimisation, as for a forest.
    #[default]
    Direct,
}

impl Ending {
    /// As written in `cells.csv`.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// Whether an objective is bounded below.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Boundedness {
    #[strum(serialize = "yes")]
    Bounded,
    #[strum(serialize = "no")]
    Unbounded {
        /// The column, or other direction, along which the value falls without bound.
        along: String,
    },
    /// Neither proved nor disproved: only sufficient conditions were checked, and none of them holds.
    Undecided,
}

impl Boundedness {
    /// As written in `cells.csv`.
    pub fn word(&self) -> &'static str {
        self.into()
    }
}

/// Where a minimiser stopped.
#[derive(Clone, Debug, PartialEq)]
pub struct Minimum {
    pub weights: Vec<f64>,
    pub value: f64,
    /// The largest absolute entry of the gradient.
    pub gradient_norm: f64,
    /// The same with each entry scaled by the size of its weight: the stopping criterion.
    pub gradient_size: f64,
    pub iterations: u32,
    pub ending: Ending,
}

impl Minimum {
    /// The point at which a first-order method stopped, with its value and gradient.
    pub fn given(objective: &impl Objective, weights: Vec<f64>, iterations: u32, ending: Ending) -> Self {
        Point::start(objective, weights).end(iterations, ending)
    }
}
