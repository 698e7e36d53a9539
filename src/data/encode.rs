//! Encodes columns as a [`Design`]. Means, ranges and categories come from training rows only.

use crate::data::{Column, DataError, Table, Values};
use crate::math::matrix::{Design, Layout, UNSEEN};
use crate::math::square;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How columns become numbers. Scales and categories come from the training rows of each split.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Features {
    /// The scaling of numeric columns.
    pub numeric: NumericScaling,
    /// The encoding of categorical columns.
    pub categorical: CategoryEncoding,
    /// Columns to leave out. The label columns are always left out.
    pub exclude: Vec<String>,
}

/// The scaling of a numeric column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum NumericScaling {
    /// Scales to mean 0 and standard deviation 1 over the training rows.
    #[default]
    Standardize,
    /// Scales to the range 0 to 1 over the training rows.
    MinMax,
    /// Leaves the values as they are.
    Raw,
}

/// The encoding of a categorical column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum CategoryEncoding {
    /// Makes a column of 0 and 1 for every category of the training rows. These columns are not scaled. A category that occurs
    /// only in the test set has no column.
    #[default]
    OneHot,
    /// Makes one column with 0, 1, 2, ... in alphabetical order of the categories, scaled as numeric columns are.
    Ordinal,
}

/// The largest number of encoded columns: time and memory grow with its square.
const MAX_COLUMNS: usize = 5000;

impl Features {
    /// Refuses a table that has too many columns when encoded, such as one with a name in every row.
    pub fn check_width(&self, origin: &str, table: &Table) -> Result<(), DataError> {
        let width = |column: &Column| match (&*column.values, self.categorical) {
            (Values::Categorical { levels, .. }, CategoryEncoding::OneHot) => levels.len(),
            _ => 1,
        };
        let all: usize = table.features.iter().map(width).sum();
        let widest = table.features.iter().max_by_key(|column| width(column));
        let Some(widest) = widest.filter(|_| all > MAX_COLUMNS) else { return Ok(()) };
        let (name, most) = (&widest.name, width(widest));
        let (problem, remedy) = if most == 1 {
            ("there are too many numeric columns".to_string(), "add some to `features.exclude`".to_string())
        } else {
            let remedy = format!("add `{name}` to `features.exclude`, or set `features.categorical` to `ordinal`");
            (format!("column `{name}` alone has {most}, one for each category"), remedy)
        };
        let problem =
            format!("the encoded features have {all} columns, but at most {MAX_COLUMNS} are allowed: {problem}");
        Err(DataError::new(origin, problem, remedy))
    }
}

/// An encoding fitted to training rows.
#[derive(Clone, Debug)]
pub struct Encoder {
    layout: Arc<Layout>,
    /// In the order of the weights: the index of a column in the table, and how to read it.
    numeric: Vec<(usize, NumericReading)>,
    /// The indices of one-hot columns in the table. The layout holds their levels.
    one_hot: Vec<usize>,
}

#[derive(Clone, Debug)]
struct NumericReading {
    /// The number of each level of an ordinal column, with unseen levels at the training mean; empty for a numeric
    /// column.
    levels: Vec<f64>,
    shift: f64,
    scale: f64,
}

impl Encoder {
    pub fn fit(table: &Table, features: &Features, training: &[usize]) -> Self {
        let mut numeric = Vec::new();
        let mut one_hot = Vec::new();
        let mut one_hot_indices = Vec::new();
        let mut one_hot_names = Vec::new();
        // One buffer for all columns: for millions of rows, allocating it takes longer than using it.
        let mut seen_numbers = Vec::with_capacity(training.len());
        for (index, column) in table.features.iter().enumerate() {
            match &*column.values {
                Values::Numeric(numbers) => {
                    seen_numbers.clear();
                    seen_numbers.extend(training.iter().map(|row| numbers[*row]));
                    numeric.push((index, NumericReading::fit(features.numeric, Vec::new(), &seen_numbers)));
                }
                Values::Categorical { codes, levels } => {
                    let seen = seen_levels(levels.len(), training.iter().map(|row| codes[*row]));
                    match features.categorical {
                        CategoryEncoding::Ordinal => {
                            let ranks = ordinal_levels(&seen, codes, training);
                            seen_numbers.clear();
                            seen_numbers.extend(training.iter().map(|row| ranks[codes[*row] as usize]));
                            numeric.push((index, NumericReading::fit(features.numeric, ranks, &seen_numbers)));
                        }
                        CategoryEncoding::OneHot => {
                            let names = levels.iter().map(|level| format!("{}={level}", column.name));
                            let first = one_hot_names.len() as u32;
                            one_hot_names.extend(names.zip(&seen).filter(|(_, seen)| **seen).map(|(name, _)| name));
                            one_hot.push(index);
                            one_hot_indices.push(numbered(&seen, first));
                        }
                    }
                }
            }
        }
        // One-hot columns come after all numeric ones.
        let offset = numeric.len() as u32;
        for index in one_hot_indices.iter_mut().flatten().filter(|index| **index != UNSEEN) {
            *index += offset;
        }
        let mut names: Vec<String> = numeric.iter().map(|(index, _)| table.features[*index].name.clone()).collect();
        names.extend(one_hot_names);
        let layout = Arc::new(Layout::new(names, numeric.len(), &one_hot_indices));
        Encoder { layout, numeric, one_hot }
    }

    pub fn encode(&self, table: &Table, rows: &[usize]) -> Design {
        let mut design = Design::new(self.layout.clone(), rows.len());
        for (index, (column, reading)) in self.numeric.iter().enumerate() {
            let values = &table.features[*column].values;
            design.fill(index, rows.iter().map(|row| reading.read(values, *row)));
        }
        for (index, column) in self.one_hot.iter().enumerate() {
            if let Values::Categorical { codes, .. } = &*table.features[*column].values {
                design.fill_levels(index, rows.iter().map(|row| codes[*row]));
            }
        }
        design
    }

    /// Converts weights of scaled numeric columns to weights of the raw columns; the intercept is last.
    ///
    /// `None` if there are one-hot or ordinal columns.
    pub fn unscaled_weights(&self, weights: &[f64]) -> Option<Vec<f64>> {
        if !self.one_hot.is_empty() || self.numeric.iter().any(|(_, reading)| !reading.levels.is_empty()) {
            return None;
        }
        let mut unscaled = weights.to_vec();
        let intercept = unscaled.last_mut()?;
        for ((_, reading), weight) in self.numeric.iter().zip(weights) {
            *intercept -= weight * reading.shift / reading.scale;
        }
        for ((_, reading), weight) in self.numeric.iter().zip(&mut unscaled) {
            *weight /= reading.scale;
        }
        Some(unscaled)
    }
}

/// Which levels occur. Stops once all have occurred, which is usually long before the last row.
fn seen_levels(levels: usize, codes: impl Iterator<Item = u32>) -> Vec<bool> {
    let (mut seen, mut missing) = (vec![false; levels], levels);
    for code in codes {
        let seen = &mut seen[code as usize];
        missing -= usize::from(!*seen);
        *seen = true;
        if missing == 0 {
            break;
        }
    }
    seen
}

/// The number of each level among the seen ones; the training mean for unseen levels.
fn ordinal_levels(seen: &[bool], codes: &[u32], training: &[usize]) -> Vec<f64> {
    let ranks = numbered(seen, 0);
    let sum: f64 = training.iter().map(|row| f64::from(ranks[codes[*row] as usize])).sum();
    let mean = sum / training.len() as f64;
    ranks.into_iter().map(|rank| if rank == UNSEEN { mean } else { f64::from(rank) }).collect()
}

/// Consecutive numbers from `first` for the seen levels, [`UNSEEN`] for the others.
fn numbered(seen: &[bool], first: u32) -> Vec<u32> {
    let mut next = first;
    let number = |seen: &bool| {
        if !seen {
            return UNSEEN;
        }
        next += 1;
        next - 1
    };
    seen.iter().map(number).collect()
}

impl NumericReading {
    fn fit(scaling: NumericScaling, levels: Vec<f64>, seen: &[f64]) -> Self {
        let (shift, scale) = match scaling {
            NumericScaling::Raw => (0.0, 1.0),
            NumericScaling::MinMax => {
                let low = seen.iter().copied().fold(f64::INFINITY, f64::min);
                let high = seen.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                (low, high - low)
            }
            NumericScaling::Standardize => {
                let count = seen.len() as f64;
                let mean = seen.iter().sum::<f64>() / count;
                let variance = seen.iter().map(|x| square(x - mean)).sum::<f64>() / count;
                (mean, variance.sqrt())
            }
        };
        // A column that is constant in training carries no information: it becomes zero there.
        let scale = if scale > 0.0 { scale } else { 1.0 };
        NumericReading { levels, shift, scale }
    }

    fn read(&self, values: &Values, row: usize) -> f64 {
        let number = match values {
            Values::Numeric(numbers) => numbers[row],
            Values::Categorical { codes, .. } => self.levels[codes[row] as usize],
        };
        (number - self.shift) / self.scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{LabelRule, read_bytes};

    fn table() -> Table {
        let csv = b"age,job,y,z\n10,b,1,1\n20,a,1,0\n30,b,0,0\n1000,c,0,0\n";
        let rule = |column: &str| LabelRule { column: column.into(), positive: "1".into() };
        Table::new(&read_bytes("people.csv", csv).unwrap(), &rule("y"), &rule("z"), &[]).unwrap()
    }

    fn encode(numeric: NumericScaling, categorical: CategoryEncoding) -> Design {
        let features = Features { numeric, categorical, exclude: Vec::new() };
        // The last row is a test row: its age must not change the scale, and its job has no column.
        Encoder::fit(&table(), &features, &[0, 1, 2]).encode(&table(), &[0, 1, 3])
    }

    #[test]
    fn scales_and_categories_come_from_training_rows_only() {
        let design = encode(NumericScaling::MinMax, CategoryEncoding::OneHot);
        assert_eq!(design.names(), ["age", "job=a", "job=b"]);
        assert_eq!(design.to_dense(), [0.0, 0.0, 1.0, 0.5, 1.0, 0.0, 49.5, 0.0, 0.0]);

        let deviation = (200.0f64 / 3.0).sqrt();
        let design = encode(NumericScaling::Standardize, CategoryEncoding::OneHot);
        assert_eq!(design.to_dense()[0], -10.0 / deviation);
        assert_eq!(design.to_dense()[6], 980.0 / deviation);
    }

    #[test]
    fn ordinal_codes_are_alphabetical_and_scaled_like_numbers() {
        let design = encode(NumericScaling::Raw, CategoryEncoding::Ordinal);
        assert_eq!(design.names(), ["age", "job"]);
        // Job c is unseen in training and gets the mean of b, a, b.
        assert_eq!(design.to_dense(), [10.0, 1.0, 20.0, 0.0, 1000.0, 2.0 / 3.0]);
    }

    #[test]
    fn unscaled_weights_give_the_same_margin_on_raw_features() {
        let mut table = table();
        table.features.truncate(1);
        let rows = [0, 1, 2, 3];
        let features = |numeric| Features { numeric, categorical: CategoryEncoding::OneHot, exclude: Vec::new() };
        let scaled = Encoder::fit(&table, &features(NumericScaling::Standardize), &[0, 1, 2]);
        let raw = Encoder::fit(&table, &features(NumericScaling::Raw), &[0, 1, 2]);
        let weights = [0.7, -0.2];
        let unscaled = scaled.unscaled_weights(&weights).unwrap();
        let expected = scaled.encode(&table, &rows).margins(&weights);
        let margins = raw.encode(&table, &rows).margins(&unscaled);
        assert!(margins.iter().zip(expected).all(|(margin, expected)| (margin - expected).abs() < 1e-12));
    }
}
