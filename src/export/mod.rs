//! Everything needed to compute one cell again elsewhere, as CSV and JSON.
//!
//! The cell is fitted anew; what comes out must be what the run stored, to the bit, or nothing is written.

mod tables;

use crate::data::DataError;
use crate::learn::{Fit, Prior, RiskRecord, Shared};
use crate::math::metric::Metric;
use crate::run::{Fitted, Outcome, SplitSamples, StoreError, StoredRun, compute, write_together};
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
    let of_cell = || (run.to_path_buf(), id.to_string());
    let no_such_cell = |(run, id)| ExportError::NoSuchCell { run, id };
    let not_done = |(run, id)| ExportError::NotDone { run, id };
    let different = |(run, id)| ExportError::Different { run, id };
    let stored_run = StoredRun::open_repeatable(run)?;
    let (experiment, data) = (&stored_run.manifest.experiment, stored_run.load_data()?);
    let mut cells = stored_run.plan().cells.iter();
    let cell = cells.find(|cell| cell.id == id).ok_or_else(|| no_such_cell(of_cell()))?;
    let stored = stored_run.outcome(id)?.ok_or_else(|| not_done(of_cell()))?;
    let table = data.table(cell.setting, cell.seed);
    let samples = SplitSamples::draw(&experiment.settings[cell.setting], &table, cell.seed);
    let (outcome, fitted) = compute(experiment, cell, samples.as_ref(), &Shared::default());
    if !outcome.agrees(stored) {
        return Err(different(of_cell()));
    }

    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    files.insert("cell.json".into(), description(experiment, cell, stored, fitted.as_ref())?);
    if let Ok(samples) = &samples {
        files.extend(tables::samples(samples, experiment.methods[cell.method].method.is_oracle(), fitted.as_ref())?);
        if let Some(fitted) = &fitted {
            files.extend(tables::weights(&fitted.trained.risks, samples.test.names())?);
        }
    }
    files.insert("README.md".into(), include_str!("README.md").replace("{cell}", id).into_bytes());
    Ok(write_together(out, &files)?)
}

fn description(
    experiment: &Experiment,
    cell: &Cell,
    stored: &Outcome,
    fitted: Option<&Fitted>,
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
        threshold: fitted.map(|fitted| fitted.trained.model.threshold()),
        fit: scored.map(|scored| &scored.fit),
        risks: fitted.map_or(&[], |fitted| &fitted.trained.risks),
    };
    let mut json = serde_json::to_vec_pretty(&description)?;
    json.push(b'\n');
    Ok(json)
}
