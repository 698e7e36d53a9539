//! YAML as a tree with spans.

use crate::mistake::{Mistake, Source, Span};
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{Location, Spanned};
use std::fmt;
use std::sync::Arc;

/// A value without its span.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Integer(i64),
    Number(f64),
    Text(String),
    List(Vec<Node>),
    Map(Vec<(Key, Node)>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub value: Value,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    pub name: String,
    pub span: Span,
}

/// The form of the argument of `--set`.
const SET_FORM: &str = "write --set KEY=VALUE, for instance --set seeds=10 or --set methods.0.double_pu.ridge=0.1";

impl Value {
    /// The description of this value in error messages.
    pub fn kind(&self) -> String {
        match self {
            Value::Null => "nothing".to_string(),
            Value::Bool(value) => format!("`{value}`"),
            Value::Integer(value) => format!("the number {value}"),
            Value::Number(value) => format!("the number {value}"),
            Value::Text(text) => format!("the string `{text}`"),
            Value::List(items) => format!("a list of {}", items.len()),
            Value::Map(entries) if entries.iter().any(|(key, _)| key.name == "tune") => "a map with `tune`".to_string(),
            Value::Map(_) => "a map".to_string(),
        }
    }
}

impl Node {
    /// Parses a whole spec.
    pub fn parse(file: &str, text: &str) -> Result<Self, Mistake> {
        let source = Arc::new(Source { file: file.to_string(), text: text.to_string() });
        parse_node(text, &Span { source, start: 0, end: text.len() })
    }

    /// Converts a value that comes from the program, with the span of the node that it is for.
    pub fn of_json(value: &serde_json::Value, span: &Span) -> Self {
        use serde_json::Value as Json;
        let value = match value {
            Json::Null => Value::Null,
            Json::Bool(value) => Value::Bool(*value),
            Json::Number(number) => {
                let float = || Value::Number(number.as_f64().unwrap_or(f64::NAN));
                number.as_i64().map_or_else(float, Value::Integer)
            }
            Json::String(text) => Value::Text(text.clone()),
            Json::Array(items) => Value::List(items.iter().map(|item| Node::of_json(item, span)).collect()),
            Json::Object(entries) => {
                let entry = |(name, value): (&String, &Json)| {
                    (Key { name: name.clone(), span: span.clone() }, Node::of_json(value, span))
                };
                Value::Map(entries.iter().map(entry).collect())
            }
        };
        Node { value, span: span.clone() }
    }

    /// Applies `key.key=value`; numbers in the key are indices into a list, counted from 0.
    pub fn set(&mut self, assignment: &str) -> Result<(), Mistake> {
        let source = Arc::new(Source { file: "--set".to_string(), text: assignment.to_string() });
        let span = Span { source, start: 0, end: assignment.len() };
        let Some((path, value)) = assignment.split_once('=') else {
            return Err(span.mistake("there is no `=`", SET_FORM));
        };
        if path.is_empty() || path.split('.').any(str::is_empty) {
            return Err(span.mistake("a key is empty", SET_FORM));
        }
        let value = parse_node(value, &Span { start: path.len() + 1, ..span.clone() })?;
        let mut node = self;
        for step in path.split('.') {
            node = node.child(step, &span).map_err(|problem| span.mistake(problem, SET_FORM))?;
        }
        *node = value;
        Ok(())
    }

    /// The value of a key; `None` if there is no such key, or the node is not a map.
    pub fn get(&self, name: &str) -> Option<&Node> {
        self.entry(name).map(|(_, node)| node)
    }

    /// A key of a map, with its value.
    pub fn entry(&self, name: &str) -> Option<&(Key, Node)> {
        let Value::Map(entries) = &self.value else { return None };
        entries.iter().find(|(key, _)| key.name == name)
    }

    /// The name, its span and the content of `name` or `name: content`.
    pub fn named(&self) -> Option<(&str, &Span, Option<&Node>)> {
        match &self.value {
            Value::Text(name) => Some((name, &self.span, None)),
            Value::Map(entries) => match &entries[..] {
                [(Key { name, span }, content)] => Some((name, span, Some(content))),
                _ => None,
            },
            _ => None,
        }
    }

    /// The span of the node at this path of keys and indices, or of the last node on the path that exists.
    pub fn span_of(&self, path: &[&str]) -> &Span {
        let mut node = self;
        for step in path {
            let item = |items: &'_ [Node]| step.parse().ok().filter(|index: &usize| *index < items.len());
            node = match &node.value {
                Value::List(items) => item(items).map_or(node, |index| &items[index]),
                _ => node.get(step).unwrap_or(node),
            };
        }
        &node.span
    }

    /// The span of a text with control characters, which tables and terminals should not show.
    fn control_character(&self) -> Option<&Span> {
        let is_odd = |text: &str| text.chars().any(char::is_control);
        match &self.value {
            Value::Text(text) => is_odd(text).then_some(&self.span),
            Value::List(items) => items.iter().find_map(Node::control_character),
            Value::Map(entries) => entries
                .iter()
                .find_map(|(key, node)| if is_odd(&key.name) { Some(&key.span) } else { node.control_character() }),
            _ => None,
        }
    }

    /// The child with this key or index. A missing key of a map is added.
    fn child(&mut self, step: &str, span: &Span) -> Result<&mut Node, String> {
        let empty = || Node { value: Value::Map(Vec::new()), span: span.clone() };
        // `- oracle_logistic` is short for a map without options.
        if let Value::Text(name) = &self.value {
            let key = Key { name: name.clone(), span: self.span.clone() };
            self.value = Value::Map(vec![(key, empty())]);
        }
        match &mut self.value {
            Value::List(items) => {
                let count = items.len();
                let item = step.parse().ok().and_then(|index: usize| items.get_mut(index));
                item.ok_or(format!("`{step}` is not an index in a list of {count}"))
            }
            Value::Map(entries) => {
                let found = entries.iter().position(|(key, _)| key.name == step);
                let index = found.unwrap_or_else(|| {
                    entries.push((Key { name: step.to_string(), span: span.clone() }, empty()));
                    entries.len() - 1
                });
                Ok(&mut entries[index].1)
            }
            other => Err(format!("`{step}` cannot be a key in {}", other.kind())),
        }
    }
}

/// Parses a text that is at the start of a span.
fn parse_node(text: &str, origin: &Span) -> Result<Node, Mistake> {
    let options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        reject_unsupported_tags: true,
        // Checked later, by the type to which the number is decoded.
        non_finite_float_policy: serde_saphyr::NonFiniteFloatPolicy::PassThrough,
    };
    let raw = serde_saphyr::from_str_with_options::<Spanned<Raw>>(text, options).map_err(|error| {
        let span = error.location().map_or(origin.clone(), |location| span(location, text, origin));
        let remedy = "specs are YAML: two spaces of indentation, `key: value`, `- item`";
        span.mistake(without_location(&error.without_snippet().to_string()), remedy)
    })?;
    let node = located(raw, text, origin);
    match node.control_character() {
        None => Ok(node),
        Some(span) => Err(span.mistake("this text holds a control character", "remove it")),
    }
}

/// The parser's message, without its own form of the location and without advice to programmers.
fn without_location(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    // Messages that only programmers understand.
    let translations = [
        ("recursion limit", "this is nested too deeply"),
        ("Depth", "this is nested too deeply"),
        ("recursive references", "an alias refers to a node that contains it"),
        ("budget breached", "this expands to too much data"),
    ];
    if let Some((_, ours)) = translations.into_iter().find(|(theirs, _)| line.contains(theirs)) {
        return ours.to_string();
    }
    let end = [" at line ", ": line ", ", set ", "; use "].iter().filter_map(|tail| line.find(tail)).min();
    line[..end.unwrap_or(line.len())].to_string()
}

fn span(location: Location, text: &str, origin: &Span) -> Span {
    let bytes = location.span();
    let byte = |offset: u64| {
        // The end of the input is shown at the end of the last line that is not blank.
        let mut byte = (offset as usize).min(text.trim_end().len());
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        byte
    };
    // The parser reports bytes for values, but only line and column for text that is not YAML.
    let start = bytes.byte_offset().unwrap_or_else(|| offset(text, location));
    let end = start + bytes.byte_len().unwrap_or_default();
    Span { start: origin.start + byte(start), end: origin.start + byte(end), ..origin.clone() }
}

/// The byte at a line and column, which count characters from 1.
fn offset(text: &str, location: Location) -> u64 {
    let before = text.split_inclusive('\n').take((location.line() as usize).saturating_sub(1));
    let start: usize = before.map(str::len).sum();
    let column = (location.column() as usize).saturating_sub(1);
    let within: usize = text[start..].chars().take(column).map(char::len_utf8).sum();
    (start + within) as u64
}

fn located(raw: Spanned<Raw>, text: &str, origin: &Span) -> Node {
    let value = match raw.value {
        Raw::Null => Value::Null,
        Raw::Bool(value) => Value::Bool(value),
        Raw::Integer(value) => Value::Integer(value),
        Raw::Number(value) => Value::Number(value),
        Raw::Text(text) => Value::Text(text),
        Raw::List(items) => Value::List(items.into_iter().map(|item| located(item, text, origin)).collect()),
        Raw::Map(entries) => {
            let entry = |(key, value): (Spanned<String>, Spanned<Raw>)| {
                let key = Key { name: key.value, span: span(key.referenced, text, origin) };
                (key, located(value, text, origin))
            };
            Value::Map(entries.into_iter().map(entry).collect())
        }
    };
    Node { value, span: span(raw.referenced, text, origin) }
}

/// The parser's output, before its locations are converted to spans.
enum Raw {
    Null,
    Bool(bool),
    Integer(i64),
    Number(f64),
    Text(String),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<String>, Spanned<Raw>)>),
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a YAML value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Bool(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Raw, E> {
        Ok(Raw::Integer(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Raw, E> {
        Ok(i64::try_from(value).map_or(Raw::Number(value as f64), Raw::Integer))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Raw, E> {
        Ok(Raw::Number(value))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Raw, E> {
        Ok(Raw::Text(text.to_string()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Raw, A::Error> {
        let items = std::iter::from_fn(|| access.next_element().transpose());
        items.collect::<Result<_, _>>().map(Raw::List)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Raw, A::Error> {
        let entries = std::iter::from_fn(|| access.next_entry().transpose());
        entries.collect::<Result<_, _>>().map(Raw::Map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Node {
        Node::parse("test.yaml", text).unwrap()
    }

    fn entry<'a>(node: &'a Node, name: &str) -> &'a (Key, Node) {
        let Value::Map(entries) = &node.value else { panic!("{node:?}") };
        entries.iter().find(|(key, _)| key.name == name).unwrap()
    }

    #[test]
    fn keys_and_values_know_where_they_stand() {
        let text = "ä: 1\nseeds: {count: 10}\n";
        let tree = tree(text);
        let (key, node) = entry(&tree, "seeds");
        assert_eq!(text[key.span.start..key.span.end], *"seeds");
        let (_, count) = entry(node, "count");
        assert_eq!(text[count.span.start..count.span.end], *"10");
    }

    #[test]
    fn yes_is_a_word_and_true_is_a_boolean() {
        assert_eq!(tree("yes").value, Value::Text("yes".into()));
        assert_eq!(tree("true").value, Value::Bool(true));
        assert_eq!(tree("'1'").value, Value::Text("1".into()));
    }

    #[test]
    fn set_replaces_and_adds_and_goes_into_lists() {
        let mut tree = tree("seeds: 3\nmethods:\n  - random\n  - double_pu: {ridge: 1}\n");
        for assignment in ["seeds=5", "sampling.test=0.3", "methods.1.double_pu.ridge=[1, 2]", "methods.0.random.x=1"] {
            tree.set(assignment).unwrap();
        }
        assert_eq!(entry(&tree, "seeds").1.value, Value::Integer(5));
        assert_eq!(entry(&entry(&tree, "sampling").1, "test").1.value, Value::Number(0.3));
        let Value::List(methods) = &entry(&tree, "methods").1.value else { panic!() };
        assert!(
            matches!(&entry(&entry(&methods[1], "double_pu").1, "ridge").1.value, Value::List(items) if items.len() == 2)
        );
        assert_eq!(entry(&entry(&methods[0], "random").1, "x").1.value, Value::Integer(1));
        for wrong in ["seeds", "=1", "a..b=1", "methods.7.x=1", "seeds.x=1"] {
            assert!(tree.set(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn repeated_keys_and_alias_bombs_are_refused() {
        assert!(Node::parse("test.yaml", "a: 1\na: 2\n").is_err());
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_string();
        for level in 1..12 {
            let below = format!("*a{}, ", level - 1).repeat(10);
            bomb.push_str(&format!("a{level}: &a{level} [{below}]\n"));
        }
        assert!(Node::parse("test.yaml", &bomb).is_err());
    }
}
