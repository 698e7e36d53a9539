//! Parts of a run on several machines, put together; and proof that results are what they should be.

use crate::{Desk, SPEC};

#[test]
fn four_shards_in_any_order_merge_to_the_bytes_of_one_run() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    desk.well(&["run", "spec.yaml", "--out", "whole"]);
    let whole = desk.read("whole/cells.csv");
    for (round, order) in [[3, 1, 4, 2], [2, 4, 1, 3]].into_iter().enumerate() {
        let mut said = String::new();
        for shard in order {
            said = desk.well(&["run", "spec.yaml", "--shard", &format!("{shard}/4"), "--jobs", "1"]).stdout;
        }
        assert!(said.contains("doublepu merge results/runs/small/shard-*-of-4 --out results/runs/small\n"), "{said}");
        let runs = order.map(|shard| format!("results/runs/small/shard-{shard}-of-4"));
        let cells: usize = runs
            .iter()
            .map(|run| {
                desk.read(&format!("{run}/journal.jsonl")).lines().filter(|line| line.contains("outcome")).count()
            })
            .sum();
        assert_eq!(cells, 9, "every cell is in one shard");
        assert!(runs.iter().all(|run| !desk.path(run).join("cells.csv").exists()), "a part makes no tables");

        let out = format!("merged-{round}");
        let mut arguments = vec!["merge"];
        arguments.extend(runs.iter().map(String::as_str));
        arguments.extend(["--out", &out]);
        let merged = desk.well(&arguments);
        assert!(merged.stdout.contains("ROC-AUC of W on the test set, 3 seeds"), "{}", merged.stdout);
        assert!(desk.read(&format!("{out}/cells.csv")) == whole);
        assert!(desk.read(&format!("{out}/summary.md")) == desk.read("whole/summary.md"));
        desk.well(&["verify", &out, "--all"]);
        // Once more it is all there, and a cell in two runs is fine if it agrees.
        arguments.push("whole");
        desk.well(&arguments);
        assert!(desk.read(&format!("{out}/cells.csv")) == whole);
        std::fs::remove_dir_all(desk.path("results")).unwrap();
    }
}

#[test]
fn a_merge_lists_what_is_missing_and_a_run_can_complete_it() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    desk.well(&["run", "spec.yaml", "--out", "whole"]);
    desk.well(&["run", "spec.yaml", "--shard", "1/2", "--out", "half"]);
    let done = desk.read("half/journal.jsonl").lines().filter(|line| line.contains("outcome")).count();
    let merged = desk.doublepu(&["merge", "half", "--out", "out"]);
    assert_eq!(merged.code, 5);
    let missing = format!("error: {} of 9 cells are in none of these runs:\n", 9 - done);
    assert!(merged.stderr.contains(&missing) && merged.stderr.contains(": seeds "), "{}", merged.stderr);
    assert!(merged.stderr.contains("  doublepu run spec.yaml --out out\n"), "{}", merged.stderr);
    assert!(!desk.path("out/cells.csv").exists());
    let ended = desk.well(&["run", "spec.yaml", "--out", "out"]);
    assert!(ended.stderr.contains(&format!("{done} of 9 cells are already done")), "{}", ended.stderr);
    assert_eq!(desk.read("out/cells.csv"), desk.read("whole/cells.csv"));
}

#[test]
fn what_does_not_belong_together_is_not_merged() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    let mut csv = "age,deposit,default\n".to_string();
    for row in 0..400u32 {
        let (interest, loyalty) = (["yes", "no"][(row % 2) as usize], ["yes", "no"][(row % 3 / 2) as usize]);
        csv += &format!("{},{interest},{loyalty}\n", row * 7 % 50);
    }
    desk.write("people.csv", &csv);
    desk.write("people.yaml", &SPEC.replace("source: bank-marketing", "source: people.csv"));
    desk.well(&["run", "spec.yaml", "--out", "first"]);
    desk.well(&["run", "spec.yaml", "--set", "methods.0.double_pu.ridge=0.1", "--out", "ridge"]);
    desk.well(&["run", "people.yaml", "--out", "people"]);
    desk.write("people.csv", &csv.replacen("7,", "8,", 1));
    desk.well(&["run", "people.yaml", "--out", "other-people"]);
    desk.well(&["run", "spec.yaml", "--out", "forged"]);
    desk.forge("forged/journal.jsonl", |record| record.replace("\"roc_auc\":0.", "\"roc_auc\":0.9"));
    desk.well(&["run", "spec.yaml", "--out", "version"]);
    let manifest = desk.read("version/manifest.json").replace("\"version\": \"", "\"version\": \"9");
    desk.write("version/manifest.json", &manifest);
    let manifest = desk.read("ridge/manifest.json").replace("\"ridge\": 0.1,", "\"ridge\": 0.2,");
    std::fs::create_dir(desk.path("edited")).unwrap();
    desk.write("edited/manifest.json", &manifest);
    for (runs, said) in [
        (["first", "ridge"], "first and ridge differ in their specs"),
        (["people", "other-people"], "people and other-people differ in their data"),
        (["first", "version"], "first and version differ in the version of the program"),
        (["first", "forged"], "first and forged disagree on cell "),
        (["first", "edited"], "edited/manifest.json: its experiment is not the one that was run"),
        (["first", "nowhere"], "nowhere: has no manifest.json"),
    ] {
        let ended = desk.doublepu(&["merge", runs[0], runs[1], "--out", "out"]);
        assert_eq!(ended.code, 5, "{runs:?}");
        assert!(ended.stderr.contains(said) && ended.stderr.contains("help: "), "{runs:?}: {}", ended.stderr);
        assert!(!desk.path("out").exists(), "{runs:?}");
    }
    // Nor beside other results of the same cells.
    let before = desk.snapshot("forged");
    let ended = desk.doublepu(&["merge", "first", "--out", "forged"]);
    assert_eq!(ended.code, 5);
    assert!(ended.stderr.contains("forged and first disagree on cell "), "{}", ended.stderr);
    let lock = desk.path("forged/.lock").display().to_string();
    assert!(desk.snapshot("forged").iter().all(|(name, bytes)| *name == lock || before[name] == *bytes));
}

#[test]
fn a_cell_that_failed_in_one_run_is_taken_from_another() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    desk.well(&["run", "spec.yaml", "--out", "whole"]);
    desk.well(&["run", "spec.yaml", "--out", "failed"]);
    let failure = serde_json::json!({ "kind": "foreign_solver", "reason": "no memory" });
    desk.edit_journal("failed/journal.jsonl", |record| {
        if let Some(result) = record.pointer_mut("/outcome/result") {
            *result = serde_json::json!({ "Err": failure });
        }
        true
    });
    for (runs, out) in [(["whole", "failed"], "one"), (["failed", "whole"], "two")] {
        desk.well(&["merge", runs[0], runs[1], "--out", out]);
        assert!(desk.read(&format!("{out}/cells.csv")) == desk.read("whole/cells.csv"), "{runs:?}");
        // Also into the folder of a run.
        desk.well(&["merge", "failed", "--out", out]);
        assert!(desk.read(&format!("{out}/cells.csv")) == desk.read("whole/cells.csv"), "{runs:?}");
    }
    assert_eq!(desk.doublepu(&["merge", "failed", "--out", "three"]).code, 4);
    desk.well(&["merge", "whole", "--out", "three"]);
    assert!(desk.read("three/cells.csv") == desk.read("whole/cells.csv"));
}

#[test]
fn a_cluster_says_which_shard_only_where_it_is_asked() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    let slurm = [
        ("SLURM_ARRAY_TASK_ID", "2"),
        ("SLURM_ARRAY_TASK_MIN", "1"),
        ("SLURM_ARRAY_TASK_MAX", "4"),
        ("SLURM_ARRAY_TASK_COUNT", "4"),
    ];
    let ended = desk.ended(desk.command().args(["run", "spec.yaml", "--shard", "auto"]).envs(slurm));
    assert!(ended.stdout.contains("shard 2/4 is complete"), "{}", ended.stderr);
    let ended = desk.ended(desk.command().args(["run", "spec.yaml", "--out", "out"]).envs(slurm));
    assert!(ended.stdout.contains("best first"), "{}", ended.stdout);
    let kubernetes = [("JOB_COMPLETION_INDEX", "3")];
    let ended = desk.ended(desk.command().args(["run", "spec.yaml", "--shard", "auto/4"]).envs(kubernetes));
    assert!(ended.stdout.contains("shard 4/4 is complete"), "{}", ended.stderr);
    for (shard, said) in
        [("auto", "give --shard auto/N"), ("5/4", "for instance 2/4"), ("auto/2", "as there are tasks")]
    {
        let ended = desk.ended(desk.command().args(["run", "spec.yaml", "--shard", shard]).envs(kubernetes));
        assert_eq!(ended.code, 2);
        assert!(ended.stderr.contains(said), "{shard}: {}", ended.stderr);
    }
}

#[test]
fn stored_cells_are_verified_and_the_first_difference_is_named() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    desk.well(&["run", "spec.yaml", "--out", "out"]);
    let said = desk.well(&["verify", "out", "--cells", "4"]).stdout;
    assert!(said.contains("4 of 9 cells were computed again") && said.contains("the same bits."), "{said}");
    assert!(said.contains("15 files of the report were derived again from the journal: the same bytes."), "{said}");
    assert!(desk.well(&["verify", "out", "--all"]).stdout.contains("9 of 9 cells"));
    let journal = desk.read("out/journal.jsonl");
    let outcomes = std::cell::Cell::new(0);
    desk.edit_journal("out/journal.jsonl", |record| {
        outcomes.set(outcomes.get() + usize::from(record.get("outcome").is_some()));
        record.get("outcome").is_none() || outcomes.get() < 6
    });
    let ended = desk.doublepu(&["verify", "out"]);
    assert_eq!(ended.code, 5);
    assert!(ended.stderr.contains("the report does not belong to the cells in the journal"), "{}", ended.stderr);
    desk.write("out/journal.jsonl", &journal);

    let report = desk.read("out/summary.md");
    desk.write("out/summary.md", &report.replacen('0', "1", 1));
    let ended = desk.doublepu(&["verify", "out"]);
    assert_eq!(ended.code, 5);
    assert!(ended.stderr.contains("out: summary.md is missing or has changed"), "{}", ended.stderr);
    desk.write("out/summary.md", &report);

    // A digit in one objective.
    let journal = desk.read("out/journal.jsonl");
    let id = journal.lines().find(|line| line.contains("lbfgs")).unwrap().split('"').nth(5).unwrap().to_string();
    desk.forge("out/journal.jsonl", |record| {
        let forged = record.replace("\"objective\":0.", "\"objective\":0.9");
        if record.contains(&id) { forged } else { record.to_string() }
    });
    let ended = desk.doublepu(&["verify", "out", "--all"]);
    assert_eq!(ended.code, 5);
    let said = format!("out: cell {id} (");
    assert!(ended.stderr.contains(&said) && ended.stderr.contains("differs in `objective`: 0.9"), "{}", ended.stderr);
    desk.write("out/journal.jsonl", &journal);

    // The plots show more than cells.csv does, and that is compared, too.
    desk.forge("out/journal.jsonl", |record| record.replace("\"curve\":[", "\"curve\":[1"));
    let ended = desk.doublepu(&["verify", "out", "--all"]);
    assert!(ended.code == 5 && ended.stderr.contains("differs in its ROC curve, boundary"), "{}", ended.stderr);
}

#[test]
fn data_that_changed_since_the_run_is_told() {
    let desk = Desk::new();
    let bank = include_str!("../../datasets/bank-marketing/bank.csv");
    desk.write("bank.csv", bank);
    desk.write("spec.yaml", &SPEC.replace("source: bank-marketing", "source: bank.csv"));
    desk.well(&["run", "spec.yaml", "--out", "out"]);
    desk.write("bank.csv", &bank.replacen("59", "58", 1));
    for arguments in [&["verify", "out"][..], &["export", "out", "0", "--out", "cell"]] {
        let ended = desk.doublepu(arguments);
        assert_eq!(ended.code, 3);
        assert!(ended.stderr.contains("bank.csv: has changed since the run"), "{}", ended.stderr);
    }
}

#[test]
fn where_a_spec_lies_and_where_it_is_called_from_do_not_matter() {
    let desk = Desk::new();
    let bank = include_str!("../../datasets/bank-marketing/bank.csv");
    let spec = SPEC.replace("  source: bank-marketing", "- source: bank.csv");
    // Two data sets, so that the tables name the file.
    let simulation = "- source: simulation\n  groups: { interested: { count: 50, mean: [-2, 2] }, loyal: { count: 50, mean: [2, 2] }, others: { count: 50, mean: [-2, -2] } }\n";
    let spec = spec
        .replace("sampling: { scheme: pools, test: 0.2,", &format!("{simulation}sampling: {{ scheme: pools,"))
        .replace("seeds: 3", "seeds: 1");
    for folder in ["here", "there"] {
        std::fs::create_dir(desk.path(folder)).unwrap();
        desk.write(&format!("{folder}/bank.csv"), bank);
        desk.write(&format!("{folder}/spec.yaml"), &spec);
    }
    desk.well(&["run", "here/spec.yaml", "--out", "a"]);
    let ended = desk.ended(desk.command().args(["run", "spec.yaml", "--out", "../b"]).current_dir(desk.path("there")));
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert!(desk.read("a/cells.csv").contains("dataset=bank.csv"));
    assert_eq!(desk.read("a/cells.csv"), desk.read("b/cells.csv"));
    let manifest =
        |run: &str| -> serde_json::Value { serde_json::from_str(&desk.read(&format!("{run}/manifest.json"))).unwrap() };
    assert_eq!(manifest("a")["spec_sha256"], manifest("b")["spec_sha256"]);
    // The data is found again from anywhere.
    desk.well(&["verify", "b", "--cells", "2"]);
}

#[test]
fn a_part_that_runs_again_in_the_folder_of_a_whole_run_costs_no_other_cell() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    desk.well(&["run", "spec.yaml", "--out", "out"]);
    let before = desk.read("out/cells.csv");
    let ended = desk.well(&["run", "spec.yaml", "--out", "out", "--shard", "1/2", "--fresh"]);
    assert!(ended.stdout.contains("best first"), "the whole is there: {}", ended.stdout);
    assert!(desk.read("out/cells.csv") == before);
    desk.well(&["verify", "out", "--all"]);
    // A part of another experiment is not put beside a report that it does not belong to.
    let all = desk.snapshot("out");
    let ended = desk.doublepu(&["run", "spec.yaml", "--out", "out", "--shard", "1/2", "--set", "seeds=4"]);
    assert_eq!(ended.code, 5);
    assert!(ended.stderr.contains("out: holds the report of another experiment"), "{}", ended.stderr);
    assert!(desk.snapshot("out") == all);
    // Nor is it merged into it.
    desk.well(&["run", "spec.yaml", "--out", "four", "--set", "seeds=4"]);
    let ended = desk.doublepu(&["merge", "four", "--out", "out"]);
    assert_eq!(ended.code, 5);
    assert!(ended.stderr.contains("four and out differ in their specs"), "{}", ended.stderr);
    assert!(desk.snapshot("out") == all);
}

#[test]
fn two_ways_of_writing_a_path_are_hashed_both() {
    let desk = Desk::new();
    let bank = include_str!("../../datasets/bank-marketing/bank.csv");
    desk.write("bank.csv", bank);
    let dataset = SPEC.split("dataset:\n").nth(1).unwrap().split("sampling").next().unwrap();
    let item = |source: &str| dataset.replace("  source: bank-marketing", &format!("- source: {source}"));
    let spec = SPEC.replace(dataset, &(item("./bank.csv") + &item("././bank.csv"))).replace("seeds: 3", "seeds: 1");
    desk.write("spec.yaml", &spec);
    desk.well(&["run", "spec.yaml", "--out", "out"]);
    desk.write("bank.csv", &bank.replacen("59", "58", 1));
    let ended = desk.well(&["run", "spec.yaml", "--out", "out"]);
    assert!(!ended.stderr.contains("already done"), "{}", ended.stderr);
}

#[test]
fn a_manifest_that_no_spec_gives_is_refused() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    desk.well(&["run", "spec.yaml", "--out", "out"]);
    let manifest: serde_json::Value = serde_json::from_str(&desk.read("out/manifest.json")).unwrap();
    let cases: [(&str, serde_json::Value, &str); 6] = [
        ("compare", 99.into(), "it compares a method that does not exist"),
        ("metrics", serde_json::json!([]), "its first metric is not roc_auc"),
        ("seeds", 4_294_967_295u32.into(), "too many seeds"),
        ("seeds", serde_json::json!("three"), "it cannot be understood: invalid type"),
        ("methods", serde_json::json!([]), "too few or too many settings, methods or priors"),
        (
            "paper",
            serde_json::json!([{ "method": "random", "prior": null, "metric": "roc_auc", "value": 0.5, "printed_digits": 4000000000u32 }]),
            "a paper value that cannot be printed",
        ),
    ];
    for (key, value, said) in cases {
        let mut edited = manifest.clone();
        edited["experiment"][key] = value;
        let hash = doublepu::data::sha256(edited["experiment"].to_string().as_bytes());
        edited["spec_sha256"] = hash.into();
        desk.write("out/manifest.json", &edited.to_string());
        for arguments in [&["verify", "out"][..], &["compare", "out", "out"], &["merge", "out", "--out", "merged"]] {
            let ended = desk.doublepu(arguments);
            assert_eq!(ended.code, 5, "{key} {arguments:?}");
            assert!(ended.stderr.contains(said), "{key} {arguments:?}: {}", ended.stderr);
        }
    }
    let repeated = serde_json::json!([manifest["experiment"]["methods"][0], manifest["experiment"]["methods"][0]]);
    let mut edited = manifest.clone();
    edited["experiment"]["methods"] = repeated;
    desk.write("out/manifest.json", &edited.to_string());
    assert!(desk.doublepu(&["compare", "out", "out"]).stderr.contains("two methods have the same label"));
    // The experiment as it is, but not the one that was run.
    let mut edited = manifest.clone();
    edited["experiment"]["seeds"] = 2.into();
    desk.write("out/manifest.json", &edited.to_string());
    assert!(desk.doublepu(&["verify", "out"]).stderr.contains("the sha256 does not match"));
}
