//! Encodes columns as a [`Design`]. Scales, categories and what fills missing values come from training rows only.

use crate::data::missing::Filling;
use crate::data::scaling::{NumericReading, ScalingError, refuse_overflow};
use crate::data::{CategoryEncoding, Column, Features, Table, Values};
use crate::math::matrix::{Design, Layout, UNSEEN};
use std::sync::Arc;

/// An encoding fitted to training rows.
#[derive(Clone, Debug)]
pub struct Encoder {
    layout: Arc<Layout>,
    /// In the order of the weights: the index of a column in the table, and how to read it.
    numeric: Vec<(usize, NumericReading)>,
    /// The indices of one-hot columns in the table. The layout holds their levels.
    one_hot: Vec<usize>,
}

/// Columns of 0 and 1: those of a categorical column, or the one that says where a number is missing.
#[derive(Clone, Debug)]
struct OneHot {
    /// The index of the column in the table.
    column: usize,
    /// The index of the encoded column of each level, or [`UNSEEN`]; a number has the levels given and missing.
    indices: Vec<u32>,
}

/// An encoding in the making.
struct Fitting<'a> {
    features: &'a Features,
    training: &'a [usize],
    numeric: Vec<(usize, NumericReading)>,
    numeric_names: Vec<String>,
    one_hot: Vec<OneHot>,
    one_hot_names: Vec<String>,
    /// One buffer for all columns: for millions of rows, allocating it takes longer than using it.
    seen: Vec<f64>,
}

impl Fitting<'_> {
    fn add(&mut self, index: usize, column: &Column) -> Result<(), ScalingError> {
        match &*column.values {
            Values::Numeric(numbers) => {
                self.seen.clear();
                self.seen.extend(self.training.iter().map(|row| numbers[*row]));
                if column.filling == Some(Filling::Indicator) && self.seen.iter().any(|number| number.is_nan()) {
                    let name = format!("{} missing", column.name);
                    self.add_levels(index, &[false, true], &[String::new(), name]);
                }
                self.add_number(index, column, Vec::new())
            }
            Values::Categorical { codes, levels } => {
                let seen = seen_levels(levels.len(), self.training.iter().map(|row| codes[*row]));
                match self.features.categorical {
                    CategoryEncoding::Ordinal => {
                        let ranks = ordinal_levels(&seen, codes, self.training);
                        self.seen.clear();
                        self.seen.extend(self.training.iter().map(|row| ranks[codes[*row] as usize]));
                        self.add_number(index, column, ranks)
                    }
                    CategoryEncoding::OneHot => {
                        let names: Vec<String> =
                            levels.iter().map(|level| format!("{}={level}", column.name)).collect();
                        self.add_levels(index, &seen, &names);
                        Ok(())
                    }
                }
            }
        }
    }

    /// Adds a column with the numbers in the buffer.
    fn add_number(&mut self, index: usize, column: &Column, ranks: Vec<f64>) -> Result<(), ScalingError> {
        let filling = if ranks.is_empty() { column.filling } else { None };
        let reading = NumericReading::fit(self.features.numeric, ranks, filling, &mut self.seen);
        self.numeric.push((index, reading.map_err(|error| error.of(&column.name))?));
        self.numeric_names.push(column.name.clone());
        Ok(())
    }

    fn add_levels(&mut self, column: usize, seen: &[bool], names: &[String]) {
        let first = self.one_hot_names.len() as u32;
        self.one_hot_names.extend(names.iter().zip(seen).filter(|(_, seen)| **seen).map(|(name, _)| name.clone()));
        self.one_hot.push(OneHot { column, indices: numbered(seen, first) });
    }

    fn finish(mut self) -> Encoder {
        // One-hot columns come after all numeric ones.
        let offset = self.numeric.len() as u32;
        let indices = self.one_hot.iter_mut().flat_map(|one_hot| &mut one_hot.indices);
        indices.filter(|index| **index != UNSEEN).for_each(|index| *index += offset);
        let mut names = self.numeric_names;
        names.extend(self.one_hot_names);
        let indices: Vec<Vec<u32>> =
            self.one_hot.iter_mut().map(|one_hot| std::mem::take(&mut one_hot.indices)).collect();
        let layout = Arc::new(Layout::new(names, self.numeric.len(), &indices));
        let one_hot = self.one_hot.into_iter().map(|one_hot| one_hot.column).collect();
        Encoder { layout, numeric: self.numeric, one_hot }
    }
}

impl Encoder {
    pub fn fit(table: &Table, features: &Features, training: &[usize]) -> Result<Self, ScalingError> {
        let mut fitting = Fitting {
            features,
            training,
            numeric: Vec::new(),
            numeric_names: Vec::new(),
            one_hot: Vec::new(),
            one_hot_names: Vec::new(),
            seen: Vec::with_capacity(training.len()),
        };
        for (index, column) in table.features.iter().enumerate() {
            fitting.add(index, column)?;
        }
        Ok(fitting.finish())
    }

    pub fn encode(&self, table: &Table, rows: &[usize]) -> Design {
        self.encode_noting(table, rows, |_, _| {})
    }

    /// The same for rows outside the training rows, whose scaled values may be too large.
    pub fn encode_others(&self, table: &Table, rows: &[usize]) -> Result<Design, ScalingError> {
        let mut largest = (0, 0.0);
        let design = self.encode_noting(table, rows, |column, number| {
            if number.abs() > largest.1 {
                largest = (column, number.abs());
            }
        });
        refuse_overflow(largest.1).map_err(|error| error.of(&table.features[largest.0].name))?;
        Ok(design)
    }

    /// Calls `note` with the index of the column in the table, and every scaled number.
    fn encode_noting(&self, table: &Table, rows: &[usize], mut note: impl FnMut(usize, f64)) -> Design {
        let mut design = Design::new(self.layout.clone(), rows.len());
        for (index, (column, reading)) in self.numeric.iter().enumerate() {
            let values = &table.features[*column].values;
            let numbers = rows.iter().map(|row| reading.read(values, *row));
            design.fill(index, numbers.inspect(|number| note(*column, *number)));
        }
        for (index, column) in self.one_hot.iter().enumerate() {
            match &*table.features[*column].values {
                Values::Categorical { codes, .. } => design.fill_levels(index, rows.iter().map(|row| codes[*row])),
                Values::Numeric(numbers) => {
                    design.fill_levels(index, rows.iter().map(|row| u32::from(numbers[*row].is_nan())));
                }
            }
        }
        design
    }

    /// Converts weights of scaled numeric columns to weights of the raw columns; the intercept is last.
    ///
    /// `None` if there are one-hot or ordinal columns.
    pub fn unscaled_weights(&self, weights: &[f64]) -> Option<Vec<f64>> {
        if !self.one_hot.is_empty() || self.numeric.iter().any(|(_, reading)| reading.is_ordinal()) {
            return None;
        }
        let mut unscaled = weights.to_vec();
        let intercept = unscaled.last_mut()?;
        for ((_, reading), weight) in self.numeric.iter().zip(weights) {
            *intercept -= weight * reading.shift() / reading.scale();
        }
        for ((_, reading), weight) in self.numeric.iter().zip(&mut unscaled) {
            *weight /= reading.scale();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{LabelRule, NumericScaling, read_bytes};

    fn table() -> Table {
        let csv = b"age,job,y,z\n10,b,1,1\n20,a,1,0\n30,b,0,0\n1000,c,0,0\n";
        let frame = read_bytes("people.csv", csv).unwrap();
        Table::new(&frame, &LabelRule::new("y", "1"), &LabelRule::new("z", "1"), &Features::default()).unwrap()
    }

    fn encode(numeric: NumericScaling, categorical: CategoryEncoding) -> Design {
        let features = Features { numeric, categorical, ..Features::default() };
        // The last row is a test row: its age must not change the scale, and its job has no column.
        Encoder::fit(&table(), &features, &[0, 1, 2]).unwrap().encode(&table(), &[0, 1, 3])
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
        let features = |numeric| Features { numeric, ..Features::default() };
        let scaled = Encoder::fit(&table, &features(NumericScaling::Standardize), &[0, 1, 2]).unwrap();
        let raw = Encoder::fit(&table, &features(NumericScaling::Raw), &[0, 1, 2]).unwrap();
        let weights = [0.7, -0.2];
        let unscaled = scaled.unscaled_weights(&weights).unwrap();
        let expected = scaled.encode(&table, &rows).margins(&weights);
        let margins = raw.encode(&table, &rows).margins(&unscaled);
        assert!(margins.iter().zip(expected).all(|(margin, expected)| (margin - expected).abs() < 1e-12));
    }
}
