//! Minimisers, and how a fit ended. The mathematics of what is minimised is behind [`Objective`].
//!
//! All that stop by themselves stop by one rule: the largest entry of the gradient has come down to [`TOLERANCE`] of
//! what it is at zero weights, which is the scale of the problem.

mod adam;
mod closed_form;
mod ending;
mod lbfgs;
mod newton;

use crate::matrix::SymmetricMatrix;

pub use adam::Adam;
pub use closed_form::Factorisation;
pub use ending::{Boundedness, Ending, Minimum};
pub use lbfgs::lbfgs;
pub use newton::newton;

/// A fit has converged when the gradient has shrunk to this part of what it is at zero weights.
pub const TOLERANCE: f64 = 1e-8;

/// A function of the weights with a gradient.
pub trait Objective {
    fn dimension(&self) -> usize;

    /// Returns the value and overwrites `gradient`.
    fn value_and_gradient(&self, w: &[f64], gradient: &mut [f64]) -> f64;

    /// About how large a change of each weight changes the value alike: one over the size of its column.
    fn weight_sizes(&self) -> Vec<f64> {
        vec![1.0; self.dimension()]
    }

    /// The largest absolute entry of the gradient at zero weights.
    fn scale(&self) -> f64 {
        let mut gradient = vec![0.0; self.dimension()];
        self.value_and_gradient(&vec![0.0; self.dimension()], &mut gradient);
        largest(&gradient)
    }
}

/// An objective with a second derivative.
pub trait TwiceDifferentiable: Objective {
    /// The second derivative, as a difference of two matrices without negative eigenvalues.
    fn curvature(&self, w: &[f64]) -> Curvature;

    /// For each weight, a bound on the absolute second derivative, wherever it is taken.
    fn largest_curvature(&self) -> Vec<f64>;
}

/// The Hessian `convex - concave`.
pub struct Curvature {
    pub convex: SymmetricMatrix,
    pub concave: SymmetricMatrix,
}

impl Curvature {
    pub fn hessian(&self) -> SymmetricMatrix {
        self.convex.minus(&self.concave)
    }
}

/// Where a search stands.
struct Point {
    w: Vec<f64>,
    value: f64,
    gradient: Vec<f64>,
}

impl Point {
    fn at(objective: &impl Objective, w: Vec<f64>) -> Self {
        let mut gradient = vec![0.0; w.len()];
        let value = objective.value_and_gradient(&w, &mut gradient);
        Point { w, value, gradient }
    }

    fn gradient_norm(&self) -> f64 {
        largest(&self.gradient)
    }

    fn end(self, iterations: u32, ending: Ending) -> Minimum {
        let gradient_norm = self.gradient_norm();
        Minimum { weights: self.w, value: self.value, gradient_norm, iterations, ending }
    }

    /// Near a minimum the gain drowns in rounding while the gradient still shrinks: such a step is a good one.
    fn is_flat_step_to(&self, next: &Point) -> bool {
        (next.value - self.value).abs() <= 1e-13 * self.value.abs() && next.gradient_norm() < self.gradient_norm()
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest, value| value.abs().max(largest))
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn moved(w: &[f64], length: f64, direction: &[f64]) -> Vec<f64> {
    w.iter().zip(direction).map(|(w, d)| w + length * d).collect()
}
