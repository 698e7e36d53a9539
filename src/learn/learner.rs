//! What a method is: its description, its options, and `fit`.

use crate::learn::{Failure, Observed, Oracle, Prior, Trained, Training};
use crate::math::risk::{Costs, Term};
use crate::mistake::Mistake;
use crate::sample::{SampleNeed, Stream};

/// The description of a method, which `doublepu methods`, the schema and the reference page print.
#[derive(Clone, Copy, Debug)]
pub struct Card {
    /// The name in specs and tables.
    pub name: &'static str,
    pub what: &'static str,
    /// The samples that it learns from, in words.
    pub samples: &'static str,
    pub prior: PriorUse,
    pub needs: SampleNeed,
    pub source: &'static str,
}

/// The class priors that a method is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub enum PriorUse {
    None,
    Beta,
    BetaAndGamma,
}

impl PriorUse {
    pub fn words(self) -> &'static str {
        match self {
            PriorUse::None => "none",
            PriorUse::Beta => "beta",
            PriorUse::BetaAndGamma => "beta, gamma",
        }
    }
}

/// The options of a method, decoded directly from a spec. [`options!`](crate::options) declares and implements them.
pub trait Options {
    fn card(&self) -> Card;

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
