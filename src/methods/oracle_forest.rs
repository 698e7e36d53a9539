//! A random forest (smartcore) on the true W of the whole training set: all labels, and a model that is not linear.

use crate::learn::{
    Card, Failure, FailureKind, Link, Oracle, OracleLearner, PriorUse, Probabilities, SampleNeed, Trained,
};
use crate::math::bounds::Count;
use crate::math::matrix::Design;
use crate::sample::Stream;
use rand::Rng;
use smartcore::ensemble::random_forest_regressor::{RandomForestRegressor, RandomForestRegressorParameters};
use smartcore::linalg::basic::matrix::DenseMatrix;

crate::options! {
    /// A forest of regression trees on W coded as 0 and 1. The score is the mean over trees. Each split considers a random
    /// subset of the columns, of the size of the square root of their number.
    pub struct OracleForest {
        /// The number of trees.
        trees: Count<10_000> = Count::constant::<50>(),
        /// The smallest number of rows in a leaf.
        min_leaf: Count<1_000_000> = Count::constant::<5>(),
    }
    card: Card {
        name: "oracle_forest",
        what: "a random forest on the true W of the whole training set",
        samples: "all training rows, with W",
        prior: PriorUse::None,
        needs: SampleNeed::Any,
        source: "supervised learning, for comparison; the forest is that of smartcore",
    }
}

type Forest = RandomForestRegressor<f64, f64, DenseMatrix<f64>, Vec<f64>>;

impl OracleLearner for OracleForest {
    fn fit(&self, oracle: &Oracle, mut random: Stream) -> Result<Trained, Failure> {
        let labelled = &*oracle.train;
        let failed = |reason: String| Failure { kind: FailureKind::ForeignSolver, reason };
        let parameters = RandomForestRegressorParameters::default()
            .with_n_trees(self.trees.get() as usize)
            .with_min_samples_leaf(self.min_leaf.get() as usize)
            .with_m(labelled.rows.width().isqrt().max(1))
            .with_seed(random.next_u64());
        let truth: Vec<f64> = labelled.truth.iter().map(|w| f64::from(u8::from(*w))).collect();
        let forest = dense(&labelled.rows)
            .and_then(|rows| Forest::fit(&rows, &truth, parameters))
            .map_err(|error| failed(format!("smartcore: {error}")))?;
        // Only a bug can make this fail. The ranking refuses scores that are not finite.
        let scores = move |rows: &Design| {
            dense(rows).and_then(|rows| forest.predict(&rows)).unwrap_or_else(|_| vec![f64::NAN; rows.rows()])
        };
        Ok(Trained::direct(Box::new(Probabilities(scores)), Some(Link::Probability)))
    }
}

fn dense(rows: &Design) -> Result<DenseMatrix<f64>, smartcore::error::Failed> {
    DenseMatrix::new(rows.rows(), rows.width(), rows.to_dense(), false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::Labelled;
    use crate::sample::stream;
    use crate::math::metric::{Group, Ranking};

    #[test]
    fn learns_what_no_line_can_tell_apart_and_repeats_itself() {
        // W = +1 where the signs differ.
        let rows: Vec<Vec<f64>> = (0..400).map(|i| vec![f64::from(i % 20) - 9.5, f64::from(i / 20) - 9.5]).collect();
        let truth: Vec<bool> = rows.iter().map(|row| row[0] * row[1] < 0.0).collect();
        let design = Design::dense(vec!["a".into(), "b".into()], &rows);
        let labelled = || Labelled { rows: design.clone(), truth: truth.clone() };
        let forest = OracleForest { trees: Count::constant::<20>(), ..OracleForest::default() };
        let scores = |seed: u32| {
            let random = stream(&["forest test", &seed.to_string()]);
            forest.fit(&Oracle::new(labelled, labelled), random).unwrap().predict(&design)
        };
        let truth: Vec<Group> = truth.iter().map(|w| Group::of(*w, false)).collect();
        assert!(Ranking::new(&scores(1), &truth).unwrap().roc_auc() > 0.95);
        assert_eq!(scores(1), scores(1));
        assert_ne!(scores(1), scores(2));
    }
}
