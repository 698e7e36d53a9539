//! The inputs and environments of runs and of their lines: what is only on one side, or different on the other.

use crate::analysis::Line;
use crate::learn::PriorUse;
use crate::run::{DataFile, Environment, Manifest};
use crate::spec::{Dataset, NamedPrior, PriorSource, Setting};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The fields of an environment that describe the machine; the others describe the program.
const MACHINE: [&str; 3] = ["target", "system", "cpu"];

/// The kinds of inputs that decide results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Part {
    Spec,
    /// A file, by its sha256.
    Data,
    Program,
    Machine,
}

/// An input that differs between the runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Differing {
    pub part: Part,
    /// The path of keys, separated by dots.
    pub name: String,
    /// Null where a run does not have it.
    pub first: Value,
    pub second: Value,
}

/// In spec, data, program and machine.
pub fn of_runs(first: &Manifest, second: &Manifest) -> Vec<Differing> {
    let hashes = |manifest: &Manifest| -> Value {
        manifest.data.iter().map(|file| (file.name.clone(), json!(file.sha256))).collect::<Map<_, _>>().into()
    };
    let both = [first, second];
    let mut found = Vec::new();
    for (part, [first, second]) in [
        (Part::Spec, both.map(|manifest| value_of(&manifest.experiment))),
        (Part::Data, both.map(hashes)),
        (Part::Program, both.map(|manifest| together(&manifest.computed_by, |key| !MACHINE.contains(&key)))),
        (Part::Machine, both.map(|manifest| together(&manifest.computed_by, |key| MACHINE.contains(&key)))),
    ] {
        descend(part, "", &first, &second, &mut found);
    }
    found
}

/// In what decides the results of a line: the options of its method, its setting, its prior and its data.
pub fn of_lines(first: &Manifest, line: &Line, second: &Manifest, twin: &Line) -> Vec<Differing> {
    let mut found = Vec::new();
    descend(Part::Spec, "", &own_spec(first, line), &own_spec(second, twin), &mut found);
    let files = own_data(first, line).zip(own_data(second, twin));
    found.extend(files.filter(|(file, other)| file.sha256 != other.sha256).map(|(file, other)| Differing {
        part: Part::Data,
        name: file.name.clone(),
        first: json!(file.sha256),
        second: json!(other.sha256),
    }));
    found
}

fn own_spec(manifest: &Manifest, line: &Line) -> Value {
    let experiment = &manifest.experiment;
    let method = &experiment.methods[line.method].method;
    let Setting { label: _, dataset, features, sampling } = &experiment.settings[line.setting];
    let mut own = Map::from_iter([("method".to_string(), json!(method.name()))]);
    // Numbers stay numbers in the JSON.
    let value = |text: String| text.parse().map_or(Value::String(text), Value::Number);
    own.extend(method.options().into_iter().map(|(key, text)| (key.to_string(), value(text))));
    let setting = [("dataset", value_of(dataset)), ("features", value_of(features)), ("sampling", value_of(sampling))];
    own.extend(setting.map(|(key, value)| (key.to_string(), value)));
    let prior = line.prior.map(|prior| given(&experiment.priors[prior], line.prior_use));
    own.extend(prior.map(|prior| ("prior".to_string(), prior)));
    own.into()
}

/// The part of a prior that a method is given.
fn given(prior: &NamedPrior, used: PriorUse) -> Value {
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

/// The fields of the programs and machines of a run; a field with several values becomes a list.
fn together(environments: &[Environment], is_wanted: impl Fn(&str) -> bool) -> Value {
    let mut values: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for (key, value) in environments.iter().flat_map(|environment| steps(&value_of(environment))) {
        let values = values.entry(key).or_default();
        if !values.contains(&value) {
            values.push(value);
        }
    }
    let one = |values: Vec<Value>| if values.len() == 1 { values[0].clone() } else { values.into() };
    let wanted = values.into_iter().filter(|(key, _)| is_wanted(key));
    wanted.map(|(key, values)| (key, one(values))).collect::<Map<_, _>>().into()
}

fn value_of(item: &impl Serialize) -> Value {
    serde_json::to_value(item).unwrap_or_default()
}

/// Compares two values key by key; a value that only one side has is reported as a whole.
fn descend(part: Part, path: &str, first: &Value, second: &Value, found: &mut Vec<Differing>) {
    if first == second {
        return;
    }
    let (steps, others) = (steps(first), steps(second));
    // Two variants of an enum, such as a simulation and a table, have no keys in common.
    let are_objects = first.is_object() && second.is_object();
    let are_variants = are_objects && steps.len() == 1 && others.len() == 1 && !steps.keys().eq(others.keys());
    // At the top one side may be empty, as a simulation has no files; then the other side is still reported key by key.
    if !path.is_empty() && (steps.is_empty() || others.is_empty() || are_variants) {
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

/// The values one level below, by key. A list of plain values has none.
fn steps(value: &Value) -> Map<String, Value> {
    match value {
        Value::Object(entries) => entries.clone(),
        Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
            let named = |(index, item): (usize, &Value)| {
                // Methods, settings and priors are identified by name, at any index.
                let name = [&item["label"], &item["name"]].into_iter().find_map(Value::as_str);
                (name.filter(|name| !name.is_empty()).map_or(index.to_string(), str::to_string), item.clone())
            };
            items.iter().enumerate().map(named).collect()
        }
        _ => Map::new(),
    }
}
