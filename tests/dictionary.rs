//! docs/run-folder.md describes every file, column and key that runs leave, and nothing else.
//!
//! Small experiments are run with the built program. If a test fails, change the page, or the experiments here so that they
//! produce what the page describes.

use polars::prelude::{ParquetReader, SerReader};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use tempfile::TempDir;

const PAGE: &str = include_str!("../docs/run-folder.md");
const PEOPLE: &str = include_str!("../datasets/bank-marketing/bank.csv");
const METRICS: [&str; 2] = ["roc_auc", "brier_score"];

/// Two settings with everything that a spec can ask for.
const FULL: &str = r#"
experiment: full
dataset:
  source: bank-marketing
  interest: { column: deposit, positive: "yes" }
  loyalty: { column: housing, positive: "yes" }
sampling: [{ scheme: pools, test: 0.8, loyal: within_interest }, { scheme: censoring, test: 0.8 }]
priors: [true, guess: { beta: 0.4, gamma: 0.1 }, half: { beta: { times: 0.9 }, gamma: { times: 0.5 } }]
seeds: 2
methods:
  - double_pu: { ridge: [0.01, { tune: [0.01, 1] }] }
  - double_pu: { loss: [logistic, squared], costs: { false_positive: 100 } }    # several starts; no minimum
  - naive_pu: { loss: sigmoid, model: { network: { hidden: 2, epochs: 3 } } }
  - random
metrics: [brier_score]
compare: double_pu loss=logistic costs=1:1 ridge=0.01
paper: [{ method: random, metric: roc_auc, value: 0.5 }, { method: naive_pu, metric: roc_auc, value: 0.7 }]
gate:
  rise: 0.5
  metrics: { brier_score: 0.1 }
  methods: { random: { margin: 0.1, rise: 0.5, at_least: 0.1, at_most: 0.9 } }
  order: [naive_pu >= random - 0.9]
"#;

/// Two numeric features; settings that differ in one number; both priors varied together.
const SIMULATION: &str = r#"
experiment: simulation
dataset:
  source: simulation
  groups:
    interested: { count: 50, mean: [-2, 2] }
    loyal: { count: 100, mean: [2, 2] }
    others: { count: 100, mean: [-2, -2] }
sampling: { scheme: censoring, hide_interest: [0.2, 0.4] }
priors: [true, both: { beta: { times: [0.8, 1.2] }, gamma: { times: [0.8, 0.9] } }, gamma: { gamma: { times: [0.8, 1.2] } }]
seeds: 2
methods: [double_pu]
"#;

/// A file of one's own, of which a shard is run; two swept keys.
const FILE: &str = r#"
experiment: file
dataset:
  source: ./people.csv
  interest: { column: deposit, positive: "yes" }
  loyalty: { column: housing, positive: "yes", negative: "no" }
  missing: [-999]
features: { types: { day: category }, missing: indicator }
sampling: { scheme: pools, test: [0.7, 0.8], loyal: [0.2, 0.4] }
seeds: 10
methods: [random]
"#;

/// The runs, made once.
static RUNS: LazyLock<Runs> = LazyLock::new(Runs::make);

struct Runs {
    folder: TempDir,
}

impl Runs {
    fn make() -> Self {
        let runs = Runs { folder: tempfile::tempdir().unwrap() };
        for (name, text) in
            [("full.yaml", FULL), ("simulation.yaml", SIMULATION), ("file.yaml", FILE), ("people.csv", PEOPLE)]
        {
            std::fs::write(runs.path(name), text).unwrap();
        }
        // Some cells of the first have no minimum.
        runs.doublepu(&["run", "full.yaml", "--out", "full"], 4);
        runs.doublepu(&["accept", "full", "--baseline", "baseline.csv"], 0);
        runs.doublepu(&["run", "simulation.yaml", "--out", "simulation"], 0);
        runs.doublepu(&["run", "file.yaml", "--shard", "1/2", "--out", "shard"], 0);
        runs.doublepu(&["run", "file.yaml", "--out", "file"], 0);
        let journal = runs.path("file/journal.jsonl");
        std::fs::write(&journal, format!("damaged {}", std::fs::read_to_string(&journal).unwrap())).unwrap();
        runs.doublepu(&["run", "file.yaml", "--out", "file", "--fresh"], 0);
        runs
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn doublepu(&self, arguments: &[&str], code: i32) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_doublepu"));
        let ended = command.args(arguments).current_dir(self.folder.path()).output().unwrap();
        assert_eq!(ended.status.code(), Some(code), "{arguments:?}: {}", String::from_utf8_lossy(&ended.stderr));
    }

    /// Every file of a kind, in any run folder.
    fn files(&self, name: &str) -> Vec<PathBuf> {
        let folders = ["full", "simulation", "shard", "file"].map(|folder| self.path(folder).join(name));
        folders.into_iter().filter(|path| path.exists()).collect()
    }
}

/// The names in the first column of the first table below a heading, row by row.
fn described(heading: &str) -> Vec<Vec<String>> {
    let start = format!("\n## {heading}\n");
    let (_, section) =
        PAGE.split_once(&start).unwrap_or_else(|| panic!("docs/run-folder.md has no section `## {heading}`"));
    let is_row = |line: &&str| line.starts_with('|');
    let rows = section.lines().skip_while(|line| !is_row(line)).take_while(is_row).skip(2);
    let names = |line: &str| -> Vec<String> {
        let first = line.split(" | ").next().unwrap_or_default();
        first.split('`').skip(1).step_by(2).map(str::to_string).collect()
    };
    rows.map(names).collect()
}

/// Fails with what is found and not described, or described and not found.
fn agree(section: &str, kind: &str, missing: BTreeSet<String>, surplus: BTreeSet<String>) {
    let mut problems = Vec::new();
    for name in missing {
        problems.push(format!("the {kind} `{name}` is not described: add a row for it"));
    }
    for name in surplus {
        problems.push(format!(
            "no run of tests/dictionary.rs has the {kind} `{name}`: remove its row, or extend the experiments"
        ));
    }
    assert!(problems.is_empty(), "docs/run-folder.md, section `## {section}`:\n{}", problems.join("\n"));
}

#[test]
fn every_file_is_described() {
    // It is there only while a run is under way.
    const PASSING: [&str; 1] = ["journal.fresh.jsonl"];
    let mut found = BTreeSet::new();
    for folder in ["full", "simulation", "shard", "file"] {
        for entry in std::fs::read_dir(RUNS.path(folder)).unwrap() {
            let entry = entry.unwrap();
            let ending = if entry.path().is_dir() { "/" } else { "" };
            found.insert(entry.file_name().to_string_lossy().into_owned() + ending);
        }
    }
    let described: BTreeSet<String> = described("Files").into_iter().flatten().collect();
    let missing = found.difference(&described).cloned().collect();
    let surplus = described.difference(&found).filter(|name| !PASSING.contains(&name.as_str())).cloned().collect();
    agree("Files", "file", missing, surplus);
}

/// Whether a name fits a pattern, in which `<...>` stands for any text.
fn fits(name: &str, pattern: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('<') else { return name == pattern };
    let (_, end) = rest.split_once('>').expect("the end of a placeholder");
    let Some(open) = name.strip_prefix(start) else { return false };
    (1..=open.len()).any(|length| open.is_char_boundary(length) && fits(&open[length..], end))
}

#[test]
fn a_pattern_fits_where_its_open_parts_are_not_empty() {
    assert!(fits("roc", "roc") && fits("roc_a-1", "roc_<setting>") && !fits("roc_", "roc_<setting>"));
    assert!(fits("auc_by_a_and_b", "auc_by_<key>_and_<keys>") && !fits("auc_by_a", "auc_by_<key>_and_<keys>"));
}

#[test]
fn every_plot_is_described() {
    let mut plots = BTreeSet::new();
    for folder in RUNS.files("plots") {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            assert!(path.extension().is_some_and(|ending| ending == "svg" || ending == "png"), "{}", path.display());
            plots.insert(path.file_stem().unwrap().to_string_lossy().into_owned());
        }
    }
    let rows = described("Plots");
    let is_found = |row: &&Vec<String>| row.iter().any(|pattern| plots.iter().any(|plot| fits(plot, pattern)));
    let surplus = rows.iter().filter(|row| !is_found(row)).map(|row| row.join("`, `")).collect();
    let is_described = |plot: &&String| rows.iter().flatten().any(|pattern| fits(plot, pattern));
    let missing = plots.iter().filter(|plot| !is_described(plot)).cloned().collect();
    agree("Plots", "plot", missing, surplus);
}

/// The columns of a CSV or Parquet file.
fn columns(path: &Path) -> Vec<String> {
    if path.extension().is_some_and(|ending| ending == "parquet") {
        let frame = ParquetReader::new(std::fs::File::open(path).unwrap()).finish().unwrap();
        return frame.get_column_names().iter().map(|name| name.to_string()).collect();
    }
    let text = std::fs::read_to_string(path).unwrap();
    let header = text.lines().find(|line| !line.starts_with('#')).expect("a header");
    header.split(',').map(str::to_string).collect()
}

/// Compares the columns of files with those that a section describes.
fn compare_columns(section: &str, files: &[PathBuf]) {
    assert!(!files.is_empty(), "no run of tests/dictionary.rs has {section}: extend the experiments");
    let described: BTreeSet<String> = described(section).into_iter().flatten().collect();
    let mut found = BTreeSet::new();
    for path in files {
        found.extend(columns(path));
    }
    for pattern in described.iter().filter(|name| name.contains('<') && *name != "<metric>") {
        let before = found.len();
        found.retain(|name| described.contains(name) || !fits(name, pattern));
        found.extend((found.len() < before).then(|| pattern.clone()));
    }
    if described.contains("<metric>") && METRICS.iter().all(|metric| found.remove(*metric)) {
        found.insert("<metric>".to_string());
    }
    let missing = found.difference(&described).cloned().collect();
    agree(section, "column", missing, described.difference(&found).cloned().collect());
}

#[test]
fn every_column_of_every_table_is_described() {
    let mut tables = BTreeSet::new();
    for folder in ["full", "simulation", "shard", "file"] {
        for entry in std::fs::read_dir(RUNS.path(folder)).unwrap() {
            let name = entry.unwrap().file_name().to_string_lossy().into_owned();
            tables.extend(name.ends_with(".csv").then_some(name));
        }
    }
    tables.iter().for_each(|name| compare_columns(name, &RUNS.files(name)));
    compare_columns("cells.csv", &RUNS.files("cells.parquet"));
}

#[test]
fn every_column_and_line_of_a_baseline_is_described() {
    let baseline = RUNS.path("baseline.csv");
    compare_columns("A baseline", std::slice::from_ref(&baseline));
    let text = std::fs::read_to_string(baseline).unwrap();
    for line in text.lines().skip(1).take_while(|line| line.starts_with('#')) {
        let key = line.split_once(": ").expect("a key").0;
        assert!(
            PAGE.contains(&format!("`{key}:`")),
            "docs/run-folder.md, section `## A baseline`: describe the line `{key}:`"
        );
    }
}

/// The path of a value below the root: keys, where a list adds `[]` to the key that it is the value of.
type KeyPath = Vec<String>;

/// The paths of all values that are neither maps nor lists of maps.
fn key_paths(value: &Value, path: &KeyPath, paths: &mut BTreeSet<KeyPath>) {
    match value {
        Value::Object(entries) if !entries.is_empty() => {
            for (key, value) in entries {
                let mut below = path.clone();
                below.push(key.clone());
                key_paths(value, &below, paths);
            }
        }
        Value::Array(items) if items.iter().any(Value::is_object) => {
            let mut below = path.clone();
            *below.last_mut().expect("a key") += "[]";
            items.iter().for_each(|item| key_paths(item, &below, paths));
        }
        _ => {
            paths.insert(path.clone());
        }
    }
}

/// Whether a described path, in which `<...>` stands for any key and at its end for all below it, is that of a value.
fn describes(pattern: &str, path: &KeyPath) -> bool {
    let parts: Vec<&str> = pattern.split('.').collect();
    let is_open = |part: &str| part.starts_with('<');
    let fits = parts.len() == path.len() || (parts.len() < path.len() && is_open(parts[parts.len() - 1]));
    fits && parts.iter().zip(path).all(|(part, key)| is_open(part) || part == key)
}

/// Whether a described path leads through an empty map or list, or one that is null here.
fn leads_through(pattern: &str, path: &KeyPath) -> bool {
    let parts: Vec<&str> = pattern.split('.').collect();
    let is_same = |(part, key): (&&str, &String)| {
        part.starts_with('<') || part.trim_end_matches("[]") == key.trim_end_matches("[]")
    };
    parts.len() >= path.len() && parts.iter().zip(path).all(is_same)
}

fn compare_keys(section: &str, values: Vec<Value>) {
    let described: Vec<String> = described(section).into_iter().flatten().collect();
    let mut paths = BTreeSet::new();
    values.iter().for_each(|value| key_paths(value, &Vec::new(), &mut paths));
    let is_described =
        |path: &&KeyPath| described.iter().any(|pattern| describes(pattern, path) || leads_through(pattern, path));
    let missing = paths.iter().filter(|path| !is_described(path)).map(|path| path.join(".")).collect();
    let is_found = |pattern: &&String| paths.iter().any(|path| describes(pattern, path));
    agree(section, "key", missing, described.iter().filter(|pattern| !is_found(pattern)).cloned().collect());
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn every_key_of_every_json_file_is_described() {
    for name in ["summary.json", "manifest.json"] {
        compare_keys(name, RUNS.files(name).iter().map(|path| json(&std::fs::read_to_string(path).unwrap())).collect());
    }
    let mut records = Vec::new();
    for path in RUNS.files("journal.jsonl") {
        let text = std::fs::read_to_string(path).unwrap();
        records.extend(text.lines().map(|line| json(line.split_once(' ').expect("a checksum").1)));
    }
    compare_keys("journal.jsonl", records);
}

#[test]
fn paths_of_keys_fit_their_descriptions() {
    let value = json(
        r#"{ "a": [{ "b": { "x": 1 } }, { "b": null }], "c": [1, 2], "d": { "e": {} }, "f": { "y.z": { "g": 1 } } }"#,
    );
    let mut paths = BTreeSet::new();
    key_paths(&value, &Vec::new(), &mut paths);
    let joined: Vec<String> = paths.iter().map(|path| path.join(" ")).collect();
    assert_eq!(joined, ["a[] b", "a[] b x", "c", "d e", "f y.z g"]);
    let path = |text: &str| text.split(' ').map(str::to_string).collect::<KeyPath>();
    assert!(describes("a[].b.x", &path("a[] b x")) && !describes("a[].b", &path("a[] b x")));
    assert!(describes("a[].b.<key>", &path("a[] b x")) && describes("f.<file>", &path("f y.z g")));
    assert!(leads_through("a[].b.x", &path("a[] b")) && !leads_through("a[].b", &path("a[] b x")));
}
