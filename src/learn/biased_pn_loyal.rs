//! Buyers against the crowd and the loyal buyers, as if both were all negative.

use crate::learn::signed::supervised_terms;
use crate::learn::{Failure, Observed, ParamError, Prior, RiskOptions, SignedMethod};
use crate::risk::{Correction, Rows, Term};
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

    fn correction_problem(&self) -> Option<ParamError> {
        let plain = self.0.correction == Correction::None;
        (!plain).then(|| ParamError::new("supervised learning has no correction", "remove `correction`"))
    }

    fn terms<'a>(&self, observed: &'a Observed, _: Option<Prior>) -> Result<Vec<Term<'a>>, Failure> {
        let positives = vec![Rows::all("D_Y", &observed.interest.rows)];
        let negatives = vec![Rows::all("D_U", &observed.unlabeled.rows), Rows::all("D_L", &observed.loyal.rows)];
        Ok(supervised_terms(positives, negatives, self.0.costs))
    }
}
