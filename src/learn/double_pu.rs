//! Double PU learning (Kato et al.): the paper's Section III, cost-sensitive.

use crate::learn::{Failure, Observed, Prior, Trained, minimise};
use crate::risk::{Costs, Loss, SignedRisk, Term};
use serde::Serialize;

/// Minimises, over linear `g`,
///
/// ```text
/// c_FN (beta E_Y l(g) - gamma E_L l(g)) + c_FP (E_U l(-g) - beta E_Y l(-g) + gamma E_L l(-g)) + ridge |w|^2
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DoublePu {
    pub loss: Loss,
    pub costs: Costs,
    pub ridge: f64,
}

impl DoublePu {
    pub fn fit(&self, observed: &Observed, prior: Prior) -> Result<Trained, Failure> {
        minimise(&self.risk(observed, prior)?)
    }

    /// What is minimised, as terms over the three samples.
    pub fn risk<'a>(&self, observed: &'a Observed, prior: Prior) -> Result<SignedRisk<'a>, Failure> {
        let (c_fn, c_fp) = (self.costs.false_negative, self.costs.false_positive);
        let (beta, gamma) = (prior.beta(), prior.gamma());
        let terms = vec![
            Term { sample: "D_Y", rows: &observed.interest, positive: c_fn * beta, negative: -c_fp * beta },
            Term { sample: "D_U", rows: &observed.unlabeled, positive: 0.0, negative: c_fp },
            Term { sample: "D_L", rows: &observed.loyal, positive: -c_fn * gamma, negative: c_fp * gamma },
        ];
        Ok(SignedRisk::new(self.loss, self.ridge, terms)?)
    }

    pub fn options(&self) -> Vec<(&'static str, String)> {
        vec![
            ("loss", self.loss.name().to_string()),
            ("costs", self.costs.to_string()),
            ("ridge", self.ridge.to_string()),
        ]
    }
}
