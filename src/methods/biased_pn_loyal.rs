//! Buyers against the unlabelled sample and the loyal buyers, all of which count as negative.

use crate::learn::{
    Card, CorrectionUse, Failure, Observed, Prior, PriorUse, SampleNeed, SignedMethod, supervised_terms,
};
use crate::math::risk::{Rows, Term};

crate::risk_method! {
    /// Minimises, with n the number of rows of a sample,
    ///
    /// ```text
    /// (c_FN n_Y E_Y l(g) + c_FP (n_U E_U l(-g) + n_L E_L l(-g))) / (n_Y + n_U + n_L) + ridge |w|^2
    /// ```
    ///
    /// This is supervised learning with D_Y as positive and D_U and D_L as negative. Every row has the same weight.
    pub struct BiasedPnLoyal
}

impl SignedMethod for BiasedPnLoyal {
    const CARD: Card = Card {
        name: "biased_pn_loyal",
        what: "supervised learning with D_Y as positive, and D_U and D_L as negative",
        samples: "D_Y, D_U, D_L",
        prior: PriorUse::None,
        needs: SampleNeed::Any,
        source: "the usual baseline of PU learning, with loyal buyers as negatives",
    };

    const CORRECTION: CorrectionUse = CorrectionUse::Refused;

    fn terms<'a>(&self, observed: &'a Observed, _: Option<Prior>) -> Result<Vec<Term<'a>>, Failure> {
        let positives = vec![Rows::all("D_Y", &observed.interest.rows)];
        let negatives = vec![Rows::all("D_U", &observed.unlabeled.rows), Rows::all("D_L", &observed.loyal.rows)];
        Ok(supervised_terms(positives, negatives, self.0.costs))
    }
}
