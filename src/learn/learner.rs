//! The traits of a method: options with a card, and `fit`.

use crate::learn::{Card, Failure, Observed, Oracle, Prior, Trained, Training};
use crate::math::risk::{Costs, Term};
use crate::mistake::Mistake;
use crate::sample::Stream;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// The options of a method, decoded directly from a spec. [`options!`](crate::options) declares them.
pub trait Options: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + JsonSchema {
    const CARD: Card;

    /// The options and their values, as shown in tables.
    fn texts(&self) -> Vec<(&'static str, String)>;

    /// Refuses invalid combinations of options. The type of an option checks its value.
    fn check(&self) -> Result<(), Mistake> {
        Ok(())
    }

    /// The costs of wrong decisions; 1 each for a method without such an option.
    fn costs(&self) -> Costs {
        Costs::UNIT
    }
}

/// A method that learns from the observed samples, without true labels.
pub trait Learner: Options {
    fn fit(&self, training: &Training) -> Result<Trained, Failure>;

    /// The terms of the signed risk by which tuning judges the method; `None` if there is none, so that it cannot be
    /// tuned.
    fn judging_terms<'a>(&self, _: &'a Observed, _: Option<Prior>) -> Option<Result<Vec<Term<'a>>, Failure>> {
        None
    }
}

/// A method that sees true labels of training rows: an upper bound, not a competitor.
pub trait OracleLearner: Options {
    fn fit(&self, oracle: &Oracle, random: Stream) -> Result<Trained, Failure>;
}
