//! Unbiased PU learning (du Plessis, Niu and Sugiyama, 2015) for W, on the buyers that are not known to be loyal.

use crate::learn::{Card, Failure, Observed, Prior, PriorUse, SampleNeed, SignedMethod, pu_terms};
use crate::math::risk::{Rows, Term};
use std::collections::BTreeSet;

crate::risk_method! {
    /// Minimises, with `alpha = beta - gamma = p(w = +1)` and D the rows of D_Y that are not in D_L,
    ///
    /// ```text
    /// c_FN alpha E_D l(g) + c_FP (E_U l(-g) - alpha E_D l(-g)) + ridge |w|^2
    /// ```
    ///
    /// The risk is unbiased where every loyal buyer in D_Y is also in D_L.
    pub struct SetDifferencePu
}

impl SignedMethod for SetDifferencePu {
    const CARD: Card = Card {
        name: "set_difference_pu",
        what: "unbiased PU learning on D_Y without D_L, only where D_L is a subset of D_Y",
        samples: "D_Y without D_L, D_U",
        prior: PriorUse::BetaAndGamma,
        needs: SampleNeed::LoyalWithinInterest,
        source: "du Plessis, Niu and Sugiyama (2015)",
    };

    fn terms<'a>(&self, observed: &'a Observed, prior: Option<Prior>) -> Result<Vec<Term<'a>>, Failure> {
        let loyal: BTreeSet<usize> = observed.loyal.people.iter().copied().collect();
        let buyers = observed.interest.people.iter().enumerate();
        let others = buyers.filter(|(_, person)| !loyal.contains(person)).map(|(row, _)| row).collect();
        let positives = Rows::some("D_Y", &observed.interest.rows, others);
        Ok(pu_terms(positives, &observed.unlabeled.rows, Prior::needed(prior)?.alpha(), self.0.costs))
    }
}
