//! The methods, one file each, and the list of them.
//!
//! A method is a file with its options, its card and its `fit`, and one line in the list below. docs/contributing.md has a
//! worked example. A `blind` method sees [`Training`], an `oracle` method also sees true labels.

use crate::learn::{
    Card, Failure, Observed, Options, Oracle, OracleLearner, Prior, PriorUse, SampleNeed, Scorer, Scores, SignedMethod,
    Training, tune, tuned_texts,
};
use crate::math::matrix::Design;
use crate::math::risk::{Costs, Term};
use crate::mistake::Mistake;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

/// Each line of the list becomes a module, a variant of [`Method`] and an entry of [`METHODS`]. A type that lacks a part
/// of a method does not compile.
macro_rules! methods {
    ($($(#[$attribute:meta])* $kind:ident $module:ident::$Name:ident,)+) => {
        $($(#[$attribute])* mod $module; $(#[$attribute])* pub use $module::$Name;)+

        /// A method with all its options. It is stored as `{ name: { option: value } }`.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Method {
            $($(#[$attribute])* $Name($Name),)+
            Tuned(Tuned),
            External(External),
        }

        /// Every method, in the order of the list.
        pub static METHODS: &[Entry] = &[$(
            $(#[$attribute])*
            Entry {
                card: $Name::CARD,
                default: || Method::$Name($Name::default()),
                schema: <$Name as JsonSchema>::json_schema,
            },
        )+];

        impl Method {
            fn view(&self) -> View<'_> {
                match self {
                    $($(#[$attribute])* Method::$Name(method) => methods!(@$kind method),)+
                    Method::Tuned(tuned) => View::Scorer(tuned),
                    Method::External(external) if external.is_oracle() => View::ExternalOracle(external),
                    Method::External(external) => View::Scorer(external),
                }
            }
        }
    };
    (@blind $method:ident) => { View::Scorer($method) };
    (@oracle $method:ident) => { View::Oracle($method) };
}

mod external;

pub use external::{Asked, External, Permitted, ScoreKind, Setup};

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

/// A method, by what it may see.
enum View<'a> {
    Scorer(&'a (dyn Scorer + 'static)),
    Oracle(&'a (dyn OracleLearner + 'static)),
    ExternalOracle(&'a External),
}

impl std::ops::Deref for Method {
    type Target = dyn Options;

    fn deref(&self) -> &Self::Target {
        match self.view() {
            View::Scorer(method) => method,
            View::Oracle(method) => method,
            View::ExternalOracle(method) => method,
        }
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

    /// The options as tables show them.
    pub fn options(&self) -> Vec<(&'static str, String)> {
        self.texts()
    }

    /// The method, unless it sees true labels of training rows.
    fn scorer(&self) -> Option<&dyn Scorer> {
        match self.view() {
            View::Scorer(method) => Some(method),
            View::Oracle(_) | View::ExternalOracle(_) => None,
        }
    }

    /// Whether the method sees true labels of training rows.
    pub fn is_oracle(&self) -> bool {
        self.scorer().is_none()
    }

    /// The external methods behind it: itself, or the candidates of tuning.
    pub fn externals(&self) -> Vec<&External> {
        match self {
            Method::External(external) => vec![external],
            Method::Tuned(Tuned { candidates }) => candidates.iter().flat_map(Method::externals).collect(),
            _ => Vec::new(),
        }
    }

    /// Tells external methods how they are run, which does not decide their results.
    pub fn set_up(&mut self, setup: &Setup) {
        match self {
            Method::External(external) => external.setup = setup.clone(),
            Method::Tuned(Tuned { candidates }) => {
                candidates.iter_mut().for_each(|candidate| candidate.set_up(setup));
            }
            _ => {}
        }
    }

    /// Whether its scores are random, for comparison.
    pub fn is_random(&self) -> bool {
        matches!(self, Method::Random(_))
    }

    /// Fits to the training samples, or for an oracle to true labels, and scores each design.
    pub fn fit_and_score(&self, training: &Training, oracle: &Oracle, rows: &[&Design]) -> Result<Scores, Failure> {
        match self.view() {
            View::Scorer(method) => method.fit_and_score(training, rows),
            View::Oracle(method) => Ok(Scores::of(method.fit(oracle, training.stream(self.name()))?, rows)),
            View::ExternalOracle(method) => method.fit_and_score_with_labels(training, oracle, rows),
        }
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
        let nobody = Observed::nobody();
        let is_judged = |method: &Method| {
            let prior = Prior::new(0.5, 0.25).ok();
            method.scorer().is_some_and(|method| method.terms_for_tuning(&nobody, prior).is_some())
        };
        (candidates.len() > 1 && candidates.iter().all(is_judged)).then_some(Tuned { candidates })
    }

    fn scorers(&self) -> Vec<&dyn Scorer> {
        self.candidates.iter().filter_map(Method::scorer).collect()
    }
}

impl Options for Tuned {
    fn card(&self) -> Card {
        self.candidates[0].card()
    }

    fn texts(&self) -> Vec<(&'static str, String)> {
        tuned_texts(&self.scorers())
    }

    fn check(&self) -> Result<(), Mistake> {
        self.candidates.iter().try_for_each(|candidate| candidate.check())
    }

    fn costs(&self) -> Costs {
        self.candidates[0].costs()
    }
}

impl Scorer for Tuned {
    fn fit_and_score(&self, training: &Training, rows: &[&Design]) -> Result<Scores, Failure> {
        tune(&self.scorers(), training, rows)
    }

    /// What is chosen from a tuned method would be tuned twice.
    fn terms_for_tuning<'a>(&self, _: &'a Observed, _: Option<Prior>) -> Option<Result<Vec<Term<'a>>, Failure>> {
        None
    }
}

#[cfg(test)]
mod tests;
