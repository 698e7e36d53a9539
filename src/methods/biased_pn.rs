//! Buyers against the crowd, as if the crowd were all negative.

use crate::learn::{
    Card, Failure, Observed, Prior, PriorUse, SampleNeed, SignedMethod, refuse_correction, supervised_terms,
};
use crate::math::risk::{Rows, Term};
use crate::mistake::Mistake;

crate::risk_method! {
    /// Supervised learning with D_Y as positive and D_U as negative, each row weighing the same.
    pub struct BiasedPn
}

impl SignedMethod for BiasedPn {
    const CARD: Card = Card {
        name: "biased_pn",
        what: "supervised: D_Y as positive, D_U as negative",
        samples: "D_Y, D_U",
        prior: PriorUse::None,
        needs: SampleNeed::Any,
        source: "the usual baseline",
    };

    fn check_correction(&self) -> Result<(), Mistake> {
        refuse_correction(&self.0)
    }

    fn terms<'a>(&self, observed: &'a Observed, _: Option<Prior>) -> Result<Vec<Term<'a>>, Failure> {
        let positives = vec![Rows::all("D_Y", &observed.interest.rows)];
        let negatives = vec![Rows::all("D_U", &observed.unlabeled.rows)];
        Ok(supervised_terms(positives, negatives, self.0.costs))
    }
}
