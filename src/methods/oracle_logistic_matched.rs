//! Logistic regression on the true labels of the unlabelled sample: what labels are worth for the same number of rows.

use crate::learn::{Card, Failure, Oracle, OracleLearner, PriorUse, SampleNeed, Trained};
use crate::math::bounds::Ridge;
use crate::methods::oracle_logistic::fit;
use crate::sample::Stream;

crate::options! {
    /// `oracle_logistic` on the rows of D_U instead of the whole training set. The comparison with the other methods shows
    /// what the labels of these rows are worth.
    pub struct OracleLogisticMatched {
        /// The factor of |w|^2.
        ridge: Ridge = Ridge::DEFAULT,
    }
    card: Card {
        name: "oracle_logistic_matched",
        what: "logistic regression on the true W of the rows of D_U: what labels alone are worth",
        samples: "D_U, with W",
        prior: PriorUse::None,
        needs: SampleNeed::Any,
        source: "supervised learning, for comparison",
    }
}

impl OracleLearner for OracleLogisticMatched {
    fn fit(&self, oracle: &Oracle, random: Stream) -> Result<Trained, Failure> {
        fit("D_U", &oracle.unlabeled, self.ridge, random)
    }
}
