//! Everything needed to compute one cell again elsewhere, as CSV and JSON.
//!
//! The cell is fitted anew; what comes out must be what the run stored, to the bit, or nothing is written.

mod tables;

use crate::data::DataError;
use crate::learn::{Failure, Fit, Prior, RiskRecord};
use crate::math::metric::Metric;
use crate::run::{Data, Fitted, Manifest, Outcome, SplitSamples, Store, StoreError, write_together};
use crate::spec::{Cell, Experiment};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Why nothing was exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Data(#[from] DataError),
    #[error("{} is not empty\n  help: give a new folder with --out", out.display())]
    NotEmpty { out: PathBuf },
    #[error("{}: no cell of its experiment has the id {id}\n  help: the first column of cells.csv lists the ids", run.display())]
    NoSuchCell { run: PathBuf, id: String },
    #[error("{}: the cell {id} is not done\n  help: finish the run first", run.display())]
    NotDone { run: PathBuf, id: String },
    #[error(
        "{}: the cell {id} came out differently this time, so the stored results are not this program's\n  help: run it \
         again with --fresh",
        run.display()
    )]
    Different { run: PathBuf, id: String },
    #[error("a table cannot be written: {0}")]
    Csv(#[from] csv::Error),
    #[error("{0}")]
    Json(#[from] serde_json::Error),
}

/// As written to `cell.json`.
#[derive(Serialize)]
struct Description<'a> {
    cell: &'a str,
    experiment: &'a str,
    setting: &'a crate::spec::Setting,
    method: &'a crate::methods::Method,
    seed: u32,
    prior: Option<Prior>,
    status: &'a str,
    /// Why there is no result.
    reason: Option<&'a str>,
    metrics: BTreeMap<&'static str, Option<f64>>,
    /// Above this score a person is taken for a potential customer.
    threshold: Option<f64>,
    fit: Option<&'a Fit>,
    /// Every risk that was minimised, in order; `weights_1.csv` belongs to the first.
    risks: &'a [RiskRecord],
}

/// Writes a cell of a run into a folder.
pub fn export(run: &Path, id: &str, out: &Path) -> Result<(), ExportError> {
    if std::fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(ExportError::NotEmpty { out: out.to_path_buf() });
    }
    let manifest = Manifest::read_repeatable(run)?;
    let data = Data::load_again(&manifest.experiment, &manifest.data)?;
    let (plan, experiment) = (manifest.plan(), manifest.experiment);
    let cell = plan.cells.iter().find(|cell| cell.id == id);
    let cell = cell.ok_or_else(|| ExportError::NoSuchCell { run: run.to_path_buf(), id: id.to_string() })?;
    let contents = Store::peek(run)?;
    let stored =
        contents.outcome(id).ok_or_else(|| ExportError::NotDone { run: run.to_path_buf(), id: id.to_string() })?;
    let table = data.table(cell.setting, cell.seed);
    let samples = SplitSamples::draw(&experiment.settings[cell.setting], &table, cell.seed);
    let refitted = samples.as_ref().map_err(Failure::clone).and_then(|samples| refit(&experiment, cell, samples));
    if !is_as_stored(&refitted, stored) {
        return Err(ExportError::Different { run: run.to_path_buf(), id: id.to_string() });
    }

    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    files.insert("cell.json".into(), description(&experiment, cell, stored, &refitted)?);
    if let Ok(samples) = &samples {
        let fitted = refitted.as_ref().ok().map(|refitted| &refitted.fitted);
        files.extend(tables::samples(samples, experiment.methods[cell.method].method.is_oracle(), fitted)?);
        if let Some(fitted) = fitted {
            files.extend(tables::weights(&fitted.trained.risks, samples.test.names())?);
        }
    }
    files.insert("README.md".into(), include_str!("README.md").replace("{cell}", id).into_bytes());
    Ok(write_together(out, &files)?)
}

/// A cell fitted once more, with every metric.
struct Refitted {
    fitted: Fitted,
    metrics: BTreeMap<Metric, Option<f64>>,
}

fn refit(experiment: &Experiment, cell: &Cell, samples: &SplitSamples) -> Result<Refitted, Failure> {
    let prior = samples.prior(experiment, cell)?;
    let fitted = samples.fit(experiment, cell, prior, &Default::default())?;
    let judged = fitted.judged(&samples.test_truth);
    let metrics = judged.metrics(&judged.ranking()?);
    Ok(Refitted { fitted, metrics })
}

fn is_as_stored(refitted: &Result<Refitted, Failure>, stored: &Outcome) -> bool {
    match (refitted, &stored.result) {
        (Ok(Refitted { fitted, metrics }), Ok(scored)) => {
            fitted.trained.fit == scored.fit && *metrics == scored.metrics
        }
        (Err(failure), Err(stored)) => failure == stored,
        _ => false,
    }
}

fn description(
    experiment: &Experiment,
    cell: &Cell,
    stored: &Outcome,
    refitted: &Result<Refitted, Failure>,
) -> Result<Vec<u8>, ExportError> {
    let scored = stored.result.as_ref().ok();
    let metrics = scored.map(|scored| {
        let value = |metric: &Metric| Some((metric.name(), *scored.metrics.get(metric)?));
        experiment.metrics.iter().filter_map(value)
    });
    let description = Description {
        cell: &cell.id,
        experiment: &experiment.name,
        setting: &experiment.settings[cell.setting],
        method: &experiment.methods[cell.method].method,
        seed: cell.seed,
        prior: stored.prior,
        status: stored.result.as_ref().err().map_or("ok", |failure| failure.kind.name()),
        reason: stored.result.as_ref().err().map(|failure| failure.reason.as_str()),
        metrics: metrics.into_iter().flatten().collect(),
        threshold: refitted.as_ref().ok().map(|refitted| refitted.fitted.trained.model.threshold()),
        fit: scored.map(|scored| &scored.fit),
        risks: refitted.as_ref().map_or(&[], |refitted| &refitted.fitted.trained.risks),
    };
    let mut json = serde_json::to_vec_pretty(&description)?;
    json.push(b'\n');
    Ok(json)
}
