//! Correction for multiple tests.

/// The p-values adjusted for their number by Holm's step-down procedure, in the given order.
///
/// With m p-values in ascending order the i-th becomes the largest of (m - j + 1) p_j over j up to i, and at most 1
/// (Holm, *A Simple Sequentially Rejective Multiple Test Procedure*, Scandinavian Journal of Statistics 6, 1979).
/// Rejecting where the adjusted value is at most 5% keeps the chance of any false rejection at 5%, however the tests
/// depend on each other.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|first, second| p_values[*first].total_cmp(&p_values[*second]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut floor = 0.0_f64;
    for (step, index) in order.into_iter().enumerate() {
        floor = floor.max((p_values.len() - step) as f64 * p_values[index]).min(1.0);
        adjusted[index] = floor;
    }
    adjusted
}

/// The same for claims of which some are not tested: those do not count.
pub fn holm_of_tested(p_values: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut adjusted = holm(&p_values.iter().flatten().copied().collect::<Vec<_>>()).into_iter();
    p_values.iter().map(|p| p.and_then(|_| adjusted.next())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agrees(p_values: &[f64], expected: &[f64]) {
        let adjusted = holm(p_values);
        assert_eq!(adjusted.len(), expected.len());
        for (adjusted, expected) in adjusted.iter().zip(expected) {
            assert!((adjusted - expected).abs() <= 1e-14 * expected, "{p_values:?}: {adjusted} {expected}");
        }
    }

    #[test]
    fn adjusted_p_values_match_statsmodels() {
        // statsmodels 0.15.0: multipletests(p, method='holm')[1]
        agrees(&[0.01, 0.04, 0.03, 0.005], &[0.03, 0.06, 0.06, 0.02]);
        agrees(&[0.2], &[0.2]);
        agrees(&[1.0, 0.0, 1e-300], &[1.0, 0.0, 2e-300]);
        agrees(
            &[0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216],
            &[0.01, 0.072, 0.312, 0.312, 0.312, 0.312, 0.312, 0.615, 0.615, 0.615],
        );
    }

    #[test]
    fn equal_p_values_stay_equal() {
        // statsmodels 0.15.0: multipletests([0.05, 0.05, 0.05], method='holm')[1] = [0.15, 0.15, 0.15]
        agrees(&[0.05, 0.05, 0.05], &[0.15, 0.15, 0.15]);
    }

    #[test]
    fn no_adjusted_p_value_exceeds_one() {
        agrees(&[0.5, 0.9, 0.7], &[1.0, 1.0, 1.0]);
    }

    #[test]
    fn adjusted_p_values_keep_the_order_and_are_never_smaller() {
        let p_values: Vec<f64> = (0..40).map(|index| f64::from(index * 17 % 41) / 900.0).collect();
        let adjusted = holm(&p_values);
        for (first, adjusted_first) in p_values.iter().zip(&adjusted) {
            assert!(adjusted_first >= first);
            for (second, adjusted_second) in p_values.iter().zip(&adjusted) {
                assert!(first > second || adjusted_first <= adjusted_second);
            }
        }
    }

    #[test]
    fn what_is_not_tested_is_not_counted() {
        assert_eq!(holm_of_tested(&[None, Some(0.01), None, Some(0.5)]), [None, Some(0.02), None, Some(0.5)]);
        assert_eq!(holm_of_tested(&[None, None]), [None, None]);
    }

    #[test]
    fn no_p_values_stay_none() {
        assert_eq!(holm(&[]), Vec::<f64>::new());
    }
}
