//! Mathematics: no files, no specs, and no random numbers of its own.

pub mod bounds;
pub mod matrix;
pub mod metric;
pub mod optim;
pub mod risk;
pub mod stats;
