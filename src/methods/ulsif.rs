//! The worked example of docs/contributing.md: least-squares density ratios (uLSIF; Kanamori, Hido and Sugiyama, 2009).

use crate::learn::{
    Card, Failure, FailureKind, Learner, LinearModel, Link, PriorUse, Sample, SampleNeed, Trained, Training,
};
use crate::math::bounds::Ridge;
use crate::math::risk::{Costs, EmptySample, Loss};

crate::options! {
    /// The score is `2 p - 1` with
    ///
    /// ```text
    /// p  = beta r1 - gamma r2, an estimate of p(w = +1 | x)
    /// r1 = an estimate of p(x | y = +1) / p(x)             linear, with weights (E_U x x' + ridge)^-1 E_Y x
    /// r2 = an estimate of p(x | y = +1, z = +1) / p(x)     linear, with weights (E_U x x' + ridge)^-1 E_L x
    /// ```
    pub struct Ulsif {
        /// The factor of |w|^2.
        ridge: Ridge = Ridge::DEFAULT,
    }
    card: Card {
        name: "ulsif",
        what: "beta r1 - gamma r2, by two least-squares density ratios in closed form",
        samples: "D_Y, D_U, D_L",
        prior: PriorUse::BetaAndGamma,
        needs: SampleNeed::Any,
        source: "Kanamori, Hido and Sugiyama (2009)",
    }
}

impl Learner for Ulsif {
    fn fit(&self, training: &Training) -> Result<Trained, Failure> {
        let (prior, observed) = (training.needed_prior()?, training.observed);
        let rows = &observed.unlabeled.rows;
        let system = rows.gram().plus_diagonal(self.ridge.value(), &[1.0].repeat(rows.width()));
        let singular = || Failure { kind: FailureKind::Indefinite, reason: "D_U is singular".to_string() };
        let factor = system.cholesky().ok_or_else(singular)?;
        let ratio = |name: &'static str, sample: &Sample| match sample.rows.rows() {
            0 => Err(Failure::from(EmptySample { sample: name })),
            _ => Ok(factor.solve(&sample.rows.moments().means)),
        };
        let both = ratio("D_Y", &observed.interest)?.into_iter().zip(ratio("D_L", &observed.loyal)?);
        let mut weights: Vec<f64> = both.map(|(r1, r2)| 2.0 * (prior.beta() * r1 - prior.gamma() * r2)).collect();
        weights[rows.width()] -= 1.0;
        let link = Link::of_margin(Loss::Squared, Costs::UNIT);
        Ok(Trained::direct(Box::new(LinearModel { weights }), link))
    }
}
