//! How often the gate is wrong, over simulated pairs of runs: `cargo bench --bench gate_study`.
//!
//! `experiments/ci.yaml` is run over 2,000 seeds, once as it is and once with every ridge doubled. Pairs of runs of fewer
//! seeds are drawn from these, so that what changes from the first of a pair to the second is known: by construction the
//! true means are the same, or one line has lost as much as the table says. They are judged by the gate itself.

use doublepu::gate::{Builds, Checked, Snapshot, SnapshotLine, Verdict};
use doublepu::math::metric::Metric;
use doublepu::sample::stream;
use doublepu::spec::{Experiment, Gate};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How many seeds there are to draw from.
const POOL: usize = 2000;
/// How many pairs of runs are judged for every row and true loss.
const PAIRS: usize = 5000;
const SEEDS: [usize; 5] = [10, 20, 50, 100, 200];
const MARGINS: [f64; 3] = [0.002, 0.005, 0.01];
/// The seeds of `experiments/ci.yaml` and the gate's own margin.
const DEFAULT: (usize, f64) = (200, 0.005);

/// What the second run of a pair has changed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    /// Every seed cuts the data as before, and methods are fitted with another ridge.
    AnotherFit,
    /// Every seed cuts the data in another way, so that pairs have nothing in common.
    OtherSplits,
}

impl Change {
    fn words(self) -> &'static str {
        match self {
            Change::AnotherFit => "same splits, another fit",
            Change::OtherSplits => "other splits",
        }
    }
}

/// Both runs over all seeds, reduced to ROC-AUC: values by line and seed.
struct Pool {
    experiment: Experiment,
    snapshot: Snapshot,
    before: Vec<Vec<f64>>,
    /// What another fit adds, less its mean: in the mean over the pool it changes nothing.
    noise: Vec<Vec<f64>>,
}

/// The shares of pairs that ended so; of the others it could not be told.
#[derive(Clone, Copy)]
struct Shares {
    passed: f64,
    regressed: f64,
}

fn main() {
    let pool = Pool::read(&run("before", &[]), &run("after", &doubled_ridges()));
    println!(
        "| what changed | margin | seeds | no loss: passed | regressed | loss of the margin: passed | regressed | of twice the margin: passed | regressed |"
    );
    println!("| :-- | --: | --: | --: | --: | --: | --: | --: | --: |");
    for change in [Change::AnotherFit, Change::OtherSplits] {
        for margin in MARGINS {
            for seeds in SEEDS {
                let [none, once, twice] =
                    [0.0, 1.0, 2.0].map(|times| pool.shares(change, seeds, margin, times * margin));
                let shares =
                    [none, once, twice].map(|shares| format!("{:.1}% | {:.1}%", shares.passed, shares.regressed));
                println!("| {} | {margin} | {seeds} | {} |", change.words(), shares.join(" | "));
                // Shares of so many pairs vary by chance: 60 of them stay within 3.5 standard errors of 5%.
                let by_chance = 3.5 * (5.0 * 95.0 / PAIRS as f64).sqrt();
                let wrong = once.passed.max(once.regressed);
                assert!(none.regressed <= 5.0 && wrong <= 5.0 + by_chance, "the gate is wrong more often than it says");
                assert!((seeds, margin) != DEFAULT || twice.regressed >= 95.0, "a loss of twice the margin is missed");
            }
        }
    }
}

/// Runs the experiment, unless that is done already, and says where.
fn run(name: &str, sets: &[String]) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("target/gate-study").join(name);
    let mut command = Command::new(env!("CARGO_BIN_EXE_doublepu"));
    command.arg("run").arg(root.join("experiments/ci.yaml")).arg("--out").arg(&folder);
    command.args(["--set", &format!("seeds={POOL}")]).args(sets.iter().flat_map(|set| ["--set", set]));
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder
}

fn doubled_ridges() -> Vec<String> {
    let methods = "[double_pu: { loss: [logistic, squared, double_hinge], ridge: 0.02 }, naive_pu: { ridge: 0.02 }, \
                   biased_pn: { ridge: 0.02 }, biased_pn_loyal: { ridge: 0.02 }, two_stage: { ridge: 0.02 }, \
                   oracle_logistic_matched: { ridge: 0.02 }, random]";
    vec![format!("methods={methods}")]
}

impl Pool {
    fn read(before: &Path, after: &Path) -> Self {
        let read = |run: &Path| Snapshot::of_run(run, Builds::Own).unwrap_or_else(|error| panic!("{error}"));
        let values = |snapshot: &Snapshot| -> Vec<Vec<f64>> {
            snapshot.lines.iter().map(|line| line.values(0).map(|(_, value)| value).collect()).collect()
        };
        let ((manifest, snapshot), (_, other)) = (read(before), read(after));
        let (before, after) = (values(&snapshot), values(&other));
        let noise = before.iter().zip(&after).map(|(before, after)| {
            let differences: Vec<f64> = before.iter().zip(after).map(|(before, after)| after - before).collect();
            let mean = differences.iter().sum::<f64>() / differences.len() as f64;
            differences.into_iter().map(|difference| difference - mean).collect()
        });
        Pool { experiment: manifest.experiment, noise: noise.collect(), before, snapshot }
    }

    /// In percent. One line, in turn another one, has lost something; all others have the same true mean as before.
    fn shares(&self, change: Change, seeds: usize, margin: f64, loss: f64) -> Shares {
        let gate = Gate { margins: vec![(Metric::RocAuc, margin)], ..Gate::default() };
        let experiment = Experiment { gate, ..self.experiment.clone() };
        // `random` has no ridge: its differences would all be the loss itself, without any spread to judge by.
        let losers: Vec<usize> =
            (0..self.noise.len()).filter(|line| self.noise[*line].iter().any(|noise| *noise != 0.0)).collect();
        let verdict = |pair: usize| {
            let name = format!("{change:?}, {seeds} seeds, margin {margin}, loss {loss}, pair {pair}");
            let mut random = stream(&["gate study", &name]);
            let drawn = rand::seq::index::sample(&mut random, POOL, 2 * seeds).into_vec();
            let (first, second) = drawn.split_at(seeds);
            let before = self.drawn(seeds, |line, place| self.before[line][first[place]]);
            let after = self.drawn(seeds, |line, place| {
                let lost = if line == losers[pair % losers.len()] { loss } else { 0.0 };
                match change {
                    Change::AnotherFit => self.before[line][first[place]] + self.noise[line][first[place]] - lost,
                    Change::OtherSplits => self.before[line][second[place]] - lost,
                }
            });
            Checked::of(&experiment, &before, &after).verdict()
        };
        let verdicts: Vec<Verdict> = (0..PAIRS).into_par_iter().map(verdict).collect();
        let share = |wanted: Verdict| {
            100.0 * verdicts.iter().filter(|verdict| **verdict == wanted).count() as f64 / PAIRS as f64
        };
        Shares { passed: share(Verdict::Passed), regressed: share(Verdict::Regressed) }
    }

    /// A run of so many seeds, with the value of every line at every place.
    fn drawn(&self, seeds: usize, value: impl Fn(usize, usize) -> f64) -> Snapshot {
        let line = |(place, line): (usize, &SnapshotLine)| {
            let mut cells = line.cells[..seeds].to_vec();
            for (seed, cell) in cells.iter_mut().enumerate() {
                cell.values = vec![Some(value(place, seed))];
            }
            SnapshotLine { label: line.label.clone(), key: line.key.clone(), cells }
        };
        let lines = self.snapshot.lines.iter().enumerate().map(line).collect();
        Snapshot { metrics: vec![Metric::RocAuc], lines, ..Snapshot::default() }
    }
}
