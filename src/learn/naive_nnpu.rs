//! Non-negative PU learning for Y (Kiryo, Niu, du Plessis and Sugiyama, 2017): `naive_pu` with a correction.

use crate::learn::signed::pu_terms;
use crate::learn::{Failure, Observed, ParamError, Params, Prior, RiskOptions, SignedMethod, needed};
use crate::math::risk::{Correction, Rows, Term};
use serde::{Deserialize, Serialize};

/// Unbiased PU learning whose part for the crowd is kept from falling below zero; D_L is not used.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NaiveNnpu(RiskOptions);

impl SignedMethod for NaiveNnpu {
    fn risk_options(&self) -> &RiskOptions {
        &self.0
    }

    fn unchecked(options: RiskOptions) -> Self {
        NaiveNnpu(options)
    }

    /// `kiryo`, as in their paper.
    fn params() -> Params<Self> {
        Params(NaiveNnpu(RiskOptions { correction: Correction::Kiryo, ..RiskOptions::default() }))
    }

    fn correction_problem(&self) -> Option<ParamError> {
        let plain = self.0.correction == Correction::None;
        plain.then(|| ParamError::new("`naive_nnpu` without correction is `naive_pu`", "use `kiryo` or `paper`"))
    }

    fn terms<'a>(&self, observed: &'a Observed, prior: Option<Prior>) -> Result<Vec<Term<'a>>, Failure> {
        let positives = Rows::all("D_Y", &observed.interest.rows);
        Ok(pu_terms(positives, &observed.unlabeled.rows, needed(prior)?.beta(), self.0.costs))
    }
}
