//! The other verbs, and what `--help` says.

use crate::{Desk, SPEC, experiment};

#[test]
fn the_shipped_experiments_are_valid() {
    let desk = Desk::new();
    let folder = std::path::Path::new(&experiment("")).to_path_buf();
    let specs = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
    let specs: Vec<String> = specs.map(|path| path.display().to_string()).collect();
    assert!(specs.len() >= 5);
    let mut arguments = vec!["validate"];
    arguments.extend(specs.iter().map(String::as_str));
    let ended = desk.doublepu(&arguments);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert_eq!(ended.stdout.lines().count(), specs.len());
}

#[test]
fn the_spec_of_the_book_runs() {
    let desk = Desk::new();
    let page = include_str!("../../docs/writing-a-spec.md");
    let spec = page.split("```yaml\n").nth(1).unwrap().split("```").next().unwrap();
    desk.write("spec.yaml", spec);
    let mut csv = "customer_id,age,city,zip,joined,income,bought,member\n".to_string();
    for row in 0..400u32 {
        let (bought, member) = (if row % 3 == 0 { "yes" } else { "no" }, u32::from(row % 2 == 0));
        let (age, city) = (20 + row * 7 % 50, ["x", "y", "z"][(row % 5 % 3) as usize]);
        let income = if row % 11 == 0 { String::new() } else { (2000 + row % 90 * 10).to_string() };
        let joined = format!("20{}-0{}-01", 10 + row % 12, 1 + row % 9);
        csv += &format!("{row},{age},{city},0{},{joined},{income},{bought},{member}\n", 1067 + row % 4);
    }
    desk.write("people.csv", &csv);
    let ended = desk.doublepu(&["run", "spec.yaml", "--set", "seeds=2"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert!(
        ended.stdout.contains(
            "; our row for it is double_pu ridge=0.01, prior guess: not comparable, because 2 seeds are too few; at least 40 are needed."
        ),
        "{}",
        ended.stdout
    );
}

#[test]
fn the_schema_is_json_and_knows_methods_with_and_without_options() {
    let schema = Desk::new().doublepu(&["schema"]).stdout;
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    let methods = schema["$defs"]["Method"]["oneOf"].as_array().unwrap();
    assert!(methods.iter().any(|method| method["required"][0] == "double_pu"));
    assert!(methods.last().unwrap()["enum"].as_array().unwrap().iter().any(|name| name == "random"));
    assert_eq!(schema["additionalProperties"], false);
}

#[test]
fn a_plan_tells_what_is_done() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    assert!(desk.doublepu(&["plan", "spec.yaml"]).stdout.contains("9 cells, 0 done"));
    desk.doublepu(&["run", "spec.yaml", "--set", "seeds=2"]);
    assert!(desk.doublepu(&["plan", "spec.yaml"]).stdout.contains("9 cells, 6 done"));
    let jsonl = desk.doublepu(&["plan", "spec.yaml", "--format", "jsonl"]).stdout;
    let cells: Vec<serde_json::Value> = jsonl.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(cells.iter().filter(|cell| cell["done"] == true).count(), 6);
    assert_eq!(cells[0]["method"], "double_pu");
}

#[test]
fn simulations_of_different_sizes_are_different_settings() {
    let desk = Desk::new();
    let spec = std::fs::read_to_string(experiment("simulation.yaml")).unwrap();
    let dataset = spec.split("dataset:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let item = |text: &str| format!("  - {}", text.trim_start().replace("\n", "\n  "));
    let both = format!("{}\n{}", item(dataset), item(&dataset.replace("count: 500", "count: 50")));
    desk.write("spec.yaml", &spec.replace(dataset, &both));
    let plan = desk.doublepu(&["plan", "spec.yaml", "--set", "seeds=2"]);
    assert_eq!(plan.code, 0, "{}", plan.stderr);
    assert!(plan.stdout.contains("counts=[50, 1000, 1000] unlabeled=all"), "{}", plan.stdout);
}

#[test]
fn data_is_listed_shown_and_verified_whatever_its_line_ends() {
    let desk = Desk::new();
    assert!(desk.doublepu(&["data", "list"]).stdout.contains("bank-marketing-full"));
    let card = desk.doublepu(&["data", "show", "bank-marketing"]).stdout;
    assert!(card.contains("CC BY 4.0") && card.contains("`duration` is known only after the call"));
    let unknown = desk.doublepu(&["data", "show", "bank"]);
    assert_eq!(unknown.code, 3);
    assert!(unknown.stderr.contains("did you mean `bank-marketing`?"), "{}", unknown.stderr);

    let bank = include_str!("../../datasets/bank-marketing/bank.csv");
    desk.write("unix.csv", bank);
    desk.write("dos.csv", &bank.replace('\n', "\r\n"));
    desk.write("other.csv", &bank.replacen("59", "58", 1));
    assert!(desk.doublepu(&["data", "verify", "unix.csv"]).stdout.contains("the Kaggle file of the paper."));
    assert!(desk.doublepu(&["data", "verify", "dos.csv"]).stdout.contains("except for its CRLF line endings"));
    let other = desk.doublepu(&["data", "verify", "other.csv"]);
    assert_eq!(other.code, 3);
    assert!(other.stderr.contains("is none of the built-in files"), "{}", other.stderr);
    assert_eq!(desk.doublepu(&["data", "verify", "missing.csv"]).code, 3);
}

#[test]
fn every_method_is_listed_with_its_samples_and_options() {
    let methods = Desk::new().doublepu(&["methods"]).stdout;
    let names: Vec<&str> = methods.lines().filter(|line| line.ends_with(|c: char| c.is_ascii_lowercase())).collect();
    for name in ["double_pu", "naive_nnpu", "elkan_noto", "set_difference_pu", "oracle_logistic_matched", "random"] {
        assert!(names.contains(&name), "{name}: {methods}");
    }
    assert!(methods.contains("samples: D_Y, D_U, D_L; priors: beta, gamma\n"), "{methods}");
    assert!(methods.contains("defaults: loss=logistic, correction=kiryo, costs=1:1, ridge=0.01"), "{methods}");
    assert!(methods.contains("defaults: bags=30, ridge=0.01"), "{methods}");
    assert!(methods.contains("from: Mordelet and Vert (2014)"));
}

#[test]
fn a_cell_is_exported_with_all_that_is_needed_to_compute_it_again() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    assert_eq!(desk.doublepu(&["run", "spec.yaml", "--out", "out"]).code, 0);
    let cells = desk.read("out/cells.csv");
    let cell = cells.lines().nth(1).unwrap().split(',').next().unwrap();
    let ended = desk.doublepu(&["export", "out", cell, "--out", "cell"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert!(ended.stdout.contains("to the same bits"));

    let cell_json: serde_json::Value = serde_json::from_str(&desk.read("cell/cell.json")).unwrap();
    let risk = &cell_json["risks"][0];
    let table = |name: &str| -> Vec<Vec<f64>> {
        let numbers = |line: &str| line.split(',').map(|number| number.parse().unwrap()).collect();
        desk.read(name).lines().skip(1).map(numbers).collect()
    };
    let weights: Vec<f64> = desk
        .read("cell/weights_1.csv")
        .lines()
        .skip(1)
        .map(|line| line.rsplit(',').next().unwrap().parse().unwrap())
        .collect();
    let (intercept, w) = weights.split_last().unwrap();
    let margin = |row: &Vec<f64>| row.iter().zip(w).map(|(x, w)| x * w).sum::<f64>() + intercept;
    let mut objective = risk["ridge"].as_f64().unwrap() * w.iter().map(|w| w * w).sum::<f64>();
    for term in risk["terms"].as_array().unwrap() {
        let rows = table(&format!("cell/{}.csv", term["sample"].as_str().unwrap()));
        let mean = |sign: f64| {
            rows.iter().map(|row| libm::log1p(libm::exp(-sign * margin(row)))).sum::<f64>() / rows.len() as f64
        };
        let coefficient = |name: &str| term[name].as_f64().unwrap();
        objective += coefficient("positive") * mean(1.0) + coefficient("negative") * mean(-1.0);
    }
    assert!((objective - risk["objective"].as_f64().unwrap()).abs() < 1e-10);
    let test = table("cell/test.csv");
    let scores = table("cell/test_rows.csv");
    assert!(test.iter().zip(&scores).all(|(row, known)| (margin(row) - known[3]).abs() < 1e-9));
    assert!(scores.iter().all(|known| (known[4] - 1.0 / (1.0 + libm::exp(-known[3]))).abs() < 1e-12), "probabilities");

    for (arguments, code, fragment) in [
        (["export", "out", "0000", "--out", "other"], 5, "no cell of its experiment has the id 0000"),
        (["export", "nowhere", cell, "--out", "other"], 5, "give the folder of a run"),
    ] {
        let ended = desk.doublepu(&arguments);
        assert_eq!(ended.code, code, "{}", ended.stderr);
        assert!(ended.stderr.contains(fragment), "{}", ended.stderr);
        assert!(!desk.path("other").exists());
    }
    let again = desk.doublepu(&["export", "out", cell, "--out", "cell"]);
    assert_eq!(again.code, 5);
    assert!(again.stderr.contains("cell: is not empty"), "{}", again.stderr);
    // Results that this program would not give are not passed off as its own.
    let journal = desk.read("out/journal.jsonl");
    desk.forge("out/journal.jsonl", |record| record.replace("\"objective\":0.", "\"objective\":0.9"));
    let ended = desk.doublepu(&["export", "out", cell, "--out", "other"]);
    assert_eq!(ended.code, 5, "{}", ended.stderr);
    assert!(ended.stderr.contains("has another outcome now"), "{}", ended.stderr);
    desk.write("out/journal.jsonl", &journal.replace("\"objective\":", "\"objective\":1"));
    let ended = desk.doublepu(&["export", "out", cell, "--out", "other"]);
    assert_eq!(ended.code, 5, "{}", ended.stderr);
}

#[test]
fn help_names_the_exit_codes() {
    let help = Desk::new().doublepu(&["--help"]);
    assert_eq!(help.code, 0);
    for fragment in [
        "run",
        "plan",
        "validate",
        "schema",
        "methods",
        "export",
        "data",
        "some cells failed; the others are stored",
        "130",
    ] {
        assert!(help.stdout.contains(fragment), "{fragment}: {}", help.stdout);
    }
}

#[test]
fn a_run_says_where_the_papers_value_falls_and_what_it_wrote() {
    let desk = Desk::new();
    let ended = desk.doublepu(&["run", &experiment("smoke.yaml"), "--out", "out"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    assert!(
        ended.stdout.contains(
            "The paper prints ROC-AUC 0.6013; our row for it is double_pu loss=logistic costs=1:100, prior paper: not \
             comparable, because 3 seeds are too few; at least 40 are needed."
        ),
        "{}",
        ended.stdout
    );
    assert!(ended.stdout.contains("out/report.html has all results"), "{}", ended.stdout);
    let page = desk.read("out/report.html");
    for file in ["cells.csv", "timings.csv", "summary.csv", "summary.md", "summary.tex", "summary.json", "paper.csv"] {
        assert!(page.contains(&format!("<a href=\"{file}\">")) && desk.path("out").join(file).exists(), "{file}");
    }
    let manifest: serde_json::Value = serde_json::from_str(&desk.read("out/manifest.json")).unwrap();
    assert_eq!(manifest["data"][0]["sha256"], "c25bf6ac8ef9e37119427fce9a32923baf57cb466ca27b34b2c930e88035d2fe");
    assert_eq!(manifest["experiment"]["seeds"], 3);
    assert!(page.contains("<svg") && !page.contains("src=\"http") && !page.contains("href=\"http"));
}

#[test]
fn a_failed_cell_is_exported_though_its_reason_was_cut_short() {
    let desk = Desk::new();
    let column = "c".repeat(2000);
    // Only the interested have rare levels, and the crowd lacks some of them: without a ridge the risk has no minimum.
    let person = |row: usize| {
        let level = if row % 3 == 1 { format!("rare{}", row % 7) } else { "usual".to_string() };
        format!("{level},{},{}\n", row % 3 % 2, row % 2)
    };
    let people: String = (0..120).map(person).collect();
    desk.write("people.csv", &format!("{column},y,z\n{people}"));
    desk.write(
        "long.yaml",
        "experiment: long
dataset:
  source: people.csv
  interest: { column: y, positive: 1 }
  loyalty: { column: z, positive: 1 }
sampling: { scheme: pools, test: 0.2, interest: 0.3, unlabeled: 0.3, loyal: 0.4 }
priors: [true]
seeds: 1
methods: [{ double_pu: { ridge: 0 } }]
",
    );
    assert_eq!(desk.doublepu(&["run", "long.yaml", "--out", "out"]).code, 4);
    let cells = desk.read("out/cells.csv");
    assert!(cells.contains("ccc ... "), "{cells}");
    let cell = cells.lines().nth(1).and_then(|row| row.split(',').next()).unwrap();
    let ended = desk.doublepu(&["export", "out", cell, "--out", "cell"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
}
