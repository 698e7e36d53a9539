//! Two density ratios: one for interest, and one for loyalty among interested people.
//!
//! The ratios are the odds of probabilistic classifiers between two samples (Sugiyama, Suzuki and Kanamori, *Density
//! Ratio Estimation in Machine Learning*, 2012, chapter 4).

use crate::learn::{
    Card, Failure, Fit, Form, Learner, LinearModel, Link, Model, Observed, Optimizer, Prior, PriorUse, Probabilities, SampleNeed,
    SignedMethod, Solved, Trained, Training, solve,
};
use crate::math::bounds::Ridge;
use crate::math::matrix::Design;
use crate::math::risk::{Correction, Linear, Loss, Rows, SignedRisk, Term, exponentials};
use crate::methods::DoublePu;

crate::options! {
    /// The score is
    ///
    /// ```text
    /// clip(beta r1) * clip(1 - (gamma / beta) r2)      clipped to [0, 1]
    ///
    /// r1 = exp(g1), an estimate of p(x | y = +1) / p(x)
    /// r2 = exp(g2), an estimate of p(x | y = +1, z = +1) / p(x | y = +1)
    /// ```
    ///
    /// g1 is a logistic regression of D_Y against D_U, and g2 one of D_L against D_Y. In each of them, both samples have the
    /// same weight, whatever their sizes:
    ///
    /// ```text
    /// g1 minimises (E_Y log(1 + exp(-g)) + E_U log(1 + exp(g))) / 2 + ridge |w|^2
    /// g2 minimises (E_L log(1 + exp(-g)) + E_Y log(1 + exp(g))) / 2 + ridge |w|^2
    /// ```
    pub struct TwoStage {
        /// The factor of |w|^2, in both regressions.
        ridge: Ridge = Ridge::DEFAULT,
    }
    card: Card {
        name: "two_stage",
        what: "p(y = +1 | x) times p(z = -1 | x, y = +1), by two density ratios",
        samples: "D_Y, D_U, D_L",
        prior: PriorUse::BetaAndGamma,
        needs: SampleNeed::Any,
        source: "density ratios as in Sugiyama, Suzuki and Kanamori (2012)",
    }
}

impl Learner for TwoStage {
    fn fit(&self, training: &Training) -> Result<Trained, Failure> {
        let prior = training.needed_prior()?;
        let observed = training.observed;
        let interest = ("D_Y", &observed.interest.rows);
        let first = self.ratio(interest, ("D_U", &observed.unlabeled.rows), training)?;
        let second = self.ratio(("D_L", &observed.loyal.rows), interest, training)?;
        let fit = Fit::of_several(&[&first.fit, &second.fit]);
        let risks = vec![first.record, second.record];
        let logarithms = [first.weights, second.weights].map(|weights| LinearModel { weights });
        let scores = move |rows: &Design| {
            let [first, second] = logarithms.each_ref().map(|logarithm| {
                let mut ratios = logarithm.predict(rows);
                exponentials(&mut ratios);
                ratios
            });
            let score = |(first, second): (f64, f64)| {
                let interested = (prior.beta() * first).clamp(0.0, 1.0);
                interested * (1.0 - prior.gamma() / prior.beta() * second).clamp(0.0, 1.0)
            };
            first.into_iter().zip(second).map(score).collect()
        };
        let model = Box::new(Probabilities(scores));
        Ok(Trained { model, link: Some(Link::Probability), fit, risks, history: Vec::new() })
    }

    /// The terms of double PU learning, since this method has no risk of W of its own.
    fn judging_terms<'a>(&self, seen: &'a Observed, prior: Option<Prior>) -> Option<Result<Vec<Term<'a>>, Failure>> {
        Some(DoublePu::default().terms(seen, prior))
    }
}

impl TwoStage {
    /// The logarithm of the ratio of two densities. Both samples have the same weight, so it is the log-odds.
    fn ratio(
        &self,
        (above, above_rows): (&'static str, &Design),
        (below, below_rows): (&'static str, &Design),
        training: &Training,
    ) -> Result<Solved, Failure> {
        let terms = vec![
            Term { rows: Rows::all(above, above_rows), positive: 0.5, negative: 0.0, in_crowd: true },
            Term { rows: Rows::all(below, below_rows), positive: 0.0, negative: 0.5, in_crowd: true },
        ];
        let linear = Linear { width: above_rows.width() };
        let risk = SignedRisk::new(linear, Loss::Logistic, Correction::None, self.ridge.value(), terms)?;
        solve(&risk, Optimizer::Auto, Form::Linear, training)
    }
}
