//! The methods, one file each, and the list of them.
//!
//! A method is a file with its options, its card and its `fit`, and one line in the list below. docs/contributing.md has a
//! worked example. A `blind` method sees [`Training`], an `oracle` method also sees true labels.

mod list;

use crate::learn::{Candidate, Card, Failure, FailureKind, Observed, Options, Oracle, Prior, PriorUse, SampleNeed};
use crate::learn::{Learner, OracleLearner, Trained, Training, tune, tuned_texts};
use crate::math::risk::{Costs, Term};
use crate::mistake::Mistake;
use crate::registry::named_alternatives;
use list::methods;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

// The order is that of `doublepu methods`.
methods! {
    blind double_pu::DoublePu,
    blind naive_pu::NaivePu,
    blind naive_nnpu::NaiveNnpu,
    blind biased_pn::BiasedPn,
    blind biased_pn_loyal::BiasedPnLoyal,
    blind elkan_noto::ElkanNoto,
    blind bagging_pu::BaggingPu,
    blind alpha_pu::AlphaPu,
    blind set_difference_pu::SetDifferencePu,
    blind two_stage::TwoStage,
    oracle oracle_logistic::OracleLogistic,
    oracle oracle_logistic_matched::OracleLogisticMatched,
    oracle oracle_forest::OracleForest,
    blind random::Random,
    #[cfg(test)]
    blind ulsif::Ulsif,
}

/// An entry of the list of methods.
pub struct Entry {
    pub card: Card,
    /// The method with its default options.
    pub default: fn() -> Method,
    /// The JSON Schema of its options.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
}

impl Entry {
    pub fn named(name: &str) -> Option<&'static Entry> {
        METHODS.iter().find(|entry| entry.card.name == name)
    }
}

/// Several candidates of one method, of which tuning chooses one for every split, without true labels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tuned {
    candidates: Vec<Method>,
}

impl Tuned {
    /// `None` if there are fewer than two candidates, or if one of them cannot be judged without true labels.
    pub fn among(candidates: Vec<Method>) -> Option<Self> {
        (candidates.len() > 1 && candidates.iter().all(Method::can_be_tuned)).then_some(Tuned { candidates })
    }

    fn first(&self) -> &Method {
        &self.candidates[0]
    }
}

impl Method {
    pub fn name(&self) -> &'static str {
        self.card().name
    }

    pub fn prior_use(&self) -> PriorUse {
        self.card().prior
    }

    pub fn sample_need(&self) -> SampleNeed {
        self.card().needs
    }

    /// Whether a signed risk can judge the method without true labels.
    fn can_be_tuned(&self) -> bool {
        let nobody = Observed::nobody();
        self.judging_terms(&nobody, Prior::new(0.5, 0.25).ok()).is_some()
    }
}

/// The name of an oracle, which is also the name of its random stream.
fn name_of<O: OracleLearner>(_: &O) -> &'static str {
    O::CARD.name
}

impl Candidate for Method {
    fn texts(&self) -> Vec<(&'static str, String)> {
        self.options()
    }

    fn judging_terms<'a>(&self, seen: &'a Observed, prior: Option<Prior>) -> Option<Result<Vec<Term<'a>>, Failure>> {
        Method::judging_terms(self, seen, prior)
    }

    fn fit(&self, training: &Training) -> Result<Trained, Failure> {
        self.fit_blindly(training)
    }
}

#[cfg(test)]
mod tests;
