//! Minimisers of an [`Objective`], and how a fit ended.
//!
//! All minimisers that test for convergence use one criterion: the largest absolute entry of the gradient, each scaled
//! by the size of its weight, is at most [`TOLERANCE`] times its value at zero weights, the scale of the problem.
//! Because entries are scaled, the criterion does not depend on the units of columns.

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

/// A search has converged when the gradient is at most this fraction of the gradient at zero weights. For a convex risk
/// without a ridge, this may also happen on the way to an infimum at infinity.
pub const TOLERANCE: f64 = 1e-8;

/// A function of the weights with a gradient.
pub trait Objective {
    fn dimension(&self) -> usize;

    /// Returns the value and overwrites `gradient`.
    fn value_and_gradient(&self, w: &[f64], gradient: &mut [f64]) -> f64;

    /// Changes of the weights that change a prediction about equally: one over the size of each column.
    fn weight_sizes(&self) -> Vec<f64> {
        vec![1.0; self.dimension()]
    }

    /// Suitable step sizes of the weights, up to a common factor.
    fn step_sizes(&self) -> Vec<f64> {
        self.weight_sizes()
    }

    /// Multiplies `direction` by an approximate inverse Hessian, up to a common factor.
    fn precondition(&self, direction: &mut [f64]) {
        direction.iter_mut().zip(self.step_sizes()).for_each(|(d, size)| *d *= size * size);
    }

    /// The size of the gradient at zero weights, each entry scaled by the size of its weight.
    fn scale(&self) -> f64;

    /// The approximate size of the summands of the value, if it may exceed the value itself.
    fn value_size(&self) -> f64 {
        0.0
    }
}

/// An objective with a second derivative.
pub trait TwiceDifferentiable: Objective {
    /// The Hessian, as a difference of two matrices without negative eigenvalues.
    fn curvature(&self, w: &[f64]) -> Curvature;

    /// For each weight, a bound on the absolute second derivative at any point.
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

/// The current point of a search.
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

    /// The largest absolute entry of the gradient, each scaled by the size of its weight.
    fn gradient_size(&self) -> f64 {
        let sized = self.gradient.iter().zip(&*self.weight_sizes).map(|(g, size)| (g * size).abs());
        sized.fold(0.0, f64::max)
    }

    fn end(self, iterations: u32, ending: Ending) -> Minimum {
        let gradient_norm = self.gradient.iter().fold(0.0, |largest: f64, g| g.abs().max(largest));
        let gradient_size = self.gradient_size();
        Minimum { weights: self.w, value: self.value, gradient_norm, gradient_size, iterations, ending }
    }

    /// Near a minimum, the gain is below the rounding error while the gradient still shrinks: such a step is accepted.
    fn is_flat_step_to(&self, next: &Point) -> bool {
        (next.value - self.value).abs() <= 1e-13 * (self.value.abs() + self.value_size)
            && next.gradient_size() < self.gradient_size()
    }
}
