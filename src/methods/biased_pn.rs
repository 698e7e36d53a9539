//! Buyers against the unlabelled sample, all of which counts as negative.

use crate::learn::{
    Card, CorrectionUse, Failure, Observed, Prior, PriorUse, SampleNeed, SignedMethod, supervised_terms,
};
use crate::math::risk::{Rows, Term};

crate::risk_method! {
    /// Minimises, with n the number of rows of a sample,
    ///
    /// ```text
    /// (c_FN n_Y E_Y l(g) + c_FP n_U E_U l(-g)) / (n_Y + n_U) + ridge |w|^2
    /// ```
    ///
    /// This is supervised learning with D_Y as positive and D_U as negative. Every row has the same weight.
    pub struct BiasedPn
}

impl SignedMethod for BiasedPn {
    const CARD: Card = Card {
        name: "biased_pn",
        what: "supervised learning with D_Y as positive and D_U as negative",
        samples: "D_Y, D_U",
        prior: PriorUse::None,
        needs: SampleNeed::Any,
        source: "the usual baseline of PU learning",
    };

    const CORRECTION: CorrectionUse = CorrectionUse::Refused;

    fn terms<'a>(&self, observed: &'a Observed, _: Option<Prior>) -> Result<Vec<Term<'a>>, Failure> {
        let positives = vec![Rows::all("D_Y", &observed.interest.rows)];
        let negatives = vec![Rows::all("D_U", &observed.unlabeled.rows)];
        Ok(supervised_terms(positives, negatives, self.0.costs))
    }
}
