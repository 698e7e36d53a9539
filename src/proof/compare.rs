//! Two runs: what they were made of, and what came out.

use crate::metric::Metric;
use crate::proof::{Difference, ProofError, difference};
use crate::report::{Line, Results, paired_difference};
use crate::run::{Environment, Manifest, Outcome, Store, computed_by};
use crate::spec::Experiment;
use crate::stats::PairedDifference;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// How two runs differ.
pub struct Compared {
    /// In spec, data, program and machine: what, in the first run, in the second.
    pub made: Vec<[String; 3]>,
    /// How many cells both have, by setting, method, prior and seed.
    pub shared: usize,
    /// How many of those came out the same, to the bit.
    pub same: usize,
    pub only_first: usize,
    pub only_second: usize,
    /// Of the cells that both have.
    pub first_difference: Option<Difference>,
    /// Those of which some cell differs.
    pub lines: Vec<LineDifference>,
}

/// One setting, method and prior, over the seeds that both runs have.
pub struct LineDifference {
    pub name: String,
    pub shared: usize,
    pub same: usize,
    /// Second minus first, in ROC-AUC.
    pub difference: Option<PairedDifference>,
}

/// Compares two runs, whatever versions made them.
pub fn compare(first: &Path, second: &Path) -> Result<Compared, ProofError> {
    let (mut a, mut b) = (Manifest::read(first)?, Manifest::read(second)?);
    let (stored_a, stored_b) = (Store::peek(first)?, Store::peek(second)?);
    let (plan_a, plan_b) = (a.plan(), b.plan());
    for (manifest, plan, stored) in [(&mut a, &plan_a, &stored_a), (&mut b, &plan_b, &stored_b)] {
        // When an unfinished run began, nobody had computed anything yet.
        if manifest.computed_by.is_empty() {
            manifest.computed_by = computed_by(plan, stored);
        }
    }
    let results_a = Results::gather(&a.experiment, &plan_a, |id| stored_a.outcome(id));
    let results_b = Results::gather(&b.experiment, &plan_b, |id| stored_b.outcome(id));
    let mut compared = Compared {
        made: made_of(&a, &b),
        shared: 0,
        same: 0,
        only_first: 0,
        only_second: 0,
        first_difference: None,
        lines: Vec::new(),
    };
    for (line, twin) in twins(&results_a.lines, &results_b.lines) {
        compared.add(&a.experiment, line, &b.experiment, twin);
    }
    compared.only_first = results_a.cells.len() - compared.shared;
    compared.only_second = results_b.cells.len() - compared.shared;
    Ok(compared)
}

/// Lines that belong together: those with the same cells, whatever they are called, and then those of the same name.
fn twins<'a>(lines: &'a [Line<'a>], others: &'a [Line<'a>]) -> Vec<(&'a Line<'a>, &'a Line<'a>)> {
    let ids = |line: &'a Line| line.cells.iter().map(|(cell, _)| &*cell.id);
    let by_id: BTreeMap<&str, usize> =
        others.iter().enumerate().flat_map(|(place, line)| ids(line).map(move |id| (id, place))).collect();
    // No line belongs to two.
    let mut places: Vec<Option<usize>> = Vec::new();
    for line in lines {
        let same = ids(line).find_map(|id| by_id.get(id).copied());
        places.push(same.filter(|place| !places.contains(&Some(*place))));
    }
    for (index, line) in lines.iter().enumerate() {
        let is_free = |place: &usize| !places.contains(&Some(*place));
        if places[index].is_none() {
            places[index] = (0..others.len()).filter(is_free).find(|place| others[*place].name() == line.name());
        }
    }
    lines.iter().zip(places).filter_map(|(line, place)| Some((line, &others[place?]))).collect()
}

impl Compared {
    fn add(&mut self, experiment: &Experiment, line: &Line, other_experiment: &Experiment, twin: &Line) {
        let others: BTreeMap<u32, &Outcome> = twin.cells.iter().map(|(cell, outcome)| (cell.seed, *outcome)).collect();
        let (mut shared, mut same) = (0, 0);
        for (cell, outcome) in &line.cells {
            let Some(other) = others.get(&cell.seed) else { continue };
            shared += 1;
            // Under another spec a cell has another id, though it may come out the same.
            let other = Outcome { id: outcome.id.clone(), ..(*other).clone() };
            match difference(experiment, cell, outcome, &other) {
                None => same += 1,
                found => self.first_difference = self.first_difference.take().or(found),
            }
        }
        self.shared += shared;
        self.same += same;
        if same < shared {
            let difference = paired_difference(other_experiment, twin, line, Metric::RocAuc);
            self.lines.push(LineDifference { name: line.name().to_string(), shared, same, difference });
        }
    }
}

fn made_of(a: &Manifest, b: &Manifest) -> Vec<[String; 3]> {
    let mut made = Vec::new();
    differing("spec: ", &leaves_of(&a.experiment), &leaves_of(&b.experiment), &mut made);
    let data = |manifest: &Manifest| -> Leaves {
        manifest.data.iter().map(|file| (vec![file.name.clone()], format!("sha256 {}", file.sha256))).collect()
    };
    differing("data: ", &data(a), &data(b), &mut made);
    differing("", &environments(&a.computed_by), &environments(&b.computed_by), &mut made);
    made
}

/// Every single value, by the steps to it.
type Leaves = BTreeMap<Vec<String>, String>;

/// What is different or stands on one side only; of what is missing altogether, only that it is.
fn differing(prefix: &str, a: &Leaves, b: &Leaves, made: &mut Vec<[String; 3]>) {
    let keys: BTreeSet<&Vec<String>> = a.keys().chain(b.keys()).filter(|key| a.get(*key) != b.get(*key)).collect();
    for key in keys {
        let row = match (a.get(key), b.get(key)) {
            (Some(a), Some(b)) => [key.join("."), a.clone(), b.clone()],
            (Some(value), None) => {
                let (name, value) = one_sided(key, value, b);
                [name, value, "-".to_string()]
            }
            (None, value) => {
                let (name, value) = one_sided(key, value.map_or("", String::as_str), a);
                [name, "-".to_string(), value]
            }
        };
        let [name, in_a, in_b] = row;
        let row = [format!("{prefix}{name}"), in_a, in_b];
        if made.last() != Some(&row) {
            made.push(row);
        }
    }
}

/// A value whose key the other side lacks, or, if it lacks more than that, the whole that it belongs to.
fn one_sided(key: &[String], value: &str, other: &Leaves) -> (String, String) {
    let is_there = |steps: usize| other.keys().any(|other| other.starts_with(&key[..steps]));
    let steps = (1..=key.len()).find(|steps| !is_there(*steps)).unwrap_or(key.len());
    let value = if steps == key.len() { value } else { "is there" };
    (key[..steps].join("."), value.to_string())
}

fn leaves_of(item: &impl serde::Serialize) -> Leaves {
    fn walk(path: &[String], value: &Value, leaves: &mut Leaves) {
        let below = |step: String| [path, &[step]].concat();
        match value {
            Value::Object(entries) => entries.iter().for_each(|(key, value)| walk(&below(key.clone()), value, leaves)),
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    // Methods, settings and priors are known by their names, whatever their places.
                    let name = [&item["label"], &item["name"]].into_iter().find_map(Value::as_str);
                    let name = name.filter(|name| !name.is_empty()).map_or(index.to_string(), str::to_string);
                    walk(&below(name), item, leaves);
                }
            }
            Value::String(text) => drop(leaves.insert(path.to_vec(), text.clone())),
            other => drop(leaves.insert(path.to_vec(), other.to_string())),
        }
    }
    let mut leaves = Leaves::new();
    walk(&[], &serde_json::to_value(item).unwrap_or_default(), &mut leaves);
    leaves
}

/// The programs and machines behind a run; several values of a kind stand beside each other.
fn environments(environments: &[Environment]) -> Leaves {
    let mut values: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    for (key, value) in environments.iter().flat_map(leaves_of) {
        let values = values.entry(key).or_default();
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values.into_iter().map(|(key, values)| (key, values.join(" and "))).collect()
}
