//! Buyers against the crowd, as if the crowd were all negative.

use crate::learn::{Failure, Observed, Trained, minimise};
use crate::risk::{Loss, SignedRisk, Term};
use serde::Serialize;

/// Supervised learning with D_Y as positive and D_U as negative, each row weighing the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BiasedPn {
    pub loss: Loss,
    pub ridge: f64,
}

impl BiasedPn {
    pub fn fit(&self, observed: &Observed) -> Result<Trained, Failure> {
        let Observed { interest, unlabeled, .. } = observed;
        let rows = (interest.rows() + unlabeled.rows()).max(1) as f64;
        // An empty sample keeps a coefficient, so that the risk refuses it by name.
        let share = |sample: usize| sample.max(1) as f64 / rows;
        let terms = vec![
            Term { sample: "D_Y", rows: interest, positive: share(interest.rows()), negative: 0.0 },
            Term { sample: "D_U", rows: unlabeled, positive: 0.0, negative: share(unlabeled.rows()) },
        ];
        minimise(&SignedRisk::new(self.loss, self.ridge, terms)?)
    }

    pub fn options(&self) -> Vec<(&'static str, String)> {
        vec![("loss", self.loss.name().to_string()), ("ridge", self.ridge.to_string())]
    }
}
