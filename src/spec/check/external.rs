//! Checks an entry `external` of the key `methods`.

use crate::data::sha256;
use crate::external::{SourceFile, find_executable};
use crate::methods::{Entry, External, Method, Permitted, Setup};
use crate::mistake::{Mistake, Span};
use crate::spec::decode::decode;
use crate::spec::expand::{Candidates, combinations, tunable};
use crate::spec::experiment::Limits;
use crate::spec::written;
use crate::spec::yaml::{Key, Node, Value};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::path::{Component, Path};

/// The name of the entry.
pub const EXTERNAL: &str = "external";
/// The largest file whose contents enter the ids of cells.
const MAX_BYTES: u64 = 64 << 20;

/// The candidates of every method that an entry expands to, one method for each combination of swept options, and how all
/// of them are run.
pub fn external(options: Option<&Node>, span: &Span, folder: &Path) -> Result<(Vec<Vec<Method>>, Limits), Mistake> {
    let missing = || span.mistake("it has no name and no command", "write `external: { name: .., command: [..] }`");
    let node = options.ok_or_else(missing)?;
    let written: written::External = decode(node)?;
    let name = checked_name(&written.name).map_err(|mistake| mistake.at(node.span_of(&["name"])))?;
    if written.command.first().is_none_or(String::is_empty) {
        let remedy = "give a program and its arguments, for instance [python3, my_method.py]";
        return Err(node.span_of(&["command"]).mistake("the command is empty", remedy));
    }
    let method = External {
        files: files(&written, node, folder)?,
        uses: uses(&written, node)?,
        name,
        command: written.command,
        scores: written.scores.unwrap_or_default(),
        options: Default::default(),
        setup: Setup::default(),
    };
    let keys = swept_options(node.get("options"))?;
    // The first option varies fastest.
    let alternatives = keys.iter().rev().map(|(_, value)| tunable(value)).collect::<Result<Vec<_>, Mistake>>()?;
    let candidates = |alternative: Vec<Candidates>| {
        let alternative: Vec<Candidates> = alternative.into_iter().rev().collect();
        combinations(&alternative, "candidates", span)?.into_iter().map(|values| with(&method, &keys, values)).collect()
    };
    let methods = combinations(&alternatives, "methods", span)?.into_iter().map(candidates);
    let limits = Limits { timeout: written.timeout.unwrap_or_default(), sandbox: written.sandbox };
    Ok((methods.collect::<Result<_, Mistake>>()?, limits))
}

fn checked_name(name: &str) -> Result<String, Mistake> {
    let is_allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if name.is_empty() || name.len() > 40 || !name.chars().all(is_allowed) {
        let remedy = "use up to 40 small letters, digits and `_`: it is how tables call the method";
        return Err(Mistake::new(format!("`{name}` cannot be the name of a method"), remedy));
    }
    if Entry::named(name).is_some() || name == EXTERNAL {
        return Err(Mistake::new(format!("`{name}` is a method of doublepu"), "give it another name"));
    }
    Ok(name.to_string())
}

fn uses(written: &written::External, node: &Node) -> Result<BTreeSet<Permitted>, Mistake> {
    let all = || BTreeSet::from([Permitted::Interest, Permitted::Unlabeled, Permitted::Loyal, Permitted::Priors]);
    match &written.uses {
        None => Ok(all()),
        Some(uses) if uses.is_empty() => {
            let remedy = "give some of: interest, unlabeled, loyal, priors, labels";
            Err(node.span_of(&["uses"]).mistake("a method that is sent nothing cannot learn", remedy))
        }
        Some(uses) => Ok(uses.iter().copied().collect()),
    }
}

/// The files with their hashes. What the command names must be among them, so that an edit runs the cells again.
fn files(written: &written::External, node: &Node, folder: &Path) -> Result<Vec<SourceFile>, Mistake> {
    for (index, word) in written.command.iter().enumerate() {
        let is_listed = || written.files.iter().any(|file| is_same_path(file, word));
        if is_of_method(index, word, folder) && !is_listed() {
            let problem = format!("`{word}` is part of the command, but not listed under `files`");
            let remedy = format!("add `files: [{word}]`: its contents decide the results");
            return Err(node.span_of(&["command", &index.to_string()]).mistake(problem, remedy));
        }
    }
    let file = |(index, path): (usize, &String)| {
        let hash = hash_of(&folder.join(path));
        let hash = hash.map_err(|problem| {
            let remedy = "give files of the method, relative to the folder of the spec";
            node.span_of(&["files", &index.to_string()]).mistake(format!("`{path}` {problem}"), remedy)
        })?;
        Ok(SourceFile { path: path.clone(), sha256: hash })
    };
    written.files.iter().enumerate().map(file).collect()
}

/// `./method.py` is `method.py`.
fn is_same_path(one: &str, other: &str) -> bool {
    let parts = |path| Path::new(path).components().filter(|part| *part != Component::CurDir);
    parts(one).eq(parts(other))
}

/// Whether a word of the command is a file of the method, and not an interpreter.
fn is_of_method(index: usize, word: &str, folder: &Path) -> bool {
    let path = folder.join(word);
    let is_script = match index {
        // `venv/bin/python` is a link.
        0 => word.contains(std::path::is_separator) && Path::new(word).is_relative() && !path.is_symlink(),
        _ => Path::new(word).is_relative() || find_executable(folder, word).is_none(),
    };
    is_script && path.is_file()
}

fn hash_of(path: &Path) -> Result<String, String> {
    let cannot = |error: std::io::Error| format!("cannot be read: {error}");
    let metadata = std::fs::metadata(path).map_err(cannot)?;
    if !metadata.is_file() {
        return Err("is not a file".to_string());
    }
    if metadata.len() > MAX_BYTES {
        return Err(format!("has {} bytes, but a file of a method may have at most {MAX_BYTES}", metadata.len()));
    }
    std::fs::read(path).map(|bytes| sha256(&bytes)).map_err(cannot)
}

/// The keys and values under `options`.
fn swept_options(options: Option<&Node>) -> Result<Vec<(Key, Node)>, Mistake> {
    let Some(node) = options else { return Ok(Vec::new()) };
    let Value::Map(entries) = &node.value else {
        let problem = format!("expected a map `{{ key: value, ... }}`, found {}", node.value.kind());
        return Err(node.span.mistake(problem, "give the options of the method, or remove the key"));
    };
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '_';
    for (Key { name, span }, _) in entries {
        if name.is_empty() || name.len() > 40 || !name.chars().all(is_allowed) || name == "tune" {
            let remedy = "use up to 40 letters, digits and `_`: tables show it";
            return Err(span.mistake(format!("`{name}` cannot be the name of an option"), remedy));
        }
    }
    Ok(entries.clone())
}

/// The method with concrete values of its options.
fn with(method: &External, keys: &[(Key, Node)], values: Vec<Node>) -> Result<Method, Mistake> {
    let option = |((key, _), node): (&(Key, Node), &Node)| {
        let value = match &node.value {
            Value::Bool(value) => Json::from(*value),
            Value::Integer(value) => Json::from(*value),
            Value::Number(value) if value.is_finite() => Json::from(*value),
            Value::Text(text) => Json::from(text.as_str()),
            other => {
                let problem = format!("the option `{}` is {}", key.name, other.kind());
                return Err(node.span.mistake(problem, "give a number, a text, true or false, or a list of them"));
            }
        };
        Ok((key.name.clone(), value))
    };
    let options = keys.iter().zip(&values).map(option).collect::<Result<_, _>>()?;
    Ok(Method::External(External { options, ..method.clone() }))
}
