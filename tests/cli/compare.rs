//! Two runs side by side: what they were made of, and what came out, seed by seed.

use crate::report::json;
use crate::{Desk, SPEC};
use serde_json::{Value, json as value};

/// Student's t at 97.5% with 5 degrees of freedom: that of six seeds.
const QUANTILE: f64 = 2.570581835636314;

const METRICS: [&str; 4] = ["roc_auc", "f1", "lift_at_10", "brier_score"];

impl Desk {
    fn compared(&self, first: &str, second: &str) -> Value {
        json(&self.well(&["compare", first, second, "--format", "json"]).stdout)
    }

    /// Runs the spec with some keys changed.
    fn run(&self, out: &str, sets: &[&str]) {
        let sets = sets.iter().flat_map(|set| ["--set", *set]);
        self.well(&["run", "spec.yaml", "--out", out].into_iter().chain(sets).collect::<Vec<_>>());
    }

    /// Second minus first in a metric, for every seed of a method, as `cells.csv` has it.
    fn differences(&self, first: &str, second: &str, method: &str, metric: &str) -> Vec<f64> {
        let of = |run: &str| self.values(&format!("{run}/cells.csv"), metric);
        let (first, second) = (of(first), of(second));
        first.iter().filter(|(key, _)| key.1 == method).map(|(key, value)| second[key] - value).collect()
    }
}

fn assert_near(found: &Value, expected: f64) {
    let found = found.as_f64().unwrap();
    assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
}

#[test]
fn the_same_run_twice_differs_in_nothing() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    desk.run("a", &[]);
    desk.run("again", &[]);
    let expected =
        "Spec, data, program and machine are the same.\n\n9 of the 9 cells in both are the same, to the bit.\n";
    assert_eq!(desk.well(&["compare", "a", "again"]).stdout, expected);
    let markdown = desk.well(&["compare", "a", "again", "--format", "markdown"]).stdout;
    assert_eq!(markdown, format!("## a and again\n\n{expected}"));
    let cells = value!({ "in_both": 9, "same": 9, "only_in_first": 0, "only_in_second": 0 });
    let expected = value!({ "first": "a", "second": "again", "differs": [], "cells": cells, "lines": [] });
    assert_eq!(desk.compared("a", "again"), expected);
}

/// Two runs, the second with another ridge, another method, and as if another machine had computed it.
fn two_runs() -> Desk {
    let desk = Desk::new();
    let metrics = METRICS.join(", ");
    desk.write("spec.yaml", &format!("{}metrics: [{metrics}]\n", SPEC.replace("seeds: 3", "seeds: 6")));
    desk.run("a", &[]);
    desk.run("b", &["methods.0.double_pu.ridge=0.5", "methods.2=biased_pn"]);
    let text = desk.read("b/manifest.json");
    let cpu = text.split("\"cpu\": \"").nth(1).unwrap().split('"').next().unwrap().to_string();
    let text = text.replace(&cpu, "another processor").replace("\"commit\": \"", "\"commit\": \"x");
    desk.write("b/manifest.json", &text);
    desk
}

#[test]
fn runs_are_compared_in_what_they_were_made_of_and_line_by_line_in_what_came_out() {
    let desk = two_runs();
    let table = desk.well(&["compare", "a", "b"]).stdout;
    let markdown = desk.well(&["compare", "a", "b", "--format", "markdown"]).stdout;
    for fragment in [
        "spec: methods.double_pu.method.double_pu.ridge",
        "spec: methods.biased_pn",
        "program: commit",
        "another processor",
        "6 of the 12 cells in both are the same, to the bit. 6 cells are in a only. 6 cells are in b only.",
        "(double_pu, prior paper, seed 1), in `roc_auc`: 0.",
        "double_pu, prior paper: ridge 0.01 -> 0.5\n\n0 of 6 cells are the same, to the bit",
        "Brier score (lower is better)",
    ] {
        assert!(table.contains(fragment), "{fragment}: {table}");
        assert!(markdown.contains(fragment), "{fragment}: {markdown}");
    }
    assert!(!table.contains('#') && !table.contains("naive_pu"), "{table}");
    for line in [
        "## a and b",
        "| differs | a | b |",
        "| spec: methods.double_pu.method.double_pu.ridge | 0.01 | 0.5 |",
        "| spec: methods.random | is there | - |",
        "## b minus a, seed by seed",
        "### double_pu, prior paper: ridge 0.01 -> 0.5",
        "| metric | the second is | mean difference | 95% interval | ahead, level, behind |",
    ] {
        assert!(markdown.lines().any(|found| found == line), "{line}: {markdown}");
    }
    // Also metrics that the spec does not ask for.
    assert!(table.contains("\n average precision "), "{table}");
}

#[test]
fn json_has_the_paired_difference_of_every_metric_beside_what_differs_in_the_line() {
    let desk = two_runs();
    let compared = desk.compared("a", "b");
    let differs = compared["differs"].as_array().unwrap();
    let ridge =
        value!({ "part": "spec", "name": "methods.double_pu.method.double_pu.ridge", "first": 0.01, "second": 0.5 });
    assert!(differs.contains(&ridge), "{compared:#}");
    let random = differs.iter().find(|differing| differing["name"] == "methods.random").unwrap();
    assert!(random["first"]["method"]["random"].is_object() && random["second"].is_null(), "{random}");
    let cpu = differs.iter().find(|differing| differing["name"] == "cpu").unwrap();
    assert_eq!([&cpu["part"], &cpu["second"]], ["machine", "another processor"]);
    let cells = value!({ "in_both": 12, "same": 6, "only_in_first": 6, "only_in_second": 6 });
    assert_eq!(compared["cells"], cells);

    let [line] = compared["lines"].as_array().unwrap().as_slice() else { panic!("{compared:#}") };
    assert_eq!([&line["setting"], &line["method"], &line["prior"]], ["", "double_pu", "paper"]);
    let own = value!([{ "part": "spec", "name": "ridge", "first": 0.01, "second": 0.5 }]);
    assert_eq!(
        [&line["differs"], &line["cells"]],
        [&own, &value!({ "in_both": 6, "same": 0, "failed_in_first": 0, "failed_in_second": 0 })]
    );
    assert_eq!(line["first_difference"]["column"], "roc_auc");
    let metrics: Vec<&String> = line["metrics"].as_object().unwrap().keys().collect();
    assert_eq!((metrics.len(), metrics[0].as_str(), metrics[13].as_str()), (14, "roc_auc", "brier_score"));

    // Splits of one file share rows, and the more so the larger the test part is.
    let ratio = desk.values("b/cells.csv", "rows_test")[&("only".into(), "double_pu".into(), 1)]
        / desk.values("b/cells.csv", "rows_train")[&("only".into(), "double_pu".into(), 1)];
    for metric in METRICS {
        let differences = desk.differences("a", "b", "double_pu", metric);
        let mean = differences.iter().sum::<f64>() / 6.0;
        let variance =
            differences.iter().map(|difference| (difference - mean) * (difference - mean)).sum::<f64>() / 5.0;
        let half = QUANTILE * (variance * (1.0 / 6.0 + ratio)).sqrt();
        let found = &line["metrics"][metric];
        assert_near(&found["mean_difference"], mean);
        assert_near(&found["interval"][0], mean - half);
        assert_near(&found["interval"][1], mean + half);
        let is_better = |difference: f64| if metric == "brier_score" { difference < 0.0 } else { difference > 0.0 };
        let ahead = differences.iter().filter(|difference| is_better(**difference)).count();
        assert_eq!([&found["ahead"], &found["pairs"]], [ahead, 6]);
        let verdict = if mean.abs() < half {
            "cannot tell"
        } else if is_better(mean) {
            "ahead"
        } else {
            "behind"
        };
        assert_eq!(found["second_is"], verdict, "{metric}");
    }
    assert_ne!(line["metrics"]["brier_score"]["second_is"], "cannot tell", "a lower score is put to the test");
}

#[test]
fn runs_without_a_cell_in_common_have_nothing_to_compare() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    desk.run("a", &["methods=[random]"]);
    desk.run("b", &["methods=[biased_pn]", "seeds=1"]);
    let said = "They have no cell in common. 3 cells are in a only. 1 cell is in b only.\n";
    for format in ["table", "markdown"] {
        let shown = desk.well(&["compare", "a", "b", "--format", format]).stdout;
        assert!(shown.ends_with(said) && shown.contains("spec: seeds"), "{shown}");
    }
    let compared = desk.compared("a", "b");
    let cells = value!({ "in_both": 0, "same": 0, "only_in_first": 3, "only_in_second": 1 });
    assert_eq!([&compared["cells"], &compared["lines"]], [&cells, &value!([])]);
}

#[test]
fn what_is_no_run_is_not_compared() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    desk.run("a", &["methods=[random]"]);
    std::fs::create_dir(desk.path("empty")).unwrap();
    for format in ["table", "markdown", "json"] {
        for runs in [["a", "nowhere"], ["empty", "a"]] {
            let ended = desk.doublepu(&["compare", runs[0], runs[1], "--format", format]);
            assert_eq!((ended.code, ended.stdout.as_str()), (5, ""), "{runs:?}: {}", ended.stderr);
        }
    }
    assert_eq!(desk.doublepu(&["compare", "a", "a", "--format", "csv"]).code, 2);
}

#[test]
fn what_metrics_do_not_show_is_told_all_the_same() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    desk.run("a", &[]);
    desk.run("b", &[]);
    // As if it had come out otherwise in a late digit, by the same spec.
    desk.forge("b/journal.jsonl", |record| record.replace("\"objective\":0.", "\"objective\":0.9"));
    let said = desk.well(&["compare", "a", "b"]).stdout;
    let line = "double_pu, prior paper: the same spec and data\n\n0 of 3 cells are the same, to the bit, and 14 of 14 \
                metrics in every seed. The first cell that differs does so in `objective`: 0.";
    assert!(said.contains(line), "{said}");
}

#[test]
fn other_data_stands_beside_the_lines_that_were_made_of_it() {
    let desk = Desk::new();
    let bank = include_str!("../../datasets/bank-marketing/bank.csv");
    desk.write("bank.csv", bank);
    desk.write("spec.yaml", &SPEC.replace("source: bank-marketing", "source: bank.csv"));
    desk.run("a", &["methods=[biased_pn, random]"]);
    desk.write("bank.csv", &bank.replacen("59", "58", 1));
    desk.run("b", &["methods=[biased_pn, random]"]);
    let hash = |text: &str| doublepu::data::sha256(text.as_bytes());
    let (first, second) = (hash(bank), hash(&bank.replacen("59", "58", 1)));
    let said = desk.well(&["compare", "a", "b"]).stdout;
    let own = format!("biased_pn: sha256 of bank.csv {} -> {}\n", &first[..12], &second[..12]);
    assert!(said.contains("data: sha256 of bank.csv") && said.contains(&own), "{said}");
    let compared = desk.compared("a", "b");
    let differs = value!([{ "part": "data", "name": "bank.csv", "first": first, "second": second }]);
    assert_eq!([&compared["differs"], &compared["lines"][0]["differs"]], [&differs, &differs]);
}

#[test]
fn seeds_that_failed_in_one_run_are_told_and_leave_no_number() {
    let desk = Desk::new();
    let simulation = "  source: simulation\n  groups: { interested: { count: 50, mean: [-2, 2] }, \
                      loyal: { count: 50, mean: [2, 2] }, others: { count: 50, mean: [-2, -2] } }\n";
    let dataset = SPEC.split("dataset:\n").nth(1).unwrap().split("sampling").next().unwrap();
    desk.write(
        "spec.yaml",
        &SPEC.replace(dataset, simulation).replace("test: 0.2, ", "").replace("seeds: 3", "seeds: 1"),
    );
    desk.run("a", &[]);
    let sets = ["--set", "methods.0.double_pu.ridge=0", "--set", "sampling.loyal=within_interest"];
    assert_eq!(desk.doublepu(&[&["run", "spec.yaml", "--out", "b"][..], &sets].concat()).code, 4);
    let said = desk.well(&["compare", "a", "b"]).stdout;
    let line = "double_pu, prior paper: ridge 0.01 -> 0; sampling.pools.loyal pool 0.8 -> within_interest\n\n\
                0 of 1 cells are the same, to the bit. 1 of 1 failed in b. 14 of 14 metrics have no seed with a value in \
                both runs. The first cell that differs does so in `status`: ok and unbounded.";
    assert!(said.contains(line), "{said}");
    let compared = desk.compared("a", "b");
    let line = compared["lines"].as_array().unwrap().iter().find(|line| line["method"] == "double_pu").unwrap();
    assert_eq!(line["cells"]["failed_in_second"], 1);
    assert!(line["metrics"]["roc_auc"].is_null() && line["metrics"]["brier_score"].is_null(), "{line:#}");
}

#[test]
fn one_of_several_of_a_method_is_found_again_though_its_options_call_all_of_them_otherwise() {
    let desk = Desk::new();
    desk.write("spec.yaml", &SPEC.replace("- random", "- double_pu: { loss: squared }"));
    desk.run("a", &[]);
    desk.run("b", &["methods.2.double_pu.ridge=0.5", "priors.0.paper.gamma=0.01"]);
    let compared = desk.compared("a", "b");
    assert_eq!(compared["cells"]["in_both"], 9);
    let lines = compared["lines"].as_array().unwrap();
    let own = |method: &str| &lines.iter().find(|line| line["method"] == method).unwrap()["differs"];
    let gamma = value!({ "part": "spec", "name": "prior.gamma", "first": 0.0046, "second": 0.01 });
    let ridge = value!({ "part": "spec", "name": "ridge", "first": 0.01, "second": 0.5 });
    assert_eq!(own("double_pu loss=logistic"), &value!([&gamma]));
    assert_eq!(own("double_pu loss=squared"), &value!([&ridge, &gamma]));
    // What a method is not told makes no difference to it.
    assert_eq!(lines.len(), 2, "{compared:#}");
}

#[test]
fn cells_are_compared_also_where_more_of_them_give_them_longer_names() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    desk.run("a", &[]);
    desk.run("b", &["methods.0.double_pu.ridge=[0.01, 0.1]"]);
    let said = desk.well(&["compare", "a", "b"]).stdout;
    assert!(said.contains("9 of the 9 cells in both are the same"), "{said}");
    assert!(said.contains("3 cells are in b only."), "{said}");

    // Places in the lists of one run are not those of the other.
    desk.run("c", &["sampling.test=[0.1, 0.3, 0.2]", "methods.0.double_pu.ridge=0.1"]);
    desk.run("d", &["sampling.test=[0.2, 0.1]"]);
    let said = desk.well(&["compare", "d", "c"]).stdout;
    assert!(said.contains("12 of the 18 cells in both are the same"), "{said}");
    assert!(said.contains("9 cells are in c only.") && !said.contains("in d only"), "{said}");
}
