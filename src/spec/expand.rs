//! Expands lists and `{ tune: [..] }` to concrete values on the tree, one level below a name, before decoding.

use crate::mistake::{Mistake, Span};
use crate::spec::yaml::{Key, Node, Value};

/// The largest number of settings, of methods and of priors.
pub const MAX_EXPANDED: usize = 1000;

/// Refuses lists that expand to too many items.
pub fn refuse_too_many(count: usize, what: &str, span: &Span) -> Result<(), Mistake> {
    if count <= MAX_EXPANDED {
        return Ok(());
    }
    let remedy =
        format!("an experiment may have at most {MAX_EXPANDED}: shorten the lists, or split it into several specs");
    Err(span.mistake(format!("these lists expand to more than {MAX_EXPANDED} {what}"), remedy))
}

/// The items of a list; any other node counts as its own only item.
pub fn items(node: &Node) -> Result<&[Node], Mistake> {
    match &node.value {
        Value::List(items) if items.is_empty() => {
            Err(node.span.mistake("the list is empty", "give at least one value"))
        }
        Value::List(items) => Ok(items),
        _ => Ok(std::slice::from_ref(node)),
    }
}

/// Every combination of one item from each list, the last varying fastest.
pub fn combinations<T: Clone>(lists: &[Vec<T>], what: &str, span: &Span) -> Result<Vec<Vec<T>>, Mistake> {
    let mut all: Vec<Vec<T>> = vec![Vec::new()];
    for list in lists {
        refuse_too_many(all.len().saturating_mul(list.len()), what, span)?;
        let longer = |start: &Vec<T>| {
            list.iter().map(|item| [&start[..], std::slice::from_ref(item)].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    Ok(all)
}

/// Every combination of one value for each option; the options in `whole` are lists themselves.
pub fn sweep(options: &[(Key, Node)], whole: &[&str], span: &Span) -> Result<Vec<Vec<(Key, Node)>>, Mistake> {
    let values = |(key, node): &(Key, Node)| {
        let values = if whole.contains(&key.name.as_str()) { std::slice::from_ref(node) } else { items(node)? };
        Ok(values.iter().map(|value| (key.clone(), value.clone())).collect())
    };
    combinations(&options.iter().map(values).collect::<Result<Vec<_>, _>>()?, "settings", span)
}

/// What an option may be: one value, or several to choose from.
pub type Candidates = Vec<Node>;

/// The values of an option, each of which may be `{ tune: [..] }`.
pub fn tunable(node: &Node) -> Result<Vec<Candidates>, Mistake> {
    items(node)?.iter().map(candidates).collect()
}

fn candidates(node: &Node) -> Result<Candidates, Mistake> {
    match node.named() {
        Some(("tune", _, Some(Node { value: Value::List(items), .. }))) if items.len() > 1 => Ok(items.clone()),
        Some(("tune", _, Some(list))) => {
            Err(list.span.mistake("`tune` needs several values to choose from", "give a list of two or more values"))
        }
        _ => Ok(vec![node.clone()]),
    }
}

/// The options of a method or a scheme, which is stored as `{ name: { option: value } }`.
pub fn stored_options(alternative: &impl serde::Serialize) -> serde_json::Value {
    let stored = serde_json::to_value(alternative).unwrap_or_default();
    stored.as_object().and_then(|stored| stored.values().next()).cloned().unwrap_or_default()
}

/// All options of a named alternative, as given or else by default, in the order of their declaration. Unknown options
/// come last, for the decoder to refuse.
pub fn with_defaults(
    given: Option<&Node>,
    defaults: &serde_json::Value,
    span: &Span,
) -> Result<Vec<(Key, Node)>, Mistake> {
    let mut entries = match given.map(|node| (&node.value, &node.span)) {
        None | Some((Value::Null, _)) => Vec::new(),
        Some((Value::Map(entries), _)) => entries.clone(),
        Some((other, span)) => {
            let keys: Vec<String> =
                defaults.as_object().into_iter().flatten().map(|(key, _)| format!("`{key}`")).collect();
            let problem = format!("expected a map `{{ key: value, ... }}`, found {}", other.kind());
            return Err(span.mistake(problem, format!("the keys allowed here are: {}", keys.join(", "))));
        }
    };
    if let Some((key, _)) = entries.iter().find(|(_, node)| node.value == Value::Null) {
        let remedy = "give a value, or remove the key to use its default";
        return Err(key.span.mistake(format!("`{}` has no value", key.name), remedy));
    }
    let mut all = Vec::new();
    for (name, default) in defaults.as_object().into_iter().flatten() {
        all.push(match entries.iter().position(|(key, _)| key.name == *name) {
            Some(index) => entries.remove(index),
            None => (Key { name: name.clone(), span: span.clone() }, Node::of_json(default, span)),
        });
    }
    all.extend(entries);
    Ok(all)
}

/// `{ name: { key: value, ... } }`, to be decoded as one of several named alternatives.
pub fn named(name: &Key, options: Vec<(Key, Node)>, span: &Span) -> Node {
    let options = Node { value: Value::Map(options), span: span.clone() };
    Node { value: Value::Map(vec![(name.clone(), options)]), span: span.clone() }
}
