//! The values of a label column as a spec writes them: one scalar, or a list.

use crate::math::bounds::Scalar;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Cow;
use std::fmt;

/// One value of a label column, or a list of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum LabelValues {
    One(String),
    Several(Vec<String>),
}

impl LabelValues {
    pub fn texts(&self) -> &[String] {
        match self {
            LabelValues::One(text) => std::slice::from_ref(text),
            LabelValues::Several(texts) => texts,
        }
    }

    /// Whether a text of a file is one of the values. Blanks around it do not count, and numbers may be written differently.
    pub fn contain(&self, text: &str) -> bool {
        let number = |text: &str| text.trim().parse::<f64>().ok();
        let is_same = |value: &String| {
            value.trim() == text.trim() || number(value).is_some_and(|value| Some(value) == number(text))
        };
        self.texts().iter().any(is_same)
    }
}

impl fmt::Display for LabelValues {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            LabelValues::One(text) => f.write_str(text),
            LabelValues::Several(texts) => write!(f, "[{}]", texts.join(", ")),
        }
    }
}

impl<'de> Deserialize<'de> for LabelValues {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Written;
        impl<'de> Visitor<'de> for Written {
            type Value = LabelValues;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a string, a number, a boolean, or a list of them")
            }

            fn visit_bool<E: Error>(self, value: bool) -> Result<LabelValues, E> {
                Ok(LabelValues::One(value.to_string()))
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<LabelValues, E> {
                Ok(LabelValues::One(value.to_string()))
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<LabelValues, E> {
                Ok(LabelValues::One(value.to_string()))
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<LabelValues, E> {
                Ok(LabelValues::One(value.to_string()))
            }

            fn visit_str<E: Error>(self, value: &str) -> Result<LabelValues, E> {
                Ok(LabelValues::One(value.to_string()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<LabelValues, A::Error> {
                let mut texts = Vec::new();
                while let Some(ScalarText(text)) = items.next_element()? {
                    texts.push(text);
                }
                if texts.is_empty() {
                    return Err(A::Error::custom("the list of values is empty"));
                }
                Ok(LabelValues::Several(texts))
            }
        }
        deserializer.deserialize_any(Written)
    }
}

/// A scalar as text: files hold texts, but YAML may read the value as a number or a boolean.
#[derive(Clone, Debug, PartialEq)]
pub struct ScalarText(pub String);

impl<'de> Deserialize<'de> for ScalarText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Scalar::deserialize(deserializer)? {
            Scalar::Text(text) => Ok(ScalarText(text)),
            Scalar::Bool(value) => Ok(ScalarText(value.to_string())),
            Scalar::Integer(value) => Ok(ScalarText(value.to_string())),
            Scalar::Number(value) => Ok(ScalarText(value.to_string())),
            _ => Err(D::Error::invalid_type(Unexpected::Other("another value"), &"a string, a number or a boolean")),
        }
    }
}

impl JsonSchema for LabelValues {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "LabelValues".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let scalar = ["string", "number", "boolean"];
        json_schema!({ "anyOf": [
            { "type": scalar },
            { "type": "array", "items": { "type": scalar } }
        ] })
    }
}
