//! Unbiased PU learning for Y (du Plessis, Niu and Sugiyama, 2015): what one would do without knowing of loyalty.

use crate::learn::{DoublePu, Failure, Observed, Prior, Trained};
use crate::risk::{Costs, Loss};
use serde::Serialize;

/// Double PU learning with `gamma = 0`: D_L is not used.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NaivePu {
    pub loss: Loss,
    pub costs: Costs,
    pub ridge: f64,
}

impl NaivePu {
    pub fn fit(&self, observed: &Observed, prior: Prior) -> Result<Trained, Failure> {
        self.as_double_pu().fit(observed, prior.without_gamma())
    }

    fn as_double_pu(&self) -> DoublePu {
        DoublePu { loss: self.loss, costs: self.costs, ridge: self.ridge }
    }

    pub fn options(&self) -> Vec<(&'static str, String)> {
        self.as_double_pu().options()
    }
}
