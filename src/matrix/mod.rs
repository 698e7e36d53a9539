//! Matrices, pure and small: the [`Design`] of a sample and the symmetric systems that a fit solves.

mod design;
mod symmetric;

pub use design::{Design, UNSEEN};
pub use symmetric::{Cholesky, Spectrum, SymmetricMatrix};

/// `a.b`
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
