//! A journal that was cut off or damaged: the next run either goes on to the same bytes, or refuses.

use doublepu::analysis::Results;
use doublepu::harness::{Computed, RunOptions, compute};
use doublepu::report::cells_csv;
use doublepu::run::{RunEnd, RunError, Start, Store};
use doublepu::sample::stream;
use doublepu::spec::{self, Experiment};
use rand::RngExt;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Small enough to be resumed at every byte of a record.
const SPEC: &str = "experiment: tiny
dataset:
  source: simulation
  groups:
    interested: { count: 20, mean: [-2, 2] }
    loyal: { count: 20, mean: [2, 2] }
    others: { count: 20, mean: [-2, -2] }
sampling: { scheme: censoring }
seeds: 3
methods: [double_pu, naive_pu, random]
";

struct Small {
    experiment: Experiment,
    folder: tempfile::TempDir,
}

impl Small {
    fn new() -> Self {
        let experiment = spec::parse("tiny.yaml", SPEC, Path::new("."), &[]).unwrap();
        Small { experiment, folder: tempfile::tempdir().unwrap() }
    }

    /// What `cells.csv` holds after a run, and how many cells had to be run for it.
    fn run(&self) -> Result<(Vec<u8>, usize), RunError> {
        let before = Store::peek(self.folder.path())?.kept.len();
        let options = RunOptions {
            folder: self.folder.path().to_path_buf(),
            shard: None,
            start: Start::Resume,
            command: String::new(),
        };
        let computed = compute(&self.experiment, &options, &AtomicBool::new(false), &|_| {});
        let Computed { plan, store, end, .. } = computed?;
        assert_eq!(end, RunEnd::Complete);
        let results = Results::gather(&self.experiment, &plan, |id| store.outcome(id));
        Ok((cells_csv(&results).unwrap(), plan.cells.len() - before))
    }

    fn journal(&self) -> std::path::PathBuf {
        self.folder.path().join("journal.jsonl")
    }
}

#[test]
fn a_journal_cut_off_at_any_byte_of_its_last_two_records_is_completed_to_the_same_table() {
    let small = Small::new();
    let (reference, run) = small.run().unwrap();
    assert_eq!(run, 9);
    let whole = std::fs::read(small.journal()).unwrap();
    let ends: Vec<usize> = (1..=whole.len()).filter(|end| whole[end - 1] == b'\n').collect();
    let [.., before, between, end] = ends[..] else { panic!("{ends:?}") };
    for cut in before..end {
        std::fs::write(small.journal(), &whole[..cut]).unwrap();
        let (table, run) = small.run().unwrap();
        assert_eq!(run, if cut < between { 2 } else { 1 }, "cut at {cut}");
        assert!(table == reference, "cut at {cut}");
    }
}

#[test]
fn a_byte_flipped_anywhere_before_the_last_two_records_is_refused_and_nothing_is_changed() {
    let small = Small::new();
    small.run().unwrap();
    let whole = std::fs::read(small.journal()).unwrap();
    let ends: Vec<usize> = (1..=whole.len()).filter(|end| whole[end - 1] == b'\n').collect();
    let before = ends[ends.len() - 3];
    let mut random = stream(&["flips"]);
    for _ in 0..500 {
        let (place, bit) = (random.random_range(0..before), random.random_range(0..8));
        let mut damaged = whole.clone();
        damaged[place] ^= 1 << bit;
        std::fs::write(small.journal(), &damaged).unwrap();
        match small.run() {
            Err(RunError::Damaged { damage, .. }) => {
                let line = whole[..place].iter().filter(|byte| **byte == b'\n').count() + 1;
                assert_eq!(damage.line, line, "bit {bit} of byte {place}");
            }
            other => panic!("bit {bit} of byte {place}: {other:?}"),
        }
        assert!(std::fs::read(small.journal()).unwrap() == damaged);
    }
}

#[test]
fn a_line_that_was_damaged_can_be_removed_and_its_cell_runs_again() {
    let small = Small::new();
    let (reference, _) = small.run().unwrap();
    let whole = std::fs::read_to_string(small.journal()).unwrap();
    for removed in 0..whole.lines().count() {
        let rest = whole.split_inclusive('\n').enumerate().filter(|(line, _)| *line != removed);
        std::fs::write(small.journal(), rest.map(|(_, line)| line).collect::<String>()).unwrap();
        let (table, run) = small.run().unwrap();
        // The first line names the program; all others are cells.
        assert_eq!(run, usize::from(removed > 0));
        assert!(table == reference, "without line {removed}");
    }
}
