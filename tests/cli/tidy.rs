//! Names that others wrote, in every kind of output; data that moved; and messages that say what to write.

use crate::{Desk, SPEC};
use std::collections::{BTreeMap, BTreeSet};

/// Hidden characters in a name and a column of the user's, which no output may carry.
const HIDDEN: [char; 4] = ['\u{202e}', '\u{2028}', '\u{2066}', '\u{feff}'];

/// A spec with priors that readers of CSV files take for something else.
fn spec_with_names(names: &[&str]) -> String {
    let escaped = |name: &str| -> String { name.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect() };
    let prior = |(index, name): (usize, &&str)| {
        format!("  - \"{}\": {{ beta: 0.4{}, gamma: 0.0046 }}\n", escaped(name), index + 1)
    };
    let priors: String = names.iter().enumerate().map(prior).collect();
    SPEC.replace("  - paper: { beta: 0.4738, gamma: 0.0046 }\n", &format!("  - true\n{priors}"))
}

fn csv_rows(text: &str) -> Vec<BTreeMap<String, String>> {
    csv::Reader::from_reader(text.as_bytes()).deserialize().map(Result::unwrap).collect()
}

#[test]
fn every_csv_file_names_rows_alike_and_as_texts() {
    let desk = Desk::new();
    let spec = spec_with_names(&["no", "NA", "=cmd()", "-1", "@x", "5%"]);
    desk.write("spec.yaml", &(spec + "compare: double_pu\nmetrics: [brier_score]\n"));
    assert_eq!(desk.doublepu(&["run", "spec.yaml", "--out", "out"]).code, 0);
    let summary = csv_rows(&desk.read("out/summary.csv"));
    let key = |row: &BTreeMap<String, String>| ["setting", "label", "prior"].map(|column| row[column].clone());
    let lines: BTreeSet<[String; 3]> = summary.iter().map(key).collect();
    let priors: BTreeSet<&str> = lines.iter().map(|[_, _, prior]| prior.as_str()).collect();
    let expected = ["-", "prior=-1", "prior=5%", "prior==cmd()", "prior=@x", "prior=NA", "prior=no", "prior=true"];
    assert_eq!(priors, BTreeSet::from(expected));
    assert!(lines.iter().all(|[setting, ..]| setting == "only"));
    for file in ["cells.csv", "timings.csv", "comparisons.csv", "calibration.csv"] {
        for row in csv_rows(&desk.read(&format!("out/{file}"))) {
            assert!(lines.contains(&key(&row)), "{file} names a row otherwise: {row:?}");
        }
    }
    // The means of the cells are those of the summary.
    let cells = csv_rows(&desk.read("out/cells.csv"));
    for row in summary.iter().filter(|row| !row["mean"].is_empty()) {
        let of_row = cells.iter().filter(|cell| key(cell) == key(row));
        let values: Vec<f64> = of_row.map(|cell| cell[&row["metric"]].parse().unwrap()).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        assert!((mean - row["mean"].parse::<f64>().unwrap()).abs() < 1e-12, "{row:?}");
    }
    // People read the names of the spec.
    let table = desk.read("out/summary.md");
    assert!(table.contains("| true |") && table.contains("| =cmd() |"), "{table}");
}

#[test]
fn a_baseline_holds_no_formula_and_knows_its_names_again() {
    let desk = Desk::new();
    desk.write("spec.yaml", &spec_with_names(&["=cmd()", "prior==x", "no"]));
    assert_eq!(desk.doublepu(&["run", "spec.yaml", "--out", "out"]).code, 0);
    assert_eq!(desk.doublepu(&["accept", "out", "--baseline", "base.csv"]).code, 0);
    let baseline = desk.read("base.csv");
    assert!(baseline.contains(",prior==cmd(),") && baseline.contains(",no,") && !baseline.contains(",=cmd(),"));
    let ended = desk.doublepu(&["check", "out", "--baseline", "base.csv"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
}

#[test]
fn no_output_carries_a_hidden_character() {
    let desk = Desk::new();
    let hidden: String = HIDDEN.iter().collect();
    let mut csv = format!("a{hidden},b,bought,member\n");
    for row in 0..400u32 {
        csv += &format!("{},{},{},{}\n", row * 7 % 50, row * 11 % 40 + row % 3 * 20, row % 3 / 2, row % 2);
    }
    desk.write("people.csv", &csv);
    let spec = spec_with_names(&["=x", &format!("p{hidden}")])
        .replace("source: bank-marketing", "source: people.csv")
        .replace("column: deposit, positive: \"yes\"", "column: bought, positive: 1")
        .replace("column: default, positive: \"yes\"", "column: member, positive: 1");
    desk.write("spec.yaml", &(spec + "compare: double_pu\n"));
    let ended = desk.doublepu(&["run", "spec.yaml", "--out", "out"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let json = desk.doublepu(&["report", "out", "--format", "json"]).stdout;
    serde_json::from_str::<serde_json::Value>(&json).unwrap();
    let plan = desk.doublepu(&["plan", "spec.yaml", "--out", "out"]).stdout;
    let wrong = desk.doublepu(&["run", "spec.yaml", "--set", &format!("seeds={hidden}")]).stderr;
    let verb = desk.doublepu(&[&hidden]).stderr;
    let missing = desk.doublepu(&["report", &hidden]).stderr;
    let mut texts = vec![ended.stdout, ended.stderr, json, plan, wrong, verb, missing];
    for (name, bytes) in desk.snapshot("out") {
        // JSON files are for programs; they hold the names as they are.
        let is_shown = [".csv", ".md", ".html", ".svg", ".tex"].iter().any(|ending| name.ends_with(ending));
        texts.extend(is_shown.then(|| String::from_utf8(bytes).unwrap()));
    }
    assert!(texts.len() > 20 && texts.iter().any(|text| text.contains("p\\u202e\\u2028")));
    for text in texts {
        assert!(!text.contains(HIDDEN), "{text}");
    }
    // The points behind the boundary plot are found again.
    let before = desk.snapshot("out");
    std::fs::remove_file(desk.path("people.csv")).unwrap();
    assert_eq!(desk.doublepu(&["report", "out"]).code, 0);
    assert!(desk.snapshot("out") == before);
}

#[test]
fn cells_parquet_has_the_values_of_cells_csv_and_the_same_bytes_again() {
    use polars::prelude::{DataType, ParquetReader, SerReader};
    let desk = Desk::new();
    desk.write("spec.yaml", &spec_with_names(&["no"]).replace("unlabeled: 0.1", "unlabeled: [0.1, 0.05]"));
    for (out, jobs) in [("one", "1"), ("two", "2")] {
        assert_eq!(desk.doublepu(&["run", "spec.yaml", "--out", out, "--jobs", jobs]).code, 0);
    }
    let bytes = |out: &str| std::fs::read(desk.path(out).join("cells.parquet")).unwrap();
    assert!(bytes("one") == bytes("two"));
    let frame = ParquetReader::new(std::io::Cursor::new(bytes("one"))).finish().unwrap();
    let text = desk.read("one/cells.csv");
    let header: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    assert_eq!(frame.get_column_names().iter().map(|name| name.as_str()).collect::<Vec<_>>(), header);
    let cells = csv_rows(&text);
    assert_eq!(frame.height(), cells.len());
    for (column, kind) in [
        ("prior", DataType::String),
        ("seed", DataType::Int64),
        ("setting_unlabeled", DataType::Float64),
        ("option_ridge", DataType::Float64),
        ("option_loss", DataType::String),
        ("roc_auc", DataType::Float64),
    ] {
        let series = frame.column(column).unwrap();
        assert_eq!(*series.dtype(), kind, "{column}");
        if kind == DataType::Float64 {
            let numbers: Vec<Option<f64>> = series.f64().unwrap().iter().collect();
            let written: Vec<Option<f64>> = cells.iter().map(|cell| cell[column].parse().ok()).collect();
            assert_eq!(numbers, written, "{column}");
        }
    }
}

#[test]
fn a_data_file_that_moved_is_named_and_must_be_the_same() {
    let desk = Desk::new();
    let people: String =
        (0..400u32).map(|row| format!("{},{},{},{}\n", row * 7 % 50, row * 11 % 40, row % 3 / 2, row % 2)).collect();
    desk.write("people.csv", &format!("a,b,bought,member\n{people}"));
    let spec = SPEC
        .replace("source: bank-marketing", "source: ./people.csv")
        .replace("column: deposit, positive: \"yes\"", "column: bought, positive: 1")
        .replace("column: default, positive: \"yes\"", "column: member, positive: 1");
    desk.write("spec.yaml", &spec);
    assert_eq!(desk.doublepu(&["run", "spec.yaml", "--out", "out"]).code, 0);
    let cell = csv_rows(&desk.read("out/cells.csv"))[0]["cell"].clone();
    std::fs::rename(desk.path("people.csv"), desk.path("moved.csv")).unwrap();
    desk.write("other.csv", &format!("a,b,bought,member\n{people}1,2,1,0\n"));

    let missing = desk.doublepu(&["verify", "out"]);
    assert_eq!(missing.code, 3, "{}", missing.stderr);
    assert!(missing.stderr.contains("name it with --data"), "{}", missing.stderr);
    let missing = desk.doublepu(&["run", "spec.yaml", "--out", "new"]);
    assert!(missing.code == 3 && missing.stderr.contains("error: ./people.csv: cannot be read"), "{}", missing.stderr);
    let before = desk.snapshot("out");
    let commands: [&[&str]; 5] = [
        &["verify", "out", "--data"],
        &["report", "out", "--data"],
        &["plan", "spec.yaml", "--out", "out", "--data"],
        &["run", "spec.yaml", "--out", "out", "--data"],
        &["export", "out", &cell, "--out", "cell", "--data"],
    ];
    for command in commands {
        let with = |file: &'static str| desk.doublepu(&[command, &[file]].concat());
        let other = with("other.csv");
        assert_eq!(other.code, 3, "{command:?}: {}", other.stderr);
        assert!(other.stderr.contains("other.csv: is no file of this experiment"), "{}", other.stderr);
        let moved = with("moved.csv");
        assert_eq!(moved.code, 0, "{command:?}: {}", moved.stderr);
    }
    assert_eq!(desk.read("out/cells.csv").as_bytes(), before[desk.path("out/cells.csv").to_str().unwrap()]);

    // Without an earlier run, the spec must say which file it is.
    let unknown = desk.doublepu(&["run", "spec.yaml", "--out", "new", "--data", "moved.csv"]);
    assert_eq!(unknown.code, 3, "{}", unknown.stderr);
    let pin = format!("dataset.sha256={}", doublepu::data::sha256(&std::fs::read(desk.path("moved.csv")).unwrap()));
    let pinned = desk.doublepu(&["run", "spec.yaml", "--out", "new", "--data", "moved.csv", "--set", &pin]);
    assert_eq!(pinned.code, 0, "{}", pinned.stderr);
}

#[test]
fn data_in_place_of_a_spec_is_not_echoed() {
    let desk = Desk::new();
    let table = "name,income\nAnna Secret,3000\n\"B: c\",4\n";
    for name in ["people.csv", "people.txt", "people", "people.csv.gz"] {
        desk.write(name, table);
        for verb in ["run", "validate", "plan"] {
            let ended = desk.doublepu(&[verb, name]);
            assert_eq!(ended.code, 2, "{}", ended.stderr);
            assert!(!ended.stderr.contains("Secret") && !ended.stderr.contains("income"), "{}", ended.stderr);
            assert!(ended.stderr.contains("not an experiment spec"), "{}", ended.stderr);
        }
    }
    let ended = desk.doublepu(&["run", "people.csv"]);
    assert!(ended.stderr.contains("source: ./people.csv"), "{}", ended.stderr);
    // What the message says to write is a spec.
    let (_, written) = ended.stderr.split_once("\n\n").unwrap();
    let spec = written.replace("COLUMN", "bought").replacen("bought", "member", 1).replace("VALUE", "1");
    desk.write("people.yaml", &spec);
    let ended = desk.doublepu(&["validate", "people.yaml"]);
    assert_eq!(ended.code, 0, "{}\n{spec}", ended.stderr);
}

#[test]
fn a_label_value_in_another_form_is_answered_with_what_to_write() {
    let desk = Desk::new();
    desk.write("people.csv", "age,bought,member\n30,True,1.50\n40,False,0\n50,True,1.50\n");
    let ended = |interest: &str, loyalty: &str| {
        let spec = SPEC
            .replace("source: bank-marketing", "source: people.csv")
            .replace("column: deposit, positive: \"yes\"", &format!("column: bought, positive: {interest}"))
            .replace("column: default, positive: \"yes\"", &format!("column: member, positive: {loyalty}"));
        desk.write("spec.yaml", &spec);
        desk.doublepu(&["plan", "spec.yaml"])
    };
    let wrong = ended("true", "1.50");
    assert!(wrong.code == 3 && wrong.stderr.contains("write `positive: \"True\"`"), "{}", wrong.stderr);
    for number in ["1.50", "1.5", "\"1.50\""] {
        assert_eq!(ended("\"True\"", number).code, 0, "{number}");
    }
}

#[test]
fn a_report_says_that_the_true_priors_were_used() {
    let desk = Desk::new();
    let without = SPEC.replace("priors:\n  - paper: { beta: 0.4738, gamma: 0.0046 }\n", "");
    for (spec, is_said) in [(without.as_str(), true), (SPEC, false)] {
        desk.write("spec.yaml", spec);
        let ended = desk.doublepu(&["run", "spec.yaml", "--out", "out"]);
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        let sentence = "Methods that use class priors are given the true ones";
        assert_eq!(ended.stdout.contains(sentence), is_said);
        assert_eq!(desk.read("out/report.html").contains(sentence), is_said);
    }
}

#[test]
fn a_misspelt_verb_is_answered_with_the_one_that_was_meant() {
    let desk = Desk::new();
    for (word, verb) in [("rnu", "run"), ("paln", "plan"), ("chekc", "check"), ("reprot", "report")] {
        let ended = desk.doublepu(&[word, "spec.yaml"]);
        assert_eq!(ended.code, 2);
        assert!(
            ended.stderr.contains("similar subcommand") && ended.stderr.contains(&format!("'{verb}'")),
            "{}",
            ended.stderr
        );
    }
    assert!(!desk.doublepu(&["predict"]).stderr.contains("similar"));
}

#[test]
fn several_swept_keys_give_one_plot_with_a_panel_for_each_value() {
    let desk = Desk::new();
    let two = SPEC.replace("unlabeled: 0.1, loyal: 0.8", "unlabeled: [0.05, 0.1], loyal: [0.2, 0.4]");
    let three = two.replace("interest: 0.1", "interest: [0.05, 0.1]");
    for (spec, name, panels) in [
        (&two, "auc_by_unlabeled_and_loyal", &["loyal=0.2", "loyal=0.4"][..]),
        (
            &three,
            "auc_by_interest_and_unlabeled_and_loyal",
            &[
                "unlabeled=0.05, loyal=0.2",
                "unlabeled=0.05, loyal=0.4",
                "unlabeled=0.1, loyal=0.2",
                "unlabeled=0.1, loyal=0.4",
            ],
        ),
    ] {
        desk.write("spec.yaml", spec);
        let ended = desk.doublepu(&["run", "spec.yaml", "--out", "out"]);
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        let svg = desk.read(&format!("out/plots/{name}.svg"));
        assert!(panels.iter().all(|panel| svg.contains(panel)), "{name}");
        assert!(svg.contains("double_pu") && !svg.contains("random"), "random scores are left out");
        assert!(desk.path("out/plots/roc_unlabeled-0.05-loyal-0.2.svg").exists() || spec == &three);
    }
}
