//! Non-negative PU learning for Y (Kiryo, Niu, du Plessis and Sugiyama, 2017): `naive_pu` with a correction.

use crate::learn::{Card, CorrectionUse, Failure, Observed, Prior, PriorUse, SampleNeed, SignedMethod, pu_terms};
use crate::math::risk::{Correction, Rows, Term};

crate::risk_method! {
    /// `naive_pu` with a correction, which keeps parts of the risk from falling below zero. The corrected risk is
    ///
    /// ```text
    /// c_FN beta E_Y l(g) + max(0, c_FP (E_U l(-g) - beta E_Y l(-g))) + ridge |w|^2
    /// ```
    ///
    /// With the default `kiryo`, as in the source, the steps do not follow its gradient where the maximum is 0. D_L is not
    /// used.
    pub struct NaiveNnpu { correction: Correction::Kiryo }
}

impl SignedMethod for NaiveNnpu {
    const CARD: Card = Card {
        name: "naive_nnpu",
        what: "naive_pu with the non-negative correction",
        samples: "D_Y, D_U",
        prior: PriorUse::Beta,
        needs: SampleNeed::Any,
        source: "Kiryo, Niu, du Plessis and Sugiyama (2017)",
    };

    const CORRECTION: CorrectionUse = CorrectionUse::Needed;

    fn terms<'a>(&self, observed: &'a Observed, prior: Option<Prior>) -> Result<Vec<Term<'a>>, Failure> {
        let positives = Rows::all("D_Y", &observed.interest.rows);
        Ok(pu_terms(positives, &observed.unlabeled.rows, Prior::needed(prior)?.beta(), self.0.costs))
    }
}
