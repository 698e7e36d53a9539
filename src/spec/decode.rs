//! From a tree to the types of `written`, by serde, so that a wrong key or type is reported at its place.

use crate::nearest;
use crate::spec::yaml::{Key, Node, Place, Value, Wrong};
use serde::de::value::StrDeserializer;
use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, EnumAccess, Expected, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use std::fmt;
use std::marker::PhantomData;

pub fn decode<'de, T: Deserialize<'de>>(root: &'de Node) -> Result<T, Wrong> {
    T::deserialize(Decoder { node: root }).map_err(|error| {
        let Error { problem, remedy, place } = error;
        place.unwrap_or(root.place).wrong(problem, remedy)
    })
}

/// A value with the place where it stands.
#[derive(Clone, Debug)]
pub struct Located<T> {
    pub value: T,
    pub place: Place,
}

/// One value, or a list of values to try in turn.
#[derive(Clone, Debug)]
pub struct Sweep<T>(pub Vec<Located<T>>);

/// The same for an option of a method, where each value may also be `{ tune: [..] }`: a list to choose from.
#[derive(Clone, Debug)]
pub struct Tunable<T>(pub Vec<Candidates<T>>);

/// What an option may be: one value, or several to choose from.
#[derive(Clone, Debug)]
pub struct Candidates<T>(pub Vec<Located<T>>);

const LOCATED: &str = "doublepu::Located";
const SWEEP: &str = "doublepu::Sweep";
const CANDIDATES: &str = "doublepu::Candidates";

struct Decoder<'de> {
    node: &'de Node,
}

/// What serde has to say, and where.
#[derive(Debug)]
struct Error {
    problem: String,
    remedy: String,
    /// Of the innermost node that was being read.
    place: Option<Place>,
}

impl Error {
    fn new(problem: String, remedy: String) -> Self {
        Error { problem, remedy, place: None }
    }

    fn at(mut self, place: Place) -> Self {
        self.place.get_or_insert(place);
        self
    }
}

fn one_of(candidates: &[&str]) -> String {
    candidates.iter().map(|candidate| format!("`{candidate}`")).collect::<Vec<_>>().join(", ")
}

fn suggestion(word: &str, candidates: &[&str], what: &str) -> String {
    let nearest = nearest(word, candidates).map(|candidate| format!("did you mean `{candidate}`? "));
    format!("{}{what}: {}", nearest.unwrap_or_default(), one_of(candidates))
}

impl de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Error::new(message.to_string(), String::new())
    }

    fn invalid_type(_: Unexpected, expected: &dyn Expected) -> Self {
        Error::new(format!("expected {expected}"), String::new())
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        if expected.is_empty() {
            return Error::new(format!("unknown key `{field}`"), "no keys are allowed here".to_string());
        }
        Error::new(format!("unknown key `{field}`"), suggestion(field, expected, "the keys allowed here are"))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Error::new(format!("unknown value `{variant}`"), suggestion(variant, expected, "the values allowed here are"))
    }

    fn missing_field(field: &'static str) -> Self {
        Error::new(format!("the key `{field}` is missing"), format!("add `{field}: ...`"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.problem)
    }
}

impl std::error::Error for Error {}

impl<'de> Decoder<'de> {
    /// Says what was found, too, where serde only says what it expected.
    fn expected<V: Visitor<'de>>(&self, visitor: &V) -> Error {
        let expected = in_plain_words(&(visitor as &dyn Expected).to_string());
        let remedy = match &self.node.value {
            Value::Map(entries) if entries.iter().any(|(key, _)| key.name == "tune") => {
                "only options of methods can be tuned, each as a whole: `ridge: { tune: [0.01, 0.1] }`"
            }
            _ => "",
        };
        Error::new(format!("expected {expected}, found {}", self.node.value.kind()), remedy.to_string())
    }
}

/// serde speaks of Rust's types; a spec has numbers, texts, lists and maps.
fn in_plain_words(expected: &str) -> String {
    match expected {
        "u32" | "i64" | "usize" => "a whole number".to_string(),
        "f64" => "a number".to_string(),
        "a boolean" => "`true` or `false`".to_string(),
        "a string" => "a text".to_string(),
        "a sequence" => "a list".to_string(),
        "an array of length 2" => "a list of two numbers".to_string(),
        other => other.to_string(),
    }
}

impl<'de> Deserializer<'de> for Decoder<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let place = self.node.place;
        let mismatch = self.expected(&visitor);
        let result = match &self.node.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Integer(value) => visitor.visit_i64(*value),
            Value::Number(value) => visitor.visit_f64(*value),
            Value::Text(text) => visitor.visit_str(text),
            Value::List(items) => {
                let mut items = Items { items: items.iter() };
                let value = visitor.visit_seq(&mut items);
                if value.is_ok() && items.items.next().is_some() {
                    return Err(mismatch.at(place));
                }
                value
            }
            Value::Map(entries) => visitor.visit_map(Entries { entries: entries.iter(), value: None }),
        };
        result.map_err(|error| {
            // serde's own "invalid type" knows what it wanted, not what stands there.
            let is_mismatch =
                error.place.is_none() && error.problem.starts_with("expected ") && error.remedy.is_empty();
            if is_mismatch { mismatch.at(place) } else { error.at(place) }
        })
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
        Err(Error::new(problem, format!("the keys allowed here are: {}", one_of(fields))).at(self.node.place))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.node.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        let place = self.node.place;
        match (name, &self.node.value) {
            (LOCATED, _) => visitor.visit_seq(PlaceThenValue { node: self.node, step: 0 }),
            (SWEEP, Value::List(items)) if items.is_empty() => {
                Err(Error::new("the list is empty".into(), "give at least one value".into()).at(place))
            }
            (SWEEP, Value::List(items)) => visitor.visit_seq(&mut Items { items: items.iter() }),
            (SWEEP, _) => visitor.visit_seq(&mut Items { items: std::slice::from_ref(self.node).iter() }),
            (CANDIDATES, Value::Map(entries)) if entries.len() == 1 && entries[0].0.name == "tune" => {
                match &entries[0].1 {
                    Node { value: Value::List(items), .. } if items.len() > 1 => {
                        visitor.visit_seq(&mut Items { items: items.iter() })
                    }
                    node => {
                        let problem = "`tune` needs something to choose from".to_string();
                        Err(Error::new(problem, "give a list of two values or more".into()).at(node.place))
                    }
                }
            }
            (CANDIDATES, _) => visitor.visit_seq(&mut Items { items: std::slice::from_ref(self.node).iter() }),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let place = self.node.place;
        match &self.node.value {
            Value::Text(name) => visitor.visit_enum(Variant { name, place, content: None }),
            Value::Map(entries) if entries.len() == 1 => {
                let (key, content) = &entries[0];
                visitor.visit_enum(Variant { name: &key.name, place: key.place, content: Some(content) })
            }
            other => {
                let problem = format!("expected one of {}, found {}", one_of(variants), other.kind());
                Err(Error::new(problem, "write `name` or `name: { option: value }`, one to an item".to_string()))
            }
        }
        .map_err(|error| error.at(place))
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
        self.items.next().map(|node| seed.deserialize(Decoder { node })).transpose()
    }
}

struct Entries<'de> {
    entries: std::slice::Iter<'de, (Key, Node)>,
    value: Option<&'de Node>,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some((key, value)) = self.entries.next() else { return Ok(None) };
        self.value = Some(value);
        let name: StrDeserializer<Error> = key.name.as_str().into_deserializer();
        seed.deserialize(name).map(Some).map_err(|error| error.at(key.place))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let node = self.value.take().ok_or_else(|| de::Error::custom("a value without a key"))?;
        seed.deserialize(Decoder { node })
    }
}

/// The variant of an enum: its name and, if it has any, its options.
struct Variant<'de> {
    name: &'de str,
    place: Place,
    content: Option<&'de Node>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let name: StrDeserializer<Error> = self.name.into_deserializer();
        let variant = seed.deserialize(name).map_err(|error| error.at(self.place))?;
        Ok((variant, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        match self.content {
            None => Ok(()),
            Some(node) => {
                let problem = format!("`{}` takes no options", self.name);
                Err(Error::new(problem, format!("write `{}` alone", self.name)).at(node.place))
            }
        }
    }

    /// `- name` alone is short for `- name: {}`.
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        match self.content {
            Some(Node { value: Value::Null, .. }) | None => {
                let none = Entries { entries: [].iter(), value: None };
                let options = de::value::MapAccessDeserializer::new(none);
                seed.deserialize(options).map_err(|error| error.at(self.place))
            }
            Some(node) => seed.deserialize(Decoder { node }),
        }
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        Err(de::Error::invalid_type(Unexpected::TupleVariant, &visitor))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        Err(de::Error::invalid_type(Unexpected::StructVariant, &visitor))
    }
}

/// How a [`Located`] receives its place: three numbers, then the value.
struct PlaceThenValue<'de> {
    node: &'de Node,
    step: u8,
}

impl<'de> SeqAccess<'de> for PlaceThenValue<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Place { source, start, end } = self.node.place;
        self.step += 1;
        let number = match self.step {
            1 => source,
            2 => start,
            3 => end,
            _ => return seed.deserialize(Decoder { node: self.node }).map(Some),
        };
        seed.deserialize((number as u64).into_deserializer()).map(Some)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Located<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct LocatedVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for LocatedVisitor<T> {
            type Value = Located<T>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a value with its place")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Located<T>, A::Error> {
                let missing = || de::Error::custom("only specs know places");
                let mut number = || access.next_element::<usize>()?.ok_or_else(missing);
                let place = Place { source: number()?, start: number()?, end: number()? };
                let value = access.next_element()?.ok_or_else(missing)?;
                Ok(Located { value, place })
            }
        }

        deserializer.deserialize_newtype_struct(LOCATED, LocatedVisitor(PhantomData))
    }
}

/// Collects a sequence behind a newtype's name.
struct ListVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ListVisitor<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a value or a list of values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Vec<T>, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = access.next_element()? {
            values.push(value);
        }
        Ok(values)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Sweep<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(SWEEP, ListVisitor(PhantomData)).map(Sweep)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Tunable<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(SWEEP, ListVisitor(PhantomData)).map(Tunable)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Candidates<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(CANDIDATES, ListVisitor(PhantomData)).map(Candidates)
    }
}
