//! The exponential and the logarithm to the nearest floating-point number.
//!
//! The functions of the standard library are those of the platform, whose last digit differs between C libraries and
//! between processors. libm gives the same bits everywhere, but often not the nearest number: 7% of its logarithms are
//! the next one. The nearest number is the same whoever computes it. These functions take a microsecond, so the losses
//! use libm.

use std::f64::consts::LOG2_E;

/// ln 2 in two parts. The first has 42 bits, so that its product with a small whole number is exact.
const LN_2: Pair = Pair { value: 0.693_147_180_559_890_3, rest: 5.497_923_018_708_371e-14 };

/// The number of terms of the Taylor series: the first that is left out is below 2^-110 for arguments below ln 2 / 2.
const TERMS: u32 = 22;

/// A number with about 100 bits: the sum of a rounded value and a small rest.
#[derive(Clone, Copy)]
struct Pair {
    value: f64,
    rest: f64,
}

impl Pair {
    /// The sum of two numbers, exactly (Knuth).
    fn sum(a: f64, b: f64) -> Pair {
        let value = a + b;
        let from_b = value - a;
        Pair { value, rest: (a - (value - from_b)) + (b - from_b) }
    }

    /// The product of two numbers, exactly: `mul_add` rounds once, by definition on every platform.
    fn product(a: f64, b: f64) -> Pair {
        let value = a * b;
        Pair { value, rest: a.mul_add(b, -value) }
    }

    fn plus(self, other: Pair) -> Pair {
        let sum = Pair::sum(self.value, other.value);
        Pair::sum(sum.value, sum.rest + self.rest + other.rest)
    }

    fn times(self, other: Pair) -> Pair {
        let product = Pair::product(self.value, other.value);
        let cross = self.value * other.rest + self.rest * other.value;
        Pair::sum(product.value, product.rest + cross)
    }

    fn over(self, other: Pair) -> Pair {
        let quotient = self.value / other.value;
        let product = Pair::product(quotient, other.value);
        let left = (self.value - product.value) - product.rest + self.rest - quotient * other.rest;
        Pair::sum(quotient, left / other.value)
    }
}

impl From<f64> for Pair {
    fn from(value: f64) -> Self {
        Pair { value, rest: 0.0 }
    }
}

/// e to the power of x, for x from -700 to 700.
pub fn exp(x: f64) -> f64 {
    exp_pair(x).value
}

/// The natural logarithm, for x from 1e-300 to 1e300. Within 1e-6 of 1 it may be the second nearest number.
pub fn ln(x: f64) -> f64 {
    // One Newton step from an approximation y: ln x = y + ln(x / exp y).
    let y = libm::log(x);
    let ratio = Pair::from(x).over(exp_pair(y));
    let above_one = (ratio.value - 1.0) + ratio.rest;
    y + (above_one - above_one * above_one / 2.0)
}

/// exp x = 2^k exp r, where k is a whole number and |r| at most ln 2 / 2.
fn exp_pair(x: f64) -> Pair {
    let k = (x * LOG2_E).round();
    let r = Pair::sum(x, -k * LN_2.value).plus(Pair::product(-k, LN_2.rest));
    let series = (1..=TERMS).rev().fold(Pair::from(1.0), |sum, n| {
        let term = r.times(sum).over(Pair::from(f64::from(n)));
        Pair::from(1.0).plus(term)
    });
    let scale = f64::from_bits(((1023 + k as i64) as u64) << 52);
    Pair { value: series.value * scale, rest: series.rest * scale }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::stream;
    use rand::RngExt;

    #[test]
    fn the_nearest_numbers_match_mpmath() {
        // mpmath 1.3.0, mp.prec = 300: float(mpmath.log(x)), float(mpmath.exp(x)). For the first six arguments of each list,
        // glibc 2.36 on a processor with fused multiplication gives a neighbour.
        let logarithms = [
            (0.7111917696952796, -0.3408131672688638),
            (0.5699993338763802, -0.5621200867921534),
            (0.7181581423147705, -0.33106548026595334),
            (0.8981852919500053, -0.10737889349039915),
            (0.42004214893829794, -0.8674002181249154),
            (0.07557893669392801, -2.5825776497767463),
            (0.6283500960403244, -0.4646577900757267),
            (0.7566097264993272, -0.2789077113287962),
            (0.9046143196053169, -0.10024659229879654),
            (0.9940693629158035, -0.005948293154749867),
            (1e-300, -690.7755278982137),
            (1e+300, 690.7755278982137),
            (5.0, 1.6094379124341003),
        ];
        let exponentials = [
            (-5.450600433149688, 0.004293725821291686),
            (-5.817405235551101, 0.002975315379905031),
            (-4.947329067296296, 0.00710235352622413),
            (-3.7452148259740268, 0.023630552046001983),
            (-7.508937824571486, 0.0005481630248961212),
            (-4.872636998835435, 0.007653157288512998),
            (-7.5458555331819115, 0.0005282950977221135),
            (-2.482438041461541, 0.08353930482073638),
            (-4.219434317621882, 0.014706961621281718),
            (-3.5240142454861454, 0.02948085393520231),
            (-700.0, 9.85967654375977e-305),
            (700.0, 1.0142320547350045e+304),
            (2.0, 7.38905609893065),
        ];
        for (x, expected) in logarithms {
            assert_eq!(ln(x), expected, "ln {x}");
        }
        for (x, expected) in exponentials {
            assert_eq!(exp(x), expected, "exp {x}");
        }
    }

    #[test]
    fn the_logarithm_undoes_the_exponential_and_both_are_close_to_those_of_libm() {
        let mut random = stream(&["test", "rounded"]);
        for _ in 0..20_000 {
            let x = random.random_range(-690.0..690.0);
            let power = exp(x);
            assert!((power / libm::exp(x) - 1.0).abs() < 4e-16, "{x}");
            assert!((ln(power) - x).abs() <= 2e-16_f64.max(x.abs() * 1.2e-16), "{x}");
            assert!((ln(power) - libm::log(power)).abs() <= 2.3e-16 * x.abs(), "{x}");
        }
        assert_eq!((exp(0.0), ln(1.0)), (1.0, 0.0));
    }
}
