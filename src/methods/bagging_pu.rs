//! Bagging for PU learning (Mordelet and Vert, 2014): many random bags of the unlabelled sample count as negative in turn.

use crate::learn::{
    Card, Failure, Fit, Form, Learner, LinearModel, Optimizer, PriorUse, SampleNeed, Trained, Training, solve,
    supervised_terms,
};
use crate::math::bounds::{Count, Ridge};
use crate::math::risk::{Correction, Costs, Linear, Loss, Rows, SignedRisk};
use rand::RngExt;

crate::options! {
    /// The score is the mean of g over bags B. A bag is drawn from D_U with replacement and has as many rows as D_Y. The g of
    /// a bag minimises
    ///
    /// ```text
    /// (E_Y log(1 + exp(-g)) + E_B log(1 + exp(g))) / 2 + ridge |w|^2
    /// ```
    pub struct BaggingPu {
        /// The number of bags.
        bags: Count<10_000> = Count::constant::<30>(),
        /// The factor of |w|^2.
        ridge: Ridge = Ridge::DEFAULT,
    }
    card: Card {
        name: "bagging_pu",
        what: "the mean of logistic regressions of D_Y against random bags of D_U, each as large as D_Y",
        samples: "D_Y, D_U",
        prior: PriorUse::None,
        needs: SampleNeed::Any,
        source: "Mordelet and Vert (2014)",
    }
}

impl Learner for BaggingPu {
    fn fit(&self, training: &Training) -> Result<Trained, Failure> {
        let (interest, crowd) = (&training.observed.interest.rows, &training.observed.unlabeled.rows);
        let mut random = training.stream("bagging_pu");
        let (mut fits, mut risks) = (Vec::new(), Vec::new());
        let mut sum = vec![0.0; crowd.width() + 1];
        let bags = self.bags.get();
        for _ in 0..bags {
            let bag = if crowd.rows() == 0 { 0 } else { interest.rows() };
            let bag = (0..bag).map(|_| random.random_range(0..crowd.rows())).collect();
            let negatives = vec![Rows::some("D_U", crowd, bag)];
            let terms = supervised_terms(vec![Rows::all("D_Y", interest)], negatives, Costs::UNIT);
            let linear = Linear { width: crowd.width() };
            let risk = SignedRisk::new(linear, Loss::Logistic, Correction::None, self.ridge.value(), terms)?;
            let solved = solve(&risk, Optimizer::Auto, Form::Linear, training)?;
            sum.iter_mut().zip(&solved.weights).for_each(|(sum, weight)| *sum += weight / f64::from(bags));
            fits.push(solved.fit);
            risks.push(solved.record);
        }
        let fit = Fit::of_several(&fits.iter().collect::<Vec<_>>());
        // A bag is as large as D_Y, however rare interest is. So the scores rank people but give no probability.
        Ok(Trained { model: Box::new(LinearModel { weights: sum }), link: None, fit, risks, history: Vec::new() })
    }
}
