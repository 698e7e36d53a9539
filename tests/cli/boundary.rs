//! Limits of the system and signals: every end has a message and a documented exit code, and no finished cell is lost.

use crate::crash::SPEC;
use crate::{Desk, Ended};
use std::process::Stdio;

impl Desk {
    /// Whether the system can load the program with so many KiB of memory.
    fn is_loaded_within(&self, limit: u64) -> bool {
        let script = format!("ulimit -v {limit}; exec \"$0\" --version");
        let loaded = self.in_folder("sh").args(["-c", &script, env!("CARGO_BIN_EXE_doublepu")]).output().unwrap();
        matches!(loaded.status.code(), Some(0 | 71))
    }

    /// Executes a command under a shell's settings.
    fn limited(&self, settings: &str, arguments: &[&str]) -> Ended {
        let script = format!("{settings}; exec \"$0\" \"$@\"");
        let mut shell = self.in_folder("sh");
        self.ended(shell.args(["-c", &script, env!("CARGO_BIN_EXE_doublepu")]).args(arguments))
    }
}

#[test]
fn with_any_amount_of_memory_a_run_is_done_or_says_what_is_lacking() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    desk.well(&["run", "spec.yaml", "--out", "reference"]);
    let reference = desk.read("reference/cells.csv");
    let mut done = 0;
    let mut lacking = 0;
    // In KiB; below the first, the system cannot load the program.
    let mut limit = 1 << 10;
    while !desk.is_loaded_within(limit) {
        limit += 1 << 10;
    }
    while done < 3 {
        let out = format!("out-{limit}");
        let ended = desk.limited(&format!("ulimit -v {limit}"), &["run", "spec.yaml", "--jobs", "4", "--out", &out]);
        match ended.code {
            0 => done += 1,
            71 => {
                let told = ["error: out of memory: the system refuses ", "error: threads cannot be started: "];
                assert!(told.iter().any(|told| ended.stderr.contains(told)), "{limit}: {}", ended.stderr);
                assert!(ended.stderr.contains("\n  help: use fewer"), "{limit}: {}", ended.stderr);
                lacking += 1;
            }
            other => panic!("{limit}: {other}: {}", ended.stderr),
        }
        if limit % 3 == 0 || ended.code == 0 {
            desk.well(&["run", "spec.yaml", "--out", &out]);
            assert!(desk.read(&format!("{out}/cells.csv")) == reference, "{limit}");
        }
        limit += limit / 32;
    }
    assert!(lacking >= 3, "only {lacking} of the limits were too small");
}

#[test]
fn a_limit_of_file_sizes_is_told_like_a_full_disk_and_loses_no_finished_cell() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    desk.well(&["run", "spec.yaml", "--out", "reference"]);
    // In blocks of 512 bytes.
    for limit in [1, 8, 40, 80] {
        let out = format!("out-{limit}");
        let ended = desk.limited(&format!("ulimit -f {limit}"), &["run", "spec.yaml", "--out", &out]);
        assert!(
            ended.code == 5 && ended.stderr.contains("no space is left"),
            "{limit}: {} {}",
            ended.code,
            ended.stderr
        );
        let again = desk.well(&["run", "spec.yaml", "--out", &out]);
        assert!(limit < 40 || again.stderr.contains("are already done"), "{limit}: {}", again.stderr);
        assert!(desk.read(&format!("{out}/cells.csv")) == desk.read("reference/cells.csv"), "{limit}");
    }
}

#[test]
fn signals_that_a_process_was_started_to_ignore_stay_ignored() {
    let desk = Desk::new();
    desk.write("spec.yaml", SPEC);
    for (ignored, sent, code) in
        [("HUP INT", "HUP", 0), ("HUP INT", "INT", 0), ("HUP", "INT", 130), ("INT", "HUP", 130)]
    {
        let out = format!("out-{}-{sent}", ignored.replace(' ', "-"));
        let script = format!("trap '' {ignored}; exec \"$0\" \"$@\"");
        let mut shell = desk.in_folder("sh");
        let shell = shell.args(["-c", &script, env!("CARGO_BIN_EXE_doublepu")]);
        let run = shell.args(["run", "spec.yaml", "--set", "seeds=400", "--out", &out]);
        let mut run = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        desk.wait_for_cells(&format!("{out}/journal.jsonl"), &mut run);
        desk.signal(&run, &format!("-{sent}"));
        assert_eq!(run.wait().unwrap().code(), Some(code), "{ignored}, {sent}");
    }
}
