//! Mathematics: no files, no specs, and no random numbers of its own.

pub mod bounds;
pub mod matrix;
pub mod metric;
pub mod optim;
pub mod risk;
pub mod rounded;
pub mod stats;

/// The square. `powi` leaves open how it rounds.
#[inline(always)]
pub fn square(x: f64) -> f64 {
    x * x
}
