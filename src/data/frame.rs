//! A file as columns of numbers and categories, before labels are assigned.

use crate::data::DataError;
use crate::data::missing::Filling;
use crate::data::scan::Lines;
use crate::data::schema::Kind;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct Frame {
    /// The path or the built-in name.
    pub origin: String,
    /// The sha256 of the file.
    pub sha256: String,
    pub rows: usize,
    pub places: Places,
    pub columns: Vec<RawColumn>,
    /// Whether the data is built in, so that its card says what its columns mean.
    pub is_built_in: bool,
}

/// How messages name a row.
#[derive(Clone, Debug)]
pub enum Places {
    Lines(Lines),
    Rows,
}

impl Places {
    pub fn of(&self, row: usize) -> String {
        match self {
            Places::Lines(lines) => format!("line {}", lines.of(row)),
            Places::Rows => format!("row {}", row + 1),
        }
    }
}

/// A column as read. What is wrong with it matters only where it is used.
#[derive(Clone, Debug)]
pub struct RawColumn {
    pub name: String,
    pub kind: Kind,
    /// Whether the spec declares the kind.
    pub is_declared: bool,
    /// An error if the column cannot be read, or not as declared.
    pub values: Result<Arc<Values>, DataError>,
    /// Why the kind is not certain: the column is no feature before it is declared.
    pub doubt: Option<DataError>,
    /// How many values are missing, and the first row of them.
    pub missing: usize,
    pub first_missing: Option<usize>,
    /// The lowest and the highest number or date, or else up to three frequent values.
    pub examples: Vec<String>,
}

/// A feature column.
#[derive(Clone, Debug)]
pub struct Column {
    pub name: String,
    pub values: Arc<Values>,
    /// What takes the place of missing values; `None` if there are none.
    pub filling: Option<Filling>,
}

impl Column {
    /// A column without missing values.
    pub fn complete(name: &str, values: Values) -> Self {
        Column { name: name.to_string(), values: Arc::new(values), filling: None }
    }
}

#[derive(Clone, Debug)]
pub enum Values {
    /// NaN where a value is missing.
    Numeric(Vec<f64>),
    /// Each code is the index of a level; levels are in alphabetical order, and that of missing values is the last.
    Categorical { codes: Vec<u32>, levels: Vec<String> },
}

impl Frame {
    pub fn column(&self, name: &str) -> Result<&RawColumn, DataError> {
        self.columns.iter().find(|column| column.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
            let nearest = crate::text::nearest(name, &names).map(|name| format!("did you mean `{name}`? "));
            let remedy = format!("{}the columns are: {}", nearest.unwrap_or_default(), names.join(", "));
            DataError::new(&self.origin, format!("there is no column `{name}`"), remedy)
        })
    }
}

impl Values {
    pub fn rows(&self) -> usize {
        match self {
            Values::Numeric(numbers) => numbers.len(),
            Values::Categorical { codes, .. } => codes.len(),
        }
    }
}
