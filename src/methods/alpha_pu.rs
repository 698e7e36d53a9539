//! Unbiased PU learning (du Plessis, Niu and Sugiyama, 2015) told the prior of W in place of that of Y: an ablation.

use crate::learn::{Card, Failure, Observed, Prior, PriorUse, SampleNeed, SignedMethod, pu_terms};
use crate::math::risk::{Rows, Term};

crate::risk_method! {
    /// Takes all of D_Y for potential customers, of whom the crowd holds the share `alpha = beta - gamma`. The share is
    /// right and the sample is not; D_L is not used.
    pub struct AlphaPu
}

impl SignedMethod for AlphaPu {
    const CARD: Card = Card {
        name: "alpha_pu",
        what: "an ablation: unbiased PU learning on all of D_Y, told p(w = +1) = beta - gamma",
        samples: "D_Y, D_U",
        prior: PriorUse::BetaAndGamma,
        needs: SampleNeed::Any,
        source: "du Plessis, Niu and Sugiyama (2015)",
    };

    fn terms<'a>(&self, observed: &'a Observed, prior: Option<Prior>) -> Result<Vec<Term<'a>>, Failure> {
        let positives = Rows::all("D_Y", &observed.interest.rows);
        Ok(pu_terms(positives, &observed.unlabeled.rows, Prior::needed(prior)?.alpha(), self.0.costs))
    }
}
