//! Runs that are killed, stopped, short of room, or begun twice: nothing is lost, and the same bytes come out.

use crate::Desk;
use doublepu::sample::stream;
use rand::RngExt;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Many short cells.
pub const SPEC: &str = "experiment: killed
dataset:
  source: simulation
  groups:
    interested: { count: 60, mean: [-2, 2] }
    loyal: { count: 60, mean: [2, 2] }
    others: { count: 60, mean: [-2, -2] }
sampling: { scheme: censoring }
seeds: 12
methods:
  - double_pu: { costs: { false_positive: 20 } }
  - naive_pu
  - two_stage
  - double_pu: { model: { network: { hidden: 4, epochs: 20 } } }
  - random
";

impl Desk {
    /// A command that goes on by itself.
    fn start(&self, arguments: &[&str]) -> Child {
        self.command().args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    pub fn signal(&self, child: &Child, signal: &str) {
        // A process that has ended by itself in the meantime is nobody's mistake.
        let _ =
            std::process::Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status();
    }

    /// Waits until a journal holds cells.
    pub fn wait_for_cells(&self, journal: &str, child: &mut Child) {
        while !std::fs::read_to_string(self.path(journal)).is_ok_and(|text| text.contains("{\"outcome\"")) {
            assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Runs, sends a signal at a random moment, resumes, and compares; until as many signals as wanted have hit a live run.
fn survives(signal: &str, hits: usize) {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    let start = Instant::now();
    assert_eq!(desk.doublepu(&["run", "spec.yaml", "--out", "reference"]).code, 0);
    let whole = start.elapsed();
    let reference = desk.read("reference/cells.csv");
    let mut random = stream(&["moments of", signal]);
    let (mut hit, mut resumed) = (0, 0);
    for attempt in 0.. {
        assert!(attempt < 10 * hits, "only {hit} of {attempt} signals came in time");
        if hit == hits {
            break;
        }
        let out = format!("out-{attempt}");
        let mut run = desk.start(&["run", "spec.yaml", "--out", &out]);
        std::thread::sleep(whole.mul_f64(random.random_range(0.0..1.0)));
        if run.try_wait().unwrap().is_none() {
            desk.signal(&run, signal);
            hit += 1;
        }
        run.wait().unwrap();
        // A table is whole or not there.
        if desk.path(&out).join("cells.csv").exists() {
            assert!(desk.read(&format!("{out}/cells.csv")) == reference, "attempt {attempt}");
        }
        let again = desk.doublepu(&["run", "spec.yaml", "--out", &out]);
        assert_eq!(again.code, 0, "attempt {attempt}: {}", again.stderr);
        resumed += usize::from(again.stderr.contains("cells are already done"));
        assert!(desk.read(&format!("{out}/cells.csv")) == reference, "attempt {attempt}");
        std::fs::remove_dir_all(desk.path(&out)).unwrap();
    }
    assert!(resumed > 0, "some run had something to go on from");
}

#[test]
fn killed_at_50_random_moments_a_run_goes_on_to_the_same_bytes() {
    survives("-KILL", 50);
}

#[test]
fn terminated_at_50_random_moments_a_run_goes_on_to_the_same_bytes() {
    survives("-TERM", 50);
}

#[test]
fn an_interrupted_run_ends_with_130_and_says_how_to_go_on() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    for (signal, out) in [("-INT", "int"), ("-TERM", "term")] {
        let journal = format!("{out}/journal.jsonl");
        let mut run = desk
            .command()
            .args(["run", "spec.yaml", "--set", "seeds=20000", "--out", out])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        desk.wait_for_cells(&journal, &mut run);
        desk.signal(&run, signal);
        let ended = run.wait_with_output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(130), "{said}");
        assert!(said.contains(&format!("  doublepu run spec.yaml --set seeds=20000 --out {out}\n")), "{said}");
        let plan = desk.doublepu(&["plan", "spec.yaml", "--set", "seeds=20000", "--out", out]).stdout;
        let cells = desk.read(&journal).lines().filter(|line| line.contains("{\"outcome\"")).count();
        assert!(cells > 0 && plan.contains(&format!("100000 cells, {cells} done")), "{plan}");
    }
}

#[test]
fn a_second_ctrl_c_stops_at_once() {
    let desk = Desk::new();
    // One cell that takes a minute.
    let forest = "methods=[random, { oracle_forest: { trees: 10000 } }]";
    desk.write("spec.yaml", &crate::SPEC.replace("seeds: 3", "seeds: 1"));
    let mut run = desk.start(&["run", "spec.yaml", "--set", forest, "--out", "out"]);
    desk.wait_for_cells("out/journal.jsonl", &mut run);
    desk.signal(&run, "-INT");
    std::thread::sleep(Duration::from_millis(300));
    assert!(run.try_wait().unwrap().is_none(), "the first Ctrl-C waits for the cell under way");
    desk.signal(&run, "-INT");
    assert_eq!(run.wait().unwrap().code(), Some(130));
    assert_eq!(desk.read("out/journal.jsonl").lines().filter(|line| line.contains("{\"outcome\"")).count(), 1);
}

#[test]
fn a_folder_that_is_in_use_is_refused_with_who_uses_it() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    let mut run = desk.start(&["run", "spec.yaml", "--set", "seeds=20000", "--out", "out"]);
    desk.wait_for_cells("out/journal.jsonl", &mut run);
    for verb in [&["run", "spec.yaml", "--out", "out"][..], &["run", "spec.yaml", "--out", "out", "--fresh"]] {
        let second = desk.doublepu(verb);
        assert_eq!(second.code, 5);
        let holder = format!("error: out: is held by process {} on ", run.id());
        assert!(second.stderr.starts_with(&holder) && second.stderr.contains("help: wait"), "{}", second.stderr);
    }
    desk.signal(&run, "-KILL");
    run.wait().unwrap();
    assert_eq!(desk.doublepu(&["run", "spec.yaml", "--out", "out"]).code, 0, "the system lets go of a dead one's lock");
}

#[test]
fn without_room_on_the_disk_no_finished_cell_is_lost() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    assert_eq!(desk.doublepu(&["run", "spec.yaml", "--out", "reference"]).code, 0);
    // A quota: no file may grow beyond so many blocks of 512 bytes. The journal needs about 130, the largest plot more.
    for blocks in [1, 20, 60, 200] {
        let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let program = env!("CARGO_BIN_EXE_doublepu");
        let ended = desk.ended(desk.in_folder("sh").args([
            "-c",
            &limited,
            program,
            "run",
            "spec.yaml",
            "--out",
            "out",
            "--jobs",
            "1",
        ]));
        assert_eq!(ended.code, 5, "{blocks}: {}", ended.stderr);
        assert!(ended.stderr.contains("no space is left"), "{blocks}: {}", ended.stderr);
        assert!(ended.stderr.contains("help: free some space and repeat the command; every finished cell is kept"));
        assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
        if blocks == 1 {
            continue;
        }
        // What is there is whole, and the next run starts from it.
        let journal = desk.read("out/journal.jsonl");
        let cells = journal.lines().filter(|line| line.contains("{\"outcome\"")).count();
        assert!(journal.ends_with('\n') && (1..=60).contains(&cells), "{cells}");
        let plan = desk.doublepu(&["plan", "spec.yaml", "--out", "out"]).stdout;
        assert!(plan.contains(&format!("60 cells, {cells} done")), "{plan}");
        assert!(!desk.path("out/cells.csv").exists() || desk.read("out/cells.csv") == desk.read("reference/cells.csv"));
    }
    let ended = desk.doublepu(&["run", "spec.yaml", "--out", "out"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert_eq!(desk.read("out/cells.csv"), desk.read("reference/cells.csv"));
}

#[test]
fn a_fresh_start_leaves_earlier_results_alone_until_it_is_complete() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    let arguments = ["run", "spec.yaml", "--set", "seeds=200", "--out", "out"];
    assert_eq!(desk.doublepu(&arguments).code, 0);
    let before = desk.snapshot("out");
    let mut run = desk.start(&[&arguments[..], &["--fresh"]].concat());
    desk.wait_for_cells("out/journal.fresh.jsonl", &mut run);
    desk.signal(&run, "-KILL");
    run.wait().unwrap();
    let mut after = desk.snapshot("out");
    assert!(after.remove(desk.path("out/journal.fresh.jsonl").to_str().unwrap()).is_some());
    let lock = desk.path("out/.lock").display().to_string();
    assert!(after.iter().all(|(name, bytes)| *name == lock || before[name] == *bytes));
    assert_eq!(desk.doublepu(&["verify", "out", "--cells", "3"]).code, 0);

    // To go on needs no --fresh; in the end there is one journal again.
    let ended = desk.doublepu(&arguments);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert!(ended.stderr.contains("of 1000 cells are already done"), "{}", ended.stderr);
    assert!(ended.stderr.contains("Earlier results are kept until"), "{}", ended.stderr);
    assert!(!desk.path("out/journal.fresh.jsonl").exists());
    let cells = |files: &std::collections::BTreeMap<String, Vec<u8>>| {
        files[desk.path("out/cells.csv").to_str().unwrap()].clone()
    };
    assert!(cells(&desk.snapshot("out")) == cells(&before));
}

#[test]
fn a_complete_run_is_not_written_again_but_what_is_missing_or_changed_is() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    let run = || {
        let ended = desk.doublepu(&["run", "spec.yaml", "--out", "out"]);
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        ended.stdout
    };
    let first = run();
    let before = desk.snapshot("out");
    let written = || std::fs::metadata(desk.path("out/report.html")).unwrap().modified().unwrap();
    let time = written();
    assert_eq!(run(), first);
    assert_eq!(written(), time);
    for (name, damage) in
        [("summary.md", true), ("plots/roc.png", true), ("cells.csv", false), ("manifest.json", false)]
    {
        let path = desk.path("out").join(name);
        if damage {
            std::fs::write(&path, "half").unwrap();
        } else {
            std::fs::remove_file(&path).unwrap();
        }
        run();
        let lock = desk.path("out/.lock").display().to_string();
        assert!(desk.snapshot("out").into_iter().all(|(name, bytes)| name == lock || before[&name] == bytes), "{name}");
    }
    assert!(written() > time);
}

#[test]
fn a_report_is_written_whole_or_not_at_all() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    assert_eq!(desk.doublepu(&["run", "spec.yaml", "--out", "out"]).code, 0);
    std::fs::remove_file(desk.path("out/report.html")).unwrap();
    std::fs::create_dir(desk.path("out/report.html")).unwrap();
    let tables = || ["cells.csv", "summary.csv", "manifest.json"].map(|name| desk.read(&format!("out/{name}")));
    let before = tables();
    let ended = desk.doublepu(&["run", "spec.yaml", "--out", "out", "--set", "seeds=2"]);
    assert_eq!(ended.code, 5);
    assert!(ended.stderr.contains("out/report.html: is not a file"), "{}", ended.stderr);
    assert_eq!(tables(), before);
    std::fs::remove_dir(desk.path("out/report.html")).unwrap();
    assert_eq!(desk.doublepu(&["run", "spec.yaml", "--out", "out", "--set", "seeds=2"]).code, 0);
    assert_ne!(tables(), before);
}

#[test]
fn a_fresh_start_of_another_spec_leaves_the_manifest_to_what_is_there() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    for shard in ["1/2", "2/2"] {
        let out = shard.replace('/', "-of-");
        assert_eq!(desk.doublepu(&["run", "spec.yaml", "--shard", shard, "--out", &out]).code, 0);
    }
    let mut run =
        desk.start(&["run", "spec.yaml", "--shard", "1/2", "--out", "1-of-2", "--fresh", "--set", "seeds=20000"]);
    desk.wait_for_cells("1-of-2/journal.fresh.jsonl", &mut run);
    desk.signal(&run, "-TERM");
    assert_eq!(run.wait().unwrap().code(), Some(130));
    let merged = desk.doublepu(&["merge", "1-of-2", "2-of-2", "--out", "out"]);
    assert_eq!(merged.code, 0, "{}", merged.stderr);
}
