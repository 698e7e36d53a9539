//! Minimisers, and how a fit ended. The mathematics of what is minimised is behind [`Objective`].

mod ending;
mod newton;

use crate::matrix::SymmetricMatrix;

pub use ending::{Boundedness, Ending, Minimum};
pub use newton::minimise;

/// A smooth function of the weights.
pub trait Objective {
    fn dimension(&self) -> usize;

    /// Returns the value and overwrites `gradient`.
    fn value_and_gradient(&self, w: &[f64], gradient: &mut [f64]) -> f64;

    /// The second derivative, as a difference of two matrices without negative eigenvalues.
    fn curvature(&self, w: &[f64]) -> Curvature;

    /// For each weight, a bound on the absolute second derivative, wherever it is taken.
    fn largest_curvature(&self) -> Vec<f64>;

    /// Whether the curvature is the same everywhere.
    fn is_quadratic(&self) -> bool;

    /// Whether the function is known to be convex, so that a stationary point is its minimum.
    fn is_convex(&self) -> bool;

    /// Whether the value falls without end along a direction. `false` may also mean that this is not known.
    fn falls_forever_along(&self, direction: &[f64]) -> bool;

    /// What can be said of boundedness by looking at single weights.
    fn boundedness_before_fitting(&self) -> Boundedness;
}

/// The Hessian `convex - concave`.
pub struct Curvature {
    pub convex: SymmetricMatrix,
    pub concave: SymmetricMatrix,
}
