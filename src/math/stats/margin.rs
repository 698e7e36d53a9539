//! Whether a mean lies above or below a margin, or whether the data cannot decide.

use crate::math::stats::distributions::Student;
use crate::math::stats::{Summary, student_quantile};

/// A test of the mean of independent differences against the largest acceptable loss.
///
/// It asks both questions of a one-sided non-inferiority test: whether the true mean lies above -margin, and whether it
/// lies below. If neither is shown, more differences are needed.
#[derive(Clone, Debug, PartialEq)]
pub struct MarginTest {
    pub count: usize,
    pub mean: f64,
    /// The sample standard deviation; `None` for a single difference.
    pub deviation: Option<f64>,
    /// Each end is a one-sided 95% bound of the true mean by Student's t; `None` for a single difference.
    pub interval: Option<(f64, f64)>,
    /// The probability of a mean at least this high if the true mean were -margin; small if it lies above.
    pub p_above: f64,
    /// The probability of a mean at most this high if the true mean were -margin; small if it lies below.
    pub p_below: f64,
}

impl MarginTest {
    /// `None` if there are no differences. A single one, or equal ones at the margin itself, show nothing: both p are
    /// 1.
    pub fn of(differences: &[f64], margin: f64) -> Option<Self> {
        let Summary { count, mean, deviation, .. } = Summary::of(differences)?;
        let error = deviation.map(|deviation| deviation / (count as f64).sqrt());
        let interval = error.and_then(|error| {
            let half = student_quantile(count, 0.95)? * error;
            Some((mean - half, mean + half))
        });
        let (p_above, p_below) = error.and_then(|error| tails(mean + margin, error, count)).unwrap_or((1.0, 1.0));
        Some(MarginTest { count, mean, deviation, interval, p_above, p_below })
    }
}

/// The shares of Student's distribution above and below a distance from the margin.
fn tails(distance: f64, error: f64, count: usize) -> Option<(f64, f64)> {
    // If distance and error are zero, there is no statistic; if only the error is zero, it is infinite.
    let statistic = Some(distance / error).filter(|statistic| !statistic.is_nan())?;
    let student = Student::new((count - 1) as f64);
    Some((student.above(statistic), student.above(-statistic)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{standard_normal, stream};

    const DIFFERENCES: [f64; 6] = [-0.004, 0.001, -0.009, -0.002, -0.006, 0.0];

    #[test]
    fn both_tails_and_the_interval_match_scipy() {
        // scipy 1.17.1: se = d.std(ddof=1) / np.sqrt(6); t = (d.mean() + margin) / se; stats.t.sf(t, 5), stats.t.cdf(t, 5);
        // stats.t.interval(0.9, 5, d.mean(), se)
        let expected = [
            (0.005, 0.16455966269669164, 0.8354403373033084),
            (0.0, 0.9584951350786232, 0.04150486492137679),
            (0.001, 0.9046761704793581, 0.09532382952064185),
        ];
        for (margin, above, below) in expected {
            let test = MarginTest::of(&DIFFERENCES, margin).unwrap();
            assert!((test.p_above - above).abs() < 1e-12 && (test.p_below - below).abs() < 1e-12, "{test:?}");
            let (low, high) = test.interval.unwrap();
            assert!((low + 0.006440546927233506).abs() < 1e-12 && (high + 0.00022611973943316302).abs() < 1e-12);
            assert_eq!(test.count, 6);
        }
    }

    #[test]
    fn p_is_five_percent_where_the_interval_ends_at_the_margin() {
        let (low, high) = MarginTest::of(&DIFFERENCES, 0.0).unwrap().interval.unwrap();
        assert!((MarginTest::of(&DIFFERENCES, -low).unwrap().p_above - 0.05).abs() < 1e-9);
        assert!((MarginTest::of(&DIFFERENCES, -high).unwrap().p_below - 0.05).abs() < 1e-9);
    }

    #[test]
    fn equal_differences_are_certain_unless_they_are_the_margin_itself() {
        let test = |value: f64| MarginTest::of(&[value; 4], 0.5).map(|test| (test.p_above, test.p_below)).unwrap();
        assert_eq!(test(0.0), (0.0, 1.0));
        assert_eq!(test(-0.75), (1.0, 0.0));
        assert_eq!(test(-0.5), (1.0, 1.0));
    }

    #[test]
    fn a_single_difference_shows_nothing_and_none_are_no_test() {
        let test = MarginTest::of(&[-1.0], 0.5).unwrap();
        assert_eq!((test.p_above, test.p_below, test.interval, test.deviation), (1.0, 1.0, None, None));
        assert_eq!(MarginTest::of(&[], 0.5), None);
    }

    #[test]
    fn at_the_margin_each_side_is_claimed_in_one_of_twenty_and_far_from_it_nearly_always() {
        let mut random = stream(&["test", "margin"]);
        let mut share_above = |true_mean: f64| {
            let runs = 4000;
            let tests = (0..runs).map(|_| {
                let differences: Vec<f64> = (0..30).map(|_| true_mean + 0.01 * standard_normal(&mut random)).collect();
                MarginTest::of(&differences, 0.005).unwrap()
            });
            let (above, below) = tests.fold((0, 0), |(above, below), test| {
                (above + i32::from(test.p_above < 0.05), below + i32::from(test.p_below < 0.05))
            });
            (f64::from(above) / f64::from(runs), f64::from(below) / f64::from(runs))
        };
        // A share of 4000 has a standard error of 0.0034 at 5%.
        let (above, below) = share_above(-0.005);
        assert!((above - 0.05).abs() < 0.012 && (below - 0.05).abs() < 0.012, "{above} {below}");
        // scipy 1.17.1: stats.nct.sf(stats.t.ppf(0.95, 29), 29, 0.005 / 0.01 * np.sqrt(30)) = 0.8483
        let (above, below) = share_above(0.0);
        assert!((above - 0.8483).abs() < 0.02 && below < 0.001, "{above} {below}");
    }
}
