//! Buyers against the crowd and the loyal buyers, as if both were all negative.

use crate::learn::signed::supervised_terms;
use crate::learn::{Failure, Observed, Prior, RiskOptions, SignedMethod};
use crate::math::risk::{Rows, Term};
use serde::{Deserialize, Serialize};

/// Supervised learning with D_Y as positive and D_U and D_L as negative, each row weighing the same.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BiasedPnLoyal(RiskOptions);

impl SignedMethod for BiasedPnLoyal {
    fn risk_options(&self) -> &RiskOptions {
        &self.0
    }

    fn unchecked(options: RiskOptions) -> Self {
        BiasedPnLoyal(options)
    }

    fn takes_correction(&self) -> bool {
        false
    }

    fn terms<'a>(&self, observed: &'a Observed, _: Option<Prior>) -> Result<Vec<Term<'a>>, Failure> {
        let positives = vec![Rows::all("D_Y", &observed.interest.rows)];
        let negatives = vec![Rows::all("D_U", &observed.unlabeled.rows), Rows::all("D_L", &observed.loyal.rows)];
        Ok(supervised_terms(positives, negatives, self.0.costs))
    }
}
