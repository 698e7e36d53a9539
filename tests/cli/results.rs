//! The numbers: reproducible to the bit, resumable, and where independent work says they should be.

use crate::{Desk, SPEC, experiment};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

impl Desk {
    /// Every file below a folder, with its bytes.
    pub fn snapshot(&self, name: &str) -> BTreeMap<String, Vec<u8>> {
        fn collect(folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    collect(&path, files);
                } else {
                    files.insert(path.display().to_string(), std::fs::read(&path).unwrap());
                }
            }
        }
        let mut files = BTreeMap::new();
        collect(&self.path(name), &mut files);
        files
    }

    /// The mean of the first metric, by method label (and setting, if there are several).
    fn means(&self, folder: &str) -> BTreeMap<String, f64> {
        let text = self.read(&format!("{folder}/summary.csv"));
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let rows = reader.records().map(Result::unwrap).filter(|row| &row[3] == "roc_auc");
        rows.map(|row| {
            (format!("{} {}", &row[1], &row[0]).trim_end_matches(" only").to_string(), row[4].parse().unwrap())
        })
        .collect()
    }

    /// The rows of a CSV file, by column.
    fn rows(&self, name: &str) -> Vec<BTreeMap<String, String>> {
        csv::Reader::from_reader(self.read(name).as_bytes()).deserialize().map(Result::unwrap).collect()
    }

    /// Works out every line of comparisons.csv again from cells.csv.
    ///
    /// Gives (prior, other, its prior, metric, pairs) of each line.
    fn recomputed_comparisons(&self, folder: &str, seeds_share_rows: bool) -> BTreeSet<[String; 5]> {
        let cells = self.rows(&format!("{folder}/cells.csv"));
        let comparisons = self.rows(&format!("{folder}/comparisons.csv"));
        for row in &comparisons {
            let values = |label: &str, prior: &str| -> BTreeMap<&str, f64> {
                let line = [("setting", &*row["setting"]), ("label", label), ("prior", prior), ("status", "ok")];
                let cells = cells.iter().filter(|cell| line.iter().all(|(column, value)| cell[*column] == *value));
                cells.map(|cell| (&*cell["seed"], cell[&row["metric"]].parse().unwrap())).collect()
            };
            let others = values(&row["other"], &row["other_prior"]);
            let compared = values(&row["label"], &row["prior"]);
            let differences: Vec<f64> =
                compared.iter().filter_map(|(seed, value)| Some(value - others.get(seed)?)).collect();
            let size = |column: &str| cells.iter().find_map(|cell| cell[column].parse::<f64>().ok()).unwrap();
            let ratio = if seeds_share_rows { size("rows_test") / size("rows_train") } else { 0.0 };
            let (mean, half) = corrected_interval(&differences, ratio);
            let low_and_high = half.map(|half| (mean - half, mean + half));
            for (column, expected) in [
                ("mean_difference", Some(mean)),
                ("interval_low", low_and_high.map(|(low, _)| low)),
                ("interval_high", low_and_high.map(|(_, high)| high)),
            ] {
                let found: Option<f64> = row[column].parse().ok();
                let agree = found.zip(expected).map_or(found == expected, |(a, b)| (a - b).abs() < 1e-9);
                assert!(agree, "{column} should be {expected:?}: {row:?}");
            }
            let count = |is: fn(&f64) -> bool| differences.iter().filter(|value| is(value)).count().to_string();
            let counts = [count(|value| *value > 0.0), count(|value| *value == 0.0), count(|value| *value < 0.0)];
            assert_eq!(["ahead", "level", "behind"].map(|column| row[column].clone()), counts);
            if let (3, Some(half)) = (differences.len(), half.filter(|half| *half > 0.0)) {
                // Student's t with two degrees of freedom has a closed form.
                let t = mean.abs() / (half / 4.302652730);
                let p: f64 = row["p"].parse().unwrap();
                assert!((p - (1.0 - t / (2.0 + t * t).sqrt())).abs() < 1e-8, "{row:?}");
            }
            assert_eq!(row["pairs"], differences.len().to_string());
        }
        for metric in comparisons.iter().map(|row| &row["metric"]).collect::<BTreeSet<_>>() {
            let tested = comparisons.iter().filter(|row| row["metric"] == *metric && !row["p"].is_empty());
            let mut p: Vec<(f64, f64)> =
                tested.map(|row| (row["p"].parse().unwrap(), row["p_holm"].parse().unwrap())).collect();
            p.sort_by(|a, b| a.0.total_cmp(&b.0));
            // Holm: the smallest counts as often as there are comparisons, the next once less, and none below the last.
            let (mut least, all) = (0.0_f64, p.len());
            for (place, (p, adjusted)) in p.into_iter().enumerate() {
                least = least.max((all - place) as f64 * p).min(1.0);
                assert!((adjusted - least).abs() < 1e-12, "{metric}: {adjusted} is not {least}");
            }
        }
        let key = ["prior", "other", "other_prior", "metric", "pairs"];
        comparisons.iter().map(|row| key.map(|column| row[column].clone())).collect()
    }
}

/// The mean of up to ten differences, and half the width of its interval by Nadeau and Bengio (2003).
fn corrected_interval(differences: &[f64], test_to_train: f64) -> (f64, Option<f64>) {
    // scipy 1.17.1: stats.t.ppf(0.975, range(1, 10))
    const QUANTILES: [f64; 9] = [
        12.706204736,
        4.302652730,
        3.182446305,
        2.776445105,
        2.570581836,
        2.446911851,
        2.364624252,
        2.306004135,
        2.262157163,
    ];
    let count = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / count;
    let variance = differences.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (count - 1.0);
    let quantile = (differences.len() > 1).then(|| QUANTILES[differences.len() - 2]);
    (mean, quantile.map(|t| t * (variance * (1.0 / count + test_to_train)).sqrt()))
}

#[test]
fn cells_are_byte_identical_whatever_the_jobs_and_from_run_to_run() {
    let desk = Desk::new();
    for (out, jobs) in [("one", "1"), ("two", "2"), ("again", "2")] {
        let ended = desk.doublepu(&["run", &experiment("smoke.yaml"), "--jobs", jobs, "--out", out]);
        assert_eq!(ended.code, 0, "{}", ended.stderr);
    }
    for file in [
        "cells.csv",
        "summary.csv",
        "summary.md",
        "summary.tex",
        "plots/auc_by_method.svg",
        "plots/roc.png",
        "cells.parquet",
    ] {
        let bytes = |out: &str| std::fs::read(desk.path(out).join(file)).unwrap();
        assert!(bytes("one") == bytes("two") && bytes("two") == bytes("again"), "{file}");
    }
    let lines = desk.read("one/cells.csv").lines().count();
    assert_eq!(lines, 1 + 3 * (3 * 2 + 2 * 2 + 4));
}

#[test]
fn a_run_goes_on_where_an_earlier_one_stopped() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    desk.doublepu(&["run", "spec.yaml", "--out", "whole"]);
    desk.doublepu(&["run", "spec.yaml", "--out", "part", "--set", "seeds=2"]);
    // As a crash leaves it: the line of the last cell is torn.
    let journal = desk.read("part/journal.jsonl");
    let last = journal.rfind("{\"outcome\"").unwrap();
    desk.write("part/journal.jsonl", &journal[..last + 20]);
    let ended = desk.doublepu(&["run", "spec.yaml", "--out", "part"]);
    assert!(ended.stderr.contains("5 of 9 cells are already done"), "{}", ended.stderr);
    assert_eq!(desk.read("part/cells.csv"), desk.read("whole/cells.csv"));

    let again = desk.doublepu(&["run", "spec.yaml", "--out", "part"]);
    assert!(again.stderr.contains("9 of 9 cells are already done"), "{}", again.stderr);
    let fresh = desk.doublepu(&["run", "spec.yaml", "--out", "part", "--fresh"]);
    assert_eq!(fresh.stderr, "Earlier results are kept until every cell has run again.\n");
    assert_eq!(desk.read("part/cells.csv"), desk.read("whole/cells.csv"));
}

#[test]
fn what_does_not_decide_a_result_does_not_change_a_cell() {
    let desk = Desk::new();
    let cells = |spec: &str| {
        desk.write("spec.yaml", spec);
        let plan = desk.doublepu(&["plan", "spec.yaml", "--format", "jsonl"]).stdout;
        let cell = |line: &str| line.split('"').nth(3).unwrap().to_string();
        plan.lines().map(cell).collect::<Vec<String>>()
    };
    let original = cells(SPEC);
    assert_eq!(original.len(), 9);
    let cosmetic = SPEC.replace("experiment: small", "# a comment\nexperiment: renamed").replace("paper:", "ours:");
    assert_eq!(cells(&cosmetic), original);
    assert_eq!(cells(&format!("{SPEC}compare: naive_pu\n")), original);
    let ridge = cells(&SPEC.replace("ridge: 0.01", "ridge: 0.02"));
    assert!(ridge[..3] != original[..3] && ridge[3..] == original[3..], "only the method with that ridge runs again");
}

#[test]
fn a_compared_method_is_held_against_every_other_seed_by_seed() {
    let desk = Desk::new();
    // naive_pu ignores gamma, so its line under `paper` stands for both of the first two priors.
    let priors = "  - no_gamma: { beta: 0.4738, gamma: 0 }\n  - other_beta: { beta: 0.4, gamma: 0.0046 }\nseeds: 3";
    let spec = SPEC.replace("seeds: 3", priors) + "metrics: [average_precision]\n";
    desk.write("spec.yaml", &(spec.clone() + "compare: double_pu\n"));
    let ended = desk.doublepu(&["run", "spec.yaml", "--out", "out"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    let mut expected = BTreeSet::new();
    for (prior, prior_of_naive) in [("paper", "paper"), ("no_gamma", "paper"), ("other_beta", "other_beta")] {
        for (other, other_prior) in [("naive_pu", prior_of_naive), ("random", "-")] {
            for metric in ["roc_auc", "average_precision"] {
                expected.insert([prior, other, other_prior, metric, "3"].map(String::from));
            }
        }
    }
    assert_eq!(desk.recomputed_comparisons("out", true), expected);

    assert!(ended.stdout.contains("ROC-AUC of double_pu minus that of each other method"), "{}", ended.stdout);
    let table = desk.read("out/comparisons.md");
    assert_eq!(table.lines().count(), 2 + 6);
    let row = table.lines().find(|row| row.starts_with("| random | no_gamma | cannot tell | +0.3")).expect(&table);
    assert!(row.contains(" | 3, 0, 0 | "), "{row}");
    let texts: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
    let shown = ended.stdout.lines().any(|line| texts.iter().all(|text| line.contains(text)));
    assert!(shown, "{row}\n{}", ended.stdout);
    let page = desk.read("out/report.html");
    assert!(page.contains("Paired comparison") && page.contains(&format!("<td>{}</td>", texts[4])), "{row}");

    // The other way round, that line is held against both.
    let ended = desk.doublepu(&["run", "spec.yaml", "--out", "out", "--set", "compare=naive_pu"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let lines = desk.recomputed_comparisons("out", true);
    let priors = lines
        .iter()
        .filter(|[_, other, ..]| other == "double_pu")
        .map(|[prior, _, of_double, ..]| (&**prior, &**of_double));
    let expected = [("paper", "paper"), ("paper", "no_gamma"), ("other_beta", "other_beta")];
    assert_eq!(priors.collect::<BTreeSet<_>>(), BTreeSet::from(expected));

    // Files of an earlier spec would pass for those of this one.
    desk.write("spec.yaml", &spec);
    let ended = desk.doublepu(&["run", "spec.yaml", "--out", "out"]);
    assert!(!ended.stdout.contains(" minus "), "{}", ended.stdout);
    assert!(!desk.path("out/comparisons.csv").exists() && !desk.path("out/comparisons.md").exists());
    assert!(!desk.read("out/report.html").contains("Paired comparison"));
}

/// scipy's L-BFGS on 20 other random splits, ridge 0.01: 0.859 at 1:1 and, not being convex, 0.71 to 0.73 at 1:100 for
/// different optimisers and starts. scikit-learn's logistic regression on the whole training part: 0.90.
#[test]
fn the_bank_numbers_are_where_an_independent_implementation_puts_them() {
    let desk = Desk::new();
    let methods = "methods=[{double_pu: {costs: [{false_positive: 1}, {false_positive: 100}]}}, naive_pu, {oracle_logistic: {ridge: 0.001}}, random]";
    let spec = experiment("bank_marketing.yaml");
    let ended =
        desk.doublepu(&["run", &spec, "--set", "seeds=20", "--set", methods, "--set", "paper=[]", "--out", "out"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let means = desk.means("out");
    let double = means["double_pu costs=1:1"];
    assert!((0.845..=0.875).contains(&double), "{double}");
    assert!((means["naive_pu"] - double).abs() < 0.005);
    assert!((0.69..=0.77).contains(&means["double_pu costs=1:100"]), "{}", means["double_pu costs=1:100"]);
    assert!((0.895..=0.905).contains(&means["oracle_logistic"]), "{}", means["oracle_logistic"]);
    assert!((means["random"] - 0.5).abs() < 0.02);
}

#[test]
fn in_the_simulation_double_pu_is_as_good_as_the_oracle_and_naive_pu_is_not() {
    let desk = Desk::new();
    let spec = experiment("simulation.yaml");
    let ended = desk.doublepu(&["run", &spec, "--set", "seeds=10", "--set", "compare=double_pu", "--out", "out"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert_eq!(desk.recomputed_comparisons("out", false).len(), 4);
    let means = desk.means("out");
    assert!((means["double_pu unlabeled=all"] - means["oracle_logistic unlabeled=all"]).abs() < 0.005);
    assert!(means["naive_pu unlabeled=all"] < 0.75);
    for name in ["boundary_unlabeled-all.svg", "boundary_unlabeled-remaining.png"] {
        assert!(desk.path("out/plots").join(name).exists(), "{name}");
    }
    assert_eq!(desk.read("out/scatter.csv").lines().count(), 1 + 2 * 2500);
}

#[test]
fn too_small_a_sample_fails_its_cells_by_name_and_no_others() {
    let desk = Desk::new();
    // 40 rows, of which one is (+1, +1): in most seeds no pool sees it.
    let mut csv = "age,buys,member\n".to_string();
    for row in 0..40 {
        csv += &format!(
            "{},{},{}\n",
            20 + row % 29,
            if row % 2 == 0 { "yes" } else { "no" },
            if row == 0 { "yes" } else { "no" }
        );
    }
    desk.write("people.csv", &csv);
    let spec = SPEC
        .replace("source: bank-marketing", "source: people.csv")
        .replace("column: deposit", "column: buys")
        .replace("column: default", "column: member")
        .replace("interest: 0.1, unlabeled: 0.1, loyal: 0.8", "interest: 0.5, unlabeled: 0.4, loyal: 0.1")
        .replace("seeds: 3", "seeds: 10");
    desk.write("spec.yaml", &spec);
    let ended = desk.doublepu(&["run", "spec.yaml", "--set", "compare=double_pu"]);
    assert_eq!(ended.code, 4, "{}", ended.stderr);
    // double_pu has a result for one seed only.
    let expected = [["paper", "naive_pu", "paper", "roc_auc", "1"], ["paper", "random", "-", "roc_auc", "1"]];
    let expected = expected.map(|line| line.map(String::from));
    assert_eq!(desk.recomputed_comparisons("results/runs/small", true), BTreeSet::from(expected));
    assert!(ended.stdout.contains("cannot tell"), "{}", ended.stdout);
    assert!(ended.stderr.contains("empty_sample: D_L has no row"), "{}", ended.stderr);
    let cells = desk.read("results/runs/small/cells.csv");
    assert!(cells.lines().any(|line| line.contains(",double_pu,") && line.contains(",empty_sample,")));
    assert!(cells.lines().filter(|line| line.contains(",random,")).all(|line| line.contains(",ok,")));
    assert!(!cells.contains("NaN"));
    assert!(desk.read("results/runs/small/report.html").contains("<h2>Failures</h2>"));
}

#[test]
fn a_risk_without_a_minimum_is_told_by_name() {
    let desk = Desk::new();
    desk.write("spec.yaml", &SPEC.replace("ridge: 0.01", "ridge: 0"));
    let ended = desk.doublepu(&["run", "spec.yaml", "--set", "seeds=10"]);
    assert_eq!(ended.code, 4);
    assert!(ended.stderr.contains("unbounded: the risk falls without end along"), "{}", ended.stderr);

    let squared = SPEC.replace("loss: logistic", "loss: squared, costs: { false_positive: 100 }");
    desk.write("spec.yaml", &squared);
    let ended = desk.doublepu(&["run", "spec.yaml"]);
    assert_eq!(ended.code, 4);
    assert!(ended.stderr.contains("indefinite: the squared risk's Hessian"), "{}", ended.stderr);
}

#[test]
fn wrong_priors_are_swept_by_one_spec_and_drawn() {
    let desk = Desk::new();
    let sweep = "priors:\n  - true\n  - train\n  - beta: { beta: { times: [0.5, 1, 1.5] } }\n  - gamma: { gamma: { times: [0.5, 1.5], of: train }, beta: train }\n";
    desk.write("spec.yaml", &SPEC.replace("priors:\n  - paper: { beta: 0.4738, gamma: 0.0046 }\n", sweep));
    let ended = desk.doublepu(&["run", "spec.yaml", "--out", "out"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    for name in ["true", "train", "beta ×0.5", "beta ×1.5", "gamma ×0.5 of train"] {
        assert!(ended.stdout.contains(name), "{name}: {}", ended.stdout);
    }
    assert!(!ended.stdout.contains("beta ×1 "), "the truth stands once");
    assert!(desk.path("out/plots/auc_by_beta.png").exists() && desk.path("out/plots/auc_by_gamma.svg").exists());
    let cells = desk.read("out/cells.csv");
    let beta = 5289.0 / 11162.0;
    assert!(cells.contains(&format!(",beta ×0.5,{},", 0.5 * beta)), "the numbers that were used stand in the row");
}

#[test]
fn a_users_csv_and_parquet_files_give_the_same_cells_as_the_built_in_data() {
    use polars::prelude::{CsvReadOptions, ParquetWriter, SerReader};
    let desk = Desk::new();
    let bank = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/bank-marketing/bank.csv");
    let mut frame =
        CsvReadOptions::default().try_into_reader_with_file_path(Some(bank.clone())).unwrap().finish().unwrap();
    ParquetWriter::new(std::fs::File::create(desk.path("bank.parquet")).unwrap()).finish(&mut frame).unwrap();
    std::fs::copy(&bank, desk.path("bank.csv")).unwrap();
    let cells = |source: &str| {
        desk.write("spec.yaml", &SPEC.replace("source: bank-marketing", &format!("source: {source}")));
        let ended = desk.doublepu(&["run", "spec.yaml", "--fresh"]);
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        // The first column hashes the file's bytes, which differ for Parquet.
        let rows = desk.read("results/runs/small/cells.csv");
        rows.lines().map(|row| row.split_once(',').unwrap().1.to_string()).collect::<Vec<_>>()
    };
    let built_in = cells("bank-marketing");
    assert_eq!(cells("./bank.csv"), built_in);
    assert_eq!(cells("bank.parquet"), built_in);
}

#[test]
fn how_a_network_was_trained_is_written_and_drawn() {
    let desk = Desk::new();
    let network = "  - double_pu: { model: { network: { hidden: 4, epochs: 120 } } }\n";
    desk.write("spec.yaml", &SPEC.replace("  - double_pu: { loss: logistic, ridge: 0.01 }\n", network));
    let ended = desk.doublepu(&["run", "spec.yaml", "--out", "out", "--set", "seeds=2"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    assert!(desk.path("out/plots/training.svg").exists() && desk.path("out/plots/training.png").exists());
    assert!(desk.read("out/report.html").contains("Training by epoch"));
    let (cells, history) = (desk.rows("out/cells.csv"), desk.rows("out/history.csv"));
    let mut networks = cells.iter().filter(|cell| cell["method"] == "double_pu");
    // Of 120 epochs the first and every third are kept.
    let moments: Vec<_> = history.chunks(41).collect();
    assert_eq!((history.len(), moments.len()), (2 * 41, 2));
    for moments in moments {
        let cell = networks.next().unwrap();
        for moment in moments {
            let columns = ["cell", "setting", "label", "prior", "seed"];
            assert!(columns.iter().all(|column| moment[*column] == cell[*column]), "{moment:?}");
        }
        let epochs: Vec<u32> = moments.iter().map(|moment| moment["epoch"].parse().unwrap()).collect();
        assert_eq!(epochs, [1].into_iter().chain((3..=120).step_by(3)).collect::<Vec<u32>>());
        // What is kept of the last epoch is the network that was scored.
        assert_eq!(moments[40]["roc_auc"], cell["roc_auc"]);
    }

    // Files of an earlier spec would pass for those of this one.
    desk.write("spec.yaml", SPEC);
    let ended = desk.doublepu(&["run", "spec.yaml", "--out", "out"]);
    assert!(ended.code == 0, "{}", ended.stderr);
    assert!(!desk.path("out/history.csv").exists());
    assert!(!desk.path("out/plots/training.svg").exists() && !desk.path("out/plots/training.png").exists());
}

#[test]
fn every_method_model_and_correction_runs_where_its_samples_can_be_had() {
    let desk = Desk::new();
    let spec = "experiment: all
dataset:
  source: bank-marketing
  interest: { column: deposit, positive: \"yes\" }
  loyalty: { column: housing, positive: \"yes\" }
sampling: [{ scheme: pools, test: 0.8 }, { scheme: pools, test: 0.8, loyal: within_interest }, { scheme: censoring, test: 0.9 }]
seeds: 2
methods:
  - double_pu: { loss: [logistic, squared, log, hinge, double_hinge, sigmoid] }
  - double_pu: { loss: sigmoid, correction: [paper, two_part, kiryo] }
  - double_pu: { model: [{ rbf: { centers: 10 } }, { rbf: { centers: 10, width: 3 } }] }
  - double_pu: { model: { network: { hidden: 3, epochs: 5 } }, correction: [none, kiryo] }
  - double_pu: { ridge: { tune: [0.01, 1] }, loss: { tune: [logistic, squared] } }
  - naive_pu
  - naive_nnpu
  - biased_pn
  - biased_pn_loyal
  - elkan_noto
  - bagging_pu: { bags: 3 }
  - alpha_pu
  - set_difference_pu
  - two_stage: { ridge: [0.01, { tune: [0.1, 1] }] }
  - oracle_logistic
  - oracle_logistic_matched
  - oracle_forest: { trees: 2 }
  - random
";
    desk.write("spec.yaml", spec);
    let ended = desk.doublepu(&["run", "spec.yaml", "--out", "out"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let cells = desk.read("out/cells.csv");
    let mut rows = csv::Reader::from_reader(cells.as_bytes());
    let header = rows.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|other| other == name).unwrap();
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    let of = |method: &str, setting: &str| {
        let is =
            |row: &&csv::StringRecord| row[column("method")] == *method && row[column("setting")].contains(setting);
        rows.iter().filter(is).count()
    };
    assert_eq!((of("elkan_noto", "pools"), of("elkan_noto", "censoring")), (0, 2));
    let plan = desk.doublepu(&["plan", "spec.yaml"]).stdout;
    for said in [&ended.stdout, &plan] {
        assert!(said.contains("elkan_noto is left out of scheme=pools"), "{said}");
        assert!(said.contains("it needs `scheme: censoring`."), "{said}");
    }
    assert_eq!((of("set_difference_pu", "within"), of("set_difference_pu", "loyal=0.8")), (2, 0));
    assert_eq!(of("naive_nnpu", ""), 6);
    for row in &rows {
        assert_eq!(&row[column("status")], "ok");
        let auc: f64 = row[column("roc_auc")].parse().unwrap();
        assert!((0.0..=1.0).contains(&auc));
        let has_bound = !row[column("bounded")].is_empty();
        let minimises = !["oracle_forest", "random"].contains(&&row[column("method")]);
        assert_eq!(has_bound, minimises, "{row:?}");
        assert_eq!(!row[column("tuned")].is_empty(), row[column("options")].contains("tune("), "{row:?}");
    }
}
