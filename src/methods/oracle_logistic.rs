//! Logistic regression on true labels, to compare the other methods with.

use crate::learn::{
    Card, Failure, FailureKind, Form, Labelled, LinearModel, Link, Optimizer, Oracle, OracleLearner, PriorUse, SampleNeed,
    Trained, solve_alone, supervised_terms,
};
use crate::math::bounds::Ridge;
use crate::math::risk::{Correction, Costs, Linear, Loss, Rows, SignedRisk};
use crate::sample::Stream;

crate::options! {
    /// Minimises, over all rows of the training set and their true W,
    ///
    /// ```text
    /// mean of log(1 + exp(-W g)) + ridge |w|^2
    /// ```
    ///
    /// The ridge is not tuned, so this is no upper bound: a method without labels can score higher.
    pub struct OracleLogistic {
        /// The factor of |w|^2.
        ridge: Ridge = Ridge::DEFAULT,
    }
    card: Card {
        name: "oracle_logistic",
        what: "logistic regression on the true W of the whole training set",
        samples: "all training rows, with W",
        prior: PriorUse::None,
        needs: SampleNeed::Any,
        source: "supervised learning, for comparison",
    }
}

impl OracleLearner for OracleLogistic {
    fn fit(&self, oracle: &Oracle, random: Stream) -> Result<Trained, Failure> {
        fit("train", &oracle.train, self.ridge, random)
    }
}

/// `random` is for random starts, which a convex risk does not need.
pub(super) fn fit(
    sample: &'static str,
    labelled: &Labelled,
    ridge: Ridge,
    random: Stream,
) -> Result<Trained, Failure> {
    let risk = risk(sample, labelled, ridge.value())?;
    let solved = solve_alone(&risk, Optimizer::Auto, Form::Linear, random)?;
    let link = Link::of_margin(Loss::Logistic, Costs::UNIT);
    Ok(solved.trained(link, |weights| Box::new(LinearModel { weights })))
}

/// Supervised learning as a signed risk with two terms.
fn risk(sample: &'static str, labelled: &Labelled, ridge: f64) -> Result<SignedRisk<'static>, Failure> {
    let of_class = |class: bool| {
        let rows = (0..labelled.truth.len()).filter(|row| labelled.truth[*row] == class).collect();
        vec![Rows::some(sample, &labelled.rows, rows)]
    };
    let terms = supervised_terms(of_class(true), of_class(false), Costs::UNIT);
    let linear = Linear { width: labelled.rows.width() };
    if labelled.truth.iter().all(|w| *w) || !labelled.truth.contains(&true) {
        let reason = "the labelled rows hold a single class, so there is nothing to tell apart".to_string();
        return Err(Failure { kind: FailureKind::SingleClass, reason });
    }
    Ok(SignedRisk::new(linear, Loss::Logistic, Correction::None, ridge, terms)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::matrix::Design;
    use crate::math::optim::{Ending, newton};
    use crate::sample::stream;
    use linfa::Dataset;
    use linfa::traits::Fit as _;
    use linfa_logistic::LogisticRegression;
    use ndarray::{Array1, Array2};
    use rand::RngExt;

    /// The same minimum by linfa-logistic, an independent implementation.
    fn weights_by_linfa(Labelled { rows, truth }: &Labelled, ridge: f64) -> Vec<f64> {
        let count = rows.rows() as f64;
        let matrix = Array2::from_shape_vec((rows.rows(), rows.width()), rows.to_dense()).unwrap();
        let model = LogisticRegression::default()
            // linfa sums losses and halves the penalty.
            .alpha(2.0 * ridge * count)
            .gradient_tolerance(1e-6 * count)
            .fit(&Dataset::new(matrix, Array1::from(truth.clone())))
            .unwrap();
        // linfa takes the larger class as positive.
        let sign = if model.labels().pos.class { 1.0 } else { -1.0 };
        let mut weights: Vec<f64> = model.params().iter().map(|weight| sign * weight).collect();
        weights.push(sign * model.intercept());
        weights
    }

    fn fitted(labelled: &Labelled, ridge: f64) -> Result<Trained, Failure> {
        fit("train", labelled, Ridge::new(ridge).unwrap(), stream(&["oracle test", "starts"]))
    }

    /// Rows with W = +1 more likely the larger x is; `shift` decides which class is the larger one.
    fn labelled(shift: f64) -> Labelled {
        let mut random = stream(&["oracle test"]);
        let rows: Vec<Vec<f64>> =
            (0..400).map(|_| vec![4.0 * random.random::<f64>() - 2.0, random.random::<f64>()]).collect();
        let truth = rows.iter().map(|row| row[0] + shift > 2.0 * random.random::<f64>() - 1.0).collect();
        Labelled { rows: Design::dense(vec!["x".into(), "noise".into()], &rows), truth }
    }

    #[test]
    fn linfa_and_newton_find_the_same_minimum_whichever_class_is_larger() {
        for shift in [-1.0, 1.0] {
            let labelled = labelled(shift);
            let positives = labelled.truth.iter().filter(|w| **w).count();
            assert_eq!(positives > labelled.truth.len() - positives, shift > 0.0);
            let linfa = weights_by_linfa(&labelled, 0.01);
            let own = newton(&risk("train", &labelled, 0.01).unwrap(), vec![0.0; 3], 1e-10);
            for (linfa, own) in linfa.iter().zip(&own.weights) {
                assert!((linfa - own).abs() < 1e-4, "{linfa} and {own}");
            }
            let trained = fitted(&labelled, 0.01).unwrap();
            assert_eq!(trained.fit.ending, Ending::Converged);
            for (ours, own) in trained.model.linear_weights().unwrap().iter().zip(&own.weights) {
                assert!((ours - own).abs() < 1e-7, "{ours} and {own}");
            }
            assert!(linfa[0] > 0.5);
        }
    }

    #[test]
    fn coefficients_match_scikit_learn() {
        // scikit-learn 1.9.1: x = [0, 1, 2, 3, 4, 5], y = [0, 0, 1, 0, 1, 1];
        // LogisticRegression(C=1 / (2 * 0.05 * 6), tol=1e-12) gives coef_ and intercept_ below.
        let rows: Vec<Vec<f64>> = (0..6).map(|x| vec![f64::from(x)]).collect();
        let truth = vec![false, false, true, false, true, true];
        let labelled = Labelled { rows: Design::dense(vec!["x".into()], &rows), truth };
        let trained = fitted(&labelled, 0.05).unwrap();
        let weights = trained.model.linear_weights().unwrap();
        assert!((weights[0] - 0.87805191).abs() < 1e-7 && (weights[1] + 2.19512977).abs() < 1e-7, "{weights:?}");
    }

    #[test]
    fn a_single_class_is_a_named_failure() {
        let mut labelled = labelled(0.0);
        labelled.truth.fill(true);
        let failure = fitted(&labelled, 0.01).err().unwrap();
        assert_eq!(failure.kind, FailureKind::SingleClass);
    }
}
