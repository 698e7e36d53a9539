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
use std::marker::PhantomData;

pub fn decode<'de, T: Deserialize<'de>>(node: &'de Node) -> Result<T, Mistake> {
    decode_options(node, None)
}

/// The same for the options of a sampling scheme. The message for a value of an unexpected kind names the scheme.
pub fn decode_options<'de, T: Deserialize<'de>>(node: &'de Node, scheme: Option<&'de str>) -> Result<T, Mistake> {
    let decoder = Decoder { node, key: None, scheme };
    decoder.decode(PhantomData).map_err(|error| decoder.mistake(error))
}

/// An error of serde. It becomes a mistake with a span at the innermost node that was being read.
#[derive(Debug, thiserror::Error)]
#[error("{self:?}")]
enum Error {
    /// The value is of another kind than expected.
    Mismatch {
        expected: String,
    },
    /// The kind is right, but the value is not allowed.
    OutOfBounds {
        value: String,
        allowed: String,
    },
    Mistake(Mistake),
}

impl Error {
    fn message(problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Error::Mistake(Mistake::new(problem, remedy))
    }

    /// Gives a mistake the span, unless it has one.
    fn at(self, span: &Span) -> Self {
        match self {
            Error::Mistake(mistake) => Error::Mistake(mistake.at(span)),
            other => other,
        }
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

    fn invalid_type(_: Unexpected, expected: &dyn Expected) -> Self {
        Error::Mismatch { expected: expected.to_string() }
    }

    fn invalid_value(unexpected: Unexpected, expected: &dyn Expected) -> Self {
        let value = match unexpected {
            Unexpected::Float(number) => format!("{number:?}"),
            Unexpected::Signed(number) => number.to_string(),
            Unexpected::Unsigned(number) => number.to_string(),
            other => other.to_string(),
        };
        Error::OutOfBounds { value, allowed: expected.to_string() }
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let remedy = match expected {
            [] => "no keys are allowed here".to_string(),
            keys => suggestion(field, keys, "the keys allowed here are"),
        };
        Error::message(format!("unknown key `{field}`"), remedy)
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Error::Mistake(unknown_value(variant, expected))
    }

    fn missing_field(field: &'static str) -> Self {
        Error::message(format!("the key `{field}` is missing"), format!("add `{field}: ...`"))
    }
}

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

/// A node of the tree, with the key whose value it is and the sampling scheme that it belongs to.
#[derive(Clone, Copy)]
struct Decoder<'de> {
    node: &'de Node,
    key: Option<&'de str>,
    scheme: Option<&'de str>,
}

impl<'de> Decoder<'de> {
    fn decode<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        // A type that checks its bounds returns an error after its number was read, without a span.
        seed.deserialize(self).map_err(|error| Error::Mistake(self.mistake(error)))
    }

    /// The mistake behind an error. The innermost node determines its span and its message.
    fn mistake(self, error: Error) -> Mistake {
        let Decoder { node, key, scheme } = self;
        let mistake = match error {
            Error::Mismatch { expected } => {
                // serde describes what was found in terms of Rust types; the node knows what the spec says.
                let (expected, found) = (in_plain_words(&expected), node.value.kind());
                let problem = match (scheme, key) {
                    (Some(scheme), Some(key)) => {
                        format!("in the scheme {scheme}, `{key}` must be {expected}, not {found}")
                    }
                    _ => format!("expected {expected}, found {found}"),
                };
                let tuned = "only options of methods can be tuned, each as a whole: `ridge: { tune: [0.01, 0.1] }`";
                Mistake::new(problem, node.get("tune").map_or("", |_| tuned))
            }
            Error::OutOfBounds { value, allowed } => {
                let name = key.map_or("the value".to_string(), |key| format!("`{key}`"));
                Mistake::new(format!("{name} is {value}"), format!("give {allowed}"))
            }
            Error::Mistake(mistake) => mistake,
        };
        mistake.at(&node.span)
    }
}

impl<'de> Deserializer<'de> for Decoder<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match &self.node.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Integer(value) => visitor.visit_i64(*value),
            Value::Number(value) => visitor.visit_f64(*value),
            Value::Text(text) => visitor.visit_str(text),
            Value::List(items) => {
                let surplus = Error::Mismatch { expected: (&visitor as &dyn Expected).to_string() };
                let mut items = Items { items: items.iter(), list: self };
                let value = visitor.visit_seq(&mut items)?;
                if items.items.next().is_some() { Err(surplus) } else { Ok(value) }
            }
            Value::Map(entries) => visitor.visit_map(Entries { entries: entries.iter(), map: self, value: None }),
        }
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
        Err(Error::message(problem, format!("the keys allowed here are: {}", one_of(fields))))
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
        if let Some((name, span, content)) = self.node.named() {
            return visitor.visit_enum(Variant { of: self, name, span, content });
        }
        let problem = format!("expected one of {}, found {}", one_of(variants), self.node.value.kind());
        Err(Error::message(problem, "write `name` or `name: { option: value }`, one per item"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map identifier ignored_any
    }
}

struct Items<'de> {
    items: std::slice::Iter<'de, Node>,
    list: Decoder<'de>,
}

impl<'de> SeqAccess<'de> for &mut Items<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Some(node) = self.items.next() else { return Ok(None) };
        Decoder { node, key: None, ..self.list }.decode(seed).map(Some)
    }
}

struct Entries<'de> {
    entries: std::slice::Iter<'de, (Key, Node)>,
    map: Decoder<'de>,
    value: Option<Decoder<'de>>,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some((key, node)) = self.entries.next() else { return Ok(None) };
        self.value = Some(Decoder { node, key: Some(&key.name), ..self.map });
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
    of: Decoder<'de>,
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
        let has_none = |node: &&Node| node.value == Value::Null || node.value == Value::Map(Vec::new());
        let Some(node) = self.content.filter(|node| !has_none(node)) else { return Ok(()) };
        let remedy = format!("write `{}` without options", self.name);
        Err(Error::message(format!("`{}` takes no options", self.name), remedy).at(&node.span))
    }

    /// `- name` alone is short for `- name: {}`.
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        match self.content {
            Some(Node { value: Value::Null, .. }) | None => {
                let none = Entries { entries: [].iter(), map: self.of, value: None };
                seed.deserialize(MapAccessDeserializer::new(none)).map_err(|error| error.at(self.span))
            }
            Some(node) => Decoder { node, key: Some(self.name), ..self.of }.decode(seed),
        }
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        Err(de::Error::invalid_type(Unexpected::TupleVariant, &visitor))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        Err(de::Error::invalid_type(Unexpected::StructVariant, &visitor))
    }
}
