//! Decodes nodes of the tree by serde, and reports a wrong key or value with its span.

use crate::mistake::{Mistake, Span};
use crate::spec::yaml::{Key, Node, Value};
use crate::text::nearest;
use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, EnumAccess, Expected, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use std::fmt;

pub fn decode<'de, T: Deserialize<'de>>(node: &'de Node) -> Result<T, Mistake> {
    T::deserialize(Decoder { node, key: None }).map_err(|error| error.mistake(node))
}

/// The same with another message for a value of an unexpected kind: `describe` makes it from the key, what was expected
/// and what was found.
pub fn decode_with<'de, T: Deserialize<'de>>(
    node: &'de Node,
    describe: impl Fn(&str, &str, &str) -> String,
) -> Result<T, Mistake> {
    T::deserialize(Decoder { node, key: None }).map_err(|mut error| {
        if let (What::Mismatch { expected, found }, Some(key)) = (&error.what, &error.key) {
            error.what = What::Message { problem: describe(key, expected, found), remedy: error.remedy() };
        }
        error.mistake(node)
    })
}

/// A node of the tree, with the key whose value it is.
#[derive(Clone, Copy)]
struct Decoder<'de> {
    node: &'de Node,
    key: Option<&'de str>,
}

/// An error of serde, with the span of the innermost node that was being read.
#[derive(Debug)]
struct Error {
    what: What,
    span: Option<Span>,
    key: Option<String>,
}

#[derive(Debug)]
enum What {
    /// The value is of another kind than expected. The caller knows what was found.
    Mismatch {
        expected: String,
        found: String,
    },
    /// The kind is right, but the value is not allowed.
    OutOfBounds {
        value: String,
        allowed: String,
    },
    Message {
        problem: String,
        remedy: String,
    },
}

impl Error {
    fn message(problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Error { what: What::Message { problem: problem.into(), remedy: remedy.into() }, span: None, key: None }
    }

    fn at(mut self, span: &Span) -> Self {
        self.span.get_or_insert_with(|| span.clone());
        self
    }

    fn remedy(&self) -> String {
        match &self.what {
            What::Mismatch { found, .. } if found == TUNE => {
                "only options of methods can be tuned, each as a whole: `ridge: { tune: [0.01, 0.1] }`".to_string()
            }
            What::Mismatch { .. } => String::new(),
            What::OutOfBounds { allowed, .. } => format!("give {allowed}"),
            What::Message { remedy, .. } => remedy.clone(),
        }
    }

    fn mistake(self, node: &Node) -> Mistake {
        let remedy = self.remedy();
        let problem = match self.what {
            What::Mismatch { expected, found } => format!("expected {expected}, found {found}"),
            What::OutOfBounds { value, .. } => match &self.key {
                Some(key) => format!("`{key}` is {value}"),
                None => format!("the value is {value}"),
            },
            What::Message { problem, .. } => problem,
        };
        self.span.as_ref().unwrap_or(&node.span).mistake(problem, remedy)
    }
}

/// The description of a tuning map where nothing can be tuned.
const TUNE: &str = "a map with `tune`";

fn kind(value: &Value) -> String {
    match value {
        Value::Map(entries) if entries.iter().any(|(key, _)| key.name == "tune") => TUNE.to_string(),
        other => other.kind(),
    }
}

fn one_of(candidates: &[&str]) -> String {
    candidates.iter().map(|candidate| format!("`{candidate}`")).collect::<Vec<_>>().join(", ")
}

fn suggestion(word: &str, candidates: &[&str], what: &str) -> String {
    let nearest = nearest(word, candidates).map(|candidate| format!("did you mean `{candidate}`? "));
    format!("{}{what}: {}", nearest.unwrap_or_default(), one_of(candidates))
}

/// A name that is not among the known ones.
pub fn unknown_value(value: &str, expected: &[&str]) -> Mistake {
    Mistake::new(format!("unknown value `{value}`"), suggestion(value, expected, "the values allowed here are"))
}

impl de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Error::message(message.to_string(), "")
    }

    fn invalid_type(unexpected: Unexpected, expected: &dyn Expected) -> Self {
        let what = What::Mismatch { expected: in_plain_words(&expected.to_string()), found: unexpected.to_string() };
        Error { what, span: None, key: None }
    }

    fn invalid_value(unexpected: Unexpected, expected: &dyn Expected) -> Self {
        let value = match unexpected {
            Unexpected::Float(number) => format!("{number:?}"),
            Unexpected::Signed(number) => number.to_string(),
            Unexpected::Unsigned(number) => number.to_string(),
            other => other.to_string(),
        };
        Error { what: What::OutOfBounds { value, allowed: expected.to_string() }, span: None, key: None }
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let remedy = match expected {
            [] => "no keys are allowed here".to_string(),
            keys => suggestion(field, keys, "the keys allowed here are"),
        };
        Error::message(format!("unknown key `{field}`"), remedy)
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let Mistake { problem, remedy, .. } = unknown_value(variant, expected);
        Error::message(problem, remedy)
    }

    fn missing_field(field: &'static str) -> Self {
        Error::message(format!("the key `{field}` is missing"), format!("add `{field}: ...`"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:?}", self.what)
    }
}

impl std::error::Error for Error {}

/// Translates from serde's names of Rust types to the kinds of values in a spec: numbers, strings, lists and maps.
fn in_plain_words(expected: &str) -> String {
    match expected {
        "u32" | "i64" | "usize" => "a whole number".to_string(),
        "f64" => "a number".to_string(),
        "a boolean" => "`true` or `false`".to_string(),
        "a sequence" => "a list".to_string(),
        "an array of length 2" => "a list of two numbers".to_string(),
        other => other.to_string(),
    }
}

impl<'de> Decoder<'de> {
    fn decode<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        // A type that checks its bounds returns an error after its number was read, without a span.
        seed.deserialize(self).map_err(|error| self.locate(error))
    }

    /// Gives an error the span of this node, unless it has one.
    fn locate(self, mut error: Error) -> Error {
        if error.span.is_none() {
            error.key = self.key.map(str::to_string);
            // serde describes what was found in terms of Rust types.
            if let What::Mismatch { found, .. } = &mut error.what {
                *found = kind(&self.node.value);
            }
        }
        error.at(&self.node.span)
    }
}

impl<'de> Deserializer<'de> for Decoder<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let node = self.node;
        let expected = in_plain_words(&(&visitor as &dyn Expected).to_string());
        let mismatch = || Error { what: What::Mismatch { expected, found: kind(&node.value) }, span: None, key: None };
        let result = match &node.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Integer(value) => visitor.visit_i64(*value),
            Value::Number(value) => visitor.visit_f64(*value),
            Value::Text(text) => visitor.visit_str(text),
            Value::List(items) => {
                let mut items = Items { items: items.iter() };
                let value = visitor.visit_seq(&mut items);
                if value.is_ok() && items.items.next().is_some() { Err(mismatch()) } else { value }
            }
            Value::Map(entries) => visitor.visit_map(Entries { entries: entries.iter(), value: None }),
        };
        result.map_err(|error| self.locate(error))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if let Value::Map(_) = self.node.value {
            return self.deserialize_any(visitor);
        }
        let problem = format!("expected a map `{{ key: value, ... }}`, found {}", self.node.value.kind());
        Err(Error::message(problem, format!("the keys allowed here are: {}", one_of(fields))).at(&self.node.span))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.node.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let span = &self.node.span;
        match &self.node.value {
            Value::Text(name) => visitor.visit_enum(Variant { name, span, content: None }),
            Value::Map(entries) if entries.len() == 1 => {
                let (key, content) = &entries[0];
                visitor.visit_enum(Variant { name: &key.name, span: &key.span, content: Some(content) })
            }
            other => {
                let problem = format!("expected one of {}, found {}", one_of(variants), other.kind());
                Err(Error::message(problem, "write `name` or `name: { option: value }`, one per item"))
            }
        }
        .map_err(|error| error.at(span))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map identifier ignored_any
    }
}

struct Items<'de> {
    items: std::slice::Iter<'de, Node>,
}

impl<'de> SeqAccess<'de> for &mut Items<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        self.items.next().map(|node| Decoder { node, key: None }.decode(seed)).transpose()
    }
}

struct Entries<'de> {
    entries: std::slice::Iter<'de, (Key, Node)>,
    value: Option<Decoder<'de>>,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some((key, node)) = self.entries.next() else { return Ok(None) };
        self.value = Some(Decoder { node, key: Some(&key.name) });
        let name: StrDeserializer<Error> = key.name.as_str().into_deserializer();
        seed.deserialize(name).map(Some).map_err(|error| error.at(&key.span))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let value = self.value.take().ok_or_else(|| de::Error::custom("a value without a key"))?;
        value.decode(seed)
    }
}

/// The variant of an enum: its name and, if it has any, its options.
struct Variant<'de> {
    name: &'de str,
    span: &'de Span,
    content: Option<&'de Node>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let name: StrDeserializer<Error> = self.name.into_deserializer();
        let variant = seed.deserialize(name).map_err(|error| error.at(self.span))?;
        Ok((variant, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        match self.content {
            None => Ok(()),
            Some(Node { value: Value::Null, .. }) => Ok(()),
            Some(Node { value: Value::Map(entries), .. }) if entries.is_empty() => Ok(()),
            Some(node) => {
                let problem = format!("`{}` takes no options", self.name);
                Err(Error::message(problem, format!("write `{}` without options", self.name)).at(&node.span))
            }
        }
    }

    /// `- name` alone is short for `- name: {}`.
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        match self.content {
            Some(Node { value: Value::Null, .. }) | None => {
                let none = Entries { entries: [].iter(), value: None };
                seed.deserialize(MapAccessDeserializer::new(none)).map_err(|error| error.at(self.span))
            }
            Some(node) => Decoder { node, key: Some(self.name) }.decode(seed),
        }
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        Err(de::Error::invalid_type(Unexpected::TupleVariant, &visitor))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        Err(de::Error::invalid_type(Unexpected::StructVariant, &visitor))
    }
}
