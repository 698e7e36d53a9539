//! Logistic regression on the true W of the whole training part, by linfa-logistic: what full labels would give.

use crate::learn::{Failure, FailureKind, Fit, Labelled, LinearModel, Trained};
use crate::matrix::Design;
use crate::optim::{Boundedness, Ending, Objective};
use crate::risk::{Loss, SignedRisk, Term};
use linfa::Dataset;
use linfa::traits::Fit as _;
use linfa_logistic::LogisticRegression;
use ndarray::{Array1, Array2};
use serde::Serialize;

/// linfa stops when the gradient of the mean loss is this small.
const TOLERANCE: f64 = 1e-6;
const MAX_ITERATIONS: u64 = 1000;

/// Minimises `mean log(1 + exp(-w g)) + ridge |w|^2` over the labelled rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OracleLogistic {
    pub ridge: f64,
}

impl OracleLogistic {
    pub fn fit(&self, labelled: &Labelled) -> Result<Trained, Failure> {
        let weights = self.weights_by_linfa(labelled)?;
        let positives = by_truth(labelled, true);
        let negatives = by_truth(labelled, false);
        let risk = self.risk(&positives, &negatives)?;
        // linfa does not tell how it ended: the gradient where it stopped does.
        let mut gradient = vec![0.0; weights.len()];
        let objective = risk.value_and_gradient(&weights, &mut gradient);
        let largest = gradient.iter().fold(0.0, |largest: f64, entry| entry.abs().max(largest));
        let ending = if largest <= TOLERANCE { Ending::Converged } else { Ending::Stalled };
        let fit = Fit {
            ending,
            iterations: None,
            objective: Some(objective),
            gradient_norm: Some(largest),
            convex: Some(true),
            bounded: Some(Boundedness::Bounded),
        };
        Ok(Trained { model: Box::new(LinearModel { weights }), fit })
    }

    /// The same problem as a signed risk: supervised learning is one with two terms.
    fn risk<'a>(&self, positives: &'a Design, negatives: &'a Design) -> Result<SignedRisk<'a>, Failure> {
        let rows = (positives.rows() + negatives.rows()) as f64;
        let terms = vec![
            Term {
                sample: "the W = +1 rows",
                rows: positives,
                positive: positives.rows() as f64 / rows,
                negative: 0.0,
            },
            Term {
                sample: "the W = -1 rows",
                rows: negatives,
                positive: 0.0,
                negative: negatives.rows() as f64 / rows,
            },
        ];
        Ok(SignedRisk::new(Loss::Logistic, self.ridge, terms)?)
    }

    fn weights_by_linfa(&self, Labelled { rows, truth }: &Labelled) -> Result<Vec<f64>, Failure> {
        let failed = |reason: String| Failure { kind: FailureKind::ForeignSolver, reason };
        if truth.iter().all(|w| *w) || !truth.contains(&true) {
            let reason = "the training part holds a single class, so there is nothing to tell apart".to_string();
            return Err(Failure { kind: FailureKind::SingleClass, reason });
        }
        let count = rows.rows() as f64;
        let matrix = Array2::from_shape_vec((rows.rows(), rows.width()), rows.to_dense())
            .map_err(|error| failed(error.to_string()))?;
        let model = LogisticRegression::default()
            // linfa sums losses and halves the penalty.
            .alpha(2.0 * self.ridge * count)
            .gradient_tolerance(TOLERANCE * count)
            .max_iterations(MAX_ITERATIONS)
            .fit(&Dataset::new(matrix, Array1::from(truth.clone())))
            .map_err(|error| failed(format!("linfa-logistic: {error}")))?;
        // linfa takes the larger class as positive.
        let sign = if model.labels().pos.class { 1.0 } else { -1.0 };
        let mut weights: Vec<f64> = model.params().iter().map(|weight| sign * weight).collect();
        weights.push(sign * model.intercept());
        Ok(weights)
    }

    pub fn options(&self) -> Vec<(&'static str, String)> {
        vec![("ridge", self.ridge.to_string())]
    }
}

fn by_truth(labelled: &Labelled, class: bool) -> Design {
    let rows: Vec<usize> = (0..labelled.truth.len()).filter(|row| labelled.truth[*row] == class).collect();
    labelled.rows.select(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optim::minimise;
    use crate::sample::stream;
    use rand::RngExt;

    /// Rows with W = +1 more likely the larger x is; `positives` decides which class is the larger one.
    fn labelled(shift: f64) -> Labelled {
        let mut random = stream(&["oracle test"]);
        let rows: Vec<Vec<f64>> =
            (0..400).map(|_| vec![4.0 * random.random::<f64>() - 2.0, random.random::<f64>()]).collect();
        let truth = rows.iter().map(|row| row[0] + shift > 2.0 * random.random::<f64>() - 1.0).collect();
        Labelled { rows: Design::dense(vec!["x".into(), "noise".into()], &rows), truth }
    }

    #[test]
    fn linfa_and_the_signed_risk_find_the_same_minimum_whichever_class_is_larger() {
        for shift in [-1.0, 1.0] {
            let labelled = labelled(shift);
            let oracle = OracleLogistic { ridge: 0.01 };
            let trained = oracle.fit(&labelled).unwrap();
            assert_eq!(trained.fit.ending, Ending::Converged);
            let (positives, negatives) = (by_truth(&labelled, true), by_truth(&labelled, false));
            assert_eq!(positives.rows() > negatives.rows(), shift > 0.0);
            let own = minimise(&oracle.risk(&positives, &negatives).unwrap());
            for (linfa, own) in trained.model.weights().unwrap().iter().zip(&own.weights) {
                assert!((linfa - own).abs() < 1e-4, "{linfa} and {own}");
            }
            assert!(trained.model.weights().unwrap()[0] > 0.5);
        }
    }

    #[test]
    fn coefficients_match_scikit_learn() {
        // scikit-learn 1.9.1: x = [0, 1, 2, 3, 4, 5], y = [0, 0, 1, 0, 1, 1];
        // LogisticRegression(C=1 / (2 * 0.05 * 6), tol=1e-12) gives coef_ and intercept_ below.
        let rows: Vec<Vec<f64>> = (0..6).map(|x| vec![f64::from(x)]).collect();
        let truth = vec![false, false, true, false, true, true];
        let labelled = Labelled { rows: Design::dense(vec!["x".into()], &rows), truth };
        let trained = OracleLogistic { ridge: 0.05 }.fit(&labelled).unwrap();
        let weights = trained.model.weights().unwrap();
        assert!((weights[0] - 0.87805191).abs() < 1e-4 && (weights[1] + 2.19512977).abs() < 1e-4, "{weights:?}");
    }

    #[test]
    fn a_single_class_is_a_named_failure() {
        let mut labelled = labelled(0.0);
        labelled.truth.fill(true);
        let failure = OracleLogistic { ridge: 0.01 }.fit(&labelled).err().unwrap();
        assert_eq!(failure.kind, FailureKind::SingleClass);
    }
}
