//! One split of one setting, and the cells that share it.

use crate::caught::caught;
use crate::data::{Encoder, ScalingError, Table};
use crate::external::Request;
use crate::learn::{
    Failure, FailureKind, Fit, Labelled, Observed, Oracle, Prior, Sample, Scores, Shared, Trained, Training,
};
use crate::math::matrix::Design;
use crate::math::metric::{Group, Judged, Ranking};
use crate::math::risk::Costs;
use crate::methods::{Asked, External};
use crate::run::{Data, Moment, Outcome, SampleSizes, Scored};
use crate::sample::Split;
use crate::spec::{Cell, Experiment, Frequencies, Setting};
use crate::text::presentable;
use std::time::Instant;

/// The samples of one (setting, seed) as matrices; scales and categories come only from the training rows.
pub struct SplitSamples<'a> {
    pub observed: Observed,
    pub oracle: Oracle<'a>,
    /// The table rows of each sample.
    pub split: Split,
    pub test: Design,
    pub test_truth: Vec<Group>,
    pub sizes: SampleSizes,
    whole: Frequencies,
    train: Frequencies,
    encoder: Encoder,
}

impl<'a> SplitSamples<'a> {
    pub fn draw(setting: &Setting, table: &'a Table, seed: u32) -> Result<Self, Failure> {
        let split = setting.sampling.split(table, seed)?;
        let Split { interest, unlabeled, loyal, train, test } = &split;
        let encoder = Encoder::fit(table, &setting.features, train).map_err(unscaled)?;
        let encode = |rows: &[usize]| encoder.encode(table, rows);
        let sample = |rows: &[usize]| Sample { rows: encode(rows), people: rows.to_vec() };
        let labelled = |rows: &[usize]| {
            let (encoder, rows) = (encoder.clone(), rows.to_vec());
            move || Labelled {
                rows: encoder.encode(table, &rows),
                truth: rows.iter().map(|row| table.is_potential_customer(*row)).collect(),
            }
        };
        Ok(SplitSamples {
            observed: Observed { interest: sample(interest), unlabeled: sample(unlabeled), loyal: sample(loyal) },
            oracle: Oracle::new(labelled(train), labelled(unlabeled)),
            test: encoder.encode_others(table, test).map_err(unscaled)?,
            test_truth: test.iter().map(|row| Group::of(table.interest[*row], table.loyalty[*row])).collect(),
            sizes: SampleSizes {
                interest: interest.len(),
                unlabeled: unlabeled.len(),
                loyal: loyal.len(),
                train: train.len(),
                test: test.len(),
            },
            whole: frequencies(table, 0..table.rows()),
            train: frequencies(table, train.iter().copied()),
            encoder,
            split,
        })
    }

    /// The prior that a cell's method is given.
    pub fn prior(&self, experiment: &Experiment, cell: &Cell) -> Result<Option<Prior>, Failure> {
        let used = experiment.methods[cell.method].method.prior_use();
        let prior = cell.prior.map(|prior| experiment.priors[prior].resolve(used, self.whole, self.train));
        Ok(prior.transpose()?)
    }

    /// Fits a cell's method and scores the test set.
    pub fn fit(
        &self,
        experiment: &Experiment,
        cell: &Cell,
        prior: Option<Prior>,
        shared: &Shared,
    ) -> Result<Fitted, Failure> {
        let method = &experiment.methods[cell.method].method;
        let training = Training::new(&self.observed, prior).with_seed(cell.seed).sharing(shared);
        // Foreign solvers may panic on odd data; then only this cell fails.
        caught(|| {
            let mut scored = method.fit_and_score(&training, &self.oracle, &[&self.test])?;
            let history = scored.trained.iter().flat_map(|trained| &trained.history);
            refuse_not_finite(&scored.fit, history.map(|moment| moment.training_risk))?;
            let scores = scored.scores.pop().unwrap_or_default();
            let probabilities = scored.probabilities(&scores);
            let Scores { threshold, fit, trained, .. } = scored;
            Ok(Fitted { trained, fit, threshold, scores, probabilities, costs: method.costs() })
        })
        .unwrap_or_else(|message| {
            let reason = format!("{} broke off: {message}", method.name());
            Err(Failure { kind: FailureKind::ForeignSolver, reason })
        })
    }

    /// Asks an external method for the scores of the test set; also returns what it was sent.
    pub fn ask(&self, external: &External, prior: Option<Prior>, seed: u32) -> Result<(Request, Asked), Failure> {
        let training = Training::new(&self.observed, prior).with_seed(seed);
        let labelled = external.is_oracle().then(|| &*self.oracle.train);
        external.ask_alone(&training, labelled, &[&self.test])
    }
}

/// A column that cannot be scaled fails all cells of its split.
fn unscaled(error: ScalingError) -> Failure {
    let kind = if error.is_empty { FailureKind::EmptySample } else { FailureKind::NotFinite };
    Failure { kind, reason: error.to_string() }
}

/// The class frequencies among some rows of a table.
fn frequencies(table: &Table, rows: impl ExactSizeIterator<Item = usize> + Clone) -> Frequencies {
    let count = rows.len() as f64;
    let share = |is: &dyn Fn(usize) -> bool| rows.clone().filter(|row| is(*row)).count() as f64 / count;
    Frequencies { beta: share(&|row| table.interest[row]), gamma: share(&|row| table.is_loyal_buyer(row)) }
}

/// A fitted method and its predictions for the test set.
pub struct Fitted {
    /// `None` for a method that runs outside of this process.
    pub trained: Option<Trained>,
    pub fit: Fit,
    pub threshold: f64,
    pub scores: Vec<f64>,
    pub probabilities: Option<Vec<f64>>,
    costs: Costs,
}

impl Fitted {
    pub fn judged<'a>(&'a self, truth: &'a [Group]) -> Judged<'a> {
        let probabilities = self.probabilities.as_deref();
        Judged { scores: &self.scores, threshold: self.threshold, probabilities, costs: self.costs, truth }
    }
}

/// Runs cells of one split in order until `begin` or `done` returns false.
pub fn run_group(
    experiment: &Experiment,
    data: &Data,
    cells: &[&Cell],
    begin: impl Fn(&Cell) -> bool,
    mut done: impl FnMut(&Cell, Outcome) -> bool,
) {
    let Some(first) = cells.first().filter(|cell| begin(cell)) else { return };
    let table = data.table(first.setting, first.seed);
    let samples = SplitSamples::draw(&experiment.settings[first.setting], &table, first.seed);
    let shared = Shared::default();
    for cell in cells {
        if !begin(cell) || !done(cell, compute(experiment, cell, samples.as_ref(), &shared).0) {
            return;
        }
    }
}

/// The outcome of a cell, and the fitted method if there is a result.
pub fn compute(
    experiment: &Experiment,
    cell: &Cell,
    samples: Result<&SplitSamples, &Failure>,
    shared: &Shared,
) -> (Outcome, Option<Fitted>) {
    let start = Instant::now();
    let mut prior = None;
    let result = samples.map_err(Failure::clone).and_then(|samples| {
        prior = samples.prior(experiment, cell)?;
        score(experiment, cell, samples, prior, shared)
    });
    let (result, fitted) = match result {
        Ok((scored, fitted)) => (Ok(scored), Some(fitted)),
        // The reason may quote names from the data.
        Err(failure) => (Err(Failure { reason: presentable(&failure.reason), ..failure }), None),
    };
    let sizes = samples.ok().map(|samples| samples.sizes);
    (Outcome { id: cell.id.clone(), sizes, prior, result, seconds: start.elapsed().as_secs_f64() }, fitted)
}

fn score(
    experiment: &Experiment,
    cell: &Cell,
    samples: &SplitSamples,
    prior: Option<Prior>,
    shared: &Shared,
) -> Result<(Scored, Fitted), Failure> {
    let fitted = samples.fit(experiment, cell, prior, shared)?;
    let judged = fitted.judged(&samples.test_truth);
    let ranking = judged.ranking()?;
    let trained = fitted.trained.as_ref();
    let moment = |moment: &crate::learn::Moment| -> Result<Moment, Failure> {
        let roc_auc = Ranking::new(&moment.model.predict(&samples.test), &samples.test_truth)?.roc_auc();
        Ok(Moment { epoch: moment.epoch, training_risk: moment.training_risk, roc_auc })
    };
    let weights = trained.and_then(|trained| trained.model.linear_weights());
    let boundary = weights.and_then(|weights| samples.encoder.unscaled_weights(weights));
    let boundary = boundary.filter(|weights| weights.iter().all(|weight| weight.is_finite()));
    let scored = Scored {
        metrics: judged.metrics(&ranking),
        curve: ranking.roc_curve(),
        calibration: judged.calibration(),
        boundary: boundary.and_then(|weights| weights.try_into().ok()),
        fit: fitted.fit.clone(),
        history: trained.iter().flat_map(|trained| &trained.history).map(moment).collect::<Result<_, Failure>>()?,
    };
    Ok((scored, fitted))
}

/// An infinite or undefined number cannot be stored, so it is a failure.
fn refuse_not_finite(fit: &Fit, training_risks: impl Iterator<Item = f64>) -> Result<(), Failure> {
    let numbers = [
        ("objective", fit.objective),
        ("gradient_norm", fit.gradient_norm),
        ("relative_gradient", fit.relative_gradient),
        ("lowest_objective", fit.starts.map(|starts| starts.lowest)),
        ("highest_objective", fit.starts.map(|starts| starts.highest)),
    ];
    let numbers = numbers.into_iter().filter_map(|(name, number)| Some((name, number?)));
    let risks = training_risks.map(|risk| ("training_risk", risk));
    match numbers.chain(risks).find(|(_, number)| !number.is_finite()) {
        None => Ok(()),
        Some((name, number)) => {
            Err(Failure { kind: FailureKind::NotFinite, reason: format!("`{name}` came to {number}") })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Features, LabelRule, read_bytes};
    use crate::learn::Starts;
    use crate::run::store::tests::outcome;
    use crate::spec;
    use std::path::Path;

    const SPEC: &str = "experiment: people
dataset:
  source: people.csv
  interest: { column: y, positive: 1 }
  loyalty: { column: z, positive: 1 }
features: { numeric: [standardize, min_max], categorical: [one_hot, ordinal] }
sampling: { scheme: pools, test: 0.2, interest: 0.3, unlabeled: 0.3, loyal: 0.4 }
priors: [true]
seeds: 1
methods: [double_pu]
";

    /// Sixty people, some of them strangers with an age and a job that nobody else has.
    fn people(strangers: &[usize]) -> Table {
        let person = |row: usize| {
            let (age, job) = if strangers.contains(&row) { (1000, "z") } else { (20 + row % 37, ["a", "b"][row % 2]) };
            format!("{age},{job},{},{}\n", row % 3 % 2, row % 2)
        };
        let csv: String = std::iter::once("age,job,y,z\n".to_string()).chain((0..60).map(person)).collect();
        let frame = read_bytes("people.csv", csv.as_bytes()).unwrap();
        Table::new(&frame, &LabelRule::new("y", "1"), &LabelRule::new("z", "1"), &Features::default()).unwrap()
    }

    #[test]
    fn strangers_in_the_test_part_do_not_change_what_is_learned_from() {
        let experiment = spec::parse("people.yaml", SPEC, Path::new(""), &[]).unwrap();
        assert_eq!(experiment.settings.len(), 4);
        for setting in &experiment.settings {
            let nobody_strange = people(&[]);
            let plain = SplitSamples::draw(setting, &nobody_strange, 1).unwrap();
            let strangers = people(&plain.split.test);
            let strange = SplitSamples::draw(setting, &strangers, 1).unwrap();
            assert_eq!(strange.split, plain.split);
            let seen = |samples: &SplitSamples| {
                let Observed { interest, unlabeled, loyal } = &samples.observed;
                let designs = [&interest.rows, &unlabeled.rows, &loyal.rows, &samples.oracle.train.rows];
                designs.map(|design| (design.names().to_vec(), design.to_dense()))
            };
            assert_eq!(seen(&strange), seen(&plain), "{}", setting.label);
            assert_ne!(strange.test.to_dense(), plain.test.to_dense(), "the test could tell");
        }
    }

    #[test]
    fn what_fills_missing_values_comes_from_training_rows_alone() {
        let people = |strangers: &[usize]| {
            let person = |row: usize| {
                let age = if strangers.contains(&row) { 1000 } else { 20 + row % 37 };
                let age = if row.is_multiple_of(5) { String::new() } else { age.to_string() };
                format!("{age},{},{},{}\n", ["a", "b"][row % 2], row % 3 % 2, row % 2)
            };
            std::iter::once("age,job,y,z\n".to_string()).chain((0..60).map(person)).collect::<String>()
        };
        let features = "features: { numeric: [standardize, robust, raw], missing: [median, mean, indicator] }";
        let text =
            SPEC.replace("features: { numeric: [standardize, min_max], categorical: [one_hot, ordinal] }", features);
        let experiment = spec::parse("people.yaml", &text, Path::new(""), &[]).unwrap();
        assert_eq!(experiment.settings.len(), 9);
        for setting in &experiment.settings {
            let table = |csv: &str| {
                let frame = read_bytes("people.csv", csv.as_bytes()).unwrap();
                Table::new(&frame, &LabelRule::new("y", "1"), &LabelRule::new("z", "1"), &setting.features).unwrap()
            };
            let plain_table = table(&people(&[]));
            let plain = SplitSamples::draw(setting, &plain_table, 1).unwrap();
            let strange_table = table(&people(&plain.split.test));
            let strange = SplitSamples::draw(setting, &strange_table, 1).unwrap();
            let training = |samples: &SplitSamples| samples.oracle.train.rows.to_dense();
            assert_eq!(training(&strange), training(&plain), "{}", setting.label);
            // Missing ages of the test set are filled alike, while given ones differ.
            let ages = |samples: &SplitSamples, is_missing: bool| -> Vec<f64> {
                let rows = samples.test.to_dense();
                let rows = rows.chunks_exact(samples.test.width()).zip(&plain.split.test);
                rows.filter(|(_, person)| person.is_multiple_of(5) == is_missing).map(|(row, _)| row[0]).collect()
            };
            assert!(!ages(&plain, true).is_empty());
            assert_eq!(ages(&strange, true), ages(&plain, true), "{}", setting.label);
            assert_ne!(ages(&strange, false), ages(&plain, false), "the test could tell");
            let has_indicator = plain.test.names().contains(&"age missing".to_string());
            assert_eq!(has_indicator, setting.label.contains("indicator"), "{}", setting.label);
        }
    }

    #[test]
    fn a_sentinel_is_a_failure_that_names_its_column() {
        let mut csv = "age,job,y,z\n".to_string();
        (0..60)
            .for_each(|row| csv += &format!("{},{},{},{}\n", 20 + row % 37, ["a", "b"][row % 2], row % 3 % 2, row % 2));
        let table = |csv: &str| {
            let frame = read_bytes("people.csv", csv.as_bytes()).unwrap();
            Table::new(&frame, &LabelRule::new("y", "1"), &LabelRule::new("z", "1"), &Features::default()).unwrap()
        };
        let experiment = spec::parse("people.yaml", SPEC, Path::new(""), &[]).unwrap();
        let split = SplitSamples::draw(&experiment.settings[0], &table(&csv), 1).unwrap().split;
        for rows in [&split.train, &split.test] {
            let mut lines: Vec<&str> = csv.lines().collect();
            let odd = format!("1e160,{}", lines[rows[0] + 1].split_once(',').unwrap().1);
            lines[rows[0] + 1] = &odd;
            let table = table(&lines.join("\n"));
            let failure = SplitSamples::draw(&experiment.settings[0], &table, 1).err().unwrap();
            assert_eq!(failure.kind, FailureKind::NotFinite);
            assert!(failure.reason.starts_with("column `age` overflows"), "{}", failure.reason);
        }
    }

    #[test]
    fn what_is_not_finite_is_a_failure_and_not_a_result() {
        let fit = outcome("a", Some(0.5)).result.unwrap().fit;
        let refuse = |fit: &Fit, risk: f64| refuse_not_finite(fit, [0.5, risk].into_iter());
        assert_eq!(refuse(&fit, -0.1), Ok(()));
        let infinite = Fit { objective: Some(f64::INFINITY), ..fit.clone() };
        let failure = refuse(&infinite, 0.5).unwrap_err();
        assert_eq!(failure.to_string(), "not_finite: `objective` came to inf");
        let apart = Fit { starts: Some(Starts { count: 2, lowest: 0.0, highest: f64::NAN }), ..fit.clone() };
        assert!(refuse(&apart, 0.5).is_err() && refuse(&fit, f64::NEG_INFINITY).is_err());
    }
}
