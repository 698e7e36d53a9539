//! Minimisers, and how a fit ended. The mathematics of what is minimised is behind [`Objective`].
//!
//! All that stop by themselves stop by one rule: the largest entry of the gradient, each counted by the size of its
//! weight, has come down to [`TOLERANCE`] of what it is at zero weights, which is the scale of the problem. Counted like
//! this, it is the same whatever units a column is measured in.

mod adam;
mod closed_form;
mod ending;
mod lbfgs;
mod newton;

use crate::math::matrix::SymmetricMatrix;
use std::rc::Rc;

pub use adam::Adam;
pub use closed_form::Factorisation;
pub use ending::{Boundedness, Ending, Minimum};
pub use lbfgs::lbfgs;
pub use newton::newton;

/// A search has converged when the gradient has shrunk to this part of what it is at zero weights. Where a convex risk has
/// no ridge it may do so on its way to an infimum that lies infinitely far out.
pub const TOLERANCE: f64 = 1e-8;

/// A function of the weights with a gradient.
pub trait Objective {
    fn dimension(&self) -> usize;

    /// Returns the value and overwrites `gradient`.
    fn value_and_gradient(&self, w: &[f64], gradient: &mut [f64]) -> f64;

    /// About how large a change of each weight changes a prediction alike: one over the size of its column.
    fn weight_sizes(&self) -> Vec<f64> {
        vec![1.0; self.dimension()]
    }

    /// About how large a step in each weight is right, up to a common factor.
    fn step_sizes(&self) -> Vec<f64> {
        self.weight_sizes()
    }

    /// Multiplies by about the inverse second derivative, up to a common factor.
    fn precondition(&self, direction: &mut [f64]) {
        direction.iter_mut().zip(self.step_sizes()).for_each(|(d, size)| *d *= size * size);
    }

    /// The size of the gradient at zero weights.
    fn scale(&self) -> f64;

    /// About how large the numbers are that the value is summed from, where that may be more than the value itself.
    fn value_size(&self) -> f64 {
        0.0
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
    weight_sizes: Rc<[f64]>,
    value_size: f64,
    w: Vec<f64>,
    value: f64,
    gradient: Vec<f64>,
}

impl Point {
    fn start(objective: &impl Objective, w: Vec<f64>) -> Self {
        Point::at(objective, objective.weight_sizes().into(), w)
    }

    fn at(objective: &(impl Objective + ?Sized), weight_sizes: Rc<[f64]>, w: Vec<f64>) -> Self {
        let mut gradient = vec![0.0; w.len()];
        let value = objective.value_and_gradient(&w, &mut gradient);
        Point { weight_sizes, value_size: objective.value_size(), w, value, gradient }
    }

    fn moved(&self, objective: &impl Objective, length: f64, direction: &[f64]) -> Self {
        let w = self.w.iter().zip(direction).map(|(w, d)| w + length * d).collect();
        Point::at(objective, self.weight_sizes.clone(), w)
    }

    /// The largest entry of the gradient, each counted by the size of its weight.
    fn gradient_size(&self) -> f64 {
        let sized = self.gradient.iter().zip(&*self.weight_sizes).map(|(g, size)| (g * size).abs());
        sized.fold(0.0, f64::max)
    }

    fn end(self, iterations: u32, ending: Ending) -> Minimum {
        let gradient_norm = self.gradient.iter().fold(0.0, |largest: f64, g| g.abs().max(largest));
        let gradient_size = self.gradient_size();
        Minimum { weights: self.w, value: self.value, gradient_norm, gradient_size, iterations, ending }
    }

    /// Near a minimum the gain drowns in rounding while the gradient still shrinks: such a step is a good one.
    fn is_flat_step_to(&self, next: &Point) -> bool {
        (next.value - self.value).abs() <= 1e-13 * (self.value.abs() + self.value_size)
            && next.gradient_size() < self.gradient_size()
    }
}
