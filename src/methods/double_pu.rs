//! Double PU learning (Kato, Ikeda, Baba, Imai and Inokuchi): Section III of the paper, with costs.

use crate::learn::{Card, Failure, Observed, Prior, PriorUse, SampleNeed, SignedMethod, pu_terms};
use crate::math::risk::{Costs, Rows, Term};

crate::risk_method! {
    /// Minimises
    ///
    /// ```text
    /// c_FN (beta E_Y l(g) - gamma E_L l(g)) + c_FP (E_U l(-g) - beta E_Y l(-g) + gamma E_L l(-g)) + ridge |w|^2
    /// ```
    ///
    /// With expectations in place of means, this is the supervised risk of W, where alpha = beta - gamma:
    ///
    /// ```text
    /// c_FN alpha E[l(g) | w = +1] + c_FP (1 - alpha) E[l(-g) | w = -1] + ridge |w|^2
    /// ```
    pub struct DoublePu
}

impl SignedMethod for DoublePu {
    const CARD: Card = Card {
        name: "double_pu",
        what: "double PU learning: minimises the signed risk of W",
        samples: "D_Y, D_U, D_L",
        prior: PriorUse::BetaAndGamma,
        needs: SampleNeed::Any,
        source: "Kato, Ikeda, Baba, Imai and Inokuchi, Section III",
    };

    fn terms<'a>(&self, observed: &'a Observed, prior: Option<Prior>) -> Result<Vec<Term<'a>>, Failure> {
        let Costs { false_negative, false_positive } = self.0.costs;
        let prior = Prior::needed(prior)?;
        let mut terms =
            pu_terms(Rows::all("D_Y", &observed.interest.rows), &observed.unlabeled.rows, prior.beta(), self.0.costs);
        terms.push(Term {
            rows: Rows::all("D_L", &observed.loyal.rows),
            positive: -false_negative * prior.gamma(),
            negative: false_positive * prior.gamma(),
            in_crowd: false,
        });
        Ok(terms)
    }
}
