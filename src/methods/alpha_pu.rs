//! Unbiased PU learning (du Plessis, Niu and Sugiyama, 2015) with the prior of W in place of the prior of Y: an ablation.

use crate::learn::{Card, Failure, Observed, Prior, PriorUse, SampleNeed, SignedMethod, pu_terms};
use crate::math::risk::{Rows, Term};

crate::risk_method! {
    /// Minimises, with `alpha = beta - gamma = p(w = +1)`,
    ///
    /// ```text
    /// c_FN alpha E_Y l(g) + c_FP (E_U l(-g) - alpha E_Y l(-g)) + ridge |w|^2
    /// ```
    ///
    /// This is `naive_pu` with alpha in place of beta. The prior is that of W, but D_Y also contains loyal buyers, so the
    /// risk is biased. D_L is not used.
    pub struct AlphaPu
}

impl SignedMethod for AlphaPu {
    const CARD: Card = Card {
        name: "alpha_pu",
        what: "an ablation: unbiased PU learning on all of D_Y with the prior p(w = +1) = beta - gamma",
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
