//! One split of one setting, and the cells that share it.

use crate::caught::caught;
use crate::dataset::{Encoder, Table};
use crate::learn::{Failure, FailureKind, Labelled, Observed, Prior, Trained, Training};
use crate::matrix::Design;
use crate::metric::Ranking;
use crate::run::{Data, Outcome, SampleSizes, Scored};
use crate::sample::Split;
use crate::spec::{Cell, Experiment, Frequencies, Setting};
use std::time::Instant;

/// The samples of one (setting, seed) as matrices; scales and categories come from the training rows alone.
pub struct SplitSamples {
    pub observed: Observed,
    pub oracle: Labelled,
    pub test: Design,
    pub test_truth: Vec<bool>,
    pub sizes: SampleSizes,
    whole: Frequencies,
    train: Frequencies,
    encoder: Encoder,
}

impl SplitSamples {
    pub fn draw(setting: &Setting, table: &Table, seed: u32) -> Result<Self, Failure> {
        let Split { interest, unlabeled, loyal, train, test } = setting.sampling.split(table, seed)?;
        let encoder = Encoder::fit(table, &setting.features, &train);
        let encode = |rows: &[usize]| encoder.encode(table, rows);
        let truth = |rows: &[usize]| rows.iter().map(|row| table.is_potential_customer(*row)).collect();
        Ok(SplitSamples {
            observed: Observed { interest: encode(&interest), unlabeled: encode(&unlabeled), loyal: encode(&loyal) },
            oracle: Labelled { rows: encode(&train), truth: truth(&train) },
            test: encode(&test),
            test_truth: truth(&test),
            sizes: SampleSizes {
                interest: interest.len(),
                unlabeled: unlabeled.len(),
                loyal: loyal.len(),
                train: train.len(),
                test: test.len(),
            },
            whole: Frequencies::of(table, 0..table.rows()),
            train: Frequencies::of(table, train.iter().copied()),
            encoder,
        })
    }
}

pub fn run_group(experiment: &Experiment, data: &Data, setting: usize, seed: u32, cells: &[&Cell]) -> Vec<Outcome> {
    let table = data.table(setting, seed);
    let samples = SplitSamples::draw(&experiment.settings[setting], &table, seed);
    cells
        .iter()
        .map(|cell| {
            let start = Instant::now();
            let id = cell.id.clone();
            let samples = match &samples {
                Ok(samples) => samples,
                Err(failure) => {
                    return Outcome { id, sizes: None, prior: None, result: Err(failure.clone()), seconds: 0.0 };
                }
            };
            let used = experiment.methods[cell.method].method.prior_use();
            let prior = cell.prior.map(|prior| experiment.priors[prior].resolve(used, samples.whole, samples.train));
            let (prior, result) = match prior.transpose() {
                Ok(prior) => (prior, score(experiment, cell, samples, prior)),
                Err(failure) => (None, Err(failure)),
            };
            let seconds = start.elapsed().as_secs_f64();
            Outcome { id, sizes: Some(samples.sizes), prior, result, seconds }
        })
        .collect()
}

fn score(
    experiment: &Experiment,
    cell: &Cell,
    samples: &SplitSamples,
    prior: Option<Prior>,
) -> Result<Scored, Failure> {
    let training = Training { observed: &samples.observed, oracle: &samples.oracle, prior, seed: cell.seed };
    let method = &experiment.methods[cell.method].method;
    // Foreign solvers may panic on odd data; that is a failure of this cell and of no other.
    let (Trained { model, fit }, scores) = caught(|| {
        let trained = method.fit(&training)?;
        let scores = trained.model.scores(&samples.test);
        Ok((trained, scores))
    })
    .unwrap_or_else(|message| {
        let reason = format!("{} broke off: {message}", method.name());
        Err(Failure { kind: FailureKind::ForeignSolver, reason })
    })?;
    let ranking = Ranking::new(&scores, &samples.test_truth)?;
    let boundary = model.weights().and_then(|weights| samples.encoder.unscaled_weights(weights));
    Ok(Scored {
        metrics: experiment.metrics.iter().map(|metric| metric.of(&ranking)).collect(),
        curve: ranking.roc_curve(),
        boundary: boundary
            .filter(|weights| weights.iter().all(|weight| weight.is_finite()))
            .and_then(|weights| weights.try_into().ok()),
        fit,
    })
}
