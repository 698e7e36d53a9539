//! The methods that are compared, each a few lines over the signed risk, and the adapters to linfa and smartcore.
//!
//! A method sees no more than it may: [`Observed`] is what a company has, [`Labelled`] is for oracles only.

mod biased_pn;
mod double_pu;
mod naive_pu;
mod oracle_forest;
mod oracle_logistic;
mod prior;
mod random;

use crate::matrix::Design;
use crate::metric::RankingError;
use crate::optim::{self, Boundedness, Ending, Minimum};
use crate::risk::{EmptySample, SignedRisk};
use crate::sample::{SplitError, Stream, stream};
use rand::Rng;
use serde::{Deserialize, Serialize};

pub use biased_pn::BiasedPn;
pub use double_pu::DoublePu;
pub use naive_pu::NaivePu;
pub use oracle_forest::OracleForest;
pub use oracle_logistic::OracleLogistic;
pub use prior::{Prior, PriorError};
pub use random::RandomScores;

/// The three samples of the paper's Section II.
#[derive(Debug)]
pub struct Observed {
    /// D_Y, drawn from p(x | y = +1)
    pub interest: Design,
    /// D_U, drawn from p(x)
    pub unlabeled: Design,
    /// D_L, drawn from p(x | y = +1, z = +1)
    pub loyal: Design,
}

/// Rows with their true W, which no company has.
#[derive(Debug)]
pub struct Labelled {
    pub rows: Design,
    /// W = +1
    pub truth: Vec<bool>,
}

/// All that a method may use to learn.
#[derive(Clone, Copy, Debug)]
pub struct Training<'a> {
    pub observed: &'a Observed,
    pub oracle: &'a Labelled,
    /// `None` for a method that uses no prior.
    pub prior: Option<Prior>,
    pub seed: u32,
}

impl Training<'_> {
    /// The random stream of a method for this seed.
    fn stream(&self, method: &str) -> Stream {
        stream(&["method", method, &format!("seed {}", self.seed)])
    }

    fn prior(&self) -> Result<Prior, Failure> {
        self.prior.ok_or(Failure { kind: FailureKind::ImpossiblePrior, reason: "no prior was given".into() })
    }
}

/// Which class priors a method is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub enum PriorUse {
    None,
    Beta,
    BetaAndGamma,
}

/// A method with all its options.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    DoublePu(DoublePu),
    NaivePu(NaivePu),
    BiasedPn(BiasedPn),
    OracleLogistic(OracleLogistic),
    OracleForest(OracleForest),
    Random(RandomScores),
}

impl Method {
    pub fn name(&self) -> &'static str {
        match self {
            Method::DoublePu(_) => "double_pu",
            Method::NaivePu(_) => "naive_pu",
            Method::BiasedPn(_) => "biased_pn",
            Method::OracleLogistic(_) => "oracle_logistic",
            Method::OracleForest(_) => "oracle_forest",
            Method::Random(_) => "random",
        }
    }

    /// The options as they are written in tables.
    pub fn options(&self) -> Vec<(&'static str, String)> {
        match self {
            Method::DoublePu(method) => method.options(),
            Method::NaivePu(method) => method.options(),
            Method::BiasedPn(method) => method.options(),
            Method::OracleLogistic(method) => method.options(),
            Method::OracleForest(method) => method.options(),
            Method::Random(_) => Vec::new(),
        }
    }

    pub fn prior_use(&self) -> PriorUse {
        match self {
            Method::DoublePu(_) => PriorUse::BetaAndGamma,
            Method::NaivePu(_) => PriorUse::Beta,
            Method::BiasedPn(_) | Method::OracleLogistic(_) | Method::OracleForest(_) | Method::Random(_) => {
                PriorUse::None
            }
        }
    }

    /// Whether it sees the true W of training rows.
    pub fn is_oracle(&self) -> bool {
        matches!(self, Method::OracleLogistic(_) | Method::OracleForest(_))
    }

    pub fn fit(&self, training: &Training) -> Result<Trained, Failure> {
        match self {
            Method::DoublePu(method) => method.fit(training.observed, training.prior()?),
            Method::NaivePu(method) => method.fit(training.observed, training.prior()?),
            Method::BiasedPn(method) => method.fit(training.observed),
            Method::OracleLogistic(method) => method.fit(training.oracle),
            Method::OracleForest(method) => method.fit(training.oracle, training.stream("oracle_forest").next_u64()),
            Method::Random(method) => Ok(method.fit(training.stream("random"))),
        }
    }
}

/// What learning gave.
pub struct Trained {
    pub model: Box<dyn Model>,
    pub fit: Fit,
}

/// Something that scores people: the higher, the more likely a potential customer.
pub trait Model {
    fn scores(&self, rows: &Design) -> Vec<f64>;

    /// The weights of a linear model, intercept last.
    fn weights(&self) -> Option<&[f64]> {
        None
    }
}

/// How a fit went, as it stands in every row of the results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    pub ending: Ending,
    pub iterations: Option<u32>,
    pub objective: Option<f64>,
    pub gradient_norm: Option<f64>,
    /// Whether the risk is convex; if not, another start might have ended elsewhere.
    pub convex: Option<bool>,
    /// `None` where no risk is minimised.
    pub bounded: Option<Boundedness>,
}

impl Fit {
    /// Nothing was minimised step by step.
    fn direct() -> Self {
        Fit {
            ending: Ending::Direct,
            iterations: None,
            objective: None,
            gradient_norm: None,
            convex: None,
            bounded: None,
        }
    }
}

/// `g(x) = w.x + intercept`
pub struct LinearModel {
    pub weights: Vec<f64>,
}

impl Model for LinearModel {
    fn scores(&self, rows: &Design) -> Vec<f64> {
        (0..rows.rows()).map(|row| rows.margin(row, &self.weights)).collect()
    }

    fn weights(&self) -> Option<&[f64]> {
        Some(&self.weights)
    }
}

/// Why a cell has no result. Every failure has a name that a program can match and a reason for people.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{}: {reason}", kind.name())]
pub struct Failure {
    pub kind: FailureKind,
    pub reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    EmptySample,
    EmptyPart,
    SingleClass,
    ImpossiblePrior,
    Unbounded,
    Indefinite,
    NotFinite,
    ForeignSolver,
}

impl FailureKind {
    /// As written in `cells.csv`.
    pub fn name(self) -> &'static str {
        match self {
            FailureKind::EmptySample => "empty_sample",
            FailureKind::EmptyPart => "empty_part",
            FailureKind::SingleClass => "single_class",
            FailureKind::ImpossiblePrior => "impossible_prior",
            FailureKind::Unbounded => "unbounded",
            FailureKind::Indefinite => "indefinite",
            FailureKind::NotFinite => "not_finite",
            FailureKind::ForeignSolver => "foreign_solver",
        }
    }
}

impl From<EmptySample> for Failure {
    fn from(error: EmptySample) -> Self {
        Failure { kind: FailureKind::EmptySample, reason: error.to_string() }
    }
}

impl From<SplitError> for Failure {
    fn from(error: SplitError) -> Self {
        Failure { kind: FailureKind::EmptyPart, reason: error.to_string() }
    }
}

impl From<PriorError> for Failure {
    fn from(error: PriorError) -> Self {
        Failure { kind: FailureKind::ImpossiblePrior, reason: error.to_string() }
    }
}

impl From<RankingError> for Failure {
    fn from(error: RankingError) -> Self {
        let kind = match error {
            RankingError::SingleClass { .. } => FailureKind::SingleClass,
            RankingError::NotFinite { .. } => FailureKind::NotFinite,
        };
        Failure { kind, reason: error.to_string() }
    }
}

/// Minimises a risk; a risk without a minimum is a failure and not a number.
fn minimise(risk: &SignedRisk) -> Result<Trained, Failure> {
    let minimum = optim::minimise(risk);
    let numbers = [minimum.value, minimum.gradient_norm];
    if !numbers.iter().chain(&minimum.weights).all(|number| number.is_finite()) {
        let reason = "the risk is too large for a number; scale the columns, or use smaller costs".to_string();
        return Err(Failure { kind: FailureKind::NotFinite, reason });
    }
    let reason = match (&minimum.ending, &minimum.boundedness) {
        (Ending::Unbounded, Boundedness::Unbounded { along }) => {
            format!("the risk falls without end along {along}; set a ridge above 0")
        }
        (Ending::Unbounded, _) => "the risk falls without end; set a ridge above 0".to_string(),
        (Ending::Indefinite, _) => {
            "the squared risk's Hessian is not positive definite; use a larger ridge, equal costs or the logistic loss"
                .to_string()
        }
        _ => return Ok(trained(minimum)),
    };
    let unbounded = minimum.ending == Ending::Unbounded;
    let kind = if unbounded { FailureKind::Unbounded } else { FailureKind::Indefinite };
    Err(Failure { kind, reason })
}

fn trained(minimum: Minimum) -> Trained {
    let fit = Fit {
        ending: minimum.ending,
        iterations: Some(minimum.iterations),
        objective: Some(minimum.value),
        gradient_norm: Some(minimum.gradient_norm),
        convex: Some(minimum.convex),
        bounded: Some(minimum.boundedness),
    };
    Trained { model: Box::new(LinearModel { weights: minimum.weights }), fit }
}
