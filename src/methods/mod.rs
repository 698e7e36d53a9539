//! The methods, one file each, and the list of them.
//!
//! A method is a file with its options, its card and its `fit`, and one line in the list below; CONTRIBUTING.md walks
//! through an example. `blind` methods see [`Training`], `oracle` methods see true labels.

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

/// A method as the list knows it.
pub struct Entry {
    pub card: Card,
    /// With its default options.
    pub default: fn() -> Method,
    /// Of its options.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
}

impl Entry {
    pub fn named(name: &str) -> Option<&'static Entry> {
        METHODS.iter().find(|entry| entry.card.name == name)
    }
}

/// One of several methods of a name, chosen anew for every split without true labels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tuned {
    candidates: Vec<Method>,
}

impl Tuned {
    /// `None` without two candidates, or with one that cannot be judged without true labels.
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

    /// Whether there is a signed risk that says, without true labels, how well the method does.
    fn can_be_tuned(&self) -> bool {
        let nobody = Observed::nobody();
        self.judging_terms(&nobody, Prior::new(0.5, 0.25).ok()).is_some()
    }
}

/// The random stream of an oracle has its name.
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
