//! Double PU learning (Kato, Ikeda, Baba, Imai and Inokuchi): the paper's Section III, cost-sensitive.

use crate::learn::signed::pu_terms;
use crate::learn::{Failure, Observed, Prior, RiskOptions, SignedMethod, needed};
use crate::math::risk::{Costs, Rows, Term};
use serde::{Deserialize, Serialize};

/// Minimises
///
/// ```text
/// c_FN (beta E_Y l(g) - gamma E_L l(g)) + c_FP (E_U l(-g) - beta E_Y l(-g) + gamma E_L l(-g)) + ridge |w|^2
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DoublePu(RiskOptions);

impl SignedMethod for DoublePu {
    fn risk_options(&self) -> &RiskOptions {
        &self.0
    }

    fn unchecked(options: RiskOptions) -> Self {
        DoublePu(options)
    }

    fn terms<'a>(&self, observed: &'a Observed, prior: Option<Prior>) -> Result<Vec<Term<'a>>, Failure> {
        let Costs { false_negative, false_positive } = self.0.costs;
        let prior = needed(prior)?;
        let mut terms =
            pu_terms(Rows::all("D_Y", &observed.interest.rows), &observed.unlabeled.rows, prior.beta(), self.0.costs);
        terms.push(Term {
            rows: Rows::all("D_L", &observed.loyal.rows),
            positive: -false_negative * prior.gamma(),
            negative: false_positive * prior.gamma(),
            in_crowd: false,
        });
        Ok(terms)
    }
}
