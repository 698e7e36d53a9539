//! The signed-rank test of paired differences.

use crate::math::stats::distributions::normal_cdf;
use crate::math::stats::ranks::{mid_ranks, tie_term};

/// The longest list without zeros and ties whose exact p-value is computed.
const EXACT: usize = 50;

/// The longest list with zeros or ties whose exact p-value is computed.
const EXACT_WITH_TIES: usize = 13;

/// The two-sided p-value of Wilcoxon's signed-rank test that differences are symmetric about zero.
///
/// `None` if there are no differences, 1 if all of them are zero. Zero differences are dropped, as Wilcoxon did, and
/// equal absolute values share their mean rank. The p-value is exact for at most 50 differences that are all non-zero
/// and differ in absolute value, and in any case for at most 13 differences, counting zeros. Otherwise it is that of
/// the normal approximation, corrected for ties and not for continuity. These are the rules of scipy 1.17.
///
/// Absolute values are equal if they are the same floating-point number: 0.3 - 0.2 and 0.2 - 0.1 are not. Round the
/// differences first if that matters.
pub fn wilcoxon_signed_rank(differences: &[f64]) -> Option<f64> {
    if differences.is_empty() {
        return None;
    }
    let given = differences.len();
    let differences: Vec<f64> = differences.iter().copied().filter(|difference| *difference != 0.0).collect();
    if differences.is_empty() {
        return Some(1.0);
    }
    let below: Vec<f64> = differences.iter().map(|difference| -difference.abs()).collect();
    let (ranks, ties) = (mid_ranks(&below), tie_term(&below));
    let above_zero = |(difference, rank): (&f64, &f64)| if *difference > 0.0 { *rank } else { 0.0 };
    let positive: f64 = differences.iter().zip(&ranks).map(above_zero).sum();
    let plain = ties == 0.0 && differences.len() == given;
    let exact = given <= if plain { EXACT } else { EXACT_WITH_TIES };
    Some(if exact { exact_p_value(&ranks, positive) } else { normal_p_value(ranks.len(), positive, ties) })
}

/// Twice the share of the equally likely sign patterns whose sum of positive ranks is at least as extreme as the given
/// one.
fn exact_p_value(ranks: &[f64], positive: f64) -> f64 {
    // Mean ranks are multiples of one half, so twice a rank is a whole number. The counts stay exact: up to 2^50.
    let doubled = |rank: f64| (2.0 * rank) as usize;
    let total: usize = ranks.iter().map(|rank| doubled(*rank)).sum();
    let mut signs = vec![0.0; total + 1];
    signs[0] = 1.0;
    for rank in ranks.iter().map(|rank| doubled(*rank)) {
        for sum in (rank..=total).rev() {
            signs[sum] += signs[sum - rank];
        }
    }
    let outer = doubled(positive).min(total.saturating_sub(doubled(positive)));
    let share = signs[..=outer].iter().sum::<f64>() / signs.iter().sum::<f64>();
    (2.0 * share).min(1.0)
}

fn normal_p_value(count: usize, positive: f64, ties: f64) -> f64 {
    let count = count as f64;
    let mean = count * (count + 1.0) / 4.0;
    let variance = (count * (count + 1.0) * (2.0 * count + 1.0) - ties / 2.0) / 24.0;
    2.0 * normal_cdf(-(positive - mean).abs() / variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agrees(differences: &[f64], expected: f64) {
        let found = wilcoxon_signed_rank(differences).unwrap();
        assert!((found - expected).abs() <= 1e-10 * expected, "{differences:?}: {found} {expected}");
        let mirrored: Vec<f64> = differences.iter().map(|difference| -difference).collect();
        assert_eq!(wilcoxon_signed_rank(&mirrored), Some(found), "the test is two-sided");
    }

    /// The whole numbers up to `last`, every fourth of them negative.
    fn every_fourth_negative(last: i32) -> Vec<f64> {
        (1..=last).map(|value| f64::from(if value % 4 == 0 { -value } else { value })).collect()
    }

    #[test]
    fn exact_p_values_match_scipy() {
        // scipy 1.17.1: stats.wilcoxon(d).pvalue
        agrees(&[1.0], 1.0);
        agrees(&[1.0, 2.0], 0.5);
        agrees(&[1.0, -2.0], 1.0);
        agrees(&[1.0, -2.0, 3.0, -4.0, 5.0, -6.0, 7.0, -8.0], 0.84375);
        agrees(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0], 0.001953125);
        let cross_and_self_fertilised =
            [6.0, 8.0, 14.0, 16.0, 23.0, 24.0, 28.0, 29.0, 41.0, -48.0, 49.0, 56.0, 60.0, -67.0, 75.0];
        agrees(&cross_and_self_fertilised, 0.041259765625);
        agrees(&every_fourth_negative(50), 0.0013303578723942167);
    }

    #[test]
    fn the_most_extreme_of_fifty_differences_has_the_smallest_exact_p_value() {
        // scipy 1.17.1: stats.wilcoxon(np.arange(1, 51)).pvalue = 1.7763568394002505e-15, which is 2 / 2^50.
        let differences: Vec<f64> = (1..=50).map(f64::from).collect();
        agrees(&differences, 1.7763568394002505e-15);
    }

    #[test]
    fn short_lists_with_ties_or_zeros_are_exact_as_in_scipy() {
        // scipy 1.17.1: stats.wilcoxon(d).pvalue, which goes through all signs for 13 differences or fewer.
        agrees(&[1.0, 1.0, 2.0, -2.0, 3.0], 0.375);
        agrees(&[0.0, 1.0, 2.0, 3.0, -4.0], 0.875);
        agrees(&[0.0, 0.0, 1.0], 1.0);
        agrees(&[0.5; 5], 0.0625);
        agrees(&[1.0; 13], 0.000244140625);
        agrees(&[0.0, 1.0, -2.0, 3.0, 4.0, 5.0, 6.0, -7.0, 8.0, 9.0, 10.0, 11.0, 12.0], 0.01611328125);
    }

    #[test]
    fn longer_lists_are_normal_as_in_scipy() {
        // scipy 1.17.1: stats.wilcoxon(d).pvalue; the last is [i % 7 - 2 for i in range(40)].
        agrees(&[1.0; 14], 0.0001828106329818348);
        let ties = [1.0, 1.0, 2.0, -2.0, 3.0, 4.0, 5.0, -6.0, 6.0, 7.0, 8.0, 9.0, -9.0, 10.0];
        agrees(&ties, 0.07849672269127679);
        let one_zero = [0.0, 1.0, -2.0, 3.0, 4.0, 5.0, 6.0, -7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0];
        agrees(&one_zero, 0.010746783005343858);
        agrees(&every_fourth_negative(60), 0.0013633620914137979);
        let cycle: Vec<f64> = (0..40).map(|index| f64::from(index % 7 - 2)).collect();
        agrees(&cycle, 0.010759596249504096);
    }

    #[test]
    fn differences_tie_only_where_they_are_the_same_number() {
        // scipy 1.17.1: stats.wilcoxon([0.3 - 0.2, 0.2 - 0.1, 0.5]).pvalue = 0.25
        agrees(&[0.3 - 0.2, 0.2 - 0.1, 0.5], 0.25);
        let fourteen: Vec<f64> = (0..7).flat_map(|_| [0.3 - 0.2, 0.1 - 0.2]).collect();
        assert!(wilcoxon_signed_rank(&fourteen).unwrap() < 1.0, "the positive differences are a hair smaller");
    }

    #[test]
    fn zero_differences_say_nothing_and_no_differences_have_no_p_value() {
        for zeros in [1, 5, 100] {
            assert_eq!(wilcoxon_signed_rank(&vec![0.0; zeros]), Some(1.0));
        }
        assert_eq!(wilcoxon_signed_rank(&[0.0, -0.0]), Some(1.0));
        assert_eq!(wilcoxon_signed_rank(&[]), None);
    }

    #[test]
    fn the_largest_numbers_and_the_longest_lists_have_a_p_value() {
        assert_eq!(wilcoxon_signed_rank(&[f64::MAX, f64::MIN]), Some(1.0));
        let differences: Vec<f64> = (1..=100_000).map(f64::from).collect();
        assert_eq!(wilcoxon_signed_rank(&differences), Some(0.0), "smaller than the smallest number");
    }
}
