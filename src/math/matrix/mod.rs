//! Matrices: the [`Design`] of a sample, and the symmetric systems that a fit solves.

mod design;
mod layout;
mod products;
mod symmetric;
mod widest;

pub use design::{BLOCK, Block, Design, Folded, LANES, Lane, Moments, Sums, add_lanes, fetch_ahead, total};
pub use layout::{CODES, CodeTable, Layout, Pack, Part, UNSEEN};
pub use symmetric::{Cholesky, Spectrum, SymmetricMatrix};
pub(crate) use widest::widest;

/// The dot product `a.b`, summed in four lanes, so that no addition waits for the previous one.
#[inline(always)]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (mut lanes, (a, b)) = ([0.0; 4], (&a[..a.len().min(b.len())], &b[..a.len().min(b.len())]));
    let (a_parts, b_parts) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a_parts.remainder().iter().zip(b_parts.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a_parts.zip(b_parts) {
        for lane in 0..4 {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]) + rest
}

/// `target += factor * direction`
#[inline(always)]
pub fn add_scaled(target: &mut [f64], factor: f64, direction: &[f64]) {
    for (target, d) in target.iter_mut().zip(direction) {
        *target += factor * d;
    }
}
