//! The one signed risk behind every linear method.
//!
//! A method is a list of [`Term`]s: for each sample, the coefficient of the mean of `l(g)` and that of
//! `l(-g)`. Double PU learning, ordinary PU learning and supervised learning differ in nothing else.
//! This room is pure mathematics: it knows no files, no spec and no random numbers.

mod loss;
mod signed;

pub use loss::Loss;
pub use signed::{Costs, EmptySample, SignedRisk, Term};
