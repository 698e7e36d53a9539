//! All methods as one type.

use crate::learn::{
    AlphaPu, BaggingPu, BiasedPn, BiasedPnLoyal, DoublePu, ElkanNoto, Failure, FailureKind, NaiveNnpu, NaivePu,
    Observed, Oracle, OracleForest, OracleLogistic, OracleLogisticMatched, Prior, RandomScores, SetDifferencePu,
    SignedMethod, Trained, Training, Tuned, TwoStage,
};
use crate::math::risk::{Costs, Term};
use rand::Rng;
use serde::{Deserialize, Serialize};

/// Which class priors a method is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub enum PriorUse {
    None,
    Beta,
    BetaAndGamma,
}

/// What a method asks of the way samples are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleNeed {
    Any,
    /// D_L must be a part of D_Y.
    LoyalWithinInterest,
    /// D_Y must be the people of one sample who kept their label.
    Censoring,
}

impl SampleNeed {
    /// What a spec must say for it.
    pub fn remedy(self) -> &'static str {
        match self {
            SampleNeed::Any => "it needs nothing",
            SampleNeed::LoyalWithinInterest => {
                "it needs D_L within D_Y: `scheme: censoring`, or pools with `loyal: within_interest`"
            }
            SampleNeed::Censoring => "it needs `scheme: censoring`",
        }
    }
}

/// A method with all its options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    DoublePu(DoublePu),
    NaivePu(NaivePu),
    NaiveNnpu(NaiveNnpu),
    BiasedPn(BiasedPn),
    BiasedPnLoyal(BiasedPnLoyal),
    ElkanNoto(ElkanNoto),
    BaggingPu(BaggingPu),
    AlphaPu(AlphaPu),
    SetDifferencePu(SetDifferencePu),
    TwoStage(TwoStage),
    OracleLogistic(OracleLogistic),
    OracleLogisticMatched(OracleLogisticMatched),
    OracleForest(OracleForest),
    Random(RandomScores),
    /// One of several, chosen anew for every split without true labels.
    Tuned(Tuned),
}

impl Method {
    /// Every method with its default options, in the order of the catalogue.
    pub fn with_defaults() -> [Method; 14] {
        [
            Method::DoublePu(DoublePu::params().0),
            Method::NaivePu(NaivePu::params().0),
            Method::NaiveNnpu(NaiveNnpu::params().0),
            Method::BiasedPn(BiasedPn::params().0),
            Method::BiasedPnLoyal(BiasedPnLoyal::params().0),
            Method::ElkanNoto(ElkanNoto::params().0),
            Method::BaggingPu(BaggingPu::params().0),
            Method::AlphaPu(AlphaPu::params().0),
            Method::SetDifferencePu(SetDifferencePu::params().0),
            Method::TwoStage(TwoStage::params().0),
            Method::OracleLogistic(OracleLogistic::params().0),
            Method::OracleLogisticMatched(OracleLogisticMatched::params().0),
            Method::OracleForest(OracleForest::params().0),
            Method::Random(RandomScores {}),
        ]
    }

    pub fn name(&self) -> &'static str {
        match self {
            Method::DoublePu(_) => "double_pu",
            Method::NaivePu(_) => "naive_pu",
            Method::NaiveNnpu(_) => "naive_nnpu",
            Method::BiasedPn(_) => "biased_pn",
            Method::BiasedPnLoyal(_) => "biased_pn_loyal",
            Method::ElkanNoto(_) => "elkan_noto",
            Method::BaggingPu(_) => "bagging_pu",
            Method::AlphaPu(_) => "alpha_pu",
            Method::SetDifferencePu(_) => "set_difference_pu",
            Method::TwoStage(_) => "two_stage",
            Method::OracleLogistic(_) => "oracle_logistic",
            Method::OracleLogisticMatched(_) => "oracle_logistic_matched",
            Method::OracleForest(_) => "oracle_forest",
            Method::Random(_) => "random",
            Method::Tuned(tuned) => tuned.first().name(),
        }
    }

    /// The options as they are written in tables.
    pub fn options(&self) -> Vec<(&'static str, String)> {
        if let Some(method) = self.as_signed() {
            return method.risk_options().texts();
        }
        match self {
            Method::ElkanNoto(method) => method.texts(),
            Method::BaggingPu(method) => method.texts(),
            Method::TwoStage(method) => method.texts(),
            Method::OracleLogistic(method) => method.texts(),
            Method::OracleLogisticMatched(method) => method.texts(),
            Method::OracleForest(method) => method.texts(),
            Method::Tuned(tuned) => tuned.texts(),
            _ => Vec::new(),
        }
    }

    pub fn prior_use(&self) -> PriorUse {
        match self {
            Method::DoublePu(_) | Method::AlphaPu(_) | Method::SetDifferencePu(_) | Method::TwoStage(_) => {
                PriorUse::BetaAndGamma
            }
            Method::NaivePu(_) | Method::NaiveNnpu(_) => PriorUse::Beta,
            Method::Tuned(tuned) => tuned.first().prior_use(),
            _ => PriorUse::None,
        }
    }

    pub fn sample_need(&self) -> SampleNeed {
        match self {
            Method::SetDifferencePu(_) => SampleNeed::LoyalWithinInterest,
            Method::ElkanNoto(_) => SampleNeed::Censoring,
            Method::Tuned(tuned) => tuned.first().sample_need(),
            _ => SampleNeed::Any,
        }
    }

    /// Whether it sees the true W of training rows.
    pub fn is_oracle(&self) -> bool {
        matches!(self, Method::OracleLogistic(_) | Method::OracleLogisticMatched(_) | Method::OracleForest(_))
    }

    /// What its wrong decisions cost; 1 each where it cannot be told.
    pub fn costs(&self) -> Costs {
        match self {
            Method::Tuned(tuned) => tuned.first().costs(),
            method => method.as_signed().map_or(Costs::UNIT, |method| method.risk_options().costs),
        }
    }

    /// The methods that are nothing but a signed risk.
    fn as_signed(&self) -> Option<&dyn SignedMethod> {
        match self {
            Method::DoublePu(method) => Some(method),
            Method::NaivePu(method) => Some(method),
            Method::NaiveNnpu(method) => Some(method),
            Method::BiasedPn(method) => Some(method),
            Method::BiasedPnLoyal(method) => Some(method),
            Method::AlphaPu(method) => Some(method),
            Method::SetDifferencePu(method) => Some(method),
            _ => None,
        }
    }

    /// Whether a spec may give it a correction.
    pub fn takes_correction(&self) -> bool {
        self.as_signed().is_some_and(SignedMethod::takes_correction)
    }

    /// Whether there is a signed risk that says, without true labels, how well the method does.
    pub fn can_be_tuned(&self) -> bool {
        self.as_signed().is_some() || matches!(self, Method::TwoStage(_))
    }

    /// The terms of the signed risk by which tuning judges the method: its own, or double PU's for `two_stage`.
    pub(super) fn judging_terms<'a>(&self, seen: &'a Observed, prior: Option<Prior>) -> Result<Vec<Term<'a>>, Failure> {
        match self.as_signed() {
            Some(method) => method.terms(seen, prior),
            None => DoublePu::params().0.terms(seen, prior),
        }
    }

    /// Fits a method that sees no true label.
    pub(super) fn fit_blindly(&self, training: &Training) -> Result<Trained, Failure> {
        if let Some(method) = self.as_signed() {
            return method.fit(training);
        }
        match self {
            Method::ElkanNoto(method) => method.fit(training),
            Method::BaggingPu(method) => method.fit(training),
            Method::TwoStage(method) => method.fit(training),
            Method::Tuned(tuned) => tuned.fit(training),
            Method::Random(method) => Ok(method.fit(training.stream("random"))),
            _ => {
                let reason = format!("{} cannot do without true labels", self.name());
                Err(Failure { kind: FailureKind::NoCandidate, reason })
            }
        }
    }

    pub fn fit(&self, training: &Training, oracle: &Oracle) -> Result<Trained, Failure> {
        match self {
            Method::OracleLogistic(method) => method.fit(&oracle.train),
            Method::OracleLogisticMatched(method) => method.fit(&oracle.unlabeled),
            Method::OracleForest(method) => method.fit(&oracle.train, training.stream("oracle_forest").next_u64()),
            method => method.fit_blindly(training),
        }
    }
}
