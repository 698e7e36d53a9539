//! Bagging for PU learning (Mordelet and Vert, 2014): many small samples of the crowd, each taken for negative.

use crate::learn::params::{Learner, ParamError, Params, count_problem, ridge_problem};
use crate::learn::record::Form;
use crate::learn::signed::{DEFAULT_RIDGE, supervised_terms};
use crate::learn::solve::{Optimizer, solve};
use crate::learn::{Failure, Fit, LinearModel, Trained, Training};
use crate::math::risk::{Correction, Costs, Linear, Loss, Rows, SignedRisk};
use rand::RngExt;
use serde::{Deserialize, Serialize};

/// The mean over bags of logistic regressions of D_Y against a bag: people of D_U, drawn with replacement, as many as
/// D_Y has. The mean of linear functions is one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BaggingPu {
    bags: u32,
    ridge: f64,
}

impl BaggingPu {
    pub fn params() -> Params<Self> {
        Params(BaggingPu { bags: 30, ridge: DEFAULT_RIDGE })
    }

    pub fn fit(&self, training: &Training) -> Result<Trained, Failure> {
        let (interest, crowd) = (&training.observed.interest.rows, &training.observed.unlabeled.rows);
        let mut random = training.stream("bagging_pu");
        let (mut fits, mut risks) = (Vec::new(), Vec::new());
        let mut sum = vec![0.0; crowd.width() + 1];
        for _ in 0..self.bags {
            let bag = if crowd.rows() == 0 { 0 } else { interest.rows() };
            let bag = (0..bag).map(|_| random.random_range(0..crowd.rows())).collect();
            let negatives = vec![Rows::some("D_U", crowd, bag)];
            let terms = supervised_terms(vec![Rows::all("D_Y", interest)], negatives, Costs::UNIT);
            let linear = Linear { width: crowd.width() };
            let risk = SignedRisk::new(linear, Loss::Logistic, Correction::None, self.ridge, terms)?;
            let solved = solve(&risk, Optimizer::Auto, Form::Linear, training)?;
            sum.iter_mut().zip(&solved.weights).for_each(|(sum, weight)| *sum += weight / f64::from(self.bags));
            fits.push(solved.fit);
            risks.push(solved.record);
        }
        let fit = Fit::of_several(&fits.iter().collect::<Vec<_>>());
        // A bag is as large as D_Y, however rare interest is: the scores rank people and no more.
        Ok(Trained { model: Box::new(LinearModel { weights: sum }), link: None, fit, risks, history: Vec::new() })
    }

    pub fn texts(&self) -> Vec<(&'static str, String)> {
        vec![("bags", self.bags.to_string()), ("ridge", self.ridge.to_string())]
    }
}

impl Params<BaggingPu> {
    pub fn bags(mut self, bags: u32) -> Self {
        self.0.bags = bags;
        self
    }

    pub fn ridge(mut self, ridge: f64) -> Self {
        self.0.ridge = ridge;
        self
    }
}

impl Learner for BaggingPu {
    fn problem(&self) -> Option<ParamError> {
        count_problem("bags", self.bags, 10_000).or_else(|| ridge_problem(self.ridge))
    }
}
