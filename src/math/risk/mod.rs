//! The one signed risk behind every method that minimises a risk.
//!
//! A method is a list of [`Term`]s: for each sample, the coefficient of the mean of `l(g)` and that of
//! `l(-g)`. Double PU learning, ordinary PU learning and supervised learning differ in nothing else. A [`Loss`], a
//! [`Correction`] and a [`Predictor`] complete it.
//! This room is pure mathematics: it knows no files, no spec and no random numbers.

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
