//! Unbiased PU learning (du Plessis, Niu and Sugiyama, 2015) told the prior of W in place of that of Y: an ablation.

use crate::learn::signed::pu_terms;
use crate::learn::{Failure, Observed, Prior, RiskOptions, SignedMethod, needed};
use crate::math::risk::{Rows, Term};
use serde::{Deserialize, Serialize};

/// Takes all of D_Y for potential customers, of whom the crowd holds the share `alpha = beta - gamma`. The share is
/// right and the sample is not; D_L is not used.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AlphaPu(RiskOptions);

impl SignedMethod for AlphaPu {
    fn risk_options(&self) -> &RiskOptions {
        &self.0
    }

    fn unchecked(options: RiskOptions) -> Self {
        AlphaPu(options)
    }

    fn terms<'a>(&self, observed: &'a Observed, prior: Option<Prior>) -> Result<Vec<Term<'a>>, Failure> {
        let positives = Rows::all("D_Y", &observed.interest.rows);
        Ok(pu_terms(positives, &observed.unlabeled.rows, needed(prior)?.alpha(), self.0.costs))
    }
}
