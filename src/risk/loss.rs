//! Surrogate losses `l(z)` of the margin `z`: small where `z` is large and positive.
//!
//! Exponentials and logarithms are libm's and not the platform's, so that every machine gets the same bits.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A surrogate for the zero-one loss (Table I of the paper).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// `log(1 + exp(-z))`
    #[default]
    Logistic,
    /// `(z - 1)^2`
    Squared,
}

impl Loss {
    pub fn name(self) -> &'static str {
        match self {
            Loss::Logistic => "logistic",
            Loss::Squared => "squared",
        }
    }

    /// `l(z)`
    pub fn value(self, z: f64) -> f64 {
        match self {
            // Written so that neither branch overflows.
            Loss::Logistic => libm::log1p(libm::exp(-z.abs())) + (-z).max(0.0),
            Loss::Squared => (z - 1.0).powi(2),
        }
    }

    /// `l'(z)`
    pub fn slope(self, z: f64) -> f64 {
        match self {
            Loss::Logistic => -sigmoid(-z),
            Loss::Squared => 2.0 * (z - 1.0),
        }
    }

    /// `l''(z)`, never negative: both losses are convex.
    pub fn curvature(self, z: f64) -> f64 {
        match self {
            Loss::Logistic => {
                let p = sigmoid(-z.abs());
                p * (1.0 - p)
            }
            Loss::Squared => 2.0,
        }
    }

    /// The largest value of `l''`.
    pub fn largest_curvature(self) -> f64 {
        match self {
            Loss::Logistic => 0.25,
            Loss::Squared => 2.0,
        }
    }

    /// Whether the second derivative is the same everywhere, so that one linear system gives the minimum.
    pub fn is_quadratic(self) -> bool {
        self == Loss::Squared
    }
}

fn sigmoid(z: f64) -> f64 {
    if z >= 0.0 {
        1.0 / (1.0 + libm::exp(-z))
    } else {
        let e = libm::exp(z);
        e / (1.0 + e)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOSSES: [Loss; 2] = [Loss::Logistic, Loss::Squared];

    #[test]
    fn slope_and_curvature_match_central_differences() {
        let h = 1e-5;
        for loss in LOSSES {
            for z in [-20.0, -3.0, -0.4, 0.0, 0.7, 2.5, 20.0] {
                let slope = (loss.value(z + h) - loss.value(z - h)) / (2.0 * h);
                let curvature = (loss.slope(z + h) - loss.slope(z - h)) / (2.0 * h);
                assert!((slope - loss.slope(z)).abs() < 1e-6, "{loss:?} at {z}");
                assert!((curvature - loss.curvature(z)).abs() < 1e-6, "{loss:?} at {z}");
            }
        }
    }

    #[test]
    fn logistic_loss_agrees_with_its_formula_and_stays_finite_far_out() {
        for z in [-5.0f64, -1.0, 0.0, 1.0, 5.0] {
            assert!((Loss::Logistic.value(z) - (1.0 + (-z).exp()).ln()).abs() < 1e-12);
        }
        assert_eq!(Loss::Logistic.value(-1e6), 1e6);
        assert_eq!(Loss::Logistic.value(1e6), 0.0);
    }
}
