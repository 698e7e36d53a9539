//! What runs and their lines were made of: what stands on one side and not, or not so, on the other.

use crate::analysis::Line;
use crate::learn::PriorUse;
use crate::run::{DataFile, Environment, Manifest};
use crate::spec::{Dataset, NamedPrior, PriorSource, Setting};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// What of an environment is the machine's; the rest is the program's.
const MACHINE: [&str; 3] = ["target", "system", "cpu"];

/// What something belongs to that decides results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    Spec,
    /// A file, by its sha256.
    Data,
    Program,
    Machine,
}

/// Something that is not the same in both runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Differing {
    pub part: Part,
    /// The steps to it, with dots between them.
    pub name: String,
    /// Null where a run has no such thing.
    pub first: Value,
    pub second: Value,
}

/// In spec, data, program and machine.
pub fn of_runs(first: &Manifest, second: &Manifest) -> Vec<Differing> {
    let mut found = Vec::new();
    descend(Part::Spec, "", &value_of(&first.experiment), &value_of(&second.experiment), &mut found);
    let hashes = |manifest: &Manifest| -> Value {
        manifest.data.iter().map(|file| (file.name.clone(), json!(file.sha256))).collect::<Map<_, _>>().into()
    };
    descend(Part::Data, "", &hashes(first), &hashes(second), &mut found);
    for (part, is_machine) in [(Part::Program, false), (Part::Machine, true)] {
        let of = |manifest: &Manifest| together(&manifest.computed_by, |key| MACHINE.contains(&key) == is_machine);
        descend(part, "", &of(first), &of(second), &mut found);
    }
    found
}

/// In what decides the results of a line: the options of its method, its setting, its prior and its data.
pub fn of_lines(first: &Manifest, line: &Line, second: &Manifest, twin: &Line) -> Vec<Differing> {
    let mut found = Vec::new();
    descend(Part::Spec, "", &own_spec(first, line), &own_spec(second, twin), &mut found);
    let files = (own_data(first, line), own_data(second, twin));
    if let (Some(file), Some(other)) = files
        && file.sha256 != other.sha256
    {
        let (first, second) = (json!(file.sha256), json!(other.sha256));
        found.push(Differing { part: Part::Data, name: file.name.clone(), first, second });
    }
    found
}

fn own_spec(manifest: &Manifest, line: &Line) -> Value {
    let experiment = &manifest.experiment;
    let method = &experiment.methods[line.method].method;
    let Setting { label: _, dataset, features, sampling } = &experiment.settings[line.setting];
    let mut own = Map::new();
    own.insert("method".to_string(), json!(method.name()));
    for (key, text) in method.options() {
        // What is a number is one for programs, too.
        let value = text.parse().map_or(Value::String(text), Value::Number);
        own.insert(key.to_string(), value);
    }
    own.insert("dataset".to_string(), value_of(dataset));
    own.insert("features".to_string(), value_of(features));
    own.insert("sampling".to_string(), value_of(sampling));
    if let Some(prior) = line.prior {
        own.insert("prior".to_string(), told(&experiment.priors[prior], line.prior_use));
    }
    own.into()
}

/// What a method is told of a prior.
fn told(prior: &NamedPrior, used: PriorUse) -> Value {
    let value = |source: PriorSource| match source {
        PriorSource::Fixed(value) => json!(value),
        multiple => json!(multiple.to_string()),
    };
    match used {
        PriorUse::None => Value::Null,
        PriorUse::Beta => json!({ "beta": value(prior.beta) }),
        PriorUse::BetaAndGamma => json!({ "beta": value(prior.beta), "gamma": value(prior.gamma) }),
    }
}

/// `None` for a simulation.
fn own_data<'a>(manifest: &'a Manifest, line: &Line) -> Option<&'a DataFile> {
    match &manifest.experiment.settings[line.setting].dataset {
        Dataset::Simulation(_) => None,
        Dataset::Table { source, .. } => manifest.data.iter().find(|file| file.name == source.name()),
    }
}

/// What the programs and machines behind a run are; where there are several, all values in a list.
fn together(environments: &[Environment], is_asked: impl Fn(&str) -> bool) -> Value {
    let mut values: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for (key, value) in environments.iter().flat_map(|environment| steps(&value_of(environment))) {
        let values = values.entry(key).or_default();
        if !values.contains(&value) {
            values.push(value);
        }
    }
    let one = |values: Vec<Value>| if values.len() == 1 { values[0].clone() } else { values.into() };
    let asked = values.into_iter().filter(|(key, _)| is_asked(key));
    asked.map(|(key, values)| (key, one(values))).collect::<Map<_, _>>().into()
}

fn value_of(item: &impl Serialize) -> Value {
    serde_json::to_value(item).unwrap_or_default()
}

/// Goes down both sides together as long as both have parts; of what only one has, the whole is told.
fn descend(part: Part, path: &str, first: &Value, second: &Value, found: &mut Vec<Differing>) {
    if first == second {
        return;
    }
    let (steps, others) = (steps(first), steps(second));
    // Two kinds of a thing, such as a simulation and a table, have nothing to be compared one by one.
    let are_objects = first.is_object() && second.is_object();
    let are_two_kinds = are_objects && steps.len() == 1 && others.len() == 1 && !steps.keys().eq(others.keys());
    // At the top one side may have nothing at all, as a simulation has no files; what the other has is told one by one.
    if !path.is_empty() && (steps.is_empty() || others.is_empty() || are_two_kinds) {
        found.push(Differing { part, name: path.to_string(), first: first.clone(), second: second.clone() });
        return;
    }
    let new = others.keys().filter(|step| !steps.contains_key(*step));
    for step in steps.keys().chain(new) {
        let path = if path.is_empty() { step.clone() } else { format!("{path}.{step}") };
        let below = |steps: &Map<String, Value>| steps.get(step).cloned().unwrap_or_default();
        descend(part, &path, &below(&steps), &below(&others), found);
    }
}

/// What is one step below. A list of plain values has no parts.
fn steps(value: &Value) -> Map<String, Value> {
    match value {
        Value::Object(entries) => entries.clone(),
        Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
            let named = |(index, item): (usize, &Value)| {
                // Methods, settings and priors are known by their names, whatever their places.
                let name = [&item["label"], &item["name"]].into_iter().find_map(Value::as_str);
                (name.filter(|name| !name.is_empty()).map_or(index.to_string(), str::to_string), item.clone())
            };
            items.iter().enumerate().map(named).collect()
        }
        _ => Map::new(),
    }
}
