//! One split of one setting, and the cells that share it.

use crate::caught::caught;
use crate::dataset::{Encoder, Table};
use crate::learn::{
    Factorisations, Failure, FailureKind, Labelled, Observed, Oracle, Prior, Sample, Trained, Training,
};
use crate::matrix::Design;
use crate::metric::Ranking;
use crate::run::{Data, Moment, Outcome, SampleSizes, Scored};
use crate::sample::Split;
use crate::spec::{Cell, Experiment, Frequencies, Setting};
use std::time::Instant;

/// The samples of one (setting, seed) as matrices; scales and categories come from the training rows alone.
pub struct SplitSamples {
    pub observed: Observed,
    pub oracle: Oracle,
    /// The rows of the table that each sample holds.
    pub split: Split,
    pub test: Design,
    pub test_truth: Vec<bool>,
    pub sizes: SampleSizes,
    whole: Frequencies,
    train: Frequencies,
    encoder: Encoder,
}

impl SplitSamples {
    pub fn draw(setting: &Setting, table: &Table, seed: u32) -> Result<Self, Failure> {
        let split = setting.sampling.split(table, seed)?;
        let Split { interest, unlabeled, loyal, train, test } = &split;
        let encoder = Encoder::fit(table, &setting.features, train);
        let encode = |rows: &[usize]| encoder.encode(table, rows);
        let truth = |rows: &[usize]| rows.iter().map(|row| table.is_potential_customer(*row)).collect();
        let sample = |rows: &[usize]| Sample { rows: encode(rows), people: rows.to_vec() };
        let labelled = |rows: &[usize]| Labelled { rows: encode(rows), truth: truth(rows) };
        Ok(SplitSamples {
            observed: Observed { interest: sample(interest), unlabeled: sample(unlabeled), loyal: sample(loyal) },
            oracle: Oracle { train: labelled(train), unlabeled: labelled(unlabeled) },
            test: encode(test),
            test_truth: truth(test),
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
            split,
        })
    }
}

impl SplitSamples {
    /// The numbers that a cell's method is told.
    pub fn prior(&self, experiment: &Experiment, cell: &Cell) -> Result<Option<Prior>, Failure> {
        let used = experiment.methods[cell.method].method.prior_use();
        cell.prior.map(|prior| experiment.priors[prior].resolve(used, self.whole, self.train)).transpose()
    }

    /// Fits a cell's method and scores the test part.
    pub fn fit(
        &self,
        experiment: &Experiment,
        cell: &Cell,
        prior: Option<Prior>,
        factorisations: &Factorisations,
    ) -> Result<(Trained, Vec<f64>), Failure> {
        let method = &experiment.methods[cell.method].method;
        let training = Training::new(&self.observed, prior).with_seed(cell.seed).sharing(factorisations);
        // Foreign solvers may panic on odd data; that is a failure of this cell and of no other.
        caught(|| {
            let trained = method.fit(&training, &self.oracle)?;
            let scores = trained.predict(&self.test);
            Ok((trained, scores))
        })
        .unwrap_or_else(|message| {
            let reason = format!("{} broke off: {message}", method.name());
            Err(Failure { kind: FailureKind::ForeignSolver, reason })
        })
    }
}

pub fn run_group(experiment: &Experiment, data: &Data, setting: usize, seed: u32, cells: &[&Cell]) -> Vec<Outcome> {
    let table = data.table(setting, seed);
    let samples = SplitSamples::draw(&experiment.settings[setting], &table, seed);
    let factorisations = Factorisations::default();
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
            let (prior, result) = match samples.prior(experiment, cell) {
                Ok(prior) => (prior, score(experiment, cell, samples, prior, &factorisations)),
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
    factorisations: &Factorisations,
) -> Result<Scored, Failure> {
    let (trained, scores) = samples.fit(experiment, cell, prior, factorisations)?;
    let ranking = Ranking::new(&scores, &samples.test_truth)?;
    let Trained { model, fit, history, .. } = trained;
    let moment = |moment: crate::learn::Moment| -> Result<Moment, Failure> {
        let roc_auc = Ranking::new(&moment.model.predict(&samples.test), &samples.test_truth)?.roc_auc();
        Ok(Moment { epoch: moment.epoch, training_risk: moment.training_risk, roc_auc })
    };
    let boundary = model.linear_weights().and_then(|weights| samples.encoder.unscaled_weights(weights));
    Ok(Scored {
        metrics: experiment.metrics.iter().map(|metric| metric.of(&ranking)).collect(),
        curve: ranking.roc_curve(),
        boundary: boundary
            .filter(|weights| weights.iter().all(|weight| weight.is_finite()))
            .and_then(|weights| weights.try_into().ok()),
        fit,
        history: history.into_iter().map(moment).collect::<Result<_, Failure>>()?,
    })
}
