//! What people and programs read of a run, made from its stored rows.

use crate::{Desk, SPEC, experiment};
use serde_json::Value;
use std::collections::BTreeMap;

/// A simulation of two numeric features, small and quick.
const SIMULATION: &str = "experiment: drawn
dataset:
  source: simulation
  groups:
    interested: { count: 50, mean: [-2, 2] }
    loyal: { count: 100, mean: [2, 2] }
    others: { count: 100, mean: [-2, -2] }
sampling: { scheme: censoring, unlabeled: [all, remaining] }
seeds: 40
methods: [double_pu, naive_pu, { double_pu: { loss: hinge } }, oracle_logistic, random]
metrics: [roc_auc, roc_auc_given_interest, brier_score, cost_weighted_risk]
compare: double_pu loss=logistic
paper:
  - { method: oracle_logistic, metric: roc_auc, value: 0.98, printed_digits: 2 }
  - { method: random, metric: roc_auc, value: 0.9, printed_digits: 1 }
";

pub fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

impl Desk {
    /// The values of a metric, by setting, method and seed.
    pub fn values(&self, cells: &str, metric: &str) -> BTreeMap<(String, String, u32), f64> {
        let text = self.read(cells);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let rows = reader.deserialize::<BTreeMap<String, String>>().map(Result::unwrap);
        let with_value = rows.filter(|row| !row[metric].is_empty());
        let key = |row: &BTreeMap<String, String>| {
            let loss = if row["options"].contains("loss=hinge") { " hinge" } else { "" };
            (row["setting"].clone(), format!("{}{loss}", row["method"]), row["seed"].parse().unwrap())
        };
        with_value.map(|row| (key(&row), row[metric].parse().unwrap())).collect()
    }
}

#[test]
fn a_report_is_made_again_to_the_same_bytes_and_needs_no_data() {
    let desk = Desk::new();
    let mut csv = "a,b,bought,member\n".to_string();
    for row in 0..400u32 {
        let (bought, member) = (if row % 3 == 0 { "yes" } else { "no" }, u32::from(row % 2 == 0));
        csv += &format!("{},{},{bought},{member}\n", row * 7 % 50, row * 11 % 40 + row % 3 * 20);
    }
    desk.write("people.csv", &csv);
    let spec = SPEC
        .replace("source: bank-marketing", "source: people.csv")
        .replace("column: deposit", "column: bought")
        .replace("column: default, positive: \"yes\"", "column: member, positive: 1");
    desk.write("spec.yaml", &spec);
    assert_eq!(desk.doublepu(&["run", "spec.yaml", "--out", "out"]).code, 0);
    let whole = desk.snapshot("out");
    assert!(whole.keys().any(|name| name.ends_with("plots/boundary.png")));

    // The points behind the plot of people are read from where the first report put them.
    std::fs::remove_file(desk.path("people.csv")).unwrap();
    for name in ["summary.csv", "report.html", "plots/boundary.png", "plots/roc.svg", "cells.csv"] {
        std::fs::remove_file(desk.path("out").join(name)).unwrap();
    }
    let ended = desk.doublepu(&["report", "out"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    assert!(ended.stdout.starts_with("small: ROC-AUC of W on the test set, 3 seeds, best first"));
    assert!(desk.snapshot("out") == whole, "the same files with the same bytes");

    std::fs::remove_file(desk.path("out/scatter.csv")).unwrap();
    let ended = desk.doublepu(&["report", "out"]);
    assert!(ended.code == 0 && ended.stderr.contains("scatter plots are left out"), "{}", ended.stderr);
    assert!(!desk.path("out/plots/boundary.png").exists());
}

#[test]
fn nothing_is_reported_of_what_is_not_whole() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    assert_eq!(desk.doublepu(&["run", "spec.yaml", "--out", "out"]).code, 0);
    let journal = desk.read("out/journal.jsonl");
    let refused = |journal: &str, fragment: &str| {
        desk.write("out/journal.jsonl", journal);
        let before = desk.snapshot("out");
        let ended = desk.doublepu(&["report", "out"]);
        assert_eq!((ended.code, ended.stdout.as_str()), (5, ""), "{}", ended.stderr);
        assert!(ended.stderr.contains(fragment), "{}", ended.stderr);
        assert!(desk.snapshot("out") == before, "existing results are left alone");
    };
    let outcomes = || journal.split_inclusive('\n').enumerate().filter(|(_, line)| line.contains("{\"outcome\""));
    let sixth = outcomes().nth(5).unwrap().0;
    let shorter: String = journal.split_inclusive('\n').take(sixth).collect();
    refused(&shorter, "4 of 9 cells are missing");
    refused(&shorter, "run the rest: doublepu run spec.yaml");
    refused(&journal.replacen("roc_auc", "roc_auk", 1), "is damaged");
    desk.write("out/journal.jsonl", &journal);
    let manifest = desk.read("out/manifest.json");
    desk.write("out/manifest.json", &manifest.replace("\"results_version\": ", "\"results_version\": 1"));
    refused(&journal, "its results version is 1");

    let ended = desk.doublepu(&["report", "nowhere"]);
    assert!(ended.code == 5 && ended.stderr.contains("has no manifest.json"), "{}", ended.stderr);
    assert!(!desk.path("nowhere").exists());
}

#[test]
fn the_json_says_what_the_rows_say() {
    let desk = Desk::new();
    desk.write("spec.yaml", SIMULATION);
    assert_eq!(desk.doublepu(&["run", "spec.yaml", "--out", "out"]).code, 0);
    let ended = desk.doublepu(&["report", "out", "--format", "json"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    let summary = json(&ended.stdout);
    assert_eq!(summary, json(&desk.read("out/summary.json")));

    let lines = summary["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 2 * 5);
    for metric in ["roc_auc", "brier_score"] {
        let cells = desk.values("out/cells.csv", metric);
        for line in lines {
            let method = line["method"].as_str().unwrap();
            let method =
                method.replace("double_pu loss=logistic", "double_pu").replace("double_pu loss=", "double_pu ");
            let values: Vec<f64> = cells
                .iter()
                .filter(|((setting, of, _), _)| line["setting"] == **setting && *of == method)
                .map(|(_, value)| *value)
                .collect();
            let told = &line["metrics"][metric];
            if values.is_empty() {
                // Neither a hinge nor chance gives probabilities.
                assert!(told.is_null() && metric == "brier_score", "{line}");
                assert!(method == "random" || method.contains("hinge"), "{line}");
                continue;
            }
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            assert_eq!((values.len(), &told["seeds"]), (40, &Value::from(40)));
            assert!((told["mean"].as_f64().unwrap() - mean).abs() < 1e-12);
            assert!((told["median"].as_f64().unwrap() - (sorted[19] + sorted[20]) / 2.0).abs() < 1e-12);
            let end = |interval: &str, end: usize| told[interval][end].as_f64().unwrap();
            for interval in ["interval", "bootstrap_interval"] {
                assert!(end(interval, 0) <= mean && mean <= end(interval, 1), "{line}");
            }
            let width = |interval: &str| end(interval, 1) - end(interval, 0);
            assert!((width("bootstrap_interval") / width("interval") - 0.95).abs() < 0.15, "{line}");
        }
    }

    // What is lower in Brier score or in cost is better.
    let comparisons = summary["comparisons"].as_array().unwrap();
    let with_oracle = comparisons.iter().find(|one| one["other"] == "oracle_logistic").unwrap();
    let (setting, cells) =
        (with_oracle["setting"].as_str().unwrap(), desk.values("out/cells.csv", "cost_weighted_risk"));
    let value = |method: &str, seed: u32| cells[&(setting.to_string(), method.to_string(), seed)];
    let better = (1..=40).filter(|seed| value("double_pu", *seed) < value("oracle_logistic", *seed)).count();
    assert_eq!(with_oracle["metrics"]["cost_weighted_risk"]["ahead"], better);

    // A value that our seeds give is reproduced, and one that they do not is not.
    let verdict = |method: &str| {
        let mut readings = summary["paper"]["readings"].as_array().unwrap().iter();
        readings.find(|reading| reading["method"] == method).unwrap()["verdict"].clone()
    };
    assert_eq!((verdict("oracle_logistic"), verdict("random")), ("reproduced".into(), "not_reproduced".into()));
    assert!(desk.read("out/paper.md").contains("| not reproduced | 0.9 | 100.0 | 40 of 40 |"));

    // Ranks add up, and the best average comes first.
    let ranks = summary["ranks"]["methods"].as_array().unwrap();
    let average = |place: usize| ranks[place]["average_rank"].as_f64().unwrap();
    assert!((0..4).all(|place| average(place) <= average(place + 1)));
    assert!(((0..5).map(average).sum::<f64>() - 15.0).abs() < 1e-12);
}

#[test]
fn calibration_counts_everybody_once() {
    let desk = Desk::new();
    desk.write("spec.yaml", SIMULATION);
    assert_eq!(desk.doublepu(&["run", "spec.yaml", "--out", "out"]).code, 0);
    let mut people: BTreeMap<(String, String), u32> = BTreeMap::new();
    for row in csv::Reader::from_reader(desk.read("out/calibration.csv").as_bytes()).records() {
        let row = row.unwrap();
        let (mean, from, to): (f64, f64, f64) =
            (row[6].parse().unwrap(), row[3].parse().unwrap(), row[4].parse().unwrap());
        assert!(from <= mean && mean <= to, "{row:?}");
        *people.entry((row[0].to_string(), row[1].to_string())).or_default() += row[5].parse::<u32>().unwrap();
    }
    // Three methods in two settings give probabilities; every seed has a test part of 250 people.
    assert_eq!(people.len(), 6);
    assert!(people.values().all(|people| *people == 40 * 250), "{people:?}");
}

#[test]
fn every_plot_is_there_alone_as_svg_and_as_png_of_twice_the_size() {
    let desk = Desk::new();
    desk.write("spec.yaml", SIMULATION);
    assert_eq!(desk.doublepu(&["run", "spec.yaml", "--out", "out"]).code, 0);
    let page = desk.read("out/report.html");
    for name in [
        "auc_by_method",
        "differences",
        "paper_oracle_logistic-roc_auc",
        "paper_random-roc_auc",
        "ranks",
        "roc_unlabeled-all",
        "roc_unlabeled-remaining",
        "calibration_unlabeled-all",
        "calibration_unlabeled-remaining",
        "boundary_unlabeled-all",
        "boundary_unlabeled-remaining",
    ] {
        let svg = desk.read(&format!("out/plots/{name}.svg"));
        let size = |attribute: &str| -> u32 {
            svg.split(&format!("{attribute}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
        };
        let png = std::fs::read(desk.path(&format!("out/plots/{name}.png"))).unwrap();
        let number = |from: usize| u32::from_be_bytes(png[from..from + 4].try_into().unwrap());
        assert_eq!((number(16), number(20)), (2 * size("width"), 2 * size("height")), "{name}");
        assert!(page.contains(&svg) && page.contains(&format!("figure-{name}\"")), "{name} is in the page as it is");
    }
}

#[test]
fn an_experiment_too_large_to_draw_is_reported_all_the_same() {
    let desk = Desk::new();
    // 100 settings, of which only the first are drawn one by one, and more lines than a picture can have.
    let shares: Vec<String> = (1..=100).map(|share| format!("{}", f64::from(share) / 200.0)).collect();
    let spec = SIMULATION
        .replace("unlabeled: [all, remaining]", &format!("hide_interest: [{}]", shares.join(", ")))
        .replace("seeds: 40", "seeds: 2")
        .replace("count: 50", "count: 10")
        .replace("count: 100", "count: 20");
    desk.write("spec.yaml", &spec);
    let ended = desk.doublepu(&["run", "spec.yaml", "--out", "out"]);
    assert!(ended.code == 0 || ended.code == 4, "{}", ended.stderr);
    let page = desk.read("out/report.html");
    assert!(page.contains("These are the first 60 of 500"), "the strip of all lines");
    assert!(page.contains("Plots of single settings are drawn for the first 12 of 100 settings."));
    assert!(desk.path("out/plots/auc_by_hide_interest.svg").exists(), "a learning curve over all settings");
    let has_curves = |share: &str| desk.path(&format!("out/plots/roc_hide_interest-{share}.svg")).exists();
    assert!(has_curves("0.06") && !has_curves("0.065"));
    let lines = ended.stdout.lines().count();
    assert!(lines <= 50, "a screen and not {lines} lines");
    assert!(ended.stdout.contains("more rows are in summary.csv and report.html."), "{}", ended.stdout);
    assert!(
        page.contains("300 more") || page.matches("<tr hidden>").count() >= 300,
        "rows beyond 200 wait to be shown"
    );
}

#[test]
fn latex_tables_have_as_many_cells_as_columns() {
    let desk = Desk::new();
    let ended = desk.doublepu(&["run", &experiment("smoke.yaml"), "--set", "compare=biased_pn", "--out", "out"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    for name in ["summary.tex", "comparisons.tex", "paper.tex"] {
        let text = desk.read(&format!("out/{name}"));
        let columns = text.split("{tabular}{").nth(1).unwrap().split('}').next().unwrap().len();
        let rows: Vec<&str> = text.lines().filter(|line| line.ends_with("\\\\")).collect();
        assert!(rows.len() > 1 && rows.iter().all(|row| row.matches(" & ").count() + 1 == columns), "{text}");
        assert!(!text.contains('<') && text.contains("\\toprule") && text.contains("\\bottomrule"), "{text}");
    }
}

#[test]
fn every_printed_value_is_judged_and_what_cannot_be_said_is_not() {
    let desk = Desk::new();
    let paper = "paper:
  - { method: double_pu, metric: roc_auc, value: 0.9 }
  - { method: double_pu loss=logistic, prior: same, metric: roc_auc, value: 0.98, printed_digits: 2 }
  - { method: naive_pu, prior: same, metric: roc_auc, value: 0.7 }
  - { method: random, prior: \"true\", metric: brier_score, value: 0.25 }
";
    let spec = SIMULATION.split("paper:").next().unwrap().to_string() + paper;
    let spec =
        spec.replace("[all, remaining]", "all").replace("seeds:", "priors: [true, same: { gamma: 0.3 }]\nseeds:");
    desk.write("spec.yaml", &spec);
    let ended = desk.doublepu(&["run", "spec.yaml", "--out", "out"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    let told: Vec<String> = csv::Reader::from_reader(desk.read("out/paper.csv").as_bytes())
        .records()
        .map(|row| row.map(|row| format!("{} {} {} {}", &row[1], &row[2], &row[4], &row[7])).unwrap())
        .collect();
    // One entry may have several lines, one line several entries, and a line may stand for a prior that it ignores.
    assert_eq!(told.len(), 4 + 1 + 1 + 1, "{told:#?}");
    assert!(told.iter().any(|row| row.starts_with("double_pu loss=logistic same 0.98 ")), "{told:#?}");
    assert!(told.iter().any(|row| row == "naive_pu prior=true 0.7000 not reproduced"), "{told:#?}");
    assert!(told.iter().any(|row| row == "random - 0.2500 not comparable"), "{told:#?}");
    assert!(
        ended.stdout.contains("our row for it is random: not comparable, because no seed has a value."),
        "{}",
        ended.stdout
    );

    // Two seeds say nothing, however alike they are, and a method alone has nothing to be compared with.
    let few = desk.doublepu(&["run", "spec.yaml", "--out", "few", "--set", "seeds=2"]).stdout;
    assert!(
        few.contains("with too few seeds for a test.")
            && few.contains(" is undecided in ")
            && !few.contains("ahead in"),
        "{few}"
    );
    let alone = ["--set", "methods=[double_pu]", "--set", "compare=double_pu", "--set", "paper=[]"];
    let ended = desk.doublepu(&[&["run", "spec.yaml", "--out", "alone"][..], &alone[..]].concat());
    assert!(ended.stdout.contains("There is nothing to compare double_pu with"), "{}", ended.stdout);
    assert!(!desk.path("alone/comparisons.csv").exists());
}

#[test]
fn names_from_a_file_are_text_and_never_markup() {
    let desk = Desk::new();
    let mut csv = "a,b,<script>alert(1)</script>,m|`x`\n".to_string();
    for row in 0..400u32 {
        csv += &format!("{},{},{},{}\n", row * 7 % 50, row * 11 % 40, u32::from(row % 3 == 0), u32::from(row % 2 == 0));
    }
    desk.write("people.csv", &csv);
    let spec = SPEC
        .replace("  source: bank-marketing", "- source: people.csv")
        .replace("  interest: { column: deposit, positive: \"yes\" }", "  interest: { column: \"<script>alert(1)</script>\", positive: 1 }")
        .replace("  loyalty: { column: default, positive: \"yes\" }\n", "  loyalty: { column: \"m|`x`\", positive: 1 }\n- source: people.csv\n  interest: { column: \"m|`x`\", positive: 1 }\n  loyalty: { column: \"<script>alert(1)</script>\", positive: 1 }\n");
    desk.write("spec.yaml", &spec);
    let ended = desk.doublepu(&["run", "spec.yaml", "--out", "out"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let page = desk.read("out/report.html");
    assert!(page.contains("&lt;script&gt;alert(1)") && !page.contains("<script>alert"));
    let table = desk.read("out/summary.md");
    assert!(table.contains("&lt;script>alert(1)&lt;/script>") && table.contains("m\\|`x`"), "{table}");
}
