//! Which texts stand for a missing value, and what takes its place.

use schemars::JsonSchema;
use serde::de::value::StrDeserializer;
use serde::de::{Deserializer, Error, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The texts that count as missing in every file, besides blank ones.
pub const MISSING: [&str; 12] = ["NA", "N/A", "n/a", "#N/A", "NaN", "nan", "null", "NULL", "Null", "None", "?", "-"];

/// The level of a missing category, and of the encoded column for missing numbers.
pub const MISSING_LEVEL: &str = "(missing)";

/// The texts that count as missing in one file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MissingTexts {
    own: Vec<String>,
    numbers: Vec<f64>,
}

impl MissingTexts {
    /// The usual ones and those of a spec. A number among those of a spec also stands for its other spellings.
    pub fn with(own: &[String]) -> Self {
        let own: Vec<String> = own.iter().map(|text| text.trim().to_string()).collect();
        let numbers = own.iter().filter_map(|text| text.parse().ok()).collect();
        MissingTexts { own, numbers }
    }

    /// Whether a text, without the blanks around it, stands for a missing value.
    pub fn contain(&self, trimmed: &str) -> bool {
        trimmed.is_empty() || MISSING.contains(&trimmed) || self.own.iter().any(|own| own == trimmed)
    }

    pub fn contain_number(&self, number: f64) -> bool {
        self.numbers.contains(&number)
    }
}

/// What takes the place of a missing value. Whatever is computed for it comes from training rows.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::Display,
    strum::VariantNames
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Filling {
    /// Refuses the file.
    #[default]
    Error,
    /// The median of the training rows; for numbers and dates.
    Median,
    /// The mean of the training rows; for numbers and dates.
    Mean,
    /// For numbers and dates, the median of the training rows and a further column that is 1 where the value is missing; for
    /// categories, a category of its own.
    Indicator,
    /// A category of its own; for categories.
    Category,
}

impl Filling {
    /// Whether it is possible for numbers, or else for categories.
    pub fn suits(self, is_number: bool) -> bool {
        match self {
            Filling::Error => false,
            Filling::Median | Filling::Mean => is_number,
            Filling::Indicator => true,
            Filling::Category => !is_number,
        }
    }
}

/// One filling for all columns, or one for each of some columns; the others must be complete.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Fillings {
    All(Filling),
    Columns(BTreeMap<String, Filling>),
}

impl Default for Fillings {
    fn default() -> Self {
        Fillings::All(Filling::Error)
    }
}

impl Fillings {
    pub fn is_default(&self) -> bool {
        *self == Fillings::default()
    }

    pub fn of(&self, column: &str) -> Filling {
        match self {
            Fillings::All(filling) => *filling,
            Fillings::Columns(columns) => columns.get(column).copied().unwrap_or_default(),
        }
    }

    /// The columns that have their own.
    pub fn columns(&self) -> impl Iterator<Item = &String> {
        let columns = match self {
            Fillings::All(_) => None,
            Fillings::Columns(columns) => Some(columns.keys()),
        };
        columns.into_iter().flatten()
    }
}

/// As shown in the labels of settings.
impl fmt::Display for Fillings {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Fillings::All(filling) => filling.fmt(f),
            Fillings::Columns(columns) => {
                let texts: Vec<String> = columns.iter().map(|(name, filling)| format!("{name}: {filling}")).collect();
                f.write_str(&texts.join(", "))
            }
        }
    }
}

/// Written by hand so that a misspelt name keeps its place in the spec.
impl<'de> Deserialize<'de> for Fillings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Written;
        impl<'de> Visitor<'de> for Written {
            type Value = Fillings;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a way of filling, or a map from columns to ways of filling")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Fillings, E> {
                let name: StrDeserializer<E> = text.into_deserializer();
                Filling::deserialize(name).map(Fillings::All)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fillings, A::Error> {
                let mut columns = BTreeMap::new();
                while let Some((name, filling)) = map.next_entry()? {
                    columns.insert(name, filling);
                }
                Ok(Fillings::Columns(columns))
            }
        }
        deserializer.deserialize_any(Written)
    }
}

impl JsonSchema for Fillings {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Fillings".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let one = generator.subschema_for::<Filling>();
        schemars::json_schema!({ "anyOf": [one, { "type": "object", "additionalProperties": one }] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_and_the_usual_texts_are_missing_and_a_spec_may_add_others() {
        let usual = MissingTexts::default();
        assert!(["", "NA", "N/A", "NaN", "null", "None", "?", "-"].iter().all(|text| usual.contain(text)));
        assert!(["unknown", "none", "0", "--", "-1"].iter().all(|text| !usual.contain(text)));
        let more = MissingTexts::with(&["unknown".into(), "-999".into()]);
        assert!(more.contain("unknown") && more.contain("-999") && more.contain_number(-999.0) && more.contain("NA"));
    }

    #[test]
    fn columns_that_are_not_listed_must_be_complete() {
        let fillings: Fillings = serde_json::from_str(r#"{ "income": "median" }"#).unwrap();
        assert_eq!((fillings.of("income"), fillings.of("age")), (Filling::Median, Filling::Error));
        assert_eq!(serde_json::to_string(&fillings).unwrap(), r#"{"income":"median"}"#);
        assert!(serde_json::from_str::<Fillings>("\"error\"").unwrap().is_default());
    }
}
