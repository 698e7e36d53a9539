//! Buyers against the crowd, as if the crowd were all negative.

use crate::learn::signed::supervised_terms;
use crate::learn::{Failure, Observed, Prior, RiskOptions, SignedMethod};
use crate::math::risk::{Rows, Term};
use serde::{Deserialize, Serialize};

/// Supervised learning with D_Y as positive and D_U as negative, each row weighing the same.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BiasedPn(RiskOptions);

impl SignedMethod for BiasedPn {
    fn risk_options(&self) -> &RiskOptions {
        &self.0
    }

    fn unchecked(options: RiskOptions) -> Self {
        BiasedPn(options)
    }

    fn takes_correction(&self) -> bool {
        false
    }

    fn terms<'a>(&self, observed: &'a Observed, _: Option<Prior>) -> Result<Vec<Term<'a>>, Failure> {
        let positives = vec![Rows::all("D_Y", &observed.interest.rows)];
        let negatives = vec![Rows::all("D_U", &observed.unlabeled.rows)];
        Ok(supervised_terms(positives, negatives, self.0.costs))
    }
}
