//! Buyers against the crowd and the loyal buyers, as if both were all negative.

use crate::learn::{
    Card, Failure, Observed, Prior, PriorUse, SampleNeed, SignedMethod, refuse_correction, supervised_terms,
};
use crate::math::risk::{Rows, Term};
use crate::mistake::Mistake;

crate::risk_method! {
    /// Supervised learning with D_Y as positive and D_U and D_L as negative, each row weighing the same.
    pub struct BiasedPnLoyal
}

impl SignedMethod for BiasedPnLoyal {
    const CARD: Card = Card {
        name: "biased_pn_loyal",
        what: "supervised: D_Y as positive, D_U and D_L as negative",
        samples: "D_Y, D_U, D_L",
        prior: PriorUse::None,
        needs: SampleNeed::Any,
        source: "the usual baseline, with loyal buyers as negatives",
    };

    fn check_correction(&self) -> Result<(), Mistake> {
        refuse_correction(&self.0)
    }

    fn terms<'a>(&self, observed: &'a Observed, _: Option<Prior>) -> Result<Vec<Term<'a>>, Failure> {
        let positives = vec![Rows::all("D_Y", &observed.interest.rows)];
        let negatives = vec![Rows::all("D_U", &observed.unlabeled.rows), Rows::all("D_L", &observed.loyal.rows)];
        Ok(supervised_terms(positives, negatives, self.0.costs))
    }
}
