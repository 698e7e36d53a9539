//! The JSON Schema of values that are expanded on the tree: lists, `{ tune: [..] }`, and alternatives chosen by name.

use crate::data::{Features, Fillings};
use crate::methods::METHODS;
use crate::sample::Scheme;
use crate::spec::expand::stored_options;
use crate::spec::experiment::PriorBase;
use crate::spec::written::{External, Multiple, PriorPair};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};
use std::borrow::Cow;

/// One value, or a list of values to try in turn.
pub fn one_or_several<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    of_value(or_list(generator.subschema_for::<T>().into()))
}

fn or_list(one: Value) -> Value {
    json!({ "anyOf": [one, { "type": "array", "items": one, "minItems": 1 }] })
}

fn of_value(value: Value) -> Schema {
    Schema::try_from(value).unwrap_or_default()
}

/// Lets some keys of a map accept lists, and adds the default values.
fn swept(mut schema: Schema, defaults: &Value, wrap: fn(Value) -> Value, keys: Option<&[&str]>) -> Schema {
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return schema };
    for (key, property) in properties.iter_mut() {
        let Some(fields) = property.as_object_mut() else { continue };
        let description = fields.remove("description");
        fields.remove("default");
        if keys.is_none_or(|keys| keys.contains(&key.as_str())) {
            *property = wrap(property.clone());
        }
        if let Some(fields) = property.as_object_mut() {
            fields.extend(description.map(|description| ("description".to_string(), description)));
            fields.extend(defaults.get(key).map(|default| ("default".to_string(), as_written(default))));
        }
    }
    schema.remove("required");
    schema
}

/// The written form of a default value: a number that is stored as `{ name: number }` is written without the name.
fn as_written(default: &Value) -> Value {
    match default.as_object().map(|entries| entries.values().collect::<Vec<_>>()).as_deref() {
        Some([number @ Value::Number(_)]) => (*number).clone(),
        _ => default.clone(),
    }
}

fn or_list_or_tune(value: Value) -> Value {
    let several = json!({ "type": "array", "items": value, "minItems": 2 });
    let tune = json!({
        "type": "object", "properties": { "tune": several }, "required": ["tune"], "additionalProperties": false
    });
    let one = json!({ "anyOf": [value, tune] });
    json!({ "anyOf": [value, tune, { "type": "array", "items": one, "minItems": 1 }] })
}

pub fn features(generator: &mut SchemaGenerator) -> Schema {
    let mut defaults = serde_json::to_value(Features::default()).unwrap_or_default();
    defaults["missing"] = json!(Fillings::default());
    swept(Features::json_schema(generator), &defaults, or_list, Some(&["numeric", "categorical", "missing"]))
}

/// A map with the name of a scheme and its options, or a list of such maps.
pub fn sampling(generator: &mut SchemaGenerator) -> Schema {
    let scheme = |scheme: &Scheme| {
        let mut schema = swept(scheme.schema(generator), &stored_options(scheme), or_list, None);
        if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            properties.insert("scheme".to_string(), json!({ "const": scheme.name() }));
        }
        schema.insert("required".to_string(), json!(["scheme"]));
        Value::from(schema)
    };
    let schemes: Vec<Value> = Scheme::all().iter().map(scheme).collect();
    of_value(or_list(json!({ "oneOf": schemes })))
}

/// `true`, `train`, or a name with the two priors.
pub fn priors(generator: &mut SchemaGenerator) -> Schema {
    let pair = generator.subschema_for::<PriorPair>();
    json_schema!({ "type": ["array", "null"], "default": [true], "items": { "anyOf": [
        PriorBase::json_schema(generator),
        { "type": "object", "additionalProperties": pair, "minProperties": 1, "maxProperties": 1 }
    ] } })
}

/// A number, `true`, `train`, or a multiple of either; a list compares several.
pub fn prior_choice(generator: &mut SchemaGenerator) -> Schema {
    let multiple = generator.subschema_for::<Multiple>();
    let one = json!({ "anyOf": [{ "type": "number" }, PriorBase::json_schema(generator), multiple] });
    let mut schema = of_value(or_list(one));
    schema.insert("default".to_string(), true.into());
    schema
}

/// Any keys, each with a value, a list, or `{ tune: [..] }`.
pub fn external_options(_: &mut SchemaGenerator) -> Schema {
    let value = or_list_or_tune(json!({ "type": ["number", "string", "boolean"] }));
    of_value(json!({ "type": "object", "additionalProperties": value }))
}

/// A method with its options. A list as the value of an option makes a method of each entry. `{ tune: [..] }` chooses one of
/// the values for every split, without true labels.
pub struct Method;

impl JsonSchema for Method {
    fn schema_name() -> Cow<'static, str> {
        "Method".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let method = |entry: &crate::methods::Entry| {
            let name = entry.card.name;
            let defaults = stored_options(&(entry.default)());
            let options = swept((entry.schema)(generator), &defaults, or_list_or_tune, None);
            json!({
                "description": entry.card.what,
                "type": "object",
                "properties": { name: options },
                "required": [name],
                "additionalProperties": false
            })
        };
        let mut methods: Vec<Value> = METHODS.iter().map(method).collect();
        let external = generator.subschema_for::<External>();
        methods.push(json!({
            "description": "A method in a program of its own, in any language.",
            "type": "object",
            "properties": { "external": external },
            "required": ["external"],
            "additionalProperties": false
        }));
        let names: Vec<&str> = METHODS.iter().map(|entry| entry.card.name).collect();
        methods.push(json!({ "description": "A method with its default options.", "enum": names }));
        json_schema!({
            "description": "A method with its options. A list as the value of an option makes a method of each entry. \
                            `{ tune: [..] }` chooses one of the values for every split, without true labels.",
            "oneOf": methods
        })
    }
}
