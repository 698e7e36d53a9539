//! Methods in programs of their own. The programs are this test binary, which is a worker if it is told so.

use crate::{Desk, Ended};
use doublepu::sample::stream;
use rand::RngExt;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::process::{Command, Stdio};
use std::time::Instant;

const WORKER: &str = "external::this_binary_is_a_worker_that_speaks_the_protocol";
/// What a worker does at its start.
const START: &str = "DOUBLEPU_TEST_START";
/// The folder of the test that a worker belongs to.
const DESK: &str = "DOUBLEPU_TEST_DESK";

const SPEC: &str = r#"experiment: outside
dataset:
  source: bank-marketing
  interest: { column: deposit, positive: "yes" }
  loyalty: { column: housing, positive: "yes" }
sampling: { scheme: pools }
seeds: 6
methods:
  - double_pu
  - external: { name: outside, command: COMMAND, files: [method.txt], options: { does: [difference, position] } }
  - random
compare: double_pu
"#;

impl Desk {
    /// A folder with the spec, in which COMMAND becomes that of a worker.
    fn with_method(spec: &str) -> Self {
        let desk = Desk::new();
        desk.write("method.txt", "version 1");
        desk.write_spec(spec, "worker");
        desk
    }

    fn write_spec(&self, spec: &str, start: &str) {
        let binary = std::env::current_exe().unwrap();
        let command = json!(["env", format!("{START}={start}"), binary, WORKER, "--exact", "--nocapture"]);
        self.write("spec.yaml", &spec.replace("COMMAND", &command.to_string()));
    }

    fn outside(&self, arguments: &[&str]) -> Ended {
        self.ended(self.command().args(arguments).env(DESK, self.path("")))
    }

    fn well_outside(&self, arguments: &[&str]) -> Ended {
        let ended = self.outside(arguments);
        assert_eq!(ended.code, 0, "{arguments:?}: {}", ended.stderr);
        ended
    }

    /// The processes of this folder, of which there are none once a command has ended.
    fn workers(&self) -> usize {
        let mark = format!("{DESK}={}", self.path("").display());
        let is_worker = |process: &std::fs::DirEntry| {
            let read = |name: &str| std::fs::read(process.path().join(name)).unwrap_or_default();
            let environment = read("environ");
            let is_marked = environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes());
            // A zombie has no command line.
            is_marked && !read("cmdline").is_empty()
        };
        std::fs::read_dir("/proc").unwrap().flatten().filter(is_worker).count()
    }

    /// Killed processes take a moment to go.
    fn has_no_workers(&self) -> bool {
        (0..200).any(|_| {
            let none = self.workers() == 0;
            std::thread::sleep(std::time::Duration::from_millis(if none { 0 } else { 10 }));
            none
        })
    }

    /// The mean ROC-AUC of each label.
    fn aucs(&self, folder: &str) -> BTreeMap<String, f64> {
        let summary: Value = serde_json::from_str(&self.read(&format!("{folder}/summary.json"))).unwrap();
        let rows = summary["lines"].as_array().unwrap();
        let auc =
            |row: &Value| (row["method"].as_str().unwrap().to_string(), row["metrics"]["roc_auc"]["mean"].as_f64());
        rows.iter().map(auc).filter_map(|(label, auc)| Some((label, auc?))).collect()
    }
}

type Arrays = BTreeMap<String, Vec<Vec<f64>>>;

/// One request: its header and its arrays, row by row.
fn read_request(from: &mut impl BufRead) -> Option<(Value, Arrays)> {
    let mut line = String::new();
    if from.read_line(&mut line).unwrap() == 0 {
        return None;
    }
    let header: Value = serde_json::from_str(&line).unwrap();
    let mut array = |(name, shape): (&String, &Value)| {
        let [rows, columns] = [0, 1].map(|at| shape[at].as_u64().unwrap() as usize);
        let mut bytes = vec![0; 8 * rows * columns];
        from.read_exact(&mut bytes).unwrap();
        let values: Vec<f64> =
            bytes.chunks_exact(8).map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap())).collect();
        (name.clone(), values.chunks(columns.max(1)).map(<[f64]>::to_vec).collect())
    };
    let arrays = header["arrays"].as_object().unwrap().iter().map(&mut array).collect();
    Some((header, arrays))
}

/// A worker in a few lines.
fn work(start: &str) {
    let (mut stdin, mut stdout) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut say = |bytes: &[u8]| stdout.write_all(bytes).and_then(|()| stdout.flush()).unwrap();
    match start {
        "silent" => std::thread::sleep(std::time::Duration::from_secs(60)),
        "broken" => {
            eprintln!("ImportError: no module named numpy");
            std::process::exit(1);
        }
        "future" => say(b"\n{\"doublepu\":2}\n"),
        _ => {}
    }
    // After what the test harness has printed.
    say(format!("\n{{\"doublepu\":1,\"rules\":\"{}\"}}\n", start.replace("worker", "1.0")).as_bytes());
    while let Some((header, arrays)) = read_request(&mut stdin) {
        let (id, test) = (header["id"].as_str().unwrap(), &arrays["test"]);
        let does = header["options"]["does"].as_str().unwrap_or("difference");
        let seed = header["seed"].as_u64().unwrap();
        let mean =
            |rows: &[Vec<f64>], column: usize| rows.iter().map(|row| row[column]).sum::<f64>() / rows.len() as f64;
        let direction = |a: &str, b: &str| -> Vec<f64> {
            (0..test[0].len()).map(|column| mean(&arrays[a], column) - mean(&arrays[b], column)).collect()
        };
        let along = |direction: Vec<f64>| -> Vec<f64> {
            test.iter().map(|row| row.iter().zip(&direction).map(|(x, w)| x * w).sum()).collect()
        };
        let is_hit = seed % 2 == 0;
        let mut scores: Vec<f64> = match does {
            "difference" => along(direction("interest", "unlabeled")),
            "talk" => {
                (0..250).for_each(|line| eprintln!("line {line}"));
                eprint!("0%\r50%\r100%");
                along(direction("interest", "unlabeled"))
            }
            "away" => along(direction("unlabeled", "interest")),
            "labels" => {
                let labels: Vec<bool> = arrays["labels"].iter().map(|label| label[0] == 1.0).collect();
                let of = |is: bool| {
                    let rows = arrays["train"].iter().zip(&labels).filter(|(_, label)| **label == is);
                    rows.map(|(row, _)| row.clone()).collect::<Vec<_>>()
                };
                let (positive, negative) = (of(true), of(false));
                along((0..test[0].len()).map(|column| mean(&positive, column) - mean(&negative, column)).collect())
            }
            "open" => {
                let path = header["options"]["path"].as_str().unwrap();
                let read = std::fs::read_dir(path).map(drop).or_else(|_| std::fs::read(path).map(drop));
                let opened = read.map_err(|error| error.to_string());
                let answer = match opened {
                    Ok(_) => json!({ "id": id, "error": format!("{path} was read") }),
                    Err(error) => json!({ "id": id, "error": format!("{path}: {error}") }),
                };
                say(format!("{answer}\n").as_bytes());
                continue;
            }
            "error" if is_hit => {
                eprintln!("Traceback: it is broken");
                say(format!("{}\n", json!({ "id": id, "error": "the matrix is singular" })).as_bytes());
                continue;
            }
            "crash" if is_hit => {
                eprintln!("about to crash");
                std::process::abort();
            }
            "leave" if is_hit => std::process::exit(0),
            "hang" if is_hit => loop {
                std::thread::sleep(std::time::Duration::from_secs(60));
            },
            "garbage" if is_hit => {
                say(b"iteration 1: loss 0.7\n");
                vec![0.0; test.len()]
            }
            _ => (0..test.len()).map(|row| row as f64).collect(),
        };
        match does {
            "short" if is_hit => _ = scores.pop(),
            "nan" if is_hit => scores[3] = f64::NAN,
            "probability" if is_hit => scores[0] = 1.5,
            "probability" => scores.iter_mut().for_each(|score| *score /= test.len() as f64),
            _ => {}
        }
        say(format!("{}\n", json!({ "id": id, "scores": scores.len() })).as_bytes());
        let mut answer: Vec<u8> = scores.iter().flat_map(|score| score.to_le_bytes()).collect();
        if does == "more" && is_hit {
            answer.push(b'\n');
        }
        say(&answer);
    }
    std::process::exit(0);
}

#[test]
fn this_binary_is_a_worker_that_speaks_the_protocol() {
    if let Ok(start) = std::env::var(START) {
        return work(&start);
    }
    let mut worker = Command::new(std::env::current_exe().unwrap());
    let worker = worker.args([WORKER, "--exact", "--nocapture"]).env(START, "worker");
    let mut worker = worker.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = worker.stdin.take().unwrap();
    let header = json!({ "id": "7", "seed": 1, "options": { "does": "position" }, "columns": ["x"], "arrays": { "test": [3, 1] } });
    stdin.write_all(format!("{header}\n").as_bytes()).unwrap();
    stdin.write_all(&[0; 24]).unwrap();
    drop(stdin);
    let output = worker.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("{\"doublepu\":1,\"rules\":\"1.0\"}\n{\"id\":\"7\",\"scores\":3}\n"),
        "{text}"
    );
    let scores: Vec<u8> = [0.0f64, 1.0, 2.0].iter().flat_map(|score| score.to_le_bytes()).collect();
    assert!(output.stdout.ends_with(&scores));
}

#[test]
fn an_external_method_is_in_tables_comparisons_shards_the_gate_and_proofs_like_any_other() {
    let desk = Desk::with_method(SPEC);
    let ran = desk.well_outside(&["run", "spec.yaml", "--out", "out"]);
    assert!(ran.stdout.contains("outside does=difference"), "{}", ran.stdout);
    let aucs = desk.aucs("out");
    assert!(aucs["outside does=difference"] > 0.65 && aucs["double_pu"] > aucs["outside does=difference"], "{aucs:?}");
    assert!((aucs["outside does=position"] - 0.5).abs() < 0.03, "{aucs:?}");
    assert!(desk.read("out/comparisons.csv").contains("outside does=position"));
    assert!(desk.read("out/plots/auc_by_method.svg").contains("outside does=position"));

    let cells = desk.read("out/cells.csv");
    for shard in ["1/2", "2/2"] {
        desk.well_outside(&["run", "spec.yaml", "--shard", shard, "--out", &shard.replace('/', "-of-")]);
    }
    desk.well_outside(&["merge", "1-of-2", "2-of-2", "--out", "merged"]);
    assert!(desk.read("merged/cells.csv") == cells);
    desk.well_outside(&["run", "spec.yaml", "--out", "part", "--set", "seeds=2", "--jobs", "1"]);
    let resumed = desk.well_outside(&["run", "spec.yaml", "--out", "part"]);
    assert!(resumed.stderr.contains("8 of 24 cells are already done") && desk.read("part/cells.csv") == cells);

    assert!(desk.well_outside(&["verify", "out", "--all"]).stdout.contains("24 of 24 cells were computed again"));
    desk.well_outside(&["accept", "out", "--baseline", "baseline.csv"]);
    desk.well_outside(&["check", "out", "--baseline", "baseline.csv"]);
    let row = cells.lines().find(|line| line.contains("difference")).unwrap();
    desk.well_outside(&["export", "out", row.split(',').next().unwrap(), "--out", "cell"]);
    assert!(desk.read("cell/test_rows.csv").lines().next().unwrap().ends_with(",score"));
    desk.well_outside(&["report", "out"]);
    assert!(desk.has_no_workers());
}

#[test]
fn what_decides_a_result_is_in_the_id_and_what_does_not_is_not() {
    let desk = Desk::with_method(SPEC);
    desk.well_outside(&["run", "spec.yaml", "--out", "out"]);
    let done = |set: &str| {
        let plan = desk.well_outside(&["plan", "spec.yaml", "--out", "out", "--set", set]).stdout;
        plan.split(" cells, ").nth(1).unwrap().split(' ').next().unwrap().parse::<u32>().unwrap()
    };
    assert_eq!(done("methods.1.external.timeout=5m"), 24);
    assert_eq!(done("methods.1.external.scores=probability"), 12);
    assert_eq!(done("methods.1.external.uses=[interest, unlabeled]"), 12);
    assert_eq!(done("methods.1.external.options={does: [difference]}"), 18);
    desk.write("method.txt", "version 2");
    assert_eq!(done("seeds=6"), 12);
}

#[test]
fn whatever_a_worker_does_is_a_failed_cell_and_other_cells_go_on() {
    let desk = Desk::with_method(SPEC);
    for (does, told) in [
        ("error", "it reports: the matrix is singular; `doublepu"),
        ("crash", "it ended before it answered (signal: 6 (SIGABRT)"),
        ("leave", "it ended before it answered (exit status: 0)"),
        ("hang", "it took longer than 500ms"),
        ("short", "it gave 2231 scores for 2232 rows of `test`"),
        ("nan", "1 of 2232 scores are NaN or the like"),
        ("more", "it wrote more than its answer to stdout: print to stderr"),
        ("garbage", "it wrote `iteration 1: loss 0.7` to stdout, which is for answers only: print to stderr"),
        ("probability", "a score is 1.5, but `scores: probability` promises numbers from 0 to 1"),
    ] {
        let scores = if does == "probability" { "probability" } else { "rank" };
        let set = |text: &str| ["--set".to_string(), format!("methods.1.external.{text}")];
        let sets =
            [set(&format!("options.does={does}")), set("timeout=500ms"), set(&format!("scores={scores}"))].concat();
        let arguments = ["run", "spec.yaml", "--out", does, "--set", "seeds=12"].map(String::from).to_vec();
        let arguments = [arguments, sets].concat();
        let ended = desk.outside(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(ended.code, 4, "{does}: {}", ended.stderr);
        let journal = desk.read(&format!("{does}/journal.jsonl"));
        let reasons: Vec<Value> = journal
            .lines()
            .filter_map(|line| {
                let record: Value = serde_json::from_str(line.split_once(' ').unwrap().1).unwrap();
                record.pointer("/outcome/result/Err").cloned()
            })
            .collect();
        let reason = reasons[0]["reason"].as_str().unwrap();
        assert!(reason.starts_with("`outside`: ") && reason.contains(told), "{does}: {reason}");
        let (first, rest) = reason.split_once('\n').unwrap_or((reason, ""));
        assert!(first.ends_with("; `doublepu try-method` shows everything that it wrote"), "{does}: {reason}");
        assert!(
            does != "crash" || rest.starts_with("its last lines: ") && rest.ends_with("about to crash"),
            "{reason}"
        );
        assert!(ended.stderr.contains(told), "{does}: {}", ended.stderr);
        assert!(desk.read(&format!("{does}/cells.csv")).matches(told).count() >= reasons.len(), "{does}");
        assert!(reasons.iter().all(|reason| reason["kind"] == "external_method"), "{reasons:?}");
        assert!((1..12).contains(&reasons.len()), "{does}: {} of 12 failed", reasons.len());
        // Failures are as reproducible as results.
        let alone = ["run", "--jobs", "1", "--out", "alone"].map(String::from);
        let again = [&alone[..], &arguments[1..2], &arguments[4..]].concat();
        desk.outside(&again.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(desk.read("alone/cells.csv") == desk.read(&format!("{does}/cells.csv")), "{does}");
        desk.well_outside(&["verify", does, "--all"]);
        std::fs::remove_dir_all(desk.path("alone")).unwrap();
        assert_eq!(journal.matches("{\"outcome\"").count(), 36, "{does}");
        assert!(desk.has_no_workers(), "{does}");
    }
}

#[test]
fn a_method_that_does_not_start_ends_with_2_before_anything_is_run() {
    let desk = Desk::with_method(SPEC);
    let timeout = "methods.1.external.timeout=500ms";
    for (start, told) in [
        ("silent", "it did not say hello within 500ms"),
        (
            "broken",
            "it ended before it said hello (exit status: 1); its last lines: running 1 test | ImportError: no module named numpy",
        ),
        ("future", "it speaks version 2 of the protocol, and doublepu version 1"),
    ] {
        desk.write_spec(SPEC, start);
        let ended = desk.outside(&["run", "spec.yaml", "--set", timeout, "--out", start]);
        let told = format!("error: the method `outside` does not start: {told}");
        assert!(ended.code == 2 && ended.stderr.contains(&told), "{start}: {} {}", ended.code, ended.stderr);
        assert!(!desk.read(&format!("{start}/journal.jsonl")).contains("{\"outcome\""), "{start}");
        assert!(desk.has_no_workers(), "{start}");
    }
    desk.write("spec.yaml", &SPEC.replace("COMMAND", "[no-such-program]"));
    let ended = desk.outside(&["run", "spec.yaml", "--out", "out"]);
    assert!(ended.code == 2 && ended.stderr.contains("there is no program `no-such-program`"), "{}", ended.stderr);
}

#[test]
fn a_mistake_in_an_entry_is_shown_where_it_is() {
    let desk = Desk::with_method(SPEC);
    let spec = desk.read("spec.yaml");
    desk.write("script.py", "");
    for (right, wrong, told) in [
        ("name: outside", "name: double_pu", "`double_pu` is a method of doublepu"),
        ("name: outside", "name: My Method", "`My Method` cannot be the name of a method"),
        ("name: outside, ", "", "the key `name` is missing"),
        ("files: [method.txt]", "files: [gone.txt]", "`gone.txt` cannot be read"),
        ("files: [method.txt]", "file: [method.txt]", "unknown key `file`"),
        ("\"--exact\"", "\"script.py\"", "`script.py` is part of the command, but not listed under `files`"),
        ("options: {", "uses: [interest, truth], options: {", "unknown value `truth`"),
        ("options: {", "uses: [], options: {", "a method that is sent nothing cannot learn"),
        ("options: {", "timeout: 60, options: {", "`timeout` is 60"),
        ("options: {", "timeout: 1 week, options: {", "expected a number with `ms`, `s`, `m` or `h`"),
        ("options: {", "scores: labels, options: {", "unknown value `labels`"),
        ("[difference, position]", "[difference, difference]", "is listed twice with the same options"),
        ("[difference, position]", "{ deep: 1 }", "the option `does` is a map"),
        ("options: {", "options: { tune: 3, ", "`tune` cannot be the name of an option"),
        ("[difference, position]", "[3, \"3\"]", "is listed twice with the same options"),
        ("\"env\"", "./script.py", "`./script.py` is part of the command, but not listed under `files`"),
        (
            "  - random",
            "  - external: { name: outside, command: [other] }",
            "another external method is also called `outside`",
        ),
        ("  - random", "  - external", "it has no name and no command"),
    ] {
        assert!(spec.contains(right), "{right}");
        desk.write("wrong.yaml", &spec.replacen(right, wrong, 1));
        let ended = desk.outside(&["run", "wrong.yaml", "--out", "out"]);
        assert!(ended.code == 2 && ended.stderr.contains(told), "{wrong}: {}", ended.stderr);
        assert!(ended.stderr.contains("--> wrong.yaml:1"), "{wrong}: {}", ended.stderr);
    }
}

const GROUPS: &str = "simulation
  groups:
    interested: { count: 400, mean: [-2, 2] }
    loyal: { count: 400, mean: [2, 2] }
    others: { count: 400, mean: [-2, -2] }";
const BANK: &str = "bank-marketing
  interest: { column: deposit, positive: \"yes\" }
  loyalty: { column: housing, positive: \"yes\" }";

/// The AUC of W by the position of a row in the test set.
fn auc_by_position(test_rows: &str) -> f64 {
    let labels: Vec<bool> = test_rows.lines().skip(1).map(|line| line.split(',').nth(1).unwrap() == "1").collect();
    let positives = labels.iter().filter(|label| **label).count();
    let pairs = labels.iter().enumerate().filter(|(_, label)| **label);
    let won: usize = pairs.map(|(at, _)| labels[..at].iter().filter(|label| !**label).count()).sum();
    won as f64 / (positives * (labels.len() - positives)) as f64
}

#[test]
fn the_order_of_rows_tells_nothing() {
    let desk = Desk::with_method(SPEC);
    let mut leaks = 0;
    for (name, source, sampling) in [
        ("stratified", BANK, "{ scheme: pools, stratify: true }"),
        ("simulation", GROUPS, "{ scheme: pools }"),
        ("censored", GROUPS, "{ scheme: censoring }"),
    ] {
        let dataset = SPEC.split("dataset:\n").nth(1).unwrap().split("sampling:").next().unwrap();
        let spec = SPEC.replace(dataset, &format!("  source: {source}\n")).replace("{ scheme: pools }", sampling);
        let spec = spec.replace("[difference, position]", "[position]").replace("seeds: 6", "seeds: 30");
        desk.write_spec(&spec, "worker");
        desk.well_outside(&["run", "spec.yaml", "--out", name]);
        let auc = desk.aucs(name)["outside"];
        assert!((auc - 0.5).abs() < 0.015, "{name}: {auc}");
        let cells = desk.read(&format!("{name}/cells.csv"));
        let cell = cells.lines().find(|line| line.contains("outside")).unwrap().split(',').next().unwrap();
        desk.well_outside(&["export", name, cell, "--out", &format!("{name}-cell")]);
        let unshuffled = auc_by_position(&desk.read(&format!("{name}-cell/test_rows.csv")));
        leaks += usize::from((unshuffled - 0.5).abs() > 0.1);
    }
    assert!(leaks > 0, "the rows themselves would have told");
}

#[test]
fn labels_make_an_oracle_and_are_sent_only_to_one() {
    let spec = SPEC.replace("options: { does: [difference, position] }", "uses: [labels], options: { does: labels }");
    let desk = Desk::with_method(&spec);
    desk.well_outside(&["run", "spec.yaml", "--out", "out"]);
    let summary: Value = serde_json::from_str(&desk.read("out/summary.json")).unwrap();
    let row = summary["lines"].as_array().unwrap().iter().find(|row| row["method"] == "outside").unwrap();
    assert_eq!(row["is_oracle"], true, "{row}");
    assert!(desk.aucs("out")["outside"] > 0.7);
    let tried = desk.well_outside(&["try-method", "spec.yaml", "outside"]).stdout;
    assert!(tried.contains("train      8930 x 49\n  labels     8930 x 1\n  test       2232 x 49\n"), "{tried}");
    desk.write_spec(&SPEC.replace("[difference, position]", "labels"), "worker");
    let tried = desk.outside(&["try-method", "spec.yaml", "outside"]);
    assert!(tried.code == 4 && !tried.stdout.contains("  labels "), "{}", tried.stdout);
}

#[test]
fn options_are_tuned_without_labels() {
    let spec = SPEC.replace("[difference, position]", "{ tune: [away, difference] }");
    let desk = Desk::with_method(&spec);
    desk.well_outside(&["run", "spec.yaml", "--out", "out"]);
    let cells = desk.read("out/cells.csv");
    let chosen: Vec<&str> = cells.lines().filter(|line| line.contains("outside")).collect();
    assert!(chosen.len() == 6 && chosen.iter().all(|line| line.contains("does=difference (risk ")), "{chosen:?}");
    desk.well_outside(&["verify", "out", "--all"]);
}

#[test]
fn cells_of_other_versions_are_refused_until_a_fresh_run() {
    let desk = Desk::with_method(SPEC);
    desk.well_outside(&["run", "spec.yaml", "--out", "out", "--set", "seeds=2"]);
    desk.edit_journal("out/journal.jsonl", |record| {
        if let Some(rules) = record.pointer_mut("/outcome/result/Ok/fit/versions/rules") {
            *rules = "0.9".into();
        }
        true
    });
    let verified = desk.outside(&["verify", "out"]);
    assert!(verified.code == 5 && verified.stderr.contains("were computed with rules 0.9"), "{}", verified.stderr);
    let refused = desk.outside(&["run", "spec.yaml", "--out", "out"]);
    let told = "cells of `outside` were computed with rules 0.9, and others with rules 1.0";
    assert!(
        refused.code == 5 && refused.stderr.contains(told) && refused.stderr.contains("--fresh"),
        "{}",
        refused.stderr
    );
    desk.well_outside(&["run", "spec.yaml", "--out", "other"]);
    // One shard of another version, alone and after the other.
    for shard in ["1/2", "2/2"] {
        desk.well_outside(&["run", "spec.yaml", "--shard", shard, "--out", &shard.replace('/', "-of-")]);
    }
    desk.edit_journal("1-of-2/journal.jsonl", |record| {
        if let Some(rules) = record.pointer_mut("/outcome/result/Ok/fit/versions/rules") {
            *rules = "0.9".into();
        }
        true
    });
    let told = "cells of `outside` were computed with rules";
    let merged = desk.outside(&["merge", "1-of-2", "2-of-2", "--out", "merged"]);
    assert!(merged.code == 5 && merged.stderr.contains(told), "{}", merged.stderr);
    desk.outside(&["merge", "1-of-2", "--out", "later"]);
    let merged = desk.outside(&["merge", "2-of-2", "--out", "later"]);
    assert!(merged.code == 5 && merged.stderr.contains(told), "{}", merged.stderr);
    // Cells of other options of the same program count, too.
    desk.write_spec(&SPEC.replace("[difference, position]", "[difference]"), "worker");
    desk.well_outside(&["run", "spec.yaml", "--out", "some"]);
    desk.edit_journal("some/journal.jsonl", |record| {
        if let Some(rules) = record.pointer_mut("/outcome/result/Ok/fit/versions/rules") {
            *rules = "0.9".into();
        }
        true
    });
    desk.write_spec(SPEC, "worker");
    let more = desk.outside(&["run", "spec.yaml", "--out", "some"]);
    assert!(more.code == 5 && more.stderr.contains(told), "{}", more.stderr);
    desk.well_outside(&["run", "spec.yaml", "--fresh", "--out", "out"]);
    assert!(desk.read("out/cells.csv") == desk.read("other/cells.csv"));
}

#[test]
fn a_run_that_is_stopped_or_killed_leaves_no_worker_and_continues_to_the_same_bytes() {
    let desk = Desk::with_method(&SPEC.replace("seeds: 6", "seeds: 60"));
    desk.well_outside(&["run", "spec.yaml", "--out", "reference"]);
    let reference = desk.read("reference/cells.csv");
    for (signal, code) in [("-INT", Some(130)), ("-TERM", Some(130)), ("-KILL", None)] {
        let out = format!("out{signal}");
        let mut command = desk.command();
        let command = command.args(["run", "spec.yaml", "--out", &out]).env(DESK, desk.path(""));
        let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        desk.wait_for_cells(&format!("{out}/journal.jsonl"), &mut run);
        assert!(desk.workers() > 1, "{signal}");
        desk.signal(&run, signal);
        assert_eq!(run.wait().unwrap().code(), code, "{signal}");
        assert!(desk.has_no_workers(), "{signal}");
        desk.well_outside(&["run", "spec.yaml", "--out", &out]);
        assert!(desk.read(&format!("{out}/cells.csv")) == reference, "{signal}");
    }
}

#[test]
fn killed_at_50_random_moments_a_run_leaves_no_worker_and_goes_on_to_the_same_bytes() {
    let desk = Desk::with_method(&SPEC.replace("seeds: 6", "seeds: 20"));
    let start = Instant::now();
    desk.well_outside(&["run", "spec.yaml", "--out", "reference"]);
    let (whole, reference) = (start.elapsed(), desk.read("reference/cells.csv"));
    let mut random = stream(&["moments of a kill with external methods"]);
    let mut hits = 0;
    for attempt in 0..500 {
        if hits == 50 {
            return;
        }
        let out = format!("out-{attempt}");
        let mut command = desk.command();
        let command = command.args(["run", "spec.yaml", "--out", &out]).env(DESK, desk.path(""));
        let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(whole.mul_f64(random.random_range(0.0..1.0)));
        if run.try_wait().unwrap().is_none() {
            desk.signal(&run, "-KILL");
            hits += 1;
        }
        run.wait().unwrap();
        assert!(desk.has_no_workers(), "attempt {attempt}");
        desk.well_outside(&["run", "spec.yaml", "--out", &out]);
        assert!(desk.read(&format!("{out}/cells.csv")) == reference, "attempt {attempt}");
        std::fs::remove_dir_all(desk.path(&out)).unwrap();
    }
    panic!("only {hits} of 500 kills came in time");
}

#[cfg(target_os = "linux")]
#[test]
fn in_a_sandbox_a_method_cannot_read_the_data() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret"), "").unwrap();
    let spec = SPEC.replace("bank-marketing", "./people.csv").replace("options:", "sandbox: true, options:");
    let desk = Desk::with_method(&spec.replace("[difference, position]", "open, path: PATH"));
    let data = doublepu::data::KAGGLE.bytes().unwrap();
    desk.write("people.csv", std::str::from_utf8(&data).unwrap());
    desk.write("notes.txt", "mine");
    let spec = desk.read("spec.yaml");
    let path = |name: &str| desk.path(name).display().to_string();
    std::os::unix::fs::symlink(".", desk.path("latest")).unwrap();
    // The program holds the built-in data, wherever it is.
    std::fs::copy(env!("CARGO_BIN_EXE_doublepu"), desk.path("doublepu")).unwrap();
    let tried = || desk.ended(desk.in_folder("./doublepu").args(["try-method", "spec.yaml", "outside"]));
    for (opened, told) in [
        (path("doublepu"), "Permission denied"),
        (path(""), "was read"),
        (path("people.csv"), "Permission denied"),
        (path("latest/people.csv"), "Permission denied"),
        (outside.path().join("secret").display().to_string(), "Permission denied"),
        (path("notes.txt"), "was read"),
        (path("method.txt"), "was read"),
    ] {
        desk.write("spec.yaml", &spec.replace("PATH", &format!("\"{opened}\"")));
        let tried_it = tried();
        assert!(
            tried_it.code == 4 && tried_it.stdout.contains(told),
            "{opened}: {} {}",
            tried_it.stdout,
            tried_it.stderr
        );
        desk.write("spec.yaml", &spec.replace("PATH", &format!("\"{opened}\"")).replace("sandbox: true, ", ""));
        assert!(tried().stdout.contains("was read"), "{opened}");
    }
}

#[test]
fn a_method_is_tried_on_one_cell() {
    let desk = Desk::with_method(SPEC);
    let tried = desk.well_outside(&["try-method", "spec.yaml", "outside does=difference", "--seed", "2"]).stdout;
    for told in [
        "outside does=difference, prior true, seed 2\n\nIt is sent\n  interest   ",
        "  beta 0.4738, gamma 0.1734\n  columns    age, balance, ",
        "\nIt runs on rules 1.0.\n",
        "It gave 2232 scores, 2232 of them distinct, from ",
        "\nROC-AUC 0.7",
    ] {
        assert!(tried.contains(told), "{told}: {tried}");
    }
    assert!(!desk.path("results").exists());
    let talk =
        desk.well_outside(&["try-method", "spec.yaml", "outside", "--set", "methods.1.external.options.does=talk"]);
    for told in ["earlier lines are not kept)\n", "  line 249\n  100%\n"] {
        assert!(talk.stdout.contains(told), "{told}: {}", talk.stdout);
    }
    let does = "methods.1.external.options.does=nan";
    let trials = (1..9).map(|seed: u32| {
        desk.outside(&["try-method", "spec.yaml", "outside", "--set", does, "--seed", &seed.to_string()])
    });
    let (failed, scored): (Vec<Ended>, Vec<Ended>) = trials.partition(|ended| ended.code == 4);
    assert!(
        !failed.is_empty() && failed.iter().all(|ended| ended.stdout.contains("It failed: 1 of 2232 scores are NaN"))
    );
    assert!(!scored.is_empty() && scored.iter().all(|ended| ended.code == 0 && ended.stdout.contains("\nROC-AUC 0.")));
    let unknown = desk.outside(&["try-method", "spec.yaml", "inside"]);
    let told = "the spec has no external method `inside`: it has `outside does=difference`, `outside does=position`";
    assert!(unknown.code == 5 && unknown.stderr.contains(told), "{}", unknown.stderr);
}
