//! Statistics over seeds: pure functions of numbers.

mod bootstrap;
mod distributions;
mod holm;
mod margin;
mod paired;
mod power;
mod quadrature;
mod ranks;
mod wilcoxon;

use crate::math::square;
use distributions::{Student, normal_quantile};
use serde::Serialize;

pub use bootstrap::bootstrap_interval;
pub use holm::{holm, holm_of_tested};
pub use margin::MarginTest;
pub use paired::PairedDifference;
pub use power::{seeds_to_decide, seeds_to_see};
pub use ranks::{RankComparison, mid_ranks};
pub use wilcoxon::wilcoxon_signed_rank;

/// The significance level: a claim is made if its p-value, adjusted for the number of claims, is below it.
pub const LEVEL: f64 = 0.05;

/// The smallest number of seeds for a verdict: with fewer, AUC differences that agree by chance would look certain.
pub const FEWEST_PAIRS: usize = 5;

/// The summary of a list of values, one per seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    #[serde(rename = "seeds")]
    pub count: usize,
    pub mean: f64,
    /// The 50% [`quantile`].
    pub median: f64,
    /// The sample standard deviation; `None` for a single value.
    pub deviation: Option<f64>,
    /// The 95% confidence interval of the mean by Student's t, as if the values were independent; `None` for a single
    /// value.
    ///
    /// Splits of one file share rows, so over seeds this is an interval for the mean over splits of that file.
    pub interval: Option<(f64, f64)>,
}

impl Summary {
    /// `None` if there are no values.
    pub fn of(values: &[f64]) -> Option<Self> {
        let median = quantile(values, 0.5)?;
        let count = values.len();
        let mean = mean(values);
        let deviation = (count > 1).then(|| deviation(values, mean));
        let interval = deviation.and_then(|deviation| {
            let half = student_quantile(count, TWO_SIDED)? * deviation / (count as f64).sqrt();
            Some((mean - half, mean + half))
        });
        Some(Summary { count, mean, median, deviation, interval })
    }
}

/// The mean of one or more values. Rounding and overflow do not move it outside the range of the values.
fn mean(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let sum: f64 = values.iter().sum();
    let mean = if sum.is_finite() { sum / count } else { values.iter().map(|value| value / count).sum() };
    held_within(mean, range(values))
}

/// The sample standard deviation of two or more values.
fn deviation(values: &[f64], mean: f64) -> f64 {
    let freedom = (values.len() - 1) as f64;
    let squares: f64 = values.iter().map(|value| square(value - mean)).sum();
    if squares.is_normal() {
        return (squares / freedom).sqrt();
    }
    // The sum of squares is zero, underflows or overflows: compute it in units of the largest distance.
    let halves = || values.iter().map(|value| value / 2.0 - mean / 2.0);
    let largest = halves().fold(0.0, |largest: f64, half| largest.max(half.abs()));
    if squares == 0.0 && largest == 0.0 {
        return 0.0;
    }
    let squares: f64 = halves().map(|half| square(half / largest)).sum();
    2.0 * largest * (squares / freedom).sqrt()
}

/// The smallest and the largest value.
fn range(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(*value), high.max(*value)))
}

fn held_within(value: f64, (low, high): (f64, f64)) -> f64 {
    if value < low {
        low
    } else if value > high {
        high
    } else {
        value
    }
}

/// The quantile at the upper end of a two-sided 95% interval.
const TWO_SIDED: f64 = 0.975;

/// The quantile of Student's t distribution for the mean of `count` values, from a probability of one half up; `None` for
/// fewer than two.
fn student_quantile(count: usize, probability: f64) -> Option<f64> {
    let freedom = count.checked_sub(1).filter(|freedom| *freedom > 0)? as f64;
    if freedom < 200.0 {
        return Some(Student::new(freedom).quantile(1.0 - probability));
    }
    // For many degrees of freedom, the expansion in their reciprocal (Abramowitz and Stegun, 26.7.5) is faster. It has an
    // error below 1e-11 at 97.5%, and below 1e-8 at 99.99%.
    let normal = normal_quantile(1.0 - probability);
    let normal_square = square(normal);
    let terms = [
        normal,
        normal * (normal_square + 1.0) / 4.0,
        normal * ((5.0 * normal_square + 16.0) * normal_square + 3.0) / 96.0,
        normal * (((3.0 * normal_square + 19.0) * normal_square + 17.0) * normal_square - 15.0) / 384.0,
        normal
            * ((((79.0 * normal_square + 776.0) * normal_square + 1482.0) * normal_square - 1920.0) * normal_square
                - 945.0)
            / 92160.0,
    ];
    Some(terms.iter().rev().fold(0.0, |sum, term| sum / freedom + term))
}

/// The value below which the given share of the values lies, interpolated linearly between neighbours.
///
/// `None` if there are no values. The definition is the usual default (type 7 of Hyndman and Fan, 1996).
pub fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let position = share.clamp(0.0, 1.0) * (sorted.len().checked_sub(1)?) as f64;
    let (low, high) = (position.floor() as usize, position.ceil() as usize);
    let (part, step) = (position - low as f64, sorted[high] - sorted[low]);
    // The difference of two neighbours can overflow.
    Some(if step.is_finite() { sorted[low] + part * step } else { sorted[low] * (1.0 - part) + sorted[high] * part })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_matches_scipy() {
        // scipy 1.17.1: x = [0.83, 0.85, 0.84, 0.86, 0.81]; np.std(x, ddof=1) = 0.019235384061671322;
        // stats.t.interval(0.95, 4, x.mean(), stats.sem(x)) = (0.814116116119, 0.861883883881).
        let summary = Summary::of(&[0.83, 0.85, 0.84, 0.86, 0.81]).unwrap();
        assert!((summary.mean - 0.838).abs() < 1e-12);
        assert_eq!((summary.count, summary.median), (5, 0.84));
        assert!((summary.deviation.unwrap() - 0.019_235_384_061_671_322).abs() < 1e-12);
        let (low, high) = summary.interval.unwrap();
        assert!((low - 0.814116116119).abs() < 1e-9 && (high - 0.861883883881).abs() < 1e-9, "{low} {high}");
    }

    #[test]
    fn a_single_value_has_no_spread_and_no_values_have_no_summary() {
        let single = Summary::of(&[0.7]).unwrap();
        assert_eq!((single.mean, single.median, single.deviation, single.interval), (0.7, 0.7, None, None));
        assert_eq!(Summary::of(&[]), None);
        assert_eq!(quantile(&[], 0.5), None);
    }

    #[test]
    fn quantiles_interpolate_as_numpy_does() {
        // numpy: np.quantile([1, 2, 4, 8], [0.05, 0.5, 0.95]) = [1.15, 3.0, 7.4]
        for (share, expected) in [(0.0, 1.0), (0.05, 1.15), (0.5, 3.0), (0.95, 7.4), (1.0, 8.0)] {
            assert!((quantile(&[8.0, 1.0, 4.0, 2.0], share).unwrap() - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn the_median_of_two_values_is_their_middle() {
        // numpy 2.4.6: np.median([1.0, 2.5]) = 1.75
        assert_eq!(Summary::of(&[2.5, 1.0]).unwrap().median, 1.75);
    }

    #[test]
    fn student_quantiles_match_scipy() {
        // scipy 1.17.1: stats.t.ppf(0.975, count - 1)
        let expected = [
            (2, 12.706204736174694),
            (3, 4.302652729749462),
            (10, 2.262157162798205),
            (100, 1.9842169515864174),
            (200, 1.9719565442517533),
            (201, 1.9718962236339088),
            (202, 1.971836506779859),
            (1_000, 1.9623414611334493),
            (100_000, 1.9599877077718442),
            (1_000_000, 1.9599663568164791),
        ];
        for (count, expected) in expected {
            let found = student_quantile(count, TWO_SIDED).unwrap();
            assert!((found - expected).abs() < 1e-11, "{count}: {found} {expected}");
        }
        assert_eq!(student_quantile(1, TWO_SIDED), None);
        // stats.t.ppf(0.95, count - 1), stats.t.ppf(0.9999, count - 1)
        let one_sided = [
            (2, 6.313751514675037, 3183.098757118502),
            (10, 1.833112932656237, 6.010132129081531),
            (200, 1.6525467461665633, 3.789478993814937),
            (201, 1.6525081009108769, 3.789120788747759),
            (1_000, 1.646380345427535, 3.732865499608313),
        ];
        for (count, at_95, at_9999) in one_sided {
            for (probability, expected) in [(0.95, at_95), (0.9999, at_9999)] {
                let found = student_quantile(count, probability).unwrap();
                assert!((found - expected).abs() < 1e-8 * expected, "{count}, {probability}: {found} {expected}");
            }
        }
    }

    #[test]
    fn equal_values_have_exactly_no_spread() {
        // The sum of ten times 0.1 is a little less than 1.
        let summary = Summary::of(&[0.1; 10]).unwrap();
        assert_eq!((summary.mean, summary.median), (0.1, 0.1));
        assert_eq!((summary.deviation, summary.interval), (Some(0.0), Some((0.1, 0.1))));
    }

    #[test]
    fn very_large_and_very_small_values_keep_their_spread() {
        let expected = Summary::of(&[1.0, 2.0, 4.0]).unwrap();
        for unit in [1e-300, 1e300] {
            let summary = Summary::of(&[unit, 2.0 * unit, 4.0 * unit]).unwrap();
            assert!((summary.mean / unit - expected.mean).abs() < 1e-12);
            assert!((summary.deviation.unwrap() / unit - expected.deviation.unwrap()).abs() < 1e-12);
        }
        let largest = Summary::of(&[f64::MAX; 3]).unwrap();
        assert_eq!((largest.mean, largest.deviation), (f64::MAX, Some(0.0)));
        let widest = Summary::of(&[f64::MIN, f64::MAX]).unwrap();
        assert_eq!((widest.mean, widest.median), (0.0, 0.0));
        assert_eq!(widest.deviation, Some(f64::INFINITY), "the square root of 2 times the largest number");
        assert_eq!(widest.interval, Some((f64::NEG_INFINITY, f64::INFINITY)));
    }
}
