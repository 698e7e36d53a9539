//! How columns become features, as a spec says.

use crate::data::missing::Filling;
use crate::data::missing::Fillings;
use crate::data::schema::ColumnTypes;
use crate::data::{Column, DataError, Table, Values};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    /// What columns are, by name: `number`, `category`, `identifier` or `date`, also as
    /// `date: { format: "%d/%m/%Y", parts: [days, year, month, weekday] }` with some of these parts. Every other column must be
    /// beyond doubt.
    #[serde(default, skip_serializing_if = "ColumnTypes::is_empty")]
    pub types: ColumnTypes,
    /// What takes the place of missing values: one way for all columns, or a map with a way for some columns, while the others
    /// must be complete.
    #[serde(default, skip_serializing_if = "Fillings::is_default")]
    pub missing: Fillings,
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
    /// Scales to median 0 and interquartile range 1 over the training rows, so that few extreme values make no difference to
    /// the others. A column whose middle half is one value is not scaled, only shifted.
    Robust,
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
    /// The columns that are named, which must exist.
    pub fn named_columns(&self) -> impl Iterator<Item = &String> {
        self.exclude.iter().chain(self.types.keys()).chain(self.missing.columns())
    }

    /// How many columns of the encoded table a feature becomes, if every level occurs in training.
    pub fn width(&self, column: &Column) -> usize {
        match (&*column.values, self.categorical) {
            (Values::Categorical { levels, .. }, CategoryEncoding::OneHot) => levels.len(),
            (Values::Numeric(_), _) if column.filling == Some(Filling::Indicator) => 2,
            _ => 1,
        }
    }

    /// Refuses a table that has too many columns when encoded, such as one with a name in every row.
    pub fn check_width(&self, origin: &str, table: &Table) -> Result<(), DataError> {
        let all: usize = table.features.iter().map(|column| self.width(column)).sum();
        let widest = table.features.iter().max_by_key(|column| self.width(column));
        let Some(widest) = widest.filter(|_| all > MAX_COLUMNS) else { return Ok(()) };
        let (name, most) = (&widest.name, self.width(widest));
        let (problem, remedy) = if most <= 2 {
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
