//! `check` and `accept` as pipelines meet them.

mod trust;

use crate::{Desk, Ended};
use doublepu::gate::{Baseline, Snapshot};
use doublepu::math::metric::Metric;
use serde_json::Value;

/// Quick, and with seeds enough to decide.
const SPEC: &str = r#"experiment: tiny
dataset:
  source: simulation
  groups:
    interested: { count: 100, mean: [-1, 1] }
    loyal: { count: 100, mean: [1, 1] }
    others: { count: 100, mean: [-1, -1] }
sampling: { scheme: censoring }
seeds: 10
methods: [double_pu, naive_pu, random]
metrics: [brier_score]
"#;

impl Desk {
    /// With a run in `run` and its baseline in `base.csv`.
    fn with_baseline(spec: &str) -> Self {
        let desk = Desk::new();
        desk.write("spec.yaml", spec);
        desk.well(&["run", "spec.yaml", "--out", "run"]);
        desk.well(&["accept", "run", "--baseline", "base.csv"]);
        desk
    }

    fn check(&self, more: &[&str]) -> Ended {
        self.doublepu(&[&["check", "run", "--baseline", "base.csv"], more].concat())
    }

    fn checked(&self, code: i32) -> Value {
        let ended = self.check(&["--format", "json"]);
        assert_eq!(ended.code, code, "{}{}", ended.stdout, ended.stderr);
        let json: Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!(json["exit_code"], code);
        json
    }

    /// As if another version of the program had made the baseline.
    fn edit_baseline(&self, edit: impl Fn(&mut Snapshot)) {
        let mut baseline = Baseline::parse(self.read("base.csv").as_bytes()).unwrap();
        edit(&mut baseline.snapshot);
        self.write("base.csv", &baseline.text().unwrap());
    }

    /// Adds something to the values of a metric of a method in the baseline, seed by seed.
    fn shift(&self, method: &str, metric: Metric, shift: impl Fn(u32) -> f64) {
        self.edit_baseline(|snapshot| {
            let place = snapshot.index_of(metric).unwrap();
            let lines = snapshot.lines.iter_mut().filter(|line| line.label.method == method);
            for cell in lines.flat_map(|line| &mut line.cells) {
                cell.values[place] = cell.values[place].map(|value| value + shift(cell.seed));
            }
        });
    }
}

fn small(seed: u32) -> f64 {
    f64::from(seed % 3) * 1e-4
}

#[test]
fn the_same_bits_pass_at_once() {
    let desk = Desk::with_baseline(SPEC);
    let before = desk.read("base.csv");
    let ended = desk.check(&[]);
    assert_eq!(ended.code, 0);
    assert_eq!(ended.stdout, "tiny: passed. Of 3 demands: 3 passed; all 30 cells are the same, to the bit.\n");
    desk.well(&["run", "spec.yaml", "--out", "run", "--fresh"]);
    assert_eq!(desk.checked(0)["same_bits"], true);
    // Accepting them once more changes nothing.
    let ended = desk.well(&["accept", "run", "--baseline", "base.csv"]);
    assert_eq!(ended.stdout, "base.csv already has these results and is not changed.\n");
    assert!(desk.read("base.csv") == before);
}

#[test]
fn the_order_in_which_a_spec_is_written_does_not_matter() {
    let desk = Desk::with_baseline(SPEC);
    desk.well(&["run", "spec.yaml", "--out", "run", "--set", "methods=[random, naive_pu, double_pu]"]);
    assert_eq!(desk.checked(0)["same_bits"], true);
}

#[test]
fn a_regression_is_told_in_every_format() {
    let desk = Desk::with_baseline(SPEC);
    desk.shift("double_pu", Metric::RocAuc, |seed| 0.02 + small(seed));
    let ended = desk.check(&["--junit", "junit.xml", "--markdown", "summary.md"]);
    assert_eq!(ended.code, 10);
    for fragment in [
        "double_pu, prior true  ROC-AUC, loss below 0.005  regressed",
        "tiny: regressed. Of 3 demands: 1 regressed, 2 passed; 20 of 30 cells are the same, to the bit.",
    ] {
        assert!(ended.stdout.contains(fragment), "{fragment}: {}", ended.stdout);
    }
    assert!(!ended.stderr.contains("::error"), "{}", ended.stderr);

    let junit = desk.read("junit.xml");
    assert!(
        junit.contains(r#"tests="3" disabled="0" errors="0" failures="1""#) || junit.contains(r#"failures="1""#),
        "{junit}"
    );
    assert!(junit.contains(r#"classname="double_pu, prior true""#) && junit.contains(r#"type="regressed""#), "{junit}");
    let markdown = desk.read("summary.md");
    assert!(markdown.starts_with("## doublepu check: regressed\n\n"), "{markdown}");
    assert!(markdown.contains("\n| double_pu, prior true | ROC-AUC, loss below 0.005 | regressed | 0."), "{markdown}");
    assert!(markdown.contains("<details><summary>2 demands that passed</summary>"), "{markdown}");

    let json = desk.checked(10);
    let finding = &json["findings"][0];
    assert_eq!((&json["outcome"], &finding["verdict"]), (&"regressed".into(), &"regressed".into()));
    let gain = finding["gain"].as_f64().unwrap();
    // The shifts of ten seeds are 0.02 and once 0, 1 or 2 ten-thousandths more: 1 + 2 + 0 + ... + 1 = 10.
    assert!((gain + 0.02 + 10.0 * 1e-4 / 10.0).abs() < 1e-12, "{gain}");
    assert_eq!(json["findings"][1]["unchanged"], true);

    let mut command = desk.command();
    let on_github = command.args(["check", "run", "--baseline", "base.csv"]).env("GITHUB_ACTIONS", "true");
    let ended = desk.ended(on_github);
    assert_eq!(ended.code, 10);
    let annotation = "::error title=doublepu check%3A regressed::double_pu, prior true: mean ROC-AUC went from";
    assert!(ended.stderr.lines().any(|line| line.starts_with(annotation)), "{}", ended.stderr);
}

#[test]
fn too_few_seeds_or_too_much_spread_cannot_tell_and_say_how_many_would() {
    let desk = Desk::with_baseline(SPEC);
    desk.shift("naive_pu", Metric::RocAuc, |seed| if seed % 2 == 0 { 0.02 } else { -0.02 });
    let ended = desk.check(&[]);
    assert_eq!(ended.code, 11);
    assert!(ended.stdout.contains("cannot tell: naive_pu, prior true: "), "{}", ended.stdout);
    // scipy 1.17.1: the spread is 0.02 * np.sqrt(10 / 9); 112 is the first k with a power of 80% at a distance of 0.005.
    assert!(ended.stdout.contains("; about 112 seeds would decide."), "{}", ended.stdout);
    assert!(ended.stderr.contains("help: set `seeds: 112` in the spec."), "{}", ended.stderr);
    assert_eq!(desk.checked(11)["findings"][1]["seeds_to_decide"], 112);
}

#[test]
fn an_improvement_is_shown() {
    let desk = Desk::with_baseline(SPEC);
    desk.shift("double_pu", Metric::RocAuc, |seed| -0.02 - small(seed));
    let ended = desk.check(&["--markdown", "summary.md"]);
    assert_eq!(ended.code, 0);
    assert!(ended.stdout.contains("passed, better"), "{}", ended.stdout);
    assert!(desk.read("summary.md").contains("passed, better"));
    let ended = desk.well(&["accept", "run", "--baseline", "base.csv"]);
    assert!(ended.stdout.contains("Updated base.csv: 20 of 30 cells have the same values."), "{}", ended.stdout);
    assert_eq!(desk.checked(0)["same_bits"], true);
}

#[test]
fn the_gate_of_the_spec_sets_margins_floors_and_orders() {
    let gate = "gate:\n  margin: 0.03\n  metrics: { brier_score: 0.01 }\n  methods: { naive_pu: { margin: 0.001 } }\n";
    let desk = Desk::with_baseline(&format!("{SPEC}{gate}"));
    desk.shift("double_pu", Metric::RocAuc, |seed| 0.02 + small(seed));
    assert_eq!(desk.checked(0)["same_cells"], 20);
    desk.shift("double_pu", Metric::BrierScore, |seed| -0.02 + small(seed));
    let json = desk.checked(10);
    assert_eq!(json["findings"][1]["metric"], "brier_score");
    assert_eq!(json["findings"][1]["verdict"], "regressed");
    // `random` gives no probabilities, so there is nothing to demand of its Brier score.
    assert_eq!(json["findings"].as_array().unwrap().len(), 5);

    assert!(desk.check(&[]).stdout.contains("Brier score (lower is better), loss below 0.01"));

    let desk = Desk::with_baseline(SPEC);
    let again = |gate: &str| desk.well(&["run", "spec.yaml", "--out", "run", "--set", gate]);
    again("gate={methods: {random: {at_least: 0.6}}}");
    let ended = desk.check(&[]);
    assert_eq!(ended.code, 10, "the bits are the same, and the floor is not reached");
    assert!(ended.stdout.contains("ROC-AUC at least 0.6  regressed   0.6000  0."), "{}", ended.stdout);
    // What is said of a name holds for every label of it that says nothing else.
    let swept = ["--set", "methods=[double_pu: { loss: [logistic, squared] }]"];
    let gate = "gate={methods: {double_pu: {at_least: 0.99}, double_pu loss=squared: {margin: 0.01}}}";
    desk.well(&[&["run", "spec.yaml", "--out", "swept", "--set", gate], &swept[..]].concat());
    desk.well(&["accept", "swept", "--baseline", "swept.csv"]);
    let ended = desk.doublepu(&["check", "swept", "--baseline", "swept.csv"]);
    assert_eq!((ended.code, ended.stdout.matches("ROC-AUC at least 0.99").count()), (10, 2), "{}", ended.stdout);
    again("gate={order: [double_pu >= random + 0.2, random >= double_pu]}");
    let ended = desk.check(&[]);
    assert_eq!(ended.code, 10);
    assert!(ended.stdout.contains("ROC-AUC >= random + 0.2"), "{}", ended.stdout);
    assert!(ended.stdout.contains("ROC-AUC >= double_pu "), "{}", ended.stdout);
}

#[test]
fn a_cell_that_failed_where_it_had_a_value_is_a_regression() {
    let desk = Desk::with_baseline(SPEC);
    desk.edit_baseline(|snapshot| {
        let cell = &mut snapshot.lines[0].cells[3];
        (cell.status, cell.values) = ("empty_sample".into(), vec![None, None]);
    });
    assert_eq!(desk.checked(0)["same_cells"], 29, "one more value than before is no loss");
    let spec = SPEC.replace("count: 100, mean: [1, 1]", "count: 1, mean: [1, 1]");
    let desk = Desk::new();
    desk.write("spec.yaml", &spec);
    // With a single loyal person, nobody is in D_L.
    assert_eq!(desk.doublepu(&["run", "spec.yaml", "--out", "run"]).code, 4);
    desk.well(&["accept", "run", "--baseline", "base.csv"]);
    desk.edit_baseline(|snapshot| {
        for cell in &mut snapshot.lines[0].cells {
            (cell.status, cell.values[0]) = ("ok".into(), Some(0.5));
        }
    });
    let json = desk.checked(10);
    assert!(!json["findings"][0]["seeds_without_a_value"].as_array().unwrap().is_empty());
}

#[test]
fn a_baseline_for_something_else_is_exit_12_and_says_what_differs() {
    let desk = Desk::with_baseline(SPEC);
    let base = desk.read("base.csv");
    for (sets, outcome, fragment) in [
        (&["methods=[double_pu, naive_pu]"][..], "missing_methods", "the run lacks what this baseline has: random"),
        (&["methods=[double_pu, naive_pu, random, biased_pn]"], "extra_methods", "lacks what the run has: biased_pn"),
        (&["seeds=11"], "other_seeds", "a baseline of 10 seeds, and the run has 11"),
        (&["methods.0={double_pu: {ridge: 0.5}}"], "other_spec", "differ for double_pu, prior true"),
        (&["sampling.hide_interest=0.4"], "other_spec", "another spec"),
        (&["experiment=huge", "seeds=11"], "other_experiment", "the experiment `tiny`, and the run is of `huge`"),
        (&["metrics=[f1]", "gate={metrics: {f1: 0.1}}"], "no_metric", "the gate judges by f1"),
    ] {
        let sets: Vec<&str> = sets.iter().flat_map(|set| ["--set", set]).collect();
        desk.well(&[&["run", "spec.yaml", "--out", "run"], &sets[..]].concat());
        let ended = desk.check(&["--junit", "junit.xml", "--markdown", "summary.md"]);
        assert_eq!(ended.code, 12, "{outcome}: {}", ended.stderr);
        assert!(ended.stderr.contains(fragment) && ended.stderr.contains("help: "), "{outcome}: {}", ended.stderr);
        assert_eq!(desk.checked(12)["outcome"], outcome);
        assert!(
            desk.read("junit.xml").contains(&format!("type=\"{outcome}\""))
                && desk.read("summary.md").contains(fragment)
        );
        assert!(desk.read("base.csv") == base);
    }
    let ended = desk.doublepu(&["check", "run", "--baseline", "nowhere.csv"]);
    assert_eq!(ended.code, 12);
    assert!(ended.stderr.contains("nowhere.csv: there is no such baseline\n  help: make one"), "{}", ended.stderr);
}

#[test]
fn other_data_is_told_by_its_name_and_hash() {
    let spec = "experiment: people\ndataset:\n  source: ./people.csv\n  interest: { column: y, positive: 1 }\n  loyalty: { column: z, \
                positive: 1 }\nsampling: { scheme: censoring }\nseeds: 2\nmethods: [random]\n";
    let desk = Desk::new();
    let people = |shift: u32| -> String {
        let row = |i: u32| format!("{},{},{}\n", i % 7 + shift, (i % 3).min(1), i % 2);
        std::iter::once("x,y,z\n".to_string()).chain((0..200).map(row)).collect()
    };
    desk.write("people.csv", &people(0));
    desk.write("spec.yaml", spec);
    desk.well(&["run", "spec.yaml", "--out", "run"]);
    desk.well(&["accept", "run", "--baseline", "base.csv"]);
    desk.write("people.csv", &people(1));
    desk.well(&["run", "spec.yaml", "--out", "run"]);
    assert_eq!(desk.checked(12)["outcome"], "other_data");
    let message = desk.check(&[]).stderr;
    assert!(message.contains("other data: it has ./people.csv (sha256 "), "{message}");
}

#[test]
fn nothing_run_is_never_green() {
    let desk = Desk::with_baseline(SPEC);
    desk.well(&["run", "spec.yaml", "--out", "part", "--shard", "1/2"]);
    let ended = desk.doublepu(&["check", "part", "--baseline", "base.csv"]);
    assert_eq!(ended.code, 5);
    assert!(ended.stderr.contains("of 30 cells are missing"), "{}", ended.stderr);
    std::fs::remove_file(desk.path("part/journal.jsonl")).unwrap();
    let ended = desk.doublepu(&["check", "part", "--baseline", "base.csv"]);
    assert_eq!(ended.code, 5);
    assert!(ended.stderr.contains("no cell of it has been run"), "{}", ended.stderr);
    assert_eq!(desk.doublepu(&["check", "nowhere", "--baseline", "base.csv"]).code, 5);
    let spec = SPEC.replace("[double_pu, naive_pu, random]", "[double_pu: { ridge: 0, loss: sigmoid }]");
    desk.write("failing.yaml", &spec.replace("count: 100, mean: [1, 1]", "count: 1, mean: [1, 1]"));
    let sets = ["--set", "sampling.hide_loyalty=1"];
    assert_eq!(desk.doublepu(&[&["run", "failing.yaml", "--out", "failed"], &sets[..]].concat()).code, 4);
    for verb in ["check", "accept"] {
        let ended = desk.doublepu(&[verb, "failed", "--baseline", "base.csv"]);
        assert_eq!(ended.code, 5);
        assert!(ended.stderr.contains("every one of its cells failed"), "{}", ended.stderr);
    }
}

#[test]
fn damaged_foreign_and_future_baselines_are_refused_and_left_alone() {
    let desk = Desk::with_baseline(SPEC);
    let base = desk.read("base.csv");
    let cut = &base[..base.len() / 2];
    for (text, code, outcome, fragment) in [
        (cut.to_string(), 5, "damaged_baseline", "cut off or edited"),
        (base.replacen(",ok,0.", ",ok,1.", 1), 5, "damaged_baseline", "cut off or edited"),
        (format!("{base}<<<<<<< HEAD\n"), 5, "damaged_baseline", "it contains a merge conflict"),
        ("a,b\n1,2\n".to_string(), 12, "foreign_baseline", "this is not a baseline"),
        (String::new(), 12, "foreign_baseline", "this is not a baseline"),
        (
            base.replace("format 2;", "format 3;"),
            12,
            "future_baseline",
            "has format 3, and this program reads format 2",
        ),
    ] {
        desk.write("base.csv", &text);
        assert_eq!(desk.checked(code)["outcome"], outcome);
        let worse = ["--allow-worse", "--because", "we want it"];
        for more in [&[][..], &worse] {
            let ended = desk.doublepu(&[&["accept", "run", "--baseline", "base.csv"], more].concat());
            assert_eq!(ended.code, code, "{}", ended.stderr);
            assert!(ended.stderr.contains(fragment) && ended.stderr.contains("help: "), "{}", ended.stderr);
        }
        assert!(desk.read("base.csv") == text, "{outcome}");
    }
    desk.write("base.csv", &base);
    let ended = desk.check(&["--junit", "new/folder/junit.xml", "--markdown", "base.csv/summary.md"]);
    assert_eq!(ended.code, 5);
    assert!(ended.stderr.contains("help: give a file that can be written"), "{}", ended.stderr);
    assert!(ended.stdout.starts_with("tiny: passed."), "the verdict is told all the same: {}", ended.stdout);
    assert!(desk.read("new/folder/junit.xml").starts_with("<?xml"));
    std::fs::remove_file(desk.path("base.csv")).unwrap();
    std::fs::create_dir(desk.path("base.csv")).unwrap();
    assert_eq!(desk.checked(12)["outcome"], "foreign_baseline");
}

#[test]
fn what_is_said_of_a_run_does_not_take_its_place() {
    let desk = Desk::with_baseline(SPEC);
    let (base, journal) = (desk.read("base.csv"), desk.read("run/journal.jsonl"));
    for outputs in [
        &["--junit", "./base.csv"][..],
        &["--markdown", "run/../base.csv"],
        &["--markdown", "run/journal.jsonl"],
        &["--junit", "run/summary.md"],
        &["--junit", "new.out", "--markdown", "./new.out"],
    ] {
        let ended = desk.check(outputs);
        assert_eq!(ended.code, 2, "{outputs:?}");
        assert!(ended.stderr.contains("would overwrite a file that is needed"), "{}", ended.stderr);
    }
    assert!(desk.read("base.csv") == base && desk.read("run/journal.jsonl") == journal);
    assert_eq!(desk.check(&["--junit", "run/check.xml"]).code, 0);
    assert_eq!(desk.check(&["--junit", "run/check.xml"]).code, 0, "its own file may be written again");
}

#[cfg(unix)]
#[test]
fn links_and_devices_stay_what_they_are() {
    let desk = Desk::with_baseline(SPEC);
    std::os::unix::fs::symlink(desk.path("base.csv"), desk.path("link.csv")).unwrap();
    desk.well(&["run", "spec.yaml", "--out", "run", "--set", "seeds=11"]);
    desk.well(&["accept", "run", "--baseline", "link.csv"]);
    assert!(desk.path("link.csv").is_symlink());
    assert_eq!(desk.checked(0)["cells"], 33);
    let said = desk.check(&["--markdown", "/dev/stdout"]).stdout;
    assert!(said.contains("## doublepu check: passed"), "{said}");
}

#[test]
fn a_baseline_of_another_experiment_or_with_other_lines_under_its_hash_is_refused() {
    let desk = Desk::with_baseline(SPEC);
    let base = desk.read("base.csv");
    desk.write("other.yaml", &SPEC.replace("tiny", "other").replace("[double_pu, naive_pu, random]", "[biased_pn]"));
    desk.well(&["run", "other.yaml", "--out", "other"]);
    let ended = desk.doublepu(&["accept", "other", "--baseline", "base.csv"]);
    assert_eq!(ended.code, 12);
    assert!(ended.stderr.contains("the experiment `tiny`, and the run is of `other`"), "{}", ended.stderr);
    assert!(desk.read("base.csv") == base);
    desk.edit_baseline(|snapshot| {
        for line in &mut snapshot.lines {
            (line.key, line.label.method) = (format!("{}x", line.key), format!("{} x", line.label.method));
        }
    });
    assert_eq!(desk.checked(12)["outcome"], "missing_methods");
}

#[test]
fn floors_and_orders_name_who_fails_them_and_are_not_accepted_away() {
    let spec = SPEC.replace("count: 100, mean: [1, 1]", "count: 1, mean: [1, 1]");
    let gate = "gate:\n  order: [naive_pu >= double_pu]\n  methods: { naive_pu: { at_least: 0.99 } }\n";
    let desk = Desk::new();
    desk.write(
        "spec.yaml",
        &format!("{spec}{gate}").replace("{ scheme: censoring }", "{ scheme: censoring, hide_loyalty: 1 }"),
    );
    // Nobody is in D_L, so that double_pu has nothing to learn from.
    assert_eq!(desk.doublepu(&["run", "spec.yaml", "--out", "run"]).code, 4);
    let ended = desk.well(&["accept", "run", "--baseline", "base.csv"]);
    assert_eq!(
        ended.stderr.matches("note: `check` does not pass with any baseline: naive_pu").count(),
        2,
        "{}",
        ended.stderr
    );
    let ended = desk.check(&[]);
    assert_eq!(ended.code, 10);
    assert!(ended.stdout.contains("no seed has a ROC-AUC for both it and double_pu."), "{}", ended.stdout);
}

#[test]
fn a_worse_result_is_accepted_only_with_a_reason_that_is_kept() {
    let desk = Desk::with_baseline(SPEC);
    desk.shift("double_pu", Metric::RocAuc, |seed| 0.02 + small(seed));
    let base = desk.read("base.csv");
    let accept = |more: &[&str]| desk.doublepu(&[&["accept", "run", "--baseline", "base.csv"], more].concat());
    let refused = accept(&[]);
    assert_eq!(refused.code, 10);
    assert!(refused.stderr.contains("regressed: double_pu, prior true: mean ROC-AUC went from"), "{}", refused.stderr);
    assert!(refused.stderr.contains("base.csv is not written") && refused.stderr.contains("--because"));
    for wrong in [
        &["--allow-worse"][..],
        &["--because", "x"],
        &["--allow-worse", "--because", " "],
        &["--allow-worse", "--because", "two\nlines"],
    ] {
        assert_eq!(accept(wrong).code, 2, "{wrong:?}");
        assert!(desk.read("base.csv") == base);
    }
    assert_eq!(accept(&["--allow-worse", "--because", "ten times faster"]).code, 0);
    let reasons = || Baseline::parse(desk.read("base.csv").as_bytes()).unwrap().reasons;
    assert!(
        reasons()[0].starts_with("ten times faster [double_pu, prior true: mean ROC-AUC went from "),
        "{:?}",
        reasons()
    );
    assert_eq!(desk.checked(0)["same_bits"], true);

    // A loss within the margin passes a check, but would add up if it were accepted again and again.
    desk.shift("naive_pu", Metric::RocAuc, |seed| 0.002 + small(seed));
    assert_eq!(desk.check(&[]).code, 0);
    assert!(desk.check(&[]).stdout.contains("passed, but worse"));
    assert_eq!(accept(&[]).code, 10);
    assert_eq!(accept(&["--allow-worse", "--because", "rounding"]).code, 0);
    assert_eq!(reasons().len(), 2);
}

#[test]
fn a_baseline_follows_its_spec_and_tells_what_is_new_and_gone() {
    let desk = Desk::with_baseline(SPEC);
    desk.well(&[
        "run",
        "spec.yaml",
        "--out",
        "run",
        "--set",
        "methods=[double_pu: { loss: [logistic, squared] }, random]",
    ]);
    let ended = desk.well(&["accept", "run", "--baseline", "base.csv"]);
    assert!(ended.stdout.contains("new: double_pu loss=squared, prior true\n"), "{}", ended.stdout);
    assert!(ended.stdout.contains("no longer there: naive_pu, prior true\n"), "{}", ended.stdout);
    assert!(ended.stdout.contains("20 of 30 cells have the same values"), "a name may change: {}", ended.stdout);
    assert_eq!(desk.check(&[]).code, 0);
}
