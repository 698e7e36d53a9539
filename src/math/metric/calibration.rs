//! Calibration: predicted probabilities against outcomes.

use crate::math::metric::Group;
use crate::math::square;
use serde::{Deserialize, Serialize};

/// The number of calibration bins, which divide probabilities into intervals of equal width.
pub const CALIBRATION_BINS: usize = 10;

/// The people whose predicted probability is in one bin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CalibrationBin {
    pub people: u32,
    /// The sum of their probabilities: the expected number of positives.
    pub expected: f64,
    /// The number of positives.
    pub found: u32,
}

/// The bins from 0 to 1. A probability on the edge of two bins belongs to the upper one.
pub fn calibration(probabilities: &[f64], truth: &[Group]) -> Vec<CalibrationBin> {
    let mut bins = vec![CalibrationBin::default(); CALIBRATION_BINS];
    for (probability, group) in probabilities.iter().zip(truth) {
        let bin = (probability * CALIBRATION_BINS as f64) as usize;
        let bin = &mut bins[bin.min(CALIBRATION_BINS - 1)];
        bin.people += 1;
        bin.expected += probability;
        bin.found += u32::from(group.is_potential_customer());
    }
    bins
}

/// The mean squared difference between probability and outcome (Brier, 1950).
pub fn brier_score(probabilities: &[f64], truth: &[Group]) -> f64 {
    let outcomes = truth.iter().map(|group| f64::from(u8::from(group.is_potential_customer())));
    probabilities.iter().zip(outcomes).map(|(p, w)| square(p - w)).sum::<f64>() / probabilities.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_counted_in_the_bin_of_their_probability() {
        // As sklearn.calibration.calibration_curve(truth, probabilities, n_bins=10) of scikit-learn 1.9.1, which gives
        // the shares [0.5, 1.0, 0.5] at the mean probabilities [0.05, 0.5, 0.975].
        let probabilities = [0.0, 0.1 - 1e-9, 0.5, 0.95, 1.0];
        let truth = [false, true, true, true, false].map(|w| Group::of(w, false));
        let bins = calibration(&probabilities, &truth);
        assert_eq!(bins.len(), CALIBRATION_BINS);
        assert_eq!(bins.iter().map(|bin| bin.people).collect::<Vec<_>>(), [2, 0, 0, 0, 0, 1, 0, 0, 0, 2]);
        assert_eq!(bins.iter().map(|bin| bin.found).collect::<Vec<_>>(), [1, 0, 0, 0, 0, 1, 0, 0, 0, 1]);
        assert!((bins[9].expected - 1.95).abs() < 1e-12 && bins[1].expected == 0.0);
    }

    #[test]
    fn a_brier_score_is_zero_for_the_truth_and_one_for_its_opposite() {
        let truth = [true, false, true].map(|w| Group::of(w, false));
        assert_eq!(brier_score(&[1.0, 0.0, 1.0], &truth), 0.0);
        assert_eq!(brier_score(&[0.0, 1.0, 0.0], &truth), 1.0);
        assert_eq!(brier_score(&[0.5; 3], &truth), 0.25);
    }
}
