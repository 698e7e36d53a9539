//! Fitting and scoring in one step: what the harness asks of every method.

use crate::learn::{Failure, Fit, Learner, Link, Observed, Options, Prior, Trained, Training};
use crate::math::matrix::Design;
use crate::math::risk::Term;

/// A fitted method's scores of people: the higher, the more likely a potential customer.
pub struct Scores {
    /// For each of the designs that were given.
    pub scores: Vec<Vec<f64>>,
    /// The score above which a person is predicted to be a potential customer.
    pub threshold: f64,
    /// How scores become `p(w = +1 | x)`; `None` if they only rank people.
    pub link: Option<Link>,
    pub fit: Fit,
    /// `None` for a method that runs outside of this process.
    pub trained: Option<Trained>,
}

impl Scores {
    /// The scores of a model that was trained in this process.
    pub fn of(trained: Trained, rows: &[&Design]) -> Self {
        Scores {
            scores: rows.iter().map(|rows| trained.predict(rows)).collect(),
            threshold: trained.model.threshold(),
            link: trained.link,
            fit: trained.fit.clone(),
            trained: Some(trained),
        }
    }

    /// The probability of W = +1 for every score; `None` if scores only rank people.
    pub fn probabilities(&self, scores: &[f64]) -> Option<Vec<f64>> {
        self.link.map(|link| link.probabilities(scores))
    }
}

/// A method without true labels, as the harness and tuning use it. Every [`Learner`] is one.
pub trait Scorer: Options {
    /// Fits to the training samples and scores each design.
    fn fit_and_score(&self, training: &Training, rows: &[&Design]) -> Result<Scores, Failure>;

    /// The terms of the signed risk by which tuning judges the method; `None` if it cannot be tuned.
    fn terms_for_tuning<'a>(&self, seen: &'a Observed, prior: Option<Prior>) -> Option<Result<Vec<Term<'a>>, Failure>>;
}

impl<L: Learner> Scorer for L {
    fn fit_and_score(&self, training: &Training, rows: &[&Design]) -> Result<Scores, Failure> {
        Ok(Scores::of(self.fit(training)?, rows))
    }

    fn terms_for_tuning<'a>(&self, seen: &'a Observed, prior: Option<Prior>) -> Option<Result<Vec<Term<'a>>, Failure>> {
        self.judging_terms(seen, prior)
    }
}
