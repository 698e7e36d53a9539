//! Unbiased PU learning (du Plessis, Niu and Sugiyama, 2015) for W, on the buyers who are not known to be loyal.

use crate::learn::signed::pu_terms;
use crate::learn::{Failure, Observed, Prior, RiskOptions, SignedMethod, needed};
use crate::math::risk::{Rows, Term};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Takes D_Y without D_L for potential customers, of whom the crowd holds the share `alpha = beta - gamma`. Right where
/// every loyal buyer in D_Y is also in D_L.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetDifferencePu(RiskOptions);

impl SignedMethod for SetDifferencePu {
    fn risk_options(&self) -> &RiskOptions {
        &self.0
    }

    fn unchecked(options: RiskOptions) -> Self {
        SetDifferencePu(options)
    }

    fn terms<'a>(&self, observed: &'a Observed, prior: Option<Prior>) -> Result<Vec<Term<'a>>, Failure> {
        let loyal: BTreeSet<usize> = observed.loyal.people.iter().copied().collect();
        let buyers = observed.interest.people.iter().enumerate();
        let others = buyers.filter(|(_, person)| !loyal.contains(person)).map(|(row, _)| row).collect();
        let positives = Rows::some("D_Y", &observed.interest.rows, others);
        Ok(pu_terms(positives, &observed.unlabeled.rows, needed(prior)?.alpha(), self.0.costs))
    }
}
