//! The bootstrap interval of a mean.

use crate::math::stats::{held_within, quantile, range};
use rand::Rng;

/// The number of resamples.
const RESAMPLES: usize = 2_000;

/// The 95% percentile bootstrap interval of the mean.
///
/// It covers the middle 95% of the means of 2,000 resamples, each as long as the values and drawn with replacement
/// (Efron and Tibshirani, *An Introduction to the Bootstrap*, 1993, chapter 13). `None` for fewer than two values. The
/// same generator in the same state gives the same interval.
pub fn bootstrap_interval(values: &[f64], random: &mut impl Rng) -> Option<(f64, f64)> {
    if values.len() < 2 {
        return None;
    }
    // Dividing before the sum keeps the sum of the largest numbers finite.
    let shares: Vec<f64> = values.iter().map(|value| value / values.len() as f64).collect();
    let range = range(values);
    let mut means: Vec<f64> = (0..RESAMPLES).map(|_| held_within(resampled_sum(&shares, random), range)).collect();
    means.sort_by(f64::total_cmp);
    Some((quantile(&means, 0.025)?, quantile(&means, 0.975)?))
}

/// The sum of one resample: as many shares as there are, drawn with replacement.
fn resampled_sum(shares: &[f64], random: &mut impl Rng) -> f64 {
    // One word of the generator gives two indices, each the upper 32 bits of 32 random bits times the count. Some
    // indices are likelier than others by a factor of at most 1 + count / 2^32, which is 1.00003 for 100,000 values.
    let count = shares.len() as u64;
    let drawn = |bits: u32| shares[((u64::from(bits) * count) >> 32) as usize];
    let (mut upper, mut lower) = (0.0, 0.0);
    for _ in 0..count / 2 {
        let word = random.next_u64();
        upper += drawn((word >> 32) as u32);
        lower += drawn(word as u32);
    }
    if count % 2 == 1 {
        upper += drawn(random.next_u32());
    }
    upper + lower
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::stats::Summary;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    fn interval(values: &[f64], seed: u64) -> (f64, f64) {
        bootstrap_interval(values, &mut ChaCha8Rng::seed_from_u64(seed)).unwrap()
    }

    /// The means of all resamples of five values.
    fn all_means(values: [f64; 5]) -> Vec<f64> {
        let drawn = |resample: usize, digit: u32| values[resample / 5_usize.pow(digit) % 5];
        (0..5_usize.pow(5)).map(|resample| (0..5).map(|digit| drawn(resample, digit)).sum::<f64>() / 5.0).collect()
    }

    #[test]
    fn an_interval_matches_the_exact_bootstrap_distribution() {
        let values = [0.811, 0.832, 0.843, 0.857, 0.889];
        let means = all_means(values);
        // Four standard errors of a share of 2.5% among 2,000.
        let error = 4.0 * (0.025_f64 * 0.975 / RESAMPLES as f64).sqrt();
        let exact = |share| quantile(&means, share).unwrap();
        for seed in 0..20 {
            let (low, high) = interval(&values, seed);
            assert!(exact(0.025 - error) <= low && low <= exact(0.025 + error), "seed {seed}: {low}");
            assert!(exact(0.975 - error) <= high && high <= exact(0.975 + error), "seed {seed}: {high}");
        }
    }

    #[test]
    fn over_many_generators_an_interval_has_no_bias() {
        let values = [0.811, 0.832, 0.843, 0.857, 0.889];
        let means = all_means(values);
        let (lows, highs): (Vec<f64>, Vec<f64>) = (0..200).map(|seed| interval(&values, seed)).unzip();
        for (ends, share) in [(lows, 0.025), (highs, 0.975)] {
            let (found, exact) = (Summary::of(&ends).unwrap().mean, quantile(&means, share).unwrap());
            assert!((found - exact).abs() < 5e-4, "{share}: {found} {exact}");
        }
    }

    #[test]
    fn an_interval_matches_scipy() {
        // scipy 1.17.1: x = [i * 37 % 101 / 101 for i in range(100)]; stats.bootstrap((x,), np.mean,
        // method='percentile', n_resamples=100000, rng=np.random.default_rng(0)).confidence_interval
        // = (0.43733, 0.55030). Other generators give ends that differ by up to 0.0009; an end of 2,000 resamples has a
        // standard error of about 0.002.
        let values: Vec<f64> = (0..100).map(|index| f64::from(index * 37 % 101) / 101.0).collect();
        for seed in 0..10 {
            let (low, high) = interval(&values, seed);
            assert!((low - 0.4373).abs() < 0.008 && (high - 0.5503).abs() < 0.008, "seed {seed}: {low} {high}");
        }
    }

    #[test]
    fn every_value_is_drawn_about_equally_often() {
        // The values are powers of ten, so the digits of the sum of seven drawn values count how often each was drawn.
        let shares: Vec<f64> = (0..7).map(|index| f64::from(10_u32.pow(index))).collect();
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut counts = [0_u64; 7];
        for _ in 0..20_000 {
            let mut digits = resampled_sum(&shares, &mut random) as u64;
            for count in &mut counts {
                *count += digits % 10;
                digits /= 10;
            }
        }
        assert_eq!(counts.iter().sum::<u64>(), 140_000);
        // The standard error of a count is 131.
        assert!(counts.iter().all(|count| count.abs_diff(20_000) < 600), "{counts:?}");
    }

    #[test]
    fn two_values_are_their_own_interval() {
        // A quarter of all resamples holds the smaller value twice. scipy 1.17.1: stats.bootstrap(([1.0, 2.0],),
        // np.mean, method='percentile', n_resamples=2000, rng=np.random.default_rng(0)).confidence_interval
        // = (1.0, 2.0)
        assert_eq!(interval(&[1.0, 2.0], 5), (1.0, 2.0));
    }

    #[test]
    fn equal_values_have_an_interval_without_width() {
        for count in [2, 3, 7, 100] {
            assert_eq!(interval(&vec![0.1; count], 5), (0.1, 0.1));
        }
    }

    #[test]
    fn the_same_generator_gives_the_same_interval() {
        let values: Vec<f64> = (1..40).map(|index| f64::from(index).sqrt()).collect();
        assert_eq!(interval(&values, 5), interval(&values, 5));
        assert_ne!(interval(&values, 5), interval(&values, 6));
    }

    #[test]
    fn the_largest_numbers_have_a_finite_interval() {
        assert_eq!(interval(&[f64::MAX; 3], 5), (f64::MAX, f64::MAX));
        assert_eq!(interval(&[f64::MIN, f64::MAX], 5), (f64::MIN, f64::MAX));
    }

    #[test]
    fn fewer_than_two_values_have_no_interval() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        assert_eq!(bootstrap_interval(&[0.5], &mut random), None);
        assert_eq!(bootstrap_interval(&[], &mut random), None);
    }
}
