//! Double PU learning (Kato et al.): the paper's Section III, cost-sensitive.

use crate::learn::{Failure, Observed, Prior, Trained, minimise};
use crate::risk::{Costs, Loss, SignedRisk, Term};
use serde::Serialize;

/// Minimises, over linear `g`,
///
/// ```text
/// c_FN (beta E_Y l(g) - gamma E_L l(g)) + c_FP (E_U l(-g) - beta E_Y l(-g) + gamma E_L l(-g)) + ridge |w|^2
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DoublePu {
    pub loss: Loss,
    pub costs: Costs,
    pub ridge: f64,
}

impl DoublePu {
    pub fn fit(&self, observed: &Observed, prior: Prior) -> Result<Trained, Failure> {
        minimise(&self.risk(observed, prior)?)
    }

    /// What is minimised, as terms over the three samples.
    pub fn risk<'a>(&self, observed: &'a Observed, prior: Prior) -> Result<SignedRisk<'a>, Failure> {
        let (c_fn, c_fp) = (self.costs.false_negative, self.costs.false_positive);
        let (beta, gamma) = (prior.beta(), prior.gamma());
        let terms = vec![
            Term { sample: "D_Y", rows: &observed.interest, positive: c_fn * beta, negative: -c_fp * beta },
            Term { sample: "D_U", rows: &observed.unlabeled, positive: 0.0, negative: c_fp },
            Term { sample: "D_L", rows: &observed.loyal, positive: -c_fn * gamma, negative: c_fp * gamma },
        ];
        Ok(SignedRisk::new(self.loss, self.ridge, terms)?)
    }

    pub fn options(&self) -> Vec<(&'static str, String)> {
        vec![
            ("loss", self.loss.name().to_string()),
            ("costs", self.costs.to_string()),
            ("ridge", self.ridge.to_string()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::NaivePu;
    use crate::matrix::Design;
    use crate::optim::Objective;

    fn observed() -> Observed {
        let sample = |xs: &[f64]| Design::dense(vec!["x".into()], &xs.iter().map(|x| vec![*x]).collect::<Vec<_>>());
        Observed {
            interest: sample(&[1.0, 0.4, -0.7]),
            unlabeled: sample(&[-1.0, 0.2, 0.6, -1.5, 2.0]),
            loyal: sample(&[1.5, 0.9]),
        }
    }

    #[test]
    fn the_risk_is_the_papers_cost_sensitive_one() {
        let (w, b) = (0.8, -0.3);
        let mean = |xs: &[f64], sign: f64| -> f64 {
            xs.iter().map(|x| (1.0 + (-sign * (w * x + b)).exp()).ln()).sum::<f64>() / xs.len() as f64
        };
        let (y, u, l) = (&[1.0, 0.4, -0.7][..], &[-1.0, 0.2, 0.6, -1.5, 2.0][..], &[1.5, 0.9][..]);
        let (beta, gamma, c_fn, c_fp) = (0.45, 0.2, 3.0, 0.5);
        let expected = c_fn * (beta * mean(y, 1.0) - gamma * mean(l, 1.0))
            + c_fp * (mean(u, -1.0) - beta * mean(y, -1.0) + gamma * mean(l, -1.0))
            + 0.1 * w * w;

        let observed = observed();
        let costs = Costs { false_negative: c_fn, false_positive: c_fp };
        let method = DoublePu { loss: Loss::Logistic, costs, ridge: 0.1 };
        let risk = method.risk(&observed, Prior::new(beta, gamma).unwrap()).unwrap();
        assert!((risk.value_and_gradient(&[w, b], &mut [0.0; 2]) - expected).abs() < 1e-12);
    }

    #[test]
    fn without_loyal_buyers_it_is_naive_pu() {
        let (loss, costs, ridge) = (Loss::Logistic, Costs { false_negative: 1.0, false_positive: 2.0 }, 0.1);
        let weights = |trained: Trained| trained.model.weights().map(<[f64]>::to_vec).unwrap();
        let double = DoublePu { loss, costs, ridge }.fit(&observed(), Prior::new(0.45, 0.0).unwrap()).unwrap();
        let naive = NaivePu { loss, costs, ridge }.fit(&observed(), Prior::new(0.45, 0.2).unwrap()).unwrap();
        assert_eq!(weights(double), weights(naive));
    }
}
