//! How many seeds a comparison needs.

use crate::math::stats::distributions::normal_cdf;
use crate::math::stats::quadrature::nodes;
use crate::math::stats::{TWO_SIDED, student_quantile};

/// The required power: the share of comparisons that detect the difference.
const POWER: f64 = 0.8;

/// The largest number of seeds that is tried.
const MOST: u32 = 1_000_000;

/// The rejection region of a test.
#[derive(Clone, Copy, Debug)]
struct Rejection {
    /// The share of Student's distribution below the critical value.
    quantile: f64,
    /// Whether a statistic beyond the critical value on the other side also rejects.
    both_sides: bool,
}

/// The smallest number of pairs with which the two-sided 5% corrected t-test detects a true mean difference of this
/// size with a probability of at least 80%.
///
/// The test is that of [`PairedDifference`](crate::math::stats::PairedDifference).
///
/// `deviation` is the standard deviation of the differences. At least two pairs are needed, and two suffice if the
/// deviation is zero. `None` if no number of seeds suffices or more than a million are needed: the standard error,
/// deviation * sqrt(1/k + test_to_train), does not fall below deviation * sqrt(test_to_train). A difference of zero is
/// never detected. `None` also if the deviation or the ratio is negative, or any argument is not finite.
pub fn seeds_to_see(difference: f64, deviation: f64, test_to_train: f64) -> Option<u32> {
    fewest_pairs(difference, deviation, test_to_train, Rejection { quantile: TWO_SIDED, both_sides: true })
}

/// The smallest number of differences with which a one-sided t-test at this level decides, with a probability of at
/// least 80%, on which side of the margin a true mean at this distance from it lies.
///
/// The test is that of [`MarginTest`](crate::math::stats::MarginTest). `None` in the same cases as for
/// [`seeds_to_see`].
pub fn seeds_to_decide(distance: f64, deviation: f64, level: f64) -> Option<u32> {
    fewest_pairs(distance, deviation, 0.0, Rejection { quantile: 1.0 - level, both_sides: false })
}

fn fewest_pairs(difference: f64, deviation: f64, test_to_train: f64, rejection: Rejection) -> Option<u32> {
    let spreads = [deviation, test_to_train];
    if !difference.is_finite() || difference == 0.0 || spreads.iter().any(|spread| !spread.is_finite() || *spread < 0.0)
    {
        return None;
    }
    if deviation == 0.0 {
        return Some(2);
    }
    let effect = (difference / deviation).abs();
    let suffices = |pairs: u32| Some(power(effect, pairs, test_to_train, rejection)? >= POWER);
    if !suffices(MOST)? {
        return None;
    }
    let (mut too_few, mut enough) = (1, 2);
    while !suffices(enough)? {
        (too_few, enough) = (enough, (2 * enough).min(MOST));
    }
    while enough - too_few > 1 {
        let middle = too_few.midpoint(enough);
        if suffices(middle)? { enough = middle } else { too_few = middle }
    }
    Some(enough)
}

/// The probability that a test detects a mean difference of `effect` standard deviations.
///
/// The statistic is (Z + d) / S with Z standard normal, d the difference over its standard error, and S^2 a chi-squared
/// variable over its degrees of freedom (a noncentral t). Given S, it exceeds the critical value c with probability
/// Phi(d - c S) and falls below -c with probability Phi(-d - c S); these are averaged over S.
fn power(effect: f64, pairs: u32, test_to_train: f64, rejection: Rejection) -> Option<f64> {
    let shift = effect / (1.0 / f64::from(pairs) + test_to_train).sqrt();
    let critical = student_quantile(pairs as usize, rejection.quantile)?;
    let freedom = f64::from(pairs) - 1.0;
    // S has a standard deviation of about 1 / sqrt(2 freedom) around 1. The density below lacks its constant factor;
    // dividing by its integral avoids the gamma function. With few degrees of freedom the critical value is large, so
    // the probabilities change fast with S.
    let reach = 8.0 / (2.0 * freedom).sqrt();
    let panels = if freedom < 10.0 { 24 } else { 8 };
    let (mut found, mut all) = (0.0, 0.0);
    for (spread, weight) in nodes((1.0 - reach).max(0.0), 1.0 + reach, panels) {
        let density = libm::exp((freedom - 1.0) * libm::log(spread) - freedom * (spread * spread - 1.0) / 2.0);
        let margin = critical * spread;
        let other_side = if rejection.both_sides { normal_cdf(-shift - margin) } else { 0.0 };
        found += weight * density * (normal_cdf(shift - margin) + other_side);
        all += weight * density;
    }
    Some(found / all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_shared_rows_the_number_of_seeds_matches_statsmodels() {
        // statsmodels 0.15.0: TTestPower().solve_power(effect_size=e, alpha=0.05, power=0.8, alternative='two-sided'),
        // which is the number in the comment.
        let expected = [
            (2.0, 5),         // 4.2207
            (1.5, 6),         // 5.6861
            (1.0, 10),        // 9.9379
            (0.8, 15),        // 14.3028
            (0.5, 34),        // 33.3671
            (0.3, 90),        // 89.1494
            (0.2, 199),       // 198.1508
            (0.1, 787),       // 786.8089
            (0.05, 3_142),    // 3141.4655
            (0.01, 78_491),   // 78490.5258
            (0.003, 872_098), // 872097.5329
        ];
        for (effect, expected) in expected {
            assert_eq!(seeds_to_see(effect, 1.0, 0.0), Some(expected), "effect {effect}");
            assert_eq!(seeds_to_see(-0.01 * effect, 0.01, 0.0), Some(expected), "effect {effect}, other sign and unit");
        }
    }

    #[test]
    fn with_shared_rows_the_number_of_seeds_matches_scipy() {
        // scipy 1.17.1: the first k from 2 with stats.nct.sf(c, k - 1, d) + stats.nct.cdf(-c, k - 1, d) >= 0.8, where
        // c = stats.t.ppf(0.975, k - 1) and d = effect / np.sqrt(1 / k + ratio).
        let expected = [
            (0.1, [(15.0, 2), (10.0, 3), (3.0, 4), (2.0, 6), (1.5, 9), (1.0, 46), (0.9, 375)]),
            (0.25, [(15.0, 2), (10.0, 3), (3.0, 5), (2.0, 9), (1.9, 10), (1.5, 43), (1.42, 217)]),
            (3.0 / 7.0, [(20.0, 2), (15.0, 3), (5.0, 3), (3.0, 5), (2.5, 8), (2.0, 25), (1.9, 61)]),
        ];
        for (ratio, effects) in expected {
            for (effect, expected) in effects {
                assert_eq!(seeds_to_see(effect, 1.0, ratio), Some(expected), "effect {effect}, ratio {ratio}");
            }
        }
    }

    #[test]
    fn the_number_of_seeds_that_decide_matches_scipy() {
        // scipy 1.17.1: the first k from 2 with stats.nct.sf(stats.t.ppf(1 - level, k - 1), k - 1, effect * np.sqrt(k)) >= 0.8
        let effects = [3.0, 2.0, 1.5, 1.0, 0.8, 0.5, 0.3, 0.1, 0.05];
        let expected = [
            (0.05, [3, 4, 5, 8, 12, 27, 71, 620, 2475]),
            (0.01, [4, 6, 8, 13, 19, 43, 115, 1007, 4018]),
            (0.05 / 12.0, [5, 7, 9, 16, 23, 52, 139, 1215, 4848]),
        ];
        for (level, seeds) in expected {
            for (effect, seeds) in effects.into_iter().zip(seeds) {
                assert_eq!(seeds_to_decide(-0.01 * effect, 0.01, level), Some(seeds), "effect {effect}, level {level}");
            }
        }
        assert_eq!(seeds_to_decide(0.0, 0.01, 0.05), None);
    }

    #[test]
    fn the_power_matches_scipy() {
        // scipy 1.17.1: stats.nct.sf(c, k - 1, d) + stats.nct.cdf(-c, k - 1, d) as above.
        let expected = [
            (1.0, 2, 0.0, 0.09280915505633602),
            (3.0, 2, 0.0, 0.2607707142291098),
            (10.0, 2, 0.0, 0.7328195898057134),
            (0.1, 3, 1.0, 0.050347280258958946),
            (1.0, 5, 0.25, 0.2113344895460399),
            (2.0, 10, 0.25, 0.851867583405376),
            (2.0, 11, 0.25, 0.8692381693729406),
            (0.0, 10, 0.0, 0.05),
            (0.5, 33, 0.0, 0.7953658414875041),
            (1.5, 100, 0.25, 0.8297375766452459),
            (0.0028, 1_000_000, 0.0, 0.7995561178),
        ];
        for (effect, pairs, ratio, expected) in expected {
            let rejection = Rejection { quantile: TWO_SIDED, both_sides: true };
            let found = power(effect, pairs, ratio, rejection).unwrap();
            assert!((found - expected).abs() < 1e-8, "effect {effect}, {pairs} pairs: {found} {expected}");
        }
    }

    #[test]
    fn shared_rows_put_small_differences_out_of_reach() {
        // With any number of seeds the standard error stays above a half of the deviation. The limit of the power is
        // stats.norm.cdf(2 * effect - 1.96), which is 80% for an effect of 1.4008.
        assert_eq!(seeds_to_see(1.4, 1.0, 0.25), None);
        assert!(seeds_to_see(1.402, 1.0, 0.25).is_some_and(|seeds| seeds > 1_000));
        assert_eq!(seeds_to_see(0.3, 1.0, 0.25), None);
    }

    #[test]
    fn more_than_a_million_seeds_are_too_many() {
        assert_eq!(seeds_to_see(0.0028, 1.0, 0.0), None);
        assert_eq!(seeds_to_see(1e-300, 1e300, 0.0), None);
    }

    #[test]
    fn two_seeds_suffice_without_spread_and_for_a_huge_difference() {
        assert_eq!(seeds_to_see(1e-9, 0.0, 0.25), Some(2));
        assert_eq!(seeds_to_see(f64::MAX, f64::MIN_POSITIVE, 0.0), Some(2));
        assert_eq!(seeds_to_see(100.0, 1.0, 1.0), Some(2));
    }

    #[test]
    fn no_difference_is_never_found_and_impossible_spreads_have_no_answer() {
        assert_eq!(seeds_to_see(0.0, 1.0, 0.0), None);
        assert_eq!(seeds_to_see(0.0, 0.0, 0.0), None);
        assert_eq!(seeds_to_see(1.0, -1.0, 0.0), None);
        assert_eq!(seeds_to_see(1.0, 1.0, -0.1), None);
        assert_eq!(seeds_to_see(f64::NAN, 1.0, 0.0), None);
    }
}
