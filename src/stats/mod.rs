//! Statistics over seeds: pure functions of numbers.

mod paired;

use statrs::distribution::{ContinuousCDF, StudentsT};

pub use paired::PairedDifference;

/// What a list of values, one a seed, comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    pub count: usize,
    pub mean: f64,
    /// The sample standard deviation; `None` for a single value.
    pub deviation: Option<f64>,
    /// The 95% interval of the mean by Student's t, as if the values were independent; `None` for a single value.
    ///
    /// Splits of one file share rows, so over seeds this is an interval for the mean over splits of that file.
    pub interval: Option<(f64, f64)>,
}

impl Summary {
    /// `None` for no values at all.
    pub fn of(values: &[f64]) -> Option<Self> {
        let count = values.len();
        if count == 0 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / count as f64;
        let deviation = (count > 1).then(|| {
            let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
            (squares / (count - 1) as f64).sqrt()
        });
        let interval = deviation.and_then(|deviation| {
            let half = student_quantile(count)? * deviation / (count as f64).sqrt();
            Some((mean - half, mean + half))
        });
        Some(Summary { count, mean, deviation, interval })
    }
}

/// How many standard errors a 95% interval of the mean of so many values reaches to each side.
fn student_quantile(count: usize) -> Option<f64> {
    Some(StudentsT::new(0.0, 1.0, (count - 1) as f64).ok()?.inverse_cdf(0.975))
}

/// The value below which the given share of the values lies, interpolated between neighbours.
///
/// `None` for no values. The definition is the usual default (type 7 of Hyndman and Fan, 1996).
pub fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = share.clamp(0.0, 1.0) * (sorted.len().checked_sub(1)?) as f64;
    let (low, high) = (place.floor() as usize, place.ceil() as usize);
    Some(sorted[low] + (place - low as f64) * (sorted[high] - sorted[low]))
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
        assert!((summary.deviation.unwrap() - 0.019_235_384_061_671_322).abs() < 1e-12);
        let (low, high) = summary.interval.unwrap();
        assert!((low - 0.814116116119).abs() < 1e-9 && (high - 0.861883883881).abs() < 1e-9, "{low} {high}");
    }

    #[test]
    fn a_single_value_has_no_spread_and_no_values_have_no_summary() {
        let single = Summary::of(&[0.7]).unwrap();
        assert_eq!((single.mean, single.deviation, single.interval), (0.7, None, None));
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
}
