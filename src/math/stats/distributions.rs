//! The normal, Student's t and the chi-squared distribution.

use libm::{erfc, exp, log, log1p};
use std::f64::consts::{PI, SQRT_2, TAU};

/// The probability that a standard normal variable is at most x.
pub fn normal_cdf(x: f64) -> f64 {
    erfc(-x / SQRT_2) / 2.0
}

/// The density of a standard normal variable.
pub fn normal_density(x: f64) -> f64 {
    exp(-x * x / 2.0) / TAU.sqrt()
}

/// The value that a standard normal variable exceeds with a probability of at most one half.
pub fn normal_quantile(above: f64) -> f64 {
    upper_quantile(above, |x| normal_cdf(-x), normal_density)
}

/// Student's t distribution with a whole number of degrees of freedom.
#[derive(Clone, Copy, Debug)]
pub struct Student {
    freedom: f64,
    /// gamma((freedom + 1) / 2) / (gamma(freedom / 2) sqrt(pi)).
    factor: f64,
}

impl Student {
    /// `freedom` is at least 1.
    pub fn new(freedom: f64) -> Self {
        Student { freedom, factor: gamma_ratio(freedom / 2.0) / PI.sqrt() }
    }

    /// The probability that a variable exceeds t.
    pub fn above(self, t: f64) -> f64 {
        if t < 0.0 {
            return 1.0 - self.above(-t);
        }
        // The probability of a larger absolute value is the regularised incomplete beta function I_x(freedom / 2, 1 / 2)
        // with x = freedom / (freedom + t^2), which is 1 - I_(1-x)(1 / 2, freedom / 2). Of both, one converges fast.
        let half = self.freedom / 2.0;
        let scaled = t / self.freedom.sqrt();
        let square = scaled * scaled;
        let log_x = if square < 1e30 { -log1p(square) } else { -2.0 * log(scaled) };
        let power = self.factor * exp(half * log_x + log_of_rest(square) / 2.0);
        if t * t * (self.freedom + 2.0) > 3.0 * self.freedom {
            power / half * beta_fraction(half, 0.5, exp(log_x)) / 2.0
        } else {
            (1.0 - 2.0 * power * beta_fraction(0.5, half, square / (1.0 + square))) / 2.0
        }
    }

    /// The value that a variable exceeds with a probability of at most one half.
    pub fn quantile(self, above: f64) -> f64 {
        let density =
            |t: f64| self.factor / self.freedom.sqrt() * exp(-(self.freedom + 1.0) / 2.0 * log1p(t * t / self.freedom));
        upper_quantile(above, |t| self.above(t), density)
    }
}

/// The logarithm of s / (1 + s).
fn log_of_rest(s: f64) -> f64 {
    -log1p(1.0 / s)
}

/// The probability that a chi-squared variable with a whole number of degrees of freedom exceeds x.
///
/// Abramowitz and Stegun, 26.4.4 and 26.4.5: a sum of freedom / 2 terms, all positive.
pub fn chi_squared_above(x: f64, freedom: u32) -> f64 {
    if x <= 0.0 || x == f64::INFINITY {
        return if x > 0.0 { 0.0 } else { 1.0 };
    }
    let half = x / 2.0;
    let is_odd = freedom % 2 == 1;
    let term = |power: f64| exp(power * log(half) - half - libm::lgamma(power + 1.0));
    let terms: f64 = (0..freedom / 2).map(|index| term(f64::from(index) + if is_odd { 0.5 } else { 0.0 })).sum();
    if is_odd { erfc(half.sqrt()) + terms } else { terms }
}

/// The value from 0 up that is exceeded with a given probability, for a density that falls from 0 up.
///
/// Newton's method from zero: where the density falls, no step overshoots, so it rises to the quantile.
fn upper_quantile(above: f64, tail: impl Fn(f64) -> f64, density: impl Fn(f64) -> f64) -> f64 {
    let mut x = 0.0;
    loop {
        let next = x + (tail(x) - above) / density(x);
        // Only rounding lets it fall.
        if !(next > x && next.is_finite()) {
            return x;
        }
        x = next;
    }
}

/// gamma(h + 1/2) / gamma(h), for h above 0.
fn gamma_ratio(h: f64) -> f64 {
    let (mut large, mut factor) = (h, 1.0);
    while large < 64.0 {
        factor *= large / (large + 0.5);
        large += 1.0;
    }
    // The expansion in 1 / h; the first term that is left out is below 3e-16 from 64 up.
    let terms = [1.0, -1.0 / 8.0, 1.0 / 128.0, 5.0 / 1024.0, -21.0 / 32768.0, -399.0 / 262144.0, 869.0 / 4194304.0];
    factor * large.sqrt() * terms.iter().rev().fold(0.0, |sum, term| sum / large + term)
}

/// The continued fraction of the incomplete beta function (NIST, *Digital Library of Mathematical Functions*, 8.17.22), by
/// the method of Lentz. It converges fast for x below (a + 1) / (a + b + 2).
fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    const LEAST: f64 = 1e-300;
    let held = |value: f64| if value.abs() < LEAST { LEAST } else { value };
    let (mut upper, mut lower, mut found) = (LEAST, 0.0, LEAST);
    for step in 0..20_000_u32 {
        let m = f64::from(step / 2);
        let term = match step {
            0 => 1.0,
            _ if step % 2 == 0 => m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)),
            _ => -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)),
        };
        lower = 1.0 / held(1.0 + term * lower);
        upper = held(1.0 + term / upper);
        let change = upper * lower;
        found *= change;
        if step > 0 && (change - 1.0).abs() < 3e-16 {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agrees(what: &str, found: f64, expected: f64, relative: f64) {
        assert!((found - expected).abs() <= relative * expected.abs(), "{what}: {found} {expected}");
    }
    #[test]
    fn normal_probabilities_and_quantiles_match_scipy() {
        // scipy 1.17.1: stats.norm.cdf(x), stats.norm.isf(above), stats.norm.pdf(1.5)
        let probabilities = [
            (-8.0, 6.22096057427174e-16),
            (-1.96, 0.024997895148220435),
            (-0.3, 0.3820885778110474),
            (0.0, 0.5),
            (0.5, 0.6914624612740131),
            (2.0, 0.9772498680518208),
            (7.0, 0.9999999999987201),
        ];
        for (x, expected) in probabilities {
            agrees("cdf", normal_cdf(x), expected, 1e-13);
        }
        let quantiles = [
            (0.4, 0.2533471031357997),
            (0.1, 1.2815515655446004),
            (0.025, 1.9599639845400545),
            (0.001, 3.090232306167813),
            (1e-10, 6.361340902404056),
        ];
        for (above, expected) in quantiles {
            agrees("quantile", normal_quantile(above), expected, 1e-14);
        }
        assert_eq!(normal_quantile(0.5), 0.0);
        agrees("density", normal_density(1.5), 0.12951759566589174, 1e-15);
    }

    #[test]
    fn student_tails_match_scipy() {
        // scipy 1.17.1: stats.t.sf(t, freedom)
        let expected = [
            (0.1, 1, 0.4682744825694465),
            (1.5, 1, 0.18716704181099886),
            (2.0, 1, 0.14758361765043326),
            (20.0, 1, 0.015902251256176374),
            (0.1, 2, 0.4647327192070701),
            (1.5, 2, 0.13619656244550055),
            (2.0, 2, 0.09175170953613698),
            (20.0, 2, 0.0012453319461835485),
            (0.1, 3, 0.46332617440040297),
            (1.5, 3, 0.11529193262241147),
            (2.0, 3, 0.06966298427942152),
            (20.0, 3, 0.0001366016251236558),
            (0.1, 9, 0.4612682239783406),
            (1.5, 9, 0.08392532802853753),
            (2.0, 9, 0.038276411885350504),
            (20.0, 9, 4.539760649958273e-09),
            (0.1, 29, 0.46051622224368693),
            (1.5, 29, 0.07221184802019287),
            (2.0, 29, 0.027471818591483586),
            (20.0, 29, 8.20911871583454e-19),
            (0.1, 199, 0.46022249776695545),
            (1.5, 199, 0.06759961872077885),
            (2.0, 199, 0.02343000020064191),
            (20.0, 199, 8.307401242997599e-50),
            (0.1, 1000, 0.46018218451180204),
            (1.5, 1000, 0.06696501941104313),
            (2.0, 1000, 0.02288517324662583),
            (20.0, 1000, 2.0311442497624087e-75),
            (0.1, 99999, 0.4601722629543654),
            (1.5, 99999, 0.06680877977720034),
            (2.0, 99999, 0.022751481742251223),
        ];
        for (t, freedom, expected) in expected {
            let student = Student::new(f64::from(freedom));
            agrees(&format!("{t}, {freedom}"), student.above(t), expected, 1e-11);
            agrees(&format!("-{t}, {freedom}"), student.above(-t), 1.0 - expected, 1e-12);
        }
        let student = Student::new(4.0);
        assert_eq!([0.0, f64::INFINITY, f64::NEG_INFINITY].map(|t| student.above(t)), [0.5, 0.0, 1.0]);
        // scipy 1.17.1: stats.cauchy.sf(1e200)
        agrees("far out", Student::new(1.0).above(1e200), 3.1830988618379067e-201, 1e-13);
    }

    #[test]
    fn student_quantiles_match_scipy() {
        // scipy 1.17.1: stats.t.isf(above, freedom)
        let expected = [
            (1, 0.5, 0.0),
            (1, 0.05, 6.313751514675044),
            (1, 0.025, 12.706204736174705),
            (1, 0.0001, 3183.0987571181513),
            (1, 1e-10, 3183098861.8379064),
            (2, 0.5, 0.0),
            (2, 0.05, 2.9199855803537256),
            (2, 0.025, 4.302652729749464),
            (2, 0.0001, 70.70007107496428),
            (2, 1e-10, 70710.67810804816),
            (9, 0.5, 0.0),
            (9, 0.05, 1.8331129326562376),
            (9, 0.025, 2.2621571627982053),
            (9, 0.0001, 6.010132129081441),
            (9, 1e-10, 30.737330949971977),
            (99, 0.5, 0.0),
            (99, 0.05, 1.660391156016991),
            (99, 0.025, 1.9842169515864176),
            (99, 0.0001, 3.863089107127278),
            (99, 1e-10, 7.09135060835146),
            (199, 0.5, 0.0),
            (199, 0.05, 1.6525467461665635),
            (199, 0.025, 1.9719565442517537),
            (199, 0.0001, 3.7894789938149076),
            (199, 1e-10, 6.708012802605427),
        ];
        for (freedom, above, expected) in expected {
            let found = Student::new(f64::from(freedom)).quantile(above);
            agrees(&format!("{above}, {freedom}"), found, expected, 2e-14);
        }
    }

    #[test]
    fn chi_squared_tails_match_scipy() {
        // scipy 1.17.1: stats.chi2.sf(x, freedom)
        let expected = [
            (0.1, 1, 0.7518296340458492),
            (3.6, 1, 0.05777957112359715),
            (20.0, 1, 7.744216431044088e-06),
            (250.0, 1, 2.5968070393401957e-56),
            (0.1, 2, 0.951229424500714),
            (3.6, 2, 0.16529888822158653),
            (20.0, 2, 4.539992976248486e-05),
            (250.0, 2, 5.166420632837831e-55),
            (0.1, 3, 0.9918374237318764),
            (3.6, 3, 0.3080221715589928),
            (20.0, 3, 0.00016974243555282632),
            (250.0, 3, 6.543750030967994e-54),
            (0.1, 8, 0.9999997497860527),
            (3.6, 8, 0.8912916052907945),
            (20.0, 8, 0.010336050675925726),
            (250.0, 8, 1.722791179945701e-49),
            (0.1, 49, 1.0),
            (3.6, 49, 1.0),
            (20.0, 49, 0.9999245464953185),
            (250.0, 49, 9.543645754874389e-29),
            (0.1, 200, 1.0),
            (3.6, 200, 1.0),
            (20.0, 200, 1.0),
            (250.0, 200, 0.009379131668826098),
        ];
        for (x, freedom, expected) in expected {
            agrees(&format!("{x}, {freedom}"), chi_squared_above(x, freedom), expected, 1e-12);
        }
        assert_eq!((chi_squared_above(0.0, 3), chi_squared_above(f64::INFINITY, 3)), (1.0, 0.0));
    }
}
