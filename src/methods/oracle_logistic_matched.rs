//! Logistic regression on the true labels of the crowd alone: what labels are worth where rows are as few.

use crate::learn::{Card, Failure, Oracle, OracleLearner, PriorUse, SampleNeed, Trained};
use crate::math::bounds::Ridge;
use crate::methods::oracle_logistic::fit;
use crate::sample::Stream;

crate::options! {
    /// `oracle_logistic` over the people of D_U only: as many rows as the crowd has.
    pub struct OracleLogisticMatched {
        /// The factor of |w|^2.
        ridge: Ridge = Ridge::DEFAULT,
    }
    card: Card {
        name: "oracle_logistic_matched",
        what: "the same on the people of D_U only: what labels alone are worth",
        samples: "D_U, with W",
        prior: PriorUse::None,
        needs: SampleNeed::Any,
        source: "the usual upper bound, with true labels",
    }
}

impl OracleLearner for OracleLogisticMatched {
    fn fit(&self, oracle: &Oracle, random: Stream) -> Result<Trained, Failure> {
        fit("D_U", &oracle.unlabeled, self.ridge, random)
    }
}
