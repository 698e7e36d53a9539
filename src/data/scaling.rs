//! Numbers as methods see them: missing ones filled, all of them shifted and scaled.

use crate::data::missing::Filling;
use crate::data::{NumericScaling, Values};

/// How a numeric or ordinal column is read.
#[derive(Clone, Debug)]
pub struct NumericReading {
    /// The number of each level of an ordinal column, with unseen levels at the training mean; empty for a numeric
    /// column.
    levels: Vec<f64>,
    /// What takes the place of a missing number.
    fill: f64,
    shift: f64,
    scale: f64,
}

/// Why a column cannot be scaled. Without this check, its values would become zero or infinite.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("column `{column}` {problem}")]
pub struct ScalingError {
    pub column: String,
    pub problem: String,
    /// Whether there is no value at all.
    pub is_empty: bool,
}

impl ScalingError {
    /// The same of a named column.
    pub fn of(self, column: &str) -> Self {
        ScalingError { column: column.to_string(), ..self }
    }
}

/// The largest magnitude of a scaled value: the square of a larger one may be infinite.
const LARGEST: f64 = 1e150;
/// Differences that are smaller than this, relative to the scale, are lost in rounding.
const SMALLEST: f64 = 1e-15;
/// How many pairs of neighbouring values are looked at.
const PAIRS: usize = 1000;

impl NumericReading {
    /// For the values of training rows, of which missing ones are filled in place.
    pub fn fit(
        scaling: NumericScaling,
        levels: Vec<f64>,
        filling: Option<Filling>,
        seen: &mut [f64],
    ) -> Result<Self, ScalingError> {
        let mut fill = f64::NAN;
        if let Some(filling) = filling {
            fill = fill_of(filling, seen)?;
            seen.iter_mut().filter(|number| number.is_nan()).for_each(|number| *number = fill);
        }
        let (shift, scale) = shift_and_scale(scaling, seen);
        check(scaling, seen, shift, scale)?;
        // A column that is constant in training carries no information: it becomes zero there.
        let scale = if scale > 0.0 { scale } else { 1.0 };
        Ok(NumericReading { levels, fill, shift, scale })
    }

    pub fn is_ordinal(&self) -> bool {
        !self.levels.is_empty()
    }

    pub fn shift(&self) -> f64 {
        self.shift
    }

    pub fn scale(&self) -> f64 {
        self.scale
    }

    pub fn read(&self, values: &Values, row: usize) -> f64 {
        let number = match values {
            Values::Numeric(numbers) => numbers[row],
            Values::Categorical { codes, .. } => self.levels[codes[row] as usize],
        };
        let number = if number.is_nan() { self.fill } else { number };
        (number - self.shift) / self.scale
    }
}

/// Refuses a scaled value that is too large.
pub fn refuse_overflow(scaled: f64) -> Result<(), ScalingError> {
    if scaled.abs() <= LARGEST {
        return Ok(());
    }
    let problem =
        format!("overflows: a value becomes {scaled:e} when it is scaled; correct it, or count it as missing");
    Err(failure(problem))
}

fn failure(problem: String) -> ScalingError {
    ScalingError { column: String::new(), problem, is_empty: false }
}

fn fill_of(filling: Filling, seen: &[f64]) -> Result<f64, ScalingError> {
    let mut given: Vec<f64> = seen.iter().copied().filter(|number| !number.is_nan()).collect();
    if given.is_empty() {
        let problem = "has no value in any training row, so nothing can take the place of missing ones".to_string();
        return Err(ScalingError { is_empty: true, ..failure(problem) });
    }
    Ok(match filling {
        Filling::Mean => given.iter().sum::<f64>() / given.len() as f64,
        _ => {
            given.sort_unstable_by(f64::total_cmp);
            quantile(&given, 0.5)
        }
    })
}

/// Between the two nearest of sorted numbers, linearly.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (low, rest) = (place.floor() as usize, place.fract());
    let high = sorted[(low + 1).min(sorted.len() - 1)];
    // A convex combination cannot overflow.
    if rest == 0.0 { sorted[low] } else { sorted[low] * (1.0 - rest) + high * rest }
}

fn shift_and_scale(scaling: NumericScaling, seen: &[f64]) -> (f64, f64) {
    match scaling {
        NumericScaling::Raw => (0.0, 1.0),
        NumericScaling::MinMax => {
            let (low, high) = range(seen);
            (low, high - low)
        }
        NumericScaling::Robust => {
            let mut sorted = seen.to_vec();
            sorted.sort_unstable_by(f64::total_cmp);
            if sorted.is_empty() {
                return (0.0, 1.0);
            }
            (quantile(&sorted, 0.5), quantile(&sorted, 0.75) - quantile(&sorted, 0.25))
        }
        NumericScaling::Standardize => {
            let count = seen.len() as f64;
            let mean = seen.iter().sum::<f64>() / count;
            let variance = seen.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count;
            (mean, variance.sqrt())
        }
    }
}

fn range(seen: &[f64]) -> (f64, f64) {
    (seen.iter().copied().fold(f64::INFINITY, f64::min), seen.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}

/// Refuses a scale that makes training values infinite, or their differences zero.
fn check(scaling: NumericScaling, seen: &[f64], shift: f64, scale: f64) -> Result<(), ScalingError> {
    if seen.is_empty() {
        return Ok(());
    }
    let extremes = || {
        let (low, high) = range(seen);
        format!("its values go from {low:e} to {high:e}")
    };
    if !(shift.is_finite() && scale.is_finite()) {
        let problem =
            format!("overflows when it is scaled: {}; correct extreme values, or count them as missing", extremes());
        return Err(failure(problem));
    }
    if matches!(scaling, NumericScaling::Raw | NumericScaling::Robust) {
        let (low, high) = range(seen);
        let unit = if scale > 0.0 { scale } else { 1.0 };
        let largest = f64::max(((low - shift) / unit).abs(), ((high - shift) / unit).abs());
        return refuse_overflow(largest);
    }
    let different = seen.windows(2).map(|pair| (pair[0] - pair[1]).abs()).filter(|step| *step > 0.0).take(PAIRS);
    let (mut pairs, mut lost) = (0, 0);
    for step in different {
        pairs += 1;
        let scaled = step / scale;
        lost += usize::from(scaled.is_nan() || scaled < SMALLEST || scale == 0.0);
    }
    if 10 * lost > pairs {
        let problem = format!(
            "underflows: differences between its values become zero when it is scaled, as {}; correct extreme values, count \
             them as missing, or set `features.numeric` to `robust`",
            extremes()
        );
        return Err(failure(problem));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scaled(scaling: NumericScaling, seen: &[f64]) -> Result<Vec<f64>, ScalingError> {
        let reading = NumericReading::fit(scaling, Vec::new(), None, &mut seen.to_vec())?;
        let values = Values::Numeric(seen.to_vec());
        Ok((0..seen.len()).map(|row| reading.read(&values, row)).collect())
    }

    /// `sklearn.preprocessing.RobustScaler().fit_transform(..)`, scikit-learn 1.9.1. The middle half of the last is one value.
    #[test]
    fn robust_scaling_is_that_of_scikit_learn() {
        for (seen, expected) in [
            (&[1.0, 2.0, 3.0, 4.0, 100.0][..], &[-1.0, -0.5, 0.0, 0.5, 48.5][..]),
            (
                &[1.0, 2.0, 3.5, 100.0],
                &[-0.06763285024154589, -0.028985507246376812, 0.028985507246376812, 3.758454106280193],
            ),
            (&[5.0, 5.0, 5.0, 5.0, 9.0], &[0.0, 0.0, 0.0, 0.0, 4.0]),
        ] {
            let robust = scaled(NumericScaling::Robust, seen).unwrap();
            let is_near = robust.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 1e-15 * b.abs());
            assert!(is_near && robust.len() == expected.len(), "{robust:?}");
        }
    }

    #[test]
    fn an_extreme_value_is_a_failure_and_never_makes_the_others_zero() {
        let people: Vec<f64> = (0..40).map(|row| f64::from(20 + row % 7)).collect();
        let with = |sentinel: f64| [&people[..], &[sentinel]].concat();
        for (scaling, sentinel, expected) in [
            (NumericScaling::Standardize, 1e160, "overflows"),
            (NumericScaling::Standardize, 1e99, "underflows"),
            (NumericScaling::MinMax, 1e160, "underflows"),
            (NumericScaling::Raw, 1e160, "overflows"),
            (NumericScaling::Robust, 1e160, "overflows"),
        ] {
            let error = scaled(scaling, &with(sentinel)).unwrap_err();
            assert!(error.problem.starts_with(expected), "{scaling} {sentinel}: {error}");
        }
        assert!(scaled(NumericScaling::MinMax, &[-1e308, 1e308]).unwrap_err().problem.starts_with("overflows"));
        assert!(scaled(NumericScaling::Standardize, &[1e-200, 2e-200]).unwrap_err().problem.starts_with("underflows"));
        assert!(scaled(NumericScaling::Robust, &with(1e99)).is_ok());
        assert_eq!(scaled(NumericScaling::Standardize, &[7.0, 7.0]).unwrap(), [0.0, 0.0]);
    }

    /// `sklearn.impute.SimpleImputer(strategy=..).fit(..).statistics_`, scikit-learn 1.9.1.
    #[test]
    fn missing_numbers_take_the_median_or_mean_of_the_given_ones() {
        let read = |filling| {
            let mut seen = vec![1.0, f64::NAN, 2.0, 9.0, 4.0];
            let reading = NumericReading::fit(NumericScaling::Raw, Vec::new(), Some(filling), &mut seen).unwrap();
            assert_eq!(seen[1], reading.fill);
            reading.read(&Values::Numeric(vec![f64::NAN]), 0)
        };
        assert_eq!((read(Filling::Median), read(Filling::Mean), read(Filling::Indicator)), (3.0, 4.0, 3.0));
        let none = NumericReading::fit(NumericScaling::Raw, Vec::new(), Some(Filling::Mean), &mut [f64::NAN]);
        assert!(none.unwrap_err().is_empty);
    }
}
