//! Ranks of methods over several blocks.

use crate::math::square;
use crate::math::stats::distributions::{chi_squared_above, normal_cdf, normal_density};
use crate::math::stats::quadrature::nodes;
use std::f64::consts::SQRT_2;

/// The rank of every value: 1 for the highest. Equal values share the mean of their ranks.
pub fn mid_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|first, second| values[*second].total_cmp(&values[*first]));
    let mut ranks = vec![0.0; values.len()];
    let mut higher = 0;
    for group in order.chunk_by(|first, second| values[*first] == values[*second]) {
        for index in group {
            ranks[*index] = higher as f64 + (group.len() + 1) as f64 / 2.0;
        }
        higher += group.len();
    }
    ranks
}

/// The sum of t^3 - t over all groups of t equal values, which corrections for ties use.
pub(super) fn tie_term(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let groups = sorted.chunk_by(|first, second| first == second);
    groups.map(|group| group.len() as f64).map(|count| count * count * count - count).sum()
}

/// The ranks of methods over several blocks, such as data sets.
#[derive(Clone, Debug, PartialEq)]
pub struct RankComparison {
    /// The mean rank of every method, in the order of the values of a block; 1 is the best.
    pub average: Vec<f64>,
    /// The p-value of Friedman's test that all methods rank equally: chi-squared, corrected for ties. It is 1 if the
    /// values of every block are all equal.
    pub friedman: f64,
    /// Nemenyi's critical difference at 5%: average ranks that are further apart differ.
    pub critical_difference: f64,
}

impl RankComparison {
    /// Every block holds one value per method, in the same order; higher is better.
    ///
    /// `None` for fewer than two blocks, fewer than two methods, or blocks of different lengths. Friedman's test and
    /// Nemenyi's critical difference are those of Demšar (*Statistical Comparisons of Classifiers over Multiple Data
    /// Sets*, Journal of Machine Learning Research 7, 2006).
    pub fn of(blocks: &[Vec<f64>]) -> Option<Self> {
        let methods = blocks.first()?.len();
        if blocks.len() < 2 || methods < 2 || blocks.iter().any(|block| block.len() != methods) {
            return None;
        }
        let mut average = vec![0.0; methods];
        for block in blocks {
            average.iter_mut().zip(mid_ranks(block)).for_each(|(sum, rank)| *sum += rank);
        }
        average.iter_mut().for_each(|sum| *sum /= blocks.len() as f64);
        let ties = blocks.iter().map(|block| tie_term(block)).sum();
        let friedman = friedman_p_value(&average, blocks.len() as f64, ties)?;
        let quantile = studentized_range_quantile(methods) / SQRT_2;
        let methods = methods as f64;
        let critical_difference = quantile * (methods * (methods + 1.0) / (6.0 * blocks.len() as f64)).sqrt();
        Some(RankComparison { average, friedman, critical_difference })
    }

    /// The bars of a critical-difference diagram: the groups of methods whose average ranks differ by no more than the
    /// critical difference.
    ///
    /// A group lists the indices of its methods, best average rank first. It has two or more members and is not
    /// contained in another group. Groups are in the order of their best methods.
    pub fn groups(&self) -> Vec<Vec<usize>> {
        let mut order: Vec<usize> = (0..self.average.len()).collect();
        order.sort_by(|first, second| self.average[*first].total_cmp(&self.average[*second]));
        let mut groups = Vec::new();
        let mut covered = 0;
        for (start, best) in order.iter().enumerate() {
            let reach = |index: &usize| self.average[*index] - self.average[*best] <= self.critical_difference;
            let end = order.partition_point(reach);
            if end > covered && end > start + 1 {
                groups.push(order[start..end].to_vec());
                covered = end;
            }
        }
        groups
    }
}

/// The p-value for average ranks over `blocks` blocks; `ties` is the sum of their tie terms.
fn friedman_p_value(average: &[f64], blocks: f64, ties: f64) -> Option<f64> {
    let methods = average.len() as f64;
    let spread: f64 = average.iter().map(|rank| square(rank - (methods + 1.0) / 2.0)).sum();
    let correction = 1.0 - ties / (blocks * (methods * methods * methods - methods));
    if spread == 0.0 || correction <= 0.0 {
        return Some(1.0);
    }
    let statistic = 12.0 * blocks / (methods * (methods + 1.0)) * spread / correction;
    Some(chi_squared_above(statistic, average.len() as u32 - 1))
}

/// The 95% quantile of the range of `count` independent standard normal variables.
///
/// The range of k of them is at most q with probability k times the integral of phi(z) (Phi(z) - Phi(z - q))^(k - 1)
/// over z: one of them is the largest, at z, and the others lie within q below it.
fn studentized_range_quantile(count: usize) -> f64 {
    let largest: Vec<(f64, f64, f64)> =
        nodes(-9.0, 9.0, 36).map(|(node, weight)| (node, normal_cdf(node), weight * normal_density(node))).collect();
    let count = count as f64;
    let probability = |range: f64| {
        let within = |(node, below, weight): &(f64, f64, f64)| {
            weight * libm::pow((below - normal_cdf(node - range)).max(0.0), count - 1.0)
        };
        count * largest.iter().map(within).sum::<f64>()
    };
    let (mut low, mut high) = (0.0, 18.0);
    for _ in 0..50 {
        let middle = (low + high) / 2.0;
        if probability(middle) < 0.95 { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The areas under the curve of four variants of C4.5 on fourteen datasets, Demšar (2006), table 6.
    const DEMSAR: [[f64; 4]; 14] = [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.975, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ];

    fn blocks<const METHODS: usize>(blocks: &[[f64; METHODS]]) -> Vec<Vec<f64>> {
        blocks.iter().map(|block| block.to_vec()).collect()
    }

    fn groups(average: &[f64], critical_difference: f64) -> Vec<Vec<usize>> {
        RankComparison { average: average.to_vec(), friedman: 0.0, critical_difference }.groups()
    }

    #[test]
    fn the_highest_value_has_rank_one_and_ties_share_the_mean_rank() {
        // scipy 1.17.1: stats.rankdata([-0.9, -0.8, -0.9, -0.7, -0.8, -0.8]) = [1.5, 4, 1.5, 6, 4, 4]
        assert_eq!(mid_ranks(&[0.9, 0.8, 0.9, 0.7, 0.8, 0.8]), [1.5, 4.0, 1.5, 6.0, 4.0, 4.0]);
        assert_eq!(mid_ranks(&[2.0, 3.0]), [2.0, 1.0]);
        assert_eq!(mid_ranks(&[0.0, -0.0, 0.0]), [2.0; 3], "both zeros are equal");
        assert_eq!(mid_ranks(&[7.0]), [1.0]);
        assert_eq!(mid_ranks(&[]), Vec::<f64>::new());
    }

    #[test]
    fn a_comparison_matches_scipy_and_the_paper() {
        // scipy 1.17.1: stats.friedmanchisquare(*np.array(DEMSAR).T).pvalue = 0.011986176325417788; average ranks are
        // np.mean([stats.rankdata(-row) for row in DEMSAR], axis=0). Demšar gives a critical difference of 1.25.
        let comparison = RankComparison::of(&blocks(&DEMSAR)).unwrap();
        let expected = [44.0 / 14.0, 28.0 / 14.0, 41.0 / 14.0, 27.0 / 14.0];
        assert!(comparison.average.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12));
        assert!((comparison.friedman - 0.011986176325417788).abs() < 1e-12, "{}", comparison.friedman);
        assert!((comparison.critical_difference - 2.569031772546482 * (20.0_f64 / 84.0).sqrt()).abs() < 1e-9);
        assert_eq!(comparison.groups(), [vec![3, 1, 2, 0]], "1.21 apart at the most");
    }

    #[test]
    fn friedman_p_values_match_scipy() {
        // scipy 1.17.1: stats.friedmanchisquare(*np.array(blocks).T).pvalue
        let five = [[3.0, 2.0, 1.0], [3.0, 1.0, 2.0], [3.0, 2.0, 1.0], [2.0, 3.0, 1.0], [3.0, 2.0, 1.0]];
        let found = RankComparison::of(&blocks(&five)).unwrap().friedman;
        assert!((found - 0.04076220397836611).abs() < 1e-12, "{found}");
        let opposed = RankComparison::of(&blocks(&[[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])).unwrap();
        assert_eq!((opposed.average, opposed.friedman), (vec![2.0; 3], 1.0));
    }

    #[test]
    fn two_methods_are_compared_by_the_same_formula() {
        // Eight wins, two losses and two ties: the statistic is (8 - 2)^2 / 10.
        // scipy 1.17.1: stats.chi2.sf(3.6, 1) = 0.05777957112359715
        let mut won = vec![vec![2.0, 1.0]; 8];
        won.extend([vec![1.0, 2.0], vec![1.0, 2.0], vec![1.0, 1.0], vec![5.0, 5.0]]);
        let found = RankComparison::of(&won).unwrap().friedman;
        assert!((found - 0.05777957112359715).abs() < 1e-12, "{found}");
    }

    #[test]
    fn methods_that_always_tie_do_not_differ() {
        let comparison = RankComparison::of(&vec![vec![0.1; 5]; 7]).unwrap();
        assert_eq!((&comparison.average, comparison.friedman), (&vec![3.0; 5], 1.0));
        assert_eq!(comparison.groups(), [vec![0, 1, 2, 3, 4]]);
    }

    #[test]
    fn too_few_blocks_or_methods_are_no_comparison() {
        assert_eq!(RankComparison::of(&[]), None);
        assert_eq!(RankComparison::of(&[vec![1.0, 2.0]]), None);
        assert_eq!(RankComparison::of(&[vec![1.0], vec![2.0]]), None);
        assert_eq!(RankComparison::of(&[vec![], vec![]]), None);
        assert_eq!(RankComparison::of(&[vec![1.0, 2.0], vec![1.0, 2.0, 3.0]]), None);
    }

    #[test]
    fn studentized_range_quantiles_match_scipy() {
        // scipy 1.17.1: stats.studentized_range.ppf(0.95, k, np.inf)
        let expected = [
            (2, 2.771807648699355),
            (3, 3.314493155398122),
            (5, 3.857655510378623),
            (10, 4.474124221725907),
            (50, 5.646026026380527),
            (200, 6.4959132639351775),
        ];
        for (count, expected) in expected {
            let found = studentized_range_quantile(count);
            assert!((found - expected).abs() < 1e-8, "{count}: {found} {expected}");
        }
    }

    #[test]
    fn studentized_range_quantiles_match_the_table_of_the_paper() {
        // Demšar (2006), table 5(a).
        for (count, expected) in [(2, 1.960), (3, 2.343), (5, 2.728), (10, 3.164)] {
            assert!((studentized_range_quantile(count) / SQRT_2 - expected).abs() < 1e-3, "{count}");
        }
    }

    #[test]
    fn groups_overlap_but_none_contains_another() {
        assert_eq!(groups(&[4.0, 1.0, 2.0, 3.0], 1.5), [vec![1, 2], vec![2, 3], vec![3, 0]]);
        assert_eq!(groups(&[1.0, 1.5, 2.0, 5.0, 5.5], 1.0), [vec![0, 1, 2], vec![3, 4]]);
        assert_eq!(groups(&[1.0, 3.0, 5.0], 1.0), Vec::<Vec<usize>>::new(), "every method stands alone");
        assert_eq!(groups(&[2.0, 2.0], 0.0), [vec![0, 1]]);
    }
}
