//! The JSON Schema of what serde's derive does not know.

use crate::spec::decode::{Located, Sweep, Tunable};
use crate::spec::written::{
    LoyalChoice, Multiple, PriorBase, PriorChoice, PriorEntry, PriorPair, Scalar, UnlabeledChoice, WidthChoice,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

/// Implements `JsonSchema` in place, without a definition of its own.
macro_rules! inline_schema {
    ($type:ty, $name:literal, $schema:expr) => {
        impl JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                $schema(generator)
            }
        }
    };
}

inline_schema!(PriorBase, "PriorBase", |_: &mut SchemaGenerator| json_schema!({ "enum": [true, "true", "train"] }));
inline_schema!(PriorEntry, "PriorEntry", |generator: &mut SchemaGenerator| {
    let pair = generator.subschema_for::<PriorPair>();
    json_schema!({ "anyOf": [
        { "enum": [true, "true", "train"] },
        { "type": "object", "additionalProperties": pair, "minProperties": 1, "maxProperties": 1 }
    ] })
});
inline_schema!(PriorChoice, "PriorChoice", |generator: &mut SchemaGenerator| {
    let multiple = generator.subschema_for::<Multiple>();
    json_schema!({ "anyOf": [{ "type": "number" }, { "enum": [true, "true", "train"] }, multiple] })
});
inline_schema!(Scalar, "Scalar", |_: &mut SchemaGenerator| json_schema!({ "type": ["string", "number", "boolean"] }));
inline_schema!(UnlabeledChoice, "UnlabeledChoice", |_: &mut SchemaGenerator| {
    json_schema!({ "anyOf": [{ "type": "number" }, { "enum": ["all", "remaining"] }] })
});

inline_schema!(LoyalChoice, "LoyalChoice", |_: &mut SchemaGenerator| {
    json_schema!({ "anyOf": [{ "type": "number" }, { "enum": ["within_interest"] }] })
});
inline_schema!(WidthChoice, "WidthChoice", |_: &mut SchemaGenerator| {
    json_schema!({ "anyOf": [{ "type": "number" }, { "enum": ["median"] }] })
});

impl<T: JsonSchema> JsonSchema for Located<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
}

impl<T: JsonSchema> JsonSchema for Sweep<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("SweepOf{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = generator.subschema_for::<T>();
        json_schema!({ "anyOf": [one, { "type": "array", "items": one, "minItems": 1 }] })
    }
}

impl<T: JsonSchema> JsonSchema for Tunable<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Tunable{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<T>();
        let several = json_schema!({ "type": "array", "items": value, "minItems": 2 });
        let tune = json_schema!({
            "type": "object", "properties": { "tune": several }, "required": ["tune"], "additionalProperties": false
        });
        let one = json_schema!({ "anyOf": [value, tune] });
        json_schema!({ "anyOf": [value, tune, { "type": "array", "items": one, "minItems": 1 }] })
    }
}

/// A method without options may be written as its bare name.
pub fn allow_bare_names(schema: &mut Schema) {
    let Some(variants) = schema.get_mut("oneOf").and_then(|variants| variants.as_array_mut()) else { return };
    let name_of = |variant: &serde_json::Value| variant["required"][0].as_str().map(str::to_string);
    let names: Vec<String> = variants.iter().filter_map(name_of).collect();
    variants.push(serde_json::json!({ "enum": names }));
}
