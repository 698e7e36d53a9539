//! Two methods over the same seeds.

use crate::stats::{Summary, student_quantile};

/// By how much the first of each pair of values is above the second.
#[derive(Clone, Debug, PartialEq)]
pub struct PairedDifference {
    pub pairs: usize,
    /// First minus second.
    pub mean: f64,
    /// The 95% interval of the mean difference; `None` for a single pair.
    pub interval: Option<(f64, f64)>,
    /// In how many pairs the first value is the larger one; equal values count for neither.
    pub ahead: usize,
}

impl PairedDifference {
    /// `None` for no pairs at all.
    ///
    /// Random splits of one file share rows, so their differences are not independent, and Student's t over them is too
    /// sure. Nadeau and Bengio (*Inference for the Generalization Error*, Machine Learning 52, 2003) put the variance of
    /// the mean of k differences at (1/k + n_test/n_train) s^2. `test_to_train` is that ratio; 0 where every seed draws
    /// new people, which leaves Student's t as it is.
    pub fn of(pairs: &[(f64, f64)], test_to_train: f64) -> Option<Self> {
        let differences: Vec<f64> = pairs.iter().map(|(first, second)| first - second).collect();
        let Summary { count, mean, deviation, .. } = Summary::of(&differences)?;
        let interval = deviation.and_then(|deviation| {
            let half = student_quantile(count)? * deviation * (1.0 / count as f64 + test_to_train).sqrt();
            Some((mean - half, mean + half))
        });
        let ahead = differences.iter().filter(|difference| **difference > 0.0).count();
        Some(PairedDifference { pairs: count, mean, interval, ahead })
    }
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
            assert!((low - expected.0).abs() < 1e-9 && (high - expected.1).abs() < 1e-9, "{low} {high}");
            assert_eq!((difference.ahead, difference.pairs), (3, 5), "one pair is behind and one is level");
        }
    }

    #[test]
    fn equal_differences_have_an_interval_without_width() {
        let difference = PairedDifference::of(&[(0.75, 0.5), (0.5, 0.25), (1.0, 0.75)], 0.25).unwrap();
        let expected = PairedDifference { pairs: 3, mean: 0.25, interval: Some((0.25, 0.25)), ahead: 3 };
        assert_eq!(difference, expected);
    }

    #[test]
    fn a_single_pair_has_no_interval_and_no_pairs_have_no_difference() {
        let single = PairedDifference::of(&[(0.5, 0.75)], 0.25).unwrap();
        assert_eq!(single, PairedDifference { pairs: 1, mean: -0.25, interval: None, ahead: 0 });
        assert_eq!(PairedDifference::of(&[], 0.25), None);
    }
}
