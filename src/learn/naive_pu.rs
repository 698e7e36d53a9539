//! Unbiased PU learning for Y (du Plessis, Niu and Sugiyama, 2015): what one would do without knowing of loyalty.

use crate::learn::signed::pu_terms;
use crate::learn::{Failure, Observed, Prior, RiskOptions, SignedMethod, needed};
use crate::math::risk::{Rows, Term};
use serde::{Deserialize, Serialize};

/// Double PU learning with `gamma = 0`: D_L is not used.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NaivePu(RiskOptions);

impl SignedMethod for NaivePu {
    fn risk_options(&self) -> &RiskOptions {
        &self.0
    }

    fn unchecked(options: RiskOptions) -> Self {
        NaivePu(options)
    }

    fn takes_correction(&self) -> bool {
        false
    }

    fn terms<'a>(&self, observed: &'a Observed, prior: Option<Prior>) -> Result<Vec<Term<'a>>, Failure> {
        let positives = Rows::all("D_Y", &observed.interest.rows);
        Ok(pu_terms(positives, &observed.unlabeled.rows, needed(prior)?.beta(), self.0.costs))
    }
}
