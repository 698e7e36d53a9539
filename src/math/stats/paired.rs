//! Paired comparison of two methods over the same seeds.

use crate::math::stats::distributions::Student;
use crate::math::stats::{Summary, TWO_SIDED, student_quantile, wilcoxon_signed_rank};
use serde::Serialize;

/// The differences between the first and the second value of each pair.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairedDifference {
    /// First minus second.
    #[serde(rename = "mean_difference")]
    pub mean: f64,
    /// The sample standard deviation of the differences; `None` for a single pair.
    pub deviation: Option<f64>,
    /// The 95% confidence interval of the mean difference; `None` for a single pair.
    pub interval: Option<(f64, f64)>,
    /// The two-sided p-value of the corrected resampled t-test, which is below 5% if the interval excludes zero.
    ///
    /// `None` for a single pair. It is 0 if all differences are equal and not zero, and 1 if all are zero.
    #[serde(rename = "p")]
    pub p_value: Option<f64>,
    /// The p-value of [`wilcoxon_signed_rank`], which assumes independent differences.
    #[serde(rename = "wilcoxon_p")]
    pub wilcoxon: Option<f64>,
    /// The number of pairs whose first value is larger.
    pub ahead: usize,
    /// The number of pairs with equal values.
    pub level: usize,
    /// The number of pairs whose first value is smaller.
    pub behind: usize,
    pub pairs: usize,
}

impl PairedDifference {
    /// `None` if there are no pairs.
    ///
    /// Random splits of one file share rows, so their differences are not independent, and Student's t is
    /// overconfident. Nadeau and Bengio (*Inference for the Generalization Error*, Machine Learning 52, 2003) estimate
    /// the variance of the mean of k differences as (1/k + n_test/n_train) s^2. `test_to_train` is that ratio. It is 0
    /// if every seed draws new people, which gives the ordinary Student's t. A negative ratio counts as 0.
    pub fn of(pairs: &[(f64, f64)], test_to_train: f64) -> Option<Self> {
        // A difference that overflows counts as the largest number.
        let differences: Vec<f64> =
            pairs.iter().map(|(first, second)| (first - second).clamp(f64::MIN, f64::MAX)).collect();
        let Summary { count, mean, deviation, .. } = Summary::of(&differences)?;
        let error = deviation.map(|deviation| deviation * (1.0 / count as f64 + test_to_train.max(0.0)).sqrt());
        let interval = error.and_then(|error| {
            let half = student_quantile(count, TWO_SIDED)? * error;
            Some((mean - half, mean + half))
        });
        Some(PairedDifference {
            pairs: count,
            mean,
            deviation,
            interval,
            p_value: error.and_then(|error| student_p_value(mean, error, count)),
            wilcoxon: wilcoxon_signed_rank(&differences),
            ahead: differences.iter().filter(|difference| **difference > 0.0).count(),
            level: differences.iter().filter(|difference| **difference == 0.0).count(),
            behind: differences.iter().filter(|difference| **difference < 0.0).count(),
        })
    }
}

/// The two-sided p-value of the mean of `count` differences with this standard error.
fn student_p_value(mean: f64, error: f64, count: usize) -> Option<f64> {
    if mean == 0.0 {
        return Some(1.0);
    }
    // If the error is zero, the statistic is infinite and the p-value 0.
    Some(2.0 * Student::new((count - 1) as f64).above((mean / error).abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIRS: [(f64, f64); 5] = [(0.83, 0.82), (0.85, 0.86), (0.84, 0.80), (0.86, 0.83), (0.81, 0.81)];

    #[test]
    fn a_paired_difference_matches_scipy() {
        // scipy 1.17.1: d = np.array([0.83, 0.85, 0.84, 0.86, 0.81]) - np.array([0.82, 0.86, 0.80, 0.83, 0.81]);
        // stats.t.interval(0.95, 4, d.mean(), d.std(ddof=1) * np.sqrt(1 / 5 + ratio))
        // = (-0.024621539019, 0.052621539019) for ratio = 0.25, (-0.011747692679, 0.039747692679) for ratio = 0.
        for (ratio, expected) in [(0.25, (-0.024621539019, 0.052621539019)), (0.0, (-0.011747692679, 0.039747692679))] {
            let difference = PairedDifference::of(&PAIRS, ratio).unwrap();
            let (low, high) = difference.interval.unwrap();
            assert!((difference.mean - 0.014).abs() < 1e-12);
            assert!((difference.deviation.unwrap() - 0.020736441353327705).abs() < 1e-12);
            assert!((low - expected.0).abs() < 1e-9 && (high - expected.1).abs() < 1e-9, "{low} {high}");
            assert_eq!((difference.pairs, difference.ahead, difference.level, difference.behind), (5, 3, 1, 1));
        }
    }

    #[test]
    fn p_values_match_scipy() {
        // scipy 1.17.1, d as above: 2 * stats.t.sf(d.mean() / (d.std(ddof=1) * np.sqrt(1 / 5 + ratio)), 4)
        // = 0.37114534228388446 for ratio = 0.25, 0.2056399589507091 for ratio = 0, which is stats.ttest_rel;
        // stats.wilcoxon(d).pvalue = 0.375.
        for (ratio, expected) in [(0.25, 0.37114534228388446), (0.0, 0.2056399589507091)] {
            let difference = PairedDifference::of(&PAIRS, ratio).unwrap();
            let found = difference.p_value.unwrap();
            assert!((found - expected).abs() < 1e-12, "{found}");
            assert_eq!(difference.wilcoxon, Some(0.375));
        }
    }

    #[test]
    fn two_pairs_match_scipy() {
        // scipy 1.17.1: d = np.array([1.0, 2.5]), the calls above with 1 degree of freedom and ratio = 0.25.
        let difference = PairedDifference::of(&[(1.0, 0.0), (3.0, 0.5)], 0.25).unwrap();
        let (low, high) = difference.interval.unwrap();
        assert!((low + 9.921394314111106).abs() < 1e-9 && (high - 13.421394314111106).abs() < 1e-9, "{low} {high}");
        assert!((difference.p_value.unwrap() - 0.30771734945307516).abs() < 1e-12);
        assert_eq!(difference.wilcoxon, Some(0.5));
    }

    #[test]
    fn the_p_value_is_five_percent_where_the_interval_ends_at_zero() {
        let half =
            PairedDifference::of(&PAIRS, 0.25).map(|difference| difference.mean - difference.interval.unwrap().0);
        let shift = half.unwrap() - 0.014;
        let shifted = PAIRS.map(|(first, second)| (first + shift, second));
        let found = PairedDifference::of(&shifted, 0.25).unwrap().p_value.unwrap();
        assert!((found - 0.05).abs() < 1e-9, "{found}");
    }

    #[test]
    fn equal_differences_have_an_interval_without_width() {
        let difference = PairedDifference::of(&[(0.75, 0.5), (0.5, 0.25), (1.0, 0.75)], 0.25).unwrap();
        let expected = PairedDifference {
            pairs: 3,
            mean: 0.25,
            deviation: Some(0.0),
            interval: Some((0.25, 0.25)),
            p_value: Some(0.0),
            wilcoxon: Some(0.25),
            ahead: 3,
            level: 0,
            behind: 0,
        };
        assert_eq!(difference, expected);
    }

    #[test]
    fn methods_that_are_always_level_do_not_differ() {
        let difference = PairedDifference::of(&[(0.1, 0.1), (0.7, 0.7), (0.3, 0.3)], 0.25).unwrap();
        assert_eq!((difference.mean, difference.interval), (0.0, Some((0.0, 0.0))));
        assert_eq!((difference.p_value, difference.wilcoxon), (Some(1.0), Some(1.0)));
        assert_eq!((difference.ahead, difference.level, difference.behind), (0, 3, 0));
    }

    #[test]
    fn a_single_pair_has_no_interval_and_no_pairs_have_no_difference() {
        let single = PairedDifference::of(&[(0.5, 0.75)], 0.25).unwrap();
        assert_eq!((single.pairs, single.mean, single.behind), (1, -0.25, 1));
        assert_eq!((single.deviation, single.interval, single.p_value), (None, None, None));
        assert_eq!(single.wilcoxon, Some(1.0));
        assert_eq!(PairedDifference::of(&[], 0.25), None);
    }

    #[test]
    fn no_finite_pairs_make_a_difference_that_is_not_a_number() {
        let extremes = [0.0, 1.0, f64::MAX, f64::MIN, 5e-324, -1e200];
        let pairs: Vec<(f64, f64)> =
            extremes.iter().flat_map(|first| extremes.map(|second| (*first, second))).collect();
        for ratio in [0.0, 0.25, -3.0, 1e300] {
            for list in pairs.iter().flat_map(|first| pairs.iter().map(|second| [*first, *second, (1.0, 1.0)])) {
                let difference = PairedDifference::of(&list, ratio).unwrap();
                let (low, high) = difference.interval.unwrap();
                let numbers = [difference.mean, difference.deviation.unwrap(), low, high];
                assert!(numbers.iter().all(|number| !number.is_nan()), "{list:?}: {difference:?}");
                let p_values = [difference.p_value.unwrap(), difference.wilcoxon.unwrap()];
                assert!(p_values.iter().all(|value| (0.0..=1.0).contains(value)), "{list:?}: {difference:?}");
            }
        }
    }
}
