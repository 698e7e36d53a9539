//! What a method is and what it may see; how risks are minimised and options tuned.
//!
//! A method sees only what it may use: [`Training`] holds what a company has; [`Oracle`] holds true labels and is for
//! oracles only. The methods themselves are in [`crate::methods`], one file each.

mod failure;
mod learner;
mod link;
mod model;
mod oracle;
mod prior;
mod record;
mod score;
mod signed;
mod solve;
mod train;
mod tuning;

use crate::math::matrix::Design;
use crate::math::optim::{Boundedness, Ending};
use crate::sample::{Stream, stream};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub use crate::sample::SampleNeed;
pub use failure::{Failure, FailureKind};
pub use learner::{Card, Learner, Options, OracleLearner, PriorUse};
pub use link::Link;
pub use model::{LinearModel, ModelKind, NetworkOptions, Probabilities, Rbf, Width};
pub use oracle::{Labelled, Oracle};
pub use prior::{Prior, PriorError};
pub use record::{Form, RiskRecord, TermRecord};
pub use score::{Scorer, Scores};
pub use signed::{CorrectionUse, RiskOptions, SignedMethod, pu_terms, supervised_terms};
pub use solve::{Optimizer, Shared, Solved, solve, solve_alone};
pub use tuning::{texts as tuned_texts, tune};

/// The rows of a sample, and for each row the id of the person, which is the same in every sample.
#[derive(Clone, Debug)]
pub struct Sample {
    pub rows: Design,
    pub people: Vec<usize>,
}

impl Sample {
    /// The given rows of the sample.
    pub fn select(&self, rows: &[usize]) -> Self {
        Sample { rows: self.rows.select(rows), people: rows.iter().map(|row| self.people[*row]).collect() }
    }
}

/// The three samples of the paper's Section II.
#[derive(Clone, Debug)]
pub struct Observed {
    /// D_Y, drawn from p(x | y = +1)
    pub interest: Sample,
    /// D_U, drawn from p(x)
    pub unlabeled: Sample,
    /// D_L, drawn from p(x | y = +1, z = +1)
    pub loyal: Sample,
}

impl Observed {
    /// Samples without common people.
    pub fn independent(interest: Design, unlabeled: Design, loyal: Design) -> Self {
        let mut next = 0;
        let mut sample = |rows: Design| {
            let people = (next..next + rows.rows()).collect();
            next += rows.rows();
            Sample { rows, people }
        };
        Observed { interest: sample(interest), unlabeled: sample(unlabeled), loyal: sample(loyal) }
    }

    /// Samples without rows and columns.
    pub fn nobody() -> Self {
        let none = || Design::dense(Vec::new(), &[]);
        Observed::independent(none(), none(), none())
    }
}

/// Everything that a method may learn from, unless it is an oracle.
#[derive(Clone, Copy)]
pub struct Training<'a> {
    pub observed: &'a Observed,
    /// `None` for a method that uses no prior.
    pub prior: Option<Prior>,
    /// The seed of the random numbers that a method draws.
    pub seed: u32,
    shared: Option<&'a Shared>,
}

impl<'a> Training<'a> {
    pub fn new(observed: &'a Observed, prior: Option<Prior>) -> Self {
        Training { observed, prior, seed: 1, shared: None }
    }

    /// Sets the seed of the random numbers that a method draws; it is 1 by default.
    pub fn with_seed(self, seed: u32) -> Self {
        Training { seed, ..self }
    }

    /// Shares what it computes with other fits to the same samples with the same seed.
    pub fn sharing(self, shared: &'a Shared) -> Self {
        Training { shared: Some(shared), ..self }
    }

    /// The prior, for a method that needs one.
    pub fn needed_prior(&self) -> Result<Prior, Failure> {
        Prior::needed(self.prior)
    }

    /// The random stream of a purpose for this seed.
    pub fn stream(&self, purpose: &str) -> Stream {
        stream(&["method", purpose, &format!("seed {}", self.seed)])
    }
}

/// The result of training.
pub struct Trained {
    pub model: Box<dyn Model>,
    /// How scores become `p(w = +1 | x)`; `None` if they only rank people.
    pub link: Option<Link>,
    pub fit: Fit,
    /// Every risk that was minimised.
    pub risks: Vec<RiskRecord>,
    /// The training history of a network.
    pub history: Vec<Moment>,
}

impl Trained {
    /// A model for which no risk was minimised.
    pub fn direct(model: Box<dyn Model>, link: Option<Link>) -> Self {
        Trained { model, link, fit: Fit::default(), risks: Vec::new(), history: Vec::new() }
    }

    /// The scores of people: the higher, the more likely a potential customer.
    pub fn predict(&self, rows: &Design) -> Vec<f64> {
        self.model.predict(rows)
    }

    /// The probability of W = +1 for every score; `None` if scores only rank people.
    pub fn probabilities(&self, scores: &[f64]) -> Option<Vec<f64>> {
        self.link.map(|link| link.probabilities(scores))
    }
}

/// A network after an epoch.
pub struct Moment {
    pub epoch: u32,
    /// The signed risk on the training samples, without correction and ridge.
    pub training_risk: f64,
    pub model: Box<dyn Model>,
}

/// Scores people: the higher, the more likely a potential customer.
pub trait Model {
    fn predict(&self, rows: &Design) -> Vec<f64>;

    /// The score above which a person is predicted to be a potential customer.
    fn threshold(&self) -> f64 {
        0.0
    }

    /// The weights of a model that is linear in the features, intercept last.
    fn linear_weights(&self) -> Option<&[f64]> {
        None
    }
}

/// How a fit went, as reported in every row of the results; by default, without iterative minimisation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    pub ending: Ending,
    /// `None` if no risk is minimised, or if a foreign library minimises it.
    pub optimizer: Option<Optimizer>,
    pub iterations: Option<u32>,
    pub objective: Option<f64>,
    /// The largest absolute entry of the gradient.
    pub gradient_norm: Option<f64>,
    /// The stopping criterion: the largest absolute entry of the gradient, each scaled by the size of its weight,
    /// relative to its value at zero weights; for a network, at its start.
    pub relative_gradient: Option<f64>,
    /// `None` for a single start.
    pub starts: Option<Starts>,
    /// Whether the risk is known to be convex; if not, another start might have ended elsewhere.
    pub convex: Option<bool>,
    /// `None` if no risk is minimised.
    pub bounded: Option<Boundedness>,
    /// The options that tuning chose.
    pub tuned: Option<String>,
    /// The versions of what an external method runs on, as it reports them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub versions: BTreeMap<String, String>,
}

/// A search from several starts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Starts {
    pub count: u32,
    /// The lowest and the highest objective that a start led to.
    pub lowest: f64,
    pub highest: f64,
}

impl Starts {
    /// Whether different starts led to different objectives.
    pub fn end_apart(self) -> bool {
        self.highest - self.lowest > 1e-6 * self.lowest.abs().max(self.highest.abs())
    }
}

impl Fit {
    /// The fit of a method that minimises several risks: the worst of theirs, without an objective.
    pub fn of_several(fits: &[&Fit]) -> Self {
        let largest = |of: fn(&Fit) -> Option<f64>| fits.iter().filter_map(|fit| of(fit)).reduce(f64::max);
        let not_converged = fits.iter().find(|fit| fit.ending != Ending::Converged);
        let not_bounded = fits.iter().find(|fit| fit.bounded != Some(Boundedness::Bounded));
        Fit {
            ending: not_converged.map_or(Ending::Converged, |fit| fit.ending),
            optimizer: fits.first().and_then(|fit| fit.optimizer),
            iterations: Some(fits.iter().filter_map(|fit| fit.iterations).sum()),
            gradient_norm: largest(|fit| fit.gradient_norm),
            relative_gradient: largest(|fit| fit.relative_gradient),
            convex: Some(fits.iter().all(|fit| fit.convex == Some(true))),
            bounded: not_bounded.map_or(Some(Boundedness::Bounded), |fit| fit.bounded.clone()),
            ..Fit::default()
        }
    }
}
