//! The schema of a file: what every column is, as inferred or declared.

use crate::data::date::{DateOptions, format_problem};
use crate::text::TextTable;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What a spec declares a column to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnType {
    /// Every value is a number or missing.
    Number,
    /// Every value is the name of a category, also if it looks like a number or a date.
    Category,
    /// Every value is a date or missing.
    Date(DateOptions),
    /// Not a feature.
    Identifier,
}

/// The declared types of columns.
pub type ColumnTypes = BTreeMap<String, ColumnType>;

impl ColumnType {
    /// What is wrong with the options, if anything is.
    pub fn problem(&self) -> Option<String> {
        match self {
            ColumnType::Date(DateOptions { parts, .. }) if parts.is_empty() => {
                Some("`parts` is empty, so nothing would be left of the column".to_string())
            }
            ColumnType::Date(DateOptions { format: Some(format), .. }) => format_problem(format),
            _ => None,
        }
    }

    pub fn kind(&self) -> Kind {
        match self {
            ColumnType::Number => Kind::Number,
            ColumnType::Category => Kind::Category,
            ColumnType::Date(_) => Kind::Date,
            ColumnType::Identifier => Kind::Identifier,
        }
    }
}

impl JsonSchema for ColumnType {
    fn schema_name() -> Cow<'static, str> {
        "ColumnType".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let options = generator.subschema_for::<DateOptions>();
        json_schema!({
            "description": "What a column is: `number`, `category`, `date`, or `identifier`, which is no feature. \
                            `date: { .. }` has options.",
            "anyOf": [
                { "enum": ["number", "category", "date", "identifier"] },
                {
                    "type": "object",
                    "properties": { "date": options },
                    "required": ["date"],
                    "additionalProperties": false
                }
            ]
        })
    }
}

/// What a column is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Kind {
    Number,
    Category,
    Date,
    /// Names a person rather than describing one.
    Identifier,
    Label,
    /// Left out by the spec.
    Excluded,
}

/// A column as tables, the page and the manifest show it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnSchema {
    pub name: String,
    pub kind: Kind,
    /// Whether the spec declares the kind.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub declared: bool,
    /// Whether the kind is doubtful, so that the column must be declared before it is used.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub doubtful: bool,
    /// The number of distinct values, unless the column is a number or a date.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<usize>,
    pub missing: usize,
    /// The lowest and the highest number or date, or else up to three frequent values.
    pub examples: Vec<String>,
    /// How many columns it becomes, with a category for every level of the file.
    pub feature_columns: usize,
}

/// The columns of a file in the order of the file, as one or more settings use them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileSchema {
    /// The labels of the settings.
    pub settings: Vec<String>,
    pub columns: Vec<ColumnSchema>,
}

impl ColumnSchema {
    /// The kind, with a question mark if it is doubtful.
    fn kind_text(&self) -> String {
        let declared = if self.declared { ", declared" } else { "" };
        let doubt = if self.doubtful { "?" } else { "" };
        format!("{}{doubt}{declared}", self.kind)
    }

    fn values_text(&self) -> String {
        self.examples.join(if self.levels.is_none() { " to " } else { ", " })
    }

    fn row(&self) -> Vec<String> {
        let is_read = self.kind != Kind::Excluded && !(self.kind == Kind::Identifier && self.declared);
        let if_read = |count: Option<usize>| match count {
            Some(count) if is_read => count.to_string(),
            _ => "-".to_string(),
        };
        vec![
            self.name.clone(),
            self.kind_text(),
            self.values_text(),
            if_read(self.levels),
            if_read(Some(self.missing)),
            self.feature_columns.to_string(),
        ]
    }
}

impl FileSchema {
    pub fn table(&self) -> TextTable {
        let header = ["column", "kind", "values", "levels", "missing", "feature columns"].map(String::from).to_vec();
        TextTable { header, rows: self.columns.iter().map(ColumnSchema::row).collect(), words: 3 }
    }

    /// The same with only the columns that differ from another schema of the file.
    pub fn differences(&self, other: &FileSchema) -> FileSchema {
        let columns = self.columns.iter().filter(|column| !other.columns.contains(column)).cloned().collect();
        FileSchema { columns, ..self.clone() }
    }

    /// How many feature columns all columns together become.
    pub fn feature_columns(&self) -> usize {
        self.columns.iter().map(|column| column.feature_columns).sum()
    }
}
