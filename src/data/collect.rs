//! Collects the texts of a column, part by part: as numbers while all of them are, as categories otherwise.

use crate::data::missing::MissingTexts;
use crate::data::notation::{is_integer, is_lost, is_padded};
use crate::data::schema::ColumnType;
use polars::prelude::{
    CategoricalMapping, CategoricalPhysical, Categories, ChunkCast, Column, DataType, PolarsResult, StringChunked,
};
use std::sync::Arc;

/// The code of a text that is not there.
const NOTHING: u32 = u32::MAX;
/// From here on, not all integers are numbers of 64 bits.
pub const LARGEST_INTEGER: f64 = 9_007_199_254_740_992.0;

/// Up to three texts with their rows.
pub type Examples = Vec<(usize, String)>;

fn note(examples: &mut Examples, row: usize, text: &str) {
    if examples.len() < 3 && examples.iter().all(|(_, known)| known != text) {
        examples.push((row, text.to_string()));
    }
}

/// A column whose texts are numbers, with what its texts say beyond them.
#[derive(Default)]
pub struct Numbers {
    /// NaN where a value is missing.
    pub values: Vec<f64>,
    pub missing: usize,
    pub first_missing: Option<usize>,
    /// Texts with leading zeros.
    pub padded: Examples,
    /// Integers that are not exact.
    pub large: Examples,
    /// Texts that are not zero and became zero.
    pub lost: Examples,
    /// The first text that is not a number, in a column that is declared one.
    pub stray: Option<(usize, String)>,
}

impl Numbers {
    pub fn push(&mut self, number: f64, missing: &MissingTexts) {
        if number.is_nan() || missing.contain_number(number) {
            self.first_missing.get_or_insert(self.values.len());
            self.missing += 1;
            self.values.push(f64::NAN);
        } else {
            self.values.push(number);
        }
    }

    fn push_text(&mut self, text: &str, number: f64, missing: &MissingTexts) {
        let row = self.values.len();
        // Neither a digit above zero nor a sign is padding, so few texts are looked at twice.
        if text.as_bytes().first().is_none_or(|byte| !(b'1'..=b'9').contains(byte)) && is_padded(text) {
            note(&mut self.padded, row, text);
        }
        if number.abs() >= LARGEST_INTEGER && is_integer(text) {
            note(&mut self.large, row, text);
        }
        if number == 0.0 && text.len() > 1 && is_lost(text) {
            note(&mut self.lost, row, text);
        }
        self.push(number, missing);
    }

    /// Adds texts as far as they are numbers. Few have blanks around them, so these are trimmed only if they must be.
    fn add(&mut self, texts: &StringChunked, missing: &MissingTexts) -> PolarsResult<bool> {
        let numbers = texts.cast(&DataType::Float64)?;
        let is_partial = numbers.null_count() > 0;
        self.values.reserve(texts.len());
        for (texts, numbers) in texts.downcast_iter().zip(numbers.f64()?.downcast_iter()) {
            if is_partial {
                for (text, number) in texts.iter().zip(numbers.iter()) {
                    if !self.add_one(text, number.copied(), missing) {
                        return Ok(false);
                    }
                }
            } else {
                for (text, number) in texts.values_iter().zip(numbers.values_iter()) {
                    if !self.add_one(Some(text), Some(*number), missing) {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Adds a text with the number that polars reads it as. False if it is no number and not missing.
    #[inline]
    fn add_one(&mut self, text: Option<&str>, number: Option<f64>, missing: &MissingTexts) -> bool {
        match (text, number) {
            (None, _) => self.push(f64::NAN, missing),
            (Some(text), Some(number)) if number.is_finite() => self.push_text(text, number, missing),
            (Some(text), _) => {
                let text = text.trim();
                match text.parse::<f64>() {
                    _ if missing.contain(text) => self.push(f64::NAN, missing),
                    Ok(number) if number.is_finite() => self.push_text(text, number, missing),
                    _ => {
                        self.stray = Some((self.values.len(), text.to_string()));
                        return false;
                    }
                }
            }
        }
        true
    }
}

/// A column of texts: each is a code, and the mapping has the text of every code.
pub struct Texts {
    categories: Arc<Categories>,
    /// polars drops it with the last owner.
    mapping: Arc<CategoricalMapping>,
    codes: Vec<u32>,
}

/// A distinct text of a column.
pub struct Level {
    pub text: String,
    pub rows: usize,
    pub first_row: usize,
}

impl Texts {
    fn new() -> Self {
        let categories = Categories::random("doublepu".into(), CategoricalPhysical::U32);
        Texts { mapping: categories.mapping(), categories, codes: Vec::new() }
    }

    fn dtype(&self) -> DataType {
        DataType::from_categories(self.categories.clone())
    }

    fn add(&mut self, column: &Column) -> PolarsResult<()> {
        let column = if *column.dtype() == DataType::String { column.cast(&self.dtype())? } else { column.clone() };
        for codes in column.cat32()?.physical().downcast_iter() {
            self.codes.extend(codes.iter().map(|code| code.copied().unwrap_or(NOTHING)));
        }
        Ok(())
    }

    /// The level of every row, and the levels in the order in which they occur; a missing text is a blank level.
    pub fn levels(mut self) -> (Vec<u32>, Vec<Level>) {
        let mut order = vec![NOTHING; self.mapping.num_cats_upper_bound() + 1];
        let mut levels: Vec<Level> = Vec::new();
        for (row, code) in self.codes.iter_mut().enumerate() {
            let place = if *code == NOTHING { order.len() - 1 } else { *code as usize };
            if order[place] == NOTHING {
                let text = self.mapping.cat_to_str(*code).unwrap_or_default().to_string();
                order[place] = levels.len() as u32;
                levels.push(Level { text, rows: 0, first_row: row });
            }
            *code = order[place];
            levels[*code as usize].rows += 1;
        }
        (self.codes, levels)
    }
}

/// A column while its file is read.
pub enum Collector {
    Numbers {
        numbers: Numbers,
        is_declared: bool,
    },
    Texts(Texts),
    /// A text that is not a number followed some that are: all are needed again, as texts.
    Mistaken,
}

impl Collector {
    pub fn new(declared: Option<&ColumnType>) -> Self {
        match declared {
            None => Collector::Numbers { numbers: Numbers::default(), is_declared: false },
            Some(ColumnType::Number) => Collector::Numbers { numbers: Numbers::default(), is_declared: true },
            Some(_) => Collector::Texts(Texts::new()),
        }
    }

    /// The type with which polars reads the column: texts, or categories in its own mapping.
    pub fn dtype(&self) -> DataType {
        match self {
            Collector::Texts(texts) => texts.dtype(),
            _ => DataType::String,
        }
    }

    /// Adds the next rows, texts or categories.
    pub fn add(&mut self, column: &Column, missing: &MissingTexts) -> PolarsResult<()> {
        match self {
            Collector::Numbers { numbers, is_declared: true } if numbers.stray.is_some() => {}
            Collector::Numbers { numbers, is_declared } => {
                let is_first = numbers.values.is_empty();
                if !numbers.add(column.str()?, missing)? && !*is_declared {
                    *self = Collector::Mistaken;
                    if is_first {
                        self.begins_again();
                        return self.add(column, missing);
                    }
                }
            }
            Collector::Texts(texts) => texts.add(column)?,
            Collector::Mistaken => {}
        }
        Ok(())
    }

    /// Whether all rows must be added again, from the first on.
    pub fn begins_again(&mut self) -> bool {
        let is_mistaken = matches!(self, Collector::Mistaken);
        if is_mistaken {
            *self = Collector::Texts(Texts::new());
        }
        is_mistaken
    }
}
