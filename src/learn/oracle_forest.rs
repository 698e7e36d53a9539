//! A random forest on the true W of the whole training part, by smartcore: what full labels and no linearity would give.

use crate::learn::params::{Learner, ParamError, Params, count_problem};
use crate::learn::{Failure, FailureKind, Labelled, Link, Model, Trained};
use crate::math::matrix::Design;
use serde::{Deserialize, Serialize};
use smartcore::ensemble::random_forest_regressor::{RandomForestRegressor, RandomForestRegressorParameters};
use smartcore::linalg::basic::matrix::DenseMatrix;

/// Regression trees on W as 0 and 1, so that the mean over trees is a score; each split looks at the square root of
/// the number of columns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OracleForest {
    trees: u32,
    min_leaf: u32,
}

type Forest = RandomForestRegressor<f64, f64, DenseMatrix<f64>, Vec<f64>>;

struct ForestModel(Forest);

impl OracleForest {
    pub fn params() -> Params<Self> {
        Params(OracleForest { trees: 50, min_leaf: 5 })
    }

    pub fn fit(&self, labelled: &Labelled, seed: u64) -> Result<Trained, Failure> {
        let failed = |reason: String| Failure { kind: FailureKind::ForeignSolver, reason };
        let parameters = RandomForestRegressorParameters::default()
            .with_n_trees(self.trees as usize)
            .with_min_samples_leaf(self.min_leaf as usize)
            .with_m(labelled.rows.width().isqrt().max(1))
            .with_seed(seed);
        let truth: Vec<f64> = labelled.truth.iter().map(|w| f64::from(u8::from(*w))).collect();
        let forest = dense(&labelled.rows)
            .and_then(|rows| Forest::fit(&rows, &truth, parameters))
            .map_err(|error| failed(format!("smartcore: {error}")))?;
        Ok(Trained::direct(Box::new(ForestModel(forest)), Some(Link::Probability)))
    }

    pub fn texts(&self) -> Vec<(&'static str, String)> {
        vec![("trees", self.trees.to_string()), ("min_leaf", self.min_leaf.to_string())]
    }
}

impl Params<OracleForest> {
    pub fn trees(mut self, trees: u32) -> Self {
        self.0.trees = trees;
        self
    }

    /// The fewest rows in a leaf.
    pub fn min_leaf(mut self, min_leaf: u32) -> Self {
        self.0.min_leaf = min_leaf;
        self
    }
}

impl Learner for OracleForest {
    fn problem(&self) -> Option<ParamError> {
        count_problem("trees", self.trees, 10_000).or_else(|| count_problem("min_leaf", self.min_leaf, 1_000_000))
    }
}

impl Model for ForestModel {
    fn predict(&self, rows: &Design) -> Vec<f64> {
        // A failure here has no reason but a bug; scores that are not finite are refused by the ranking.
        dense(rows).and_then(|rows| self.0.predict(&rows)).unwrap_or_else(|_| vec![f64::NAN; rows.rows()])
    }

    fn threshold(&self) -> f64 {
        0.5
    }
}

fn dense(rows: &Design) -> Result<DenseMatrix<f64>, smartcore::error::Failed> {
    DenseMatrix::new(rows.rows(), rows.width(), rows.to_dense(), false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::metric::{Group, Ranking};

    #[test]
    fn learns_what_no_line_can_tell_apart_and_repeats_itself() {
        // W = +1 where the signs differ.
        let rows: Vec<Vec<f64>> = (0..400).map(|i| vec![f64::from(i % 20) - 9.5, f64::from(i / 20) - 9.5]).collect();
        let truth: Vec<bool> = rows.iter().map(|row| row[0] * row[1] < 0.0).collect();
        let labelled = Labelled { rows: Design::dense(vec!["a".into(), "b".into()], &rows), truth };
        let forest = OracleForest::params().trees(20).check().unwrap();
        let scores = |seed| forest.fit(&labelled, seed).unwrap().predict(&labelled.rows);
        let truth: Vec<Group> = labelled.truth.iter().map(|w| Group::of(*w, false)).collect();
        assert!(Ranking::new(&scores(1), &truth).unwrap().roc_auc() > 0.95);
        assert_eq!(scores(1), scores(1));
        assert_ne!(scores(1), scores(2));
    }
}
