//! Surrogate losses `l(z)` of the margin `z`: small where `z` is large and positive.
//!
//! The hinge and the double hinge have kinks, at which Newton's method and the stopping criterion would fail. Therefore
//! their kinks are rounded: the loss is replaced by its mean over an interval of half width [`ROUNDING`] around `z`.
//! Farther than that from a kink, the mean equals the loss; at a kink, it is at most `ROUNDING / 4` higher. Rounding
//! preserves `l(z) - l(-z)` where that is linear, and so keeps the double hinge convex under unit costs.
//!
//! Exponentials and logarithms come from libm and not from the platform, so that every machine gets the same bits.

use crate::math::square;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{EnumCount, IntoStaticStr, VariantArray};

/// The half width of the interval in which a kink is rounded.
pub const ROUNDING: f64 = 0.1;

/// The loss l(z) of the margin z, a surrogate for the zero-one loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[derive(strum::Display, EnumCount, IntoStaticStr, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Loss {
    /// `l(z) = log(1 + exp(-z))` (Table I of the paper).
    Logistic,
    /// `l(z) = (z - 1)^2` (Table I).
    Squared,
    /// `l(z) = -log(p)` with `p = 1 / (1 + exp(-z))` (Table I). The paper's `-log` needs a link into (0, 1); with this one it
    /// equals the logistic loss.
    Log,
    /// `l(z) = max(0, 1 - z)` (Table I), with its kink rounded off.
    Hinge,
    /// `l(z) = max(-z, max(0, (1 - z) / 2))` (du Plessis, Niu and Sugiyama, 2015), with its kinks rounded off. The risk is
    /// convex at unit costs.
    DoubleHinge,
    /// `l(z) = 1 / (1 + exp(z))` (Kiryo et al., 2017). It is bounded, so it is not convex.
    Sigmoid,
}

/// How a loss grows as `z` falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// It is bounded.
    Bounded,
    /// Like `-z`; as `z` grows, the loss goes to zero.
    Linear,
    /// Like `z^2`, on both sides.
    Quadratic,
}

impl Loss {
    pub const ALL: [Loss; Loss::COUNT] = *Loss::VARIANTS.first_chunk().expect("as many as there are");

    pub fn name(self) -> &'static str {
        self.into()
    }

    /// `l(z)`
    #[inline(always)]
    pub fn value(self, z: f64) -> f64 {
        match self {
            // This form does not overflow.
            Loss::Logistic => libm::log1p(libm::exp(-z.abs())) + (-z).max(0.0),
            Loss::Squared => square(z - 1.0),
            // Below this, p may underflow, and -log(p) is -z.
            Loss::Log if z < -700.0 => -z,
            Loss::Log => -libm::log(sigmoid(z)),
            Loss::Hinge => (1.0 - z).max(0.0) + rounded_off(z - 1.0),
            Loss::DoubleHinge => {
                (-z).max(((1.0 - z) / 2.0).max(0.0)) + 0.5 * (rounded_off(z - 1.0) + rounded_off(z + 1.0))
            }
            Loss::Sigmoid => sigmoid(-z),
        }
    }

    /// `l'(z)`
    #[inline(always)]
    pub fn slope(self, z: f64) -> f64 {
        match self {
            Loss::Logistic => -sigmoid(-z),
            Loss::Squared => 2.0 * (z - 1.0),
            Loss::Log => sigmoid(z) - 1.0,
            Loss::Hinge => step(z - 1.0) - 1.0,
            Loss::DoubleHinge => 0.5 * (step(z - 1.0) + step(z + 1.0)) - 1.0,
            Loss::Sigmoid => {
                let p = sigmoid(-z.abs());
                -p * (1.0 - p)
            }
        }
    }

    /// `l''(z)`
    pub fn curvature(self, z: f64) -> f64 {
        match self {
            Loss::Logistic | Loss::Log => {
                let p = sigmoid(-z.abs());
                p * (1.0 - p)
            }
            Loss::Squared => 2.0,
            Loss::Hinge => bend(z - 1.0),
            Loss::DoubleHinge => 0.5 * (bend(z - 1.0) + bend(z + 1.0)),
            Loss::Sigmoid => {
                let p = sigmoid(-z);
                p * (1.0 - p) * (1.0 - 2.0 * p)
            }
        }
    }

    /// The largest absolute value of `l''`.
    pub fn largest_curvature(self) -> f64 {
        match self {
            Loss::Logistic | Loss::Log => 0.25,
            Loss::Squared => 2.0,
            Loss::Hinge => 0.5 / ROUNDING,
            Loss::DoubleHinge => 0.25 / ROUNDING,
            // At p = (3 + sqrt 3) / 6 it is sqrt(3) / 18.
            Loss::Sigmoid => 0.0963,
        }
    }

    /// The mean of `l''` over margins from -2.5 to 2.5, where most people are.
    pub fn mean_curvature(self) -> f64 {
        const FAR: f64 = 2.5;
        (self.slope(FAR) - self.slope(-FAR)) / (2.0 * FAR)
    }

    /// The `k` of `l(-z) = l(z) + k z`, if the loss has one.
    pub fn odd_line(self) -> Option<f64> {
        match self {
            Loss::Logistic | Loss::Log | Loss::DoubleHinge => Some(1.0),
            Loss::Squared => Some(4.0),
            Loss::Hinge | Loss::Sigmoid => None,
        }
    }

    /// Whether its curvature is positive everywhere, so that a convex risk with a ridge has a unique minimum.
    pub fn bends_everywhere(self) -> bool {
        matches!(self, Loss::Logistic | Loss::Log | Loss::Squared)
    }

    pub fn growth(self) -> Growth {
        match self {
            Loss::Logistic | Loss::Log | Loss::Hinge | Loss::DoubleHinge => Growth::Linear,
            Loss::Squared => Growth::Quadratic,
            Loss::Sigmoid => Growth::Bounded,
        }
    }

    /// Whether `positive * l(z) + negative * l(-z)` is convex in `z`.
    pub fn is_convex_with(self, positive: f64, negative: f64) -> bool {
        match self {
            // Their curvature is the same at z and -z.
            Loss::Logistic | Loss::Squared | Loss::Log | Loss::DoubleHinge => positive + negative >= 0.0,
            // Its curvature is zero except near 1.
            Loss::Hinge => positive >= 0.0 && negative >= 0.0,
            // l(z) + l(-z) = 1; no other combination is convex.
            Loss::Sigmoid => positive == negative,
        }
    }
}

/// The loss that the surrogates approximate: `1` for a wrong sign, `0` for the right one, and one half on the boundary.
pub fn zero_one(z: f64) -> f64 {
    if z > 0.0 {
        0.0
    } else if z < 0.0 {
        1.0
    } else {
        0.5
    }
}

/// `1 / (1 + exp(-z))`, without overflow.
pub fn sigmoid(z: f64) -> f64 {
    if z >= 0.0 {
        1.0 / (1.0 + libm::exp(-z))
    } else {
        let e = libm::exp(z);
        e / (1.0 + e)
    }
}

/// What rounding adds to `max(0, z)` near its kink.
#[inline(always)]
fn rounded_off(z: f64) -> f64 {
    square((ROUNDING - z.abs()).max(0.0)) * (0.25 / ROUNDING)
}

/// The slope of the rounded `max(0, z)`: from 0 to 1.
#[inline(always)]
fn step(z: f64) -> f64 {
    ((z + ROUNDING) * (0.5 / ROUNDING)).clamp(0.0, 1.0)
}

/// The curvature of the rounded `max(0, z)`.
fn bend(z: f64) -> f64 {
    if z.abs() < ROUNDING { 0.5 / ROUNDING } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rounded::{exp, ln};

    #[test]
    fn slope_and_curvature_match_central_differences() {
        let h = 1e-5;
        for loss in Loss::ALL {
            for z in [-20.0, -3.0, -1.03, -0.96, -0.4, 0.0, 0.7, 0.96, 1.02, 2.5, 20.0] {
                let slope = (loss.value(z + h) - loss.value(z - h)) / (2.0 * h);
                let curvature = (loss.slope(z + h) - loss.slope(z - h)) / (2.0 * h);
                assert!((slope - loss.slope(z)).abs() < 1e-6, "{loss:?} at {z}");
                assert!((curvature - loss.curvature(z)).abs() < 1e-6, "{loss:?} at {z}");
                assert!(loss.curvature(z).abs() <= loss.largest_curvature() + 1e-12, "{loss:?} at {z}");
            }
        }
    }

    #[test]
    fn the_mean_curvature_is_the_mean_of_the_curvature() {
        let steps = 100_000;
        for loss in Loss::ALL {
            let at = |step: i32| -2.5 + 5.0 * (f64::from(step) + 0.5) / f64::from(steps);
            let mean = (0..steps).map(|step| loss.curvature(at(step))).sum::<f64>() / f64::from(steps);
            assert!((loss.mean_curvature() - mean).abs() < 1e-9, "{loss:?}: {} and {mean}", loss.mean_curvature());
        }
    }

    #[test]
    fn losses_agree_with_their_formulas_away_from_kinks() {
        for z in [-5.0f64, -1.5, -0.5, 0.0, 0.5, 1.5, 5.0] {
            let formulas = [
                (Loss::Logistic, ln(1.0 + exp(-z))),
                (Loss::Squared, (z - 1.0) * (z - 1.0)),
                (Loss::Log, -ln(1.0 / (1.0 + exp(-z)))),
                (Loss::Hinge, f64::max(0.0, 1.0 - z)),
                (Loss::DoubleHinge, f64::max(-z, f64::max(0.0, (1.0 - z) / 2.0))),
                (Loss::Sigmoid, 1.0 / (1.0 + exp(z))),
            ];
            for (loss, expected) in formulas {
                assert!((loss.value(z) - expected).abs() < 1e-12, "{loss:?} at {z}");
            }
        }
    }

    #[test]
    fn values_stay_finite_far_out() {
        for loss in [Loss::Logistic, Loss::Log] {
            assert_eq!((loss.value(-1e6), loss.value(1e6)), (1e6, 0.0));
        }
        assert_eq!((Loss::Sigmoid.value(-1e6), Loss::Sigmoid.value(1e6)), (1.0, 0.0));
    }

    #[test]
    fn a_rounded_kink_is_the_mean_over_the_interval_and_at_most_a_quarter_of_it_above() {
        let mean = |z: f64| {
            let steps = 20_000;
            let at = |i: i32| z - ROUNDING + 2.0 * ROUNDING * (f64::from(i) + 0.5) / f64::from(steps);
            (0..steps).map(|i| (1.0 - at(i)).max(0.0)).sum::<f64>() / f64::from(steps)
        };
        for z in [0.85, 0.95, 1.0, 1.04, 1.2] {
            assert!((Loss::Hinge.value(z) - mean(z)).abs() < 1e-8, "{z}");
            assert!(Loss::Hinge.value(z) - f64::max(0.0, 1.0 - z) <= ROUNDING / 4.0 + 1e-15);
        }
    }

    #[test]
    fn where_the_paper_counts_on_it_the_difference_at_z_and_minus_z_is_linear() {
        for loss in Loss::ALL {
            let is_line = |k: f64| {
                let apart = [-3.0, -1.05, -0.3, 0.95, 1.0, 2.0].map(|z| loss.value(z) - loss.value(-z) + k * z);
                apart.iter().all(|apart| apart.abs() < 1e-12)
            };
            match loss.odd_line() {
                Some(k) => assert!(is_line(k), "{loss:?}"),
                None => assert!(!is_line(1.0) && !is_line(4.0), "{loss:?}"),
            }
        }
    }
}
