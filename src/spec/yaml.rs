//! YAML as a tree that remembers where everything stands.

use crate::spec::Mistake;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{Location, Spanned};
use std::fmt;

/// A value without its place.
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
    pub place: Place,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    pub name: String,
    pub place: Place,
}

/// Some bytes of the spec or of a `--set` option.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// Which of the tree's sources.
    pub source: usize,
    pub start: usize,
    pub end: usize,
}

#[derive(Debug)]
struct Source {
    file: String,
    text: String,
}

/// A whole spec, with the texts that it comes from.
#[derive(Debug)]
pub struct Tree {
    pub root: Node,
    sources: Vec<Source>,
}

/// What is wrong, and at which place of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Wrong {
    pub place: Place,
    pub problem: String,
    pub remedy: String,
}

impl Wrong {
    pub fn into_mistake(self, tree: &Tree) -> Mistake {
        let Source { file, text } = &tree.sources[self.place.source];
        Mistake::at(file, text, self.place.start..self.place.end, self.problem, self.remedy)
    }
}

impl Value {
    /// How an error message calls this kind of value.
    pub fn kind(&self) -> String {
        match self {
            Value::Null => "nothing".to_string(),
            Value::Bool(value) => format!("`{value}`"),
            Value::Integer(value) => format!("the number {value}"),
            Value::Number(value) => format!("the number {value}"),
            Value::Text(text) => format!("the text `{text}`"),
            Value::List(items) => format!("a list of {}", items.len()),
            Value::Map(_) => "a map".to_string(),
        }
    }
}

impl Place {
    pub fn wrong(self, problem: impl Into<String>, remedy: impl Into<String>) -> Wrong {
        Wrong { place: self, problem: problem.into(), remedy: remedy.into() }
    }
}

impl Tree {
    pub fn parse(file: &str, text: &str) -> Result<Self, Mistake> {
        let sources = vec![Source { file: file.to_string(), text: text.to_string() }];
        let place = Place::default();
        let mut tree = Tree { root: Node { value: Value::Null, place }, sources };
        tree.root = parse_node(text, place).map_err(|wrong| wrong.into_mistake(&tree))?;
        Ok(tree)
    }

    /// Applies `key.key=value`; numbers in the key are places in a list, counted from 0.
    pub fn set(&mut self, assignment: &str) -> Result<(), Mistake> {
        self.sources.push(Source { file: "--set".to_string(), text: assignment.to_string() });
        let place = Place { source: self.sources.len() - 1, start: 0, end: assignment.len() };
        self.apply(assignment, place).map_err(|wrong| wrong.into_mistake(self))
    }

    fn apply(&mut self, assignment: &str, place: Place) -> Result<(), Wrong> {
        let form = "write --set KEY=VALUE, for instance --set seeds=10 or --set methods.0.double_pu.ridge=0.1";
        let Some((path, value)) = assignment.split_once('=') else {
            return Err(place.wrong("there is no `=`", form));
        };
        if path.is_empty() || path.split('.').any(str::is_empty) {
            return Err(place.wrong("a key is empty", form));
        }
        let value = parse_node(value, Place { start: path.len() + 1, ..place })?;
        let mut node = &mut self.root;
        for step in path.split('.') {
            node = node.child(step, place).map_err(|problem| place.wrong(problem, form))?;
        }
        *node = value;
        Ok(())
    }
}

impl Node {
    /// Where a text stands that no table or terminal should show.
    fn control_character(&self) -> Option<Place> {
        let is_odd = |text: &str| text.chars().any(char::is_control);
        match &self.value {
            Value::Text(text) => is_odd(text).then_some(self.place),
            Value::List(items) => items.iter().find_map(Node::control_character),
            Value::Map(entries) => entries
                .iter()
                .find_map(|(key, node)| if is_odd(&key.name) { Some(key.place) } else { node.control_character() }),
            _ => None,
        }
    }

    /// The child of that name or number, made where a map lacks it.
    fn child(&mut self, step: &str, place: Place) -> Result<&mut Node, String> {
        let empty = || Node { value: Value::Map(Vec::new()), place };
        // `- oracle_logistic` is short for a map without options.
        if let Value::Text(name) = &self.value {
            let key = Key { name: name.clone(), place: self.place };
            self.value = Value::Map(vec![(key, empty())]);
        }
        match &mut self.value {
            Value::List(items) => {
                let count = items.len();
                let item = step.parse().ok().and_then(|index: usize| items.get_mut(index));
                item.ok_or(format!("`{step}` is not a place in a list of {count}"))
            }
            Value::Map(entries) => {
                let found = entries.iter().position(|(key, _)| key.name == step);
                let index = found.unwrap_or_else(|| {
                    entries.push((Key { name: step.to_string(), place }, empty()));
                    entries.len() - 1
                });
                Ok(&mut entries[index].1)
            }
            other => Err(format!("`{step}` cannot stand below {}", other.kind())),
        }
    }
}

/// Parses a text that starts at `origin`.
fn parse_node(text: &str, origin: Place) -> Result<Node, Wrong> {
    let options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        reject_unsupported_tags: true,
        // Checked later, where it is known what a number is for.
        non_finite_float_policy: serde_saphyr::NonFiniteFloatPolicy::PassThrough,
    };
    let raw = serde_saphyr::from_str_with_options::<Spanned<Raw>>(text, options).map_err(|error| {
        let place = error.location().map_or(origin, |location| place(location, text, origin));
        let remedy = "specs are YAML: two spaces of indentation, `key: value`, `- item`";
        place.wrong(without_place(&error.without_snippet().to_string()), remedy)
    })?;
    let node = located(raw, text, origin);
    match node.control_character() {
        None => Ok(node),
        Some(place) => Err(place.wrong("this text holds a control character", "write it without")),
    }
}

/// The parser's message, without the place that it names in its own way and without advice to programmers.
fn without_place(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    // What it says in a programmer's words.
    for (theirs, ours) in [
        ("recursion limit", "this is nested too deeply"),
        ("Depth", "this is nested too deeply"),
        ("recursive references", "an alias stands within what it stands for"),
        ("budget breached", "this unfolds into too much"),
    ] {
        if line.contains(theirs) {
            return ours.to_string();
        }
    }
    let end = [" at line ", ": line ", ", set ", "; use "].iter().filter_map(|tail| line.find(tail)).min();
    line[..end.unwrap_or(line.len())].to_string()
}

fn place(location: Location, text: &str, origin: Place) -> Place {
    let span = location.span();
    let byte = |offset: u64| {
        // An end of input is shown at the end of the last line that holds anything.
        let mut byte = (offset as usize).min(text.trim_end().len());
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        byte
    };
    // The parser gives bytes for values, but only line and column for what is no YAML at all.
    let start = span.byte_offset().unwrap_or_else(|| offset(text, location));
    let end = start + span.byte_len().unwrap_or_default();
    Place { source: origin.source, start: origin.start + byte(start), end: origin.start + byte(end) }
}

/// The byte at a line and column, which count characters from 1.
fn offset(text: &str, location: Location) -> u64 {
    let before = text.split_inclusive('\n').take((location.line() as usize).saturating_sub(1));
    let start: usize = before.map(str::len).sum();
    let column = (location.column() as usize).saturating_sub(1);
    let within: usize = text[start..].chars().take(column).map(char::len_utf8).sum();
    (start + within) as u64
}

fn located(raw: Spanned<Raw>, text: &str, origin: Place) -> Node {
    let value = match raw.value {
        Raw::Null => Value::Null,
        Raw::Bool(value) => Value::Bool(value),
        Raw::Integer(value) => Value::Integer(value),
        Raw::Number(value) => Value::Number(value),
        Raw::Text(text) => Value::Text(text),
        Raw::List(items) => Value::List(items.into_iter().map(|item| located(item, text, origin)).collect()),
        Raw::Map(entries) => {
            let entry = |(key, value): (Spanned<String>, Spanned<Raw>)| {
                let key = Key { name: key.value, place: place(key.referenced, text, origin) };
                (key, located(value, text, origin))
            };
            Value::Map(entries.into_iter().map(entry).collect())
        }
    };
    Node { value, place: place(raw.referenced, text, origin) }
}

/// What the parser hands over, before characters are turned into bytes.
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

    fn visit_none<E: de::Error>(self) -> Result<Raw, E> {
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
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Raw::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Raw, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = access.next_entry()? {
            entries.push(entry);
        }
        Ok(Raw::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Tree {
        Tree::parse("test.yaml", text).unwrap()
    }

    fn entry<'a>(node: &'a Node, name: &str) -> &'a (Key, Node) {
        let Value::Map(entries) = &node.value else { panic!("{node:?}") };
        entries.iter().find(|(key, _)| key.name == name).unwrap()
    }

    #[test]
    fn keys_and_values_know_where_they_stand() {
        let text = "ä: 1\nseeds: {count: 10}\n";
        let tree = tree(text);
        let (key, node) = entry(&tree.root, "seeds");
        assert_eq!(text[key.place.start..key.place.end], *"seeds");
        let (_, count) = entry(node, "count");
        assert_eq!(text[count.place.start..count.place.end], *"10");
    }

    #[test]
    fn yes_is_a_word_and_true_is_a_boolean() {
        assert_eq!(tree("yes").root.value, Value::Text("yes".into()));
        assert_eq!(tree("true").root.value, Value::Bool(true));
        assert_eq!(tree("'1'").root.value, Value::Text("1".into()));
    }

    #[test]
    fn set_replaces_and_adds_and_goes_into_lists() {
        let mut tree = tree("seeds: 3\nmethods:\n  - random\n  - double_pu: {ridge: 1}\n");
        for assignment in ["seeds=5", "sampling.test=0.3", "methods.1.double_pu.ridge=[1, 2]", "methods.0.random.x=1"] {
            tree.set(assignment).unwrap();
        }
        assert_eq!(entry(&tree.root, "seeds").1.value, Value::Integer(5));
        assert_eq!(entry(&entry(&tree.root, "sampling").1, "test").1.value, Value::Number(0.3));
        let Value::List(methods) = &entry(&tree.root, "methods").1.value else { panic!() };
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
        assert!(Tree::parse("test.yaml", "a: 1\na: 2\n").is_err());
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_string();
        for level in 1..12 {
            let below = format!("*a{}, ", level - 1).repeat(10);
            bomb.push_str(&format!("a{level}: &a{level} [{below}]\n"));
        }
        assert!(Tree::parse("test.yaml", &bomb).is_err());
    }
}
