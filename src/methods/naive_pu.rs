//! Unbiased PU learning for Y (du Plessis, Niu and Sugiyama, 2015): the usual choice where loyalty is not known.

use crate::learn::{
    Card, CorrectionUse, Failure, Observed, Prior, PriorUse, SampleNeed, SignedMethod, pu_terms,
};
use crate::math::risk::{Rows, Term};

crate::risk_method! {
    /// Minimises
    ///
    /// ```text
    /// c_FN beta E_Y l(g) + c_FP (E_U l(-g) - beta E_Y l(-g)) + ridge |w|^2
    /// ```
    ///
    /// This is `double_pu` with `gamma = 0`. It learns Y instead of W and does not use D_L.
    pub struct NaivePu
}

impl SignedMethod for NaivePu {
    const CARD: Card = Card {
        name: "naive_pu",
        what: "unbiased PU learning for Y: double_pu with gamma = 0, which ignores loyalty",
        samples: "D_Y, D_U",
        prior: PriorUse::Beta,
        needs: SampleNeed::Any,
        source: "du Plessis, Niu and Sugiyama (2015)",
    };

    const CORRECTION: CorrectionUse = CorrectionUse::Refused;

    fn terms<'a>(&self, observed: &'a Observed, prior: Option<Prior>) -> Result<Vec<Term<'a>>, Failure> {
        let positives = Rows::all("D_Y", &observed.interest.rows);
        Ok(pu_terms(positives, &observed.unlabeled.rows, Prior::needed(prior)?.beta(), self.0.costs))
    }
}
