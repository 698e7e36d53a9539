//! How often the gate is wrong, over simulated pairs of runs: `cargo bench --bench gate_study`.
//!
//! `experiments/ci.yaml` is run over 2,000 seeds, once as it is and once with every ridge doubled. Pairs of runs of fewer
//! seeds are drawn from these, so that what changes from the first of a pair to the second is known: by construction the
//! true means are the same, or one line has lost or gained as much as the table says. They are judged by the gate itself.

use doublepu::gate::{Builds, Checked, Snapshot, SnapshotLine, Verdict};
use doublepu::math::metric::Metric;
use doublepu::sample::stream;
use doublepu::spec::{Experiment, Gate};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How many seeds there are to draw from.
const POOL: usize = 2000;
/// How many pairs of runs are judged for every row and true change.
const PAIRS: usize = 5000;
const SEEDS: [usize; 5] = [10, 20, 50, 100, 200];
const MARGINS: [f64; 3] = [0.002, 0.005, 0.01];
const RISES: [f64; 2] = [0.01, 0.03];
/// The seeds of `experiments/ci.yaml`, and the gate's own margin and rise.
const DEFAULT_SEEDS: usize = 200;
const DEFAULT_MARGIN: f64 = 0.005;
const DEFAULT_RISE: f64 = 0.03;

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

/// The number of a gate that pairs are judged by.
#[derive(Clone, Copy, Debug)]
enum Limit {
    Margin(f64),
    Rise(f64),
}

impl Limit {
    fn gate(self) -> Gate {
        match self {
            Limit::Margin(margin) => Gate { margins: vec![(Metric::RocAuc, margin)], ..Gate::default() },
            Limit::Rise(rise) => Gate { rise, ..Gate::default() },
        }
    }

    /// How much one line has lost, at so many times the limit; negative if it has gained.
    fn loss(self, times: f64) -> f64 {
        match self {
            Limit::Margin(margin) => times * margin,
            Limit::Rise(rise) => -times * rise,
        }
    }

    /// Of the random stream.
    fn name(self, loss: f64) -> String {
        match self {
            Limit::Margin(margin) => format!("margin {margin}, loss {loss}"),
            Limit::Rise(rise) => format!("rise {rise}, loss {loss}"),
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

/// The shares of pairs that passed as a whole, or had something regressed or suspicious.
#[derive(Clone, Copy)]
struct Shares {
    passed: f64,
    regressed: f64,
    suspicious: f64,
}

fn main() {
    let pool = Pool::read(&run("before", &[]), &run("after", &doubled_ridges()));
    rises(&pool);
    losses(&pool);
}

/// How much more than 5% a share of so many pairs may be by chance: 80 of them stay within 3.5 standard errors.
fn by_chance() -> f64 {
    3.5 * (5.0 * 95.0 / PAIRS as f64).sqrt()
}

fn losses(pool: &Pool) {
    println!(
        "| what changed | margin | seeds | no loss: passed | regressed | loss of the margin: passed | regressed | of twice the margin: passed | regressed |"
    );
    println!("| :-- | --: | --: | --: | --: | --: | --: | --: | --: |");
    for change in [Change::AnotherFit, Change::OtherSplits] {
        for margin in MARGINS {
            for seeds in SEEDS {
                let [none, once, twice] =
                    [0.0, 1.0, 2.0].map(|times| pool.shares(change, seeds, Limit::Margin(margin), times));
                let shares =
                    [none, once, twice].map(|shares| format!("{:.1}% | {:.1}%", shares.passed, shares.regressed));
                println!("| {} | {margin} | {seeds} | {} |", change.words(), shares.join(" | "));
                let wrong = once.passed.max(once.regressed);
                assert!(
                    none.regressed <= 5.0 && wrong <= 5.0 + by_chance(),
                    "the gate is wrong more often than it says"
                );
                let is_default = seeds == DEFAULT_SEEDS && margin == DEFAULT_MARGIN;
                assert!(!is_default || twice.regressed >= 95.0, "a loss of twice the margin is missed");
            }
        }
    }
}

fn rises(pool: &Pool) {
    println!(
        "| what changed | rise | seeds | no rise: suspicious | of the limit: suspicious | of twice the limit: suspicious |"
    );
    println!("| :-- | --: | --: | --: | --: | --: |");
    for change in [Change::AnotherFit, Change::OtherSplits] {
        for rise in RISES {
            for seeds in SEEDS {
                let [none, once, twice] =
                    [0.0, 1.0, 2.0].map(|times| pool.shares(change, seeds, Limit::Rise(rise), times).suspicious);
                println!("| {} | {rise} | {seeds} | {none:.1}% | {once:.1}% | {twice:.1}% |", change.words());
                assert!(none <= 5.0 && once <= 5.0 + by_chance(), "rises are suspected more often than the gate says");
                let is_default = seeds == DEFAULT_SEEDS && rise == DEFAULT_RISE;
                assert!(!is_default || twice >= 95.0, "a rise of twice the limit is missed");
            }
        }
    }
    println!();
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

    /// In percent. One line, in turn another one, has changed by so many times the limit; all others have the same true
    /// mean as before.
    fn shares(&self, change: Change, seeds: usize, limit: Limit, times: f64) -> Shares {
        let loss = limit.loss(times);
        let experiment = Experiment { gate: limit.gate(), ..self.experiment.clone() };
        // `random` has no ridge: its differences would all be the loss itself, without any spread to judge by.
        let losers: Vec<usize> =
            (0..self.noise.len()).filter(|line| self.noise[*line].iter().any(|noise| *noise != 0.0)).collect();
        let verdict = |pair: usize| {
            let name = format!("{change:?}, {seeds} seeds, {}, pair {pair}", limit.name(loss));
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
            let checked = Checked::of(&experiment, &before, &after);
            (checked.verdict(), checked.findings.iter().any(|finding| finding.verdict == Verdict::Suspicious))
        };
        let verdicts: Vec<(Verdict, bool)> = (0..PAIRS).into_par_iter().map(verdict).collect();
        let share = |is: &dyn Fn(&(Verdict, bool)) -> bool| {
            100.0 * verdicts.iter().filter(|ended| is(ended)).count() as f64 / PAIRS as f64
        };
        Shares {
            passed: share(&|(verdict, _)| *verdict == Verdict::Passed),
            regressed: share(&|(verdict, _)| *verdict == Verdict::Regressed),
            suspicious: share(&|(_, is_suspicious)| *is_suspicious),
        }
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
