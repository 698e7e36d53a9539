//! The signed risk, which every risk-minimising method minimises.
//!
//! A method is a list of [`Term`]s: for each sample, the coefficients of the means of `l(g)` and `l(-g)`. Double PU
//! learning, ordinary PU learning and supervised learning differ only in these coefficients. A [`Loss`], a
//! [`Correction`] and a [`Predictor`] complete the risk.
//!
//! This module is pure mathematics: no files, no specs and no random numbers.

mod boundedness;
mod correction;
mod costs;
mod loss;
mod predictor;
mod reduced;
mod signed;
mod softplus;

pub use correction::Correction;
pub use costs::Costs;
pub use loss::{Growth, Loss, sigmoid, zero_one};
pub use predictor::{Linear, Network, Predictor};
pub use reduced::ReducedRisk;
pub use signed::{EmptySample, Rows, SignedRisk, Term};
pub(crate) use softplus::{exponentials, probabilities};
