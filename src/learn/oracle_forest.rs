//! A random forest on the true W of the whole training part, by smartcore: what full labels and no linearity would give.

use crate::learn::{Failure, FailureKind, Fit, Labelled, Model, Trained};
use crate::matrix::Design;
use serde::Serialize;
use smartcore::ensemble::random_forest_regressor::{RandomForestRegressor, RandomForestRegressorParameters};
use smartcore::linalg::basic::matrix::DenseMatrix;

/// Regression trees on W as 0 and 1, so that the mean over trees is a score; each split looks at the square root of
/// the number of columns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OracleForest {
    pub trees: u32,
    pub min_leaf: u32,
}

type Forest = RandomForestRegressor<f64, f64, DenseMatrix<f64>, Vec<f64>>;

struct ForestModel(Forest);

impl OracleForest {
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
        Ok(Trained { model: Box::new(ForestModel(forest)), fit: Fit::direct() })
    }

    pub fn options(&self) -> Vec<(&'static str, String)> {
        vec![("trees", self.trees.to_string()), ("min_leaf", self.min_leaf.to_string())]
    }
}

impl Model for ForestModel {
    fn scores(&self, rows: &Design) -> Vec<f64> {
        // A failure here has no reason but a bug; scores that are not finite are refused by the ranking.
        dense(rows).and_then(|rows| self.0.predict(&rows)).unwrap_or_else(|_| vec![f64::NAN; rows.rows()])
    }
}

fn dense(rows: &Design) -> Result<DenseMatrix<f64>, smartcore::error::Failed> {
    DenseMatrix::new(rows.rows(), rows.width(), rows.to_dense(), false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Ranking;

    #[test]
    fn learns_what_no_line_can_tell_apart_and_repeats_itself() {
        // W = +1 where the signs differ.
        let rows: Vec<Vec<f64>> = (0..400).map(|i| vec![f64::from(i % 20) - 9.5, f64::from(i / 20) - 9.5]).collect();
        let truth: Vec<bool> = rows.iter().map(|row| row[0] * row[1] < 0.0).collect();
        let labelled = Labelled { rows: Design::dense(vec!["a".into(), "b".into()], &rows), truth };
        let forest = OracleForest { trees: 20, min_leaf: 5 };
        let scores = |seed| forest.fit(&labelled, seed).unwrap().model.scores(&labelled.rows);
        assert!(Ranking::new(&scores(1), &labelled.truth).unwrap().roc_auc() > 0.95);
        assert_eq!(scores(1), scores(1));
        assert_ne!(scores(1), scores(2));
    }
}
