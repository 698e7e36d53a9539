//! The run folder: the program touches only its own files, and notices when others touch them.

use crate::crash::SPEC as LONG_SPEC;
use crate::{Desk, SPEC};
use doublepu::data::sha256;
use serde_json::Value;
use std::path::Path;

/// Files of a user with the names that a run folder has.
const FOREIGN: [&str; 12] = [
    "paper.tex",
    "ranks.csv",
    "history.csv",
    "summary.md",
    "cells.csv",
    "report.html",
    "manifest.json",
    "journal.jsonl",
    "journal.fresh.jsonl",
    ".lock",
    "plots/mine.svg",
    "plots/auc_by_method.png",
];

impl Desk {
    fn small_run(&self) {
        self.write("spec.yaml", SPEC);
        self.well(&["run", "spec.yaml", "--out", "out"]);
    }

    /// Rewrites the records of a journal and seals them again, as somebody who knows the format could.
    pub fn edit_journal(&self, journal: &str, edit: impl Fn(&mut Value) -> bool) {
        let mut chain = vec![0; 16];
        let mut edited = String::new();
        for line in self.read(journal).lines() {
            let mut record: Value = serde_json::from_str(line.split_once(' ').unwrap().1).unwrap();
            if !edit(&mut record) {
                continue;
            }
            if let Some(seal) = record.get_mut("seal") {
                *seal = chain.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into();
            }
            let json = record.to_string();
            let checksum = &sha256(json.as_bytes())[..16];
            let hash = sha256(&[&chain, checksum.as_bytes()].concat());
            chain = (0..16).map(|at| u8::from_str_radix(&hash[2 * at..2 * at + 2], 16).unwrap()).collect();
            edited.push_str(&format!("{checksum} {json}\n"));
        }
        self.write(journal, &edited);
    }

    /// The same, of the text of each record.
    pub fn forge(&self, journal: &str, edit: impl Fn(&str) -> String) {
        self.edit_journal(journal, |record| {
            *record = serde_json::from_str(&edit(&record.to_string())).unwrap();
            true
        });
    }

    /// Makes a run folder look as an earlier version left it: without a mark, attempts, seals and hashes of sources.
    fn make_old(&self, folder: &str) {
        std::fs::remove_file(self.path(folder).join(".doublepu-run")).unwrap();
        self.edit_journal(&format!("{folder}/journal.jsonl"), |record| {
            if let Some(environment) = record.get_mut("environment") {
                environment.as_object_mut().unwrap().remove("sources");
            }
            record.get("environment").or(record.get("outcome")).is_some()
        });
    }

    /// Changes the manifest and records its new hash in the journal.
    fn edit_manifest(&self, folder: &str, edit: impl Fn(&mut Value)) {
        let path = format!("{folder}/manifest.json");
        let mut manifest: Value = serde_json::from_str(&self.read(&path)).unwrap();
        edit(&mut manifest);
        let text = serde_json::to_string_pretty(&manifest).unwrap() + "\n";
        self.write(&path, &text);
        let hash = sha256(text.as_bytes());
        self.edit_journal(&format!("{folder}/journal.jsonl"), |record| {
            record.get_mut("manifest").into_iter().for_each(|recorded| *recorded = hash.clone().into());
            true
        });
    }
}

#[test]
fn a_folder_of_the_user_is_refused_and_left_as_it_is() {
    let desk = Desk::new();
    desk.small_run();
    for name in FOREIGN {
        std::fs::create_dir_all(desk.path("project/plots")).unwrap();
        desk.write(&format!("project/{name}"), "{\"mine\": 1}\n");
        let before = desk.snapshot("project");
        for command in [
            &["run", "spec.yaml", "--out", "project"][..],
            &["run", "spec.yaml", "--fresh", "--out", "project"],
            &["run", "spec.yaml", "--shard", "1/2", "--out", "project"],
            &["merge", "out", "--out", "project"],
            &["report", "project"],
            &["export", "out", "0000000000000000", "--out", "project"],
        ] {
            let ended = desk.doublepu(command);
            assert!(ended.code == 5 && ended.stderr.contains("help: "), "{name} {command:?}: {}", ended.stderr);
            assert!(desk.snapshot("project") == before, "{name} {command:?}");
        }
        std::fs::remove_dir_all(desk.path("project")).unwrap();
    }
    desk.write("project", "a file");
    let refused = desk.doublepu(&["run", "spec.yaml", "--out", "project"]);
    assert!(refused.code == 5 && desk.read("project") == "a file", "{}", refused.stderr);
}

#[test]
fn what_a_user_puts_into_a_run_folder_stays() {
    let desk = Desk::new();
    desk.small_run();
    for name in ["notes.txt", "plots/mine.png", "plots/mine.svg", "ranks.csv"] {
        desk.write(&format!("out/{name}"), "mine");
    }
    desk.well(&["report", "out"]);
    desk.well(&["run", "spec.yaml", "--set", "seeds=4", "--out", "out"]);
    desk.well(&["run", "spec.yaml", "--fresh", "--out", "out"]);
    for name in ["notes.txt", "plots/mine.png", "plots/mine.svg", "ranks.csv"] {
        assert_eq!(desk.read(&format!("out/{name}")), "mine", "{name}");
    }
    // A spec whose report has a file of that name.
    let before = desk.snapshot("out/plots");
    desk.write("out/history.csv", "mine");
    let network = "methods.0.double_pu.model={network: {hidden: 2, epochs: 2}}";
    let refused = desk.doublepu(&["run", "spec.yaml", "--set", network, "--out", "out"]);
    let told = "history.csv: would be replaced, but it is not a file of the last report\n  help: move it away";
    assert!(refused.code == 5 && refused.stderr.contains(told), "{}", refused.stderr);
    assert!(desk.read("out/history.csv") == "mine" && desk.snapshot("out/plots") == before);
}

#[test]
fn files_that_only_the_last_report_had_are_removed() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    let network = "methods.0.double_pu.model={network: {hidden: 2, epochs: 2}}";
    desk.well(&["run", "spec.yaml", "--set", network, "--out", "out"]);
    assert!(desk.path("out/history.csv").exists());
    desk.write("out/plots/mine.svg", "mine");
    desk.well(&["run", "spec.yaml", "--out", "out"]);
    desk.well(&["run", "spec.yaml", "--out", "new"]);
    let names = |folder: &str| {
        let files = desk.snapshot(folder).into_keys();
        files.map(|name| name.rsplit_once(&format!("/{folder}/")).unwrap().1.to_string()).collect::<Vec<_>>()
    };
    let own: Vec<String> = names("out").into_iter().filter(|name| name != "plots/mine.svg").collect();
    assert_eq!(own, names("new"));
}

#[test]
fn a_folder_of_an_earlier_version_is_opened_and_says_what_is_not_recorded() {
    let desk = Desk::new();
    desk.small_run();
    let cells = desk.read("out/cells.csv");
    desk.make_old("out");
    let again = desk.well(&["run", "spec.yaml", "--out", "out"]);
    assert!(again.stderr.contains("9 of 9 cells are already done; --fresh runs them again."), "{}", again.stderr);
    assert!(again.stderr.contains("9 of these were computed by another build of doublepu"), "{}", again.stderr);
    assert!(desk.path("out/.doublepu-run").exists() && desk.read("out/cells.csv") == cells);
    desk.make_old("out");
    let verified = desk.well(&["verify", "out"]).stdout;
    assert!(verified.contains("which an earlier version wrote without seals"), "{verified}");
    desk.well(&["report", "out"]);
    assert_eq!(desk.read("out/cells.csv"), cells);
}

type Disturbance<'a> = &'a dyn Fn(&Path);

/// Starts a long run, changes something in its folder `out` meanwhile, and gives its exit code and messages.
fn disturbed(desk: &Desk, disturb: impl Fn(&Path)) -> (i32, String) {
    desk.write("spec.yaml", LONG_SPEC);
    let mut command = desk.command();
    let command = command.args(["run", "spec.yaml", "--set", "seeds=400", "--out", "out"]);
    let run = command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped());
    let mut run = run.spawn().unwrap();
    desk.wait_for_cells("out/journal.jsonl", &mut run);
    disturb(&desk.path("out"));
    let ended = run.wait_with_output().unwrap();
    (ended.status.code().unwrap(), String::from_utf8(ended.stderr).unwrap())
}

#[test]
fn a_journal_or_lock_that_is_removed_replaced_or_changed_during_a_run_is_noticed() {
    let desk = Desk::new();
    desk.write("spec.yaml", LONG_SPEC);
    desk.well(&["run", "spec.yaml", "--set", "seeds=400", "--out", "reference"]);
    let reference = desk.read("reference/cells.csv");
    let rename = |from: &Path, to: &str| std::fs::rename(from, from.with_file_name(to)).unwrap();
    let disturbances: [(&str, Disturbance); 8] = [
        ("journal removed", &|out| std::fs::remove_file(out.join("journal.jsonl")).unwrap()),
        ("journal moved", &|out| rename(&out.join("journal.jsonl"), "mine.jsonl")),
        ("journal truncated", &|out| std::fs::write(out.join("journal.jsonl"), "").unwrap()),
        ("journal replaced", &|out| {
            std::fs::write(out.join("other"), "mine\n").unwrap();
            std::fs::rename(out.join("other"), out.join("journal.jsonl")).unwrap();
        }),
        ("journal replaced by a link", &|out| {
            rename(&out.join("journal.jsonl"), "mine.jsonl");
            std::os::unix::fs::symlink("mine.jsonl", out.join("journal.jsonl")).unwrap();
        }),
        ("lock removed", &|out| std::fs::remove_file(out.join(".lock")).unwrap()),
        ("folder moved", &|out| rename(out, "moved")),
        ("folder removed", &|out| {
            // The run may create a file in it meanwhile.
            while std::fs::remove_dir_all(out).is_err_and(|error| error.kind() != std::io::ErrorKind::NotFound) {}
        }),
    ];
    for (what, disturb) in disturbances {
        let (code, stderr) = disturbed(&desk, disturb);
        let told = "was removed, replaced or changed by another program during the run";
        assert!(code == 5 && stderr.contains(told), "{what}: {code} {stderr}");
        assert!(!desk.path("out/cells.csv").exists(), "{what}");
        // What the message says to do.
        if stderr.contains("journal.rescued.jsonl; move it") {
            std::fs::rename(desk.path("out/journal.rescued.jsonl"), desk.path("out/journal.jsonl")).unwrap();
        } else {
            assert!(stderr.contains("every finished cell was written again; repeat the command"), "{what}: {stderr}");
        }
        let again = desk.well(&["run", "spec.yaml", "--set", "seeds=400", "--out", "out"]);
        assert!(again.stderr.contains("cells are already done"), "{what}: {}", again.stderr);
        assert!(desk.read("out/cells.csv") == reference, "{what}");
        for folder in ["out", "moved"] {
            let _ = std::fs::remove_dir_all(desk.path(folder));
        }
    }
}

#[test]
fn verify_derives_every_file_and_believes_no_hash_beside_it() {
    let desk = Desk::new();
    desk.small_run();
    let refused = |what: &str, told: &str| {
        let verified = desk.doublepu(&["verify", "out", "--all"]);
        assert!(verified.code == 5 && verified.stderr.contains(told), "{what}: {} {}", verified.code, verified.stderr);
    };
    let whole = desk.snapshot("out");
    let restore = || whole.iter().for_each(|(name, bytes)| std::fs::write(name, bytes).unwrap());
    let cells = desk.read("out/cells.csv");
    let forged = cells.replacen("0.8", "0.9", 1);
    assert_ne!(cells, forged);

    desk.write("out/cells.csv", &forged);
    refused("an edited table", "cells.csv is missing or has changed");
    desk.edit_manifest("out", |manifest| manifest["files"]["cells.csv"] = sha256(forged.as_bytes()).into());
    refused("an edited table with its hash", "cells.csv is missing or has changed");
    desk.edit_manifest("out", |manifest| manifest["files"] = serde_json::json!({}));
    refused("a manifest without hashes", "is missing or has changed");
    restore();
    desk.edit_manifest("out", |manifest| manifest["computed_by"][0]["cpu"] = "another".into());
    refused("another machine", "the report does not belong to the cells in the journal");
    restore();

    let manifest = desk.read("out/manifest.json");
    for (key, from) in [("command", "doublepu run spec.yaml"), ("version", "\"version\": \"0."), ("cpu", "\"cpu\": \"")]
    {
        assert!(manifest.contains(from), "{key}");
        desk.write("out/manifest.json", &manifest.replacen(from, &format!("{from}9"), 1));
        refused(key, "manifest.json is not the one that was written");
    }
    desk.write("out/manifest.json", &manifest);
    let verified = desk.well(&["verify", "out", "--all"]).stdout;
    assert!(
        verified.contains("files of the report were derived again from the journal: the same bytes."),
        "{verified}"
    );
    assert!(
        verified.contains("Not verified:\n  the times of cells and commands\n  the recorded commands,"),
        "{verified}"
    );
}

#[test]
fn verify_notices_lines_of_the_journal_that_were_changed_removed_or_added() {
    let desk = Desk::new();
    desk.small_run();
    let journal = desk.read("out/journal.jsonl");
    let lines: Vec<&str> = journal.lines().collect();
    let outcome = lines.iter().position(|line| line.contains("\"outcome\"")).unwrap();
    let environment = lines.iter().position(|line| line.contains("\"environment\"")).unwrap();
    let json = lines[environment].split_once(' ').unwrap().1.replace("\"cpu\":\"", "\"cpu\":\"9");
    let edited = format!("{} {json}", &sha256(json.as_bytes())[..16]);
    let changed: [(&str, Vec<&str>); 3] = [
        ("removed", lines.iter().enumerate().filter(|(at, _)| *at != outcome).map(|(_, line)| *line).collect()),
        (
            "doubled",
            lines.iter().enumerate().flat_map(|(at, line)| vec![*line; 1 + usize::from(at == outcome)]).collect(),
        ),
        (
            "edited",
            lines.iter().enumerate().map(|(at, line)| if at == environment { &edited } else { *line }).collect(),
        ),
    ];
    for (what, lines) in changed {
        desk.write("out/journal.jsonl", &(lines.join("\n") + "\n"));
        let verified = desk.doublepu(&["verify", "out"]);
        let told = "of journal.jsonl are not those that were written";
        assert!(verified.code == 5 && verified.stderr.contains(told), "{what}: {}", verified.stderr);
    }
}

#[test]
fn a_damaged_journal_that_a_fresh_run_replaces_is_kept_each_time() {
    let desk = Desk::new();
    desk.small_run();
    for name in ["journal.damaged.jsonl", "journal.damaged-2.jsonl", "journal.damaged-3.jsonl"] {
        let damaged = format!("damaged {}", desk.read("out/journal.jsonl"));
        desk.write("out/journal.jsonl", &damaged);
        let fresh = desk.well(&["run", "spec.yaml", "--fresh", "--out", "out"]);
        assert!(fresh.stderr.contains(name), "{}", fresh.stderr);
        assert!(desk.read(&format!("out/{name}")) == damaged, "{name}");
    }
}

#[test]
fn a_sample_of_verify_is_drawn_anew_and_repeated_by_its_seed() {
    let desk = Desk::new();
    desk.small_run();
    let drawn = || desk.well(&["verify", "out", "--cells", "2"]).stderr;
    let (one, two) = (drawn(), drawn());
    assert!(one.starts_with("The cells were drawn with --seed ") && one != two, "{one}{two}");
    let seed = one.trim_start_matches("The cells were drawn with --seed ").trim_end_matches(".\n");
    assert_eq!(desk.well(&["verify", "out", "--cells", "2", "--seed", seed]).stderr, one);
}
