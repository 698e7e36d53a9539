//! Everything needed to compute one cell again elsewhere, as CSV and JSON.
//!
//! The cell is fitted again. Unless its outcome is the stored one, to the bit, nothing is written.

mod tables;

use crate::external::Session;
use crate::learn::{Failure, Shared};
use crate::math::metric::Metric;
use crate::run::{Data, Fitted, Manifest, Outcome, RunError, SplitSamples, Staged, StoredRun, compute};
use crate::spec::{Cell, Experiment};
use serde_json::json;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Writes a cell of a run to a folder. `moved` are data files that are not where the run had them.
pub fn export(run: &Path, moved: &[PathBuf], id: &str, out: &Path) -> Result<(), RunError> {
    if std::fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(RunError::at(out, "is not empty", "give a new folder with --out"));
    }
    let stored_run = StoredRun::open_with_data(run, moved)?;
    let Manifest { experiment, data: files, .. } = &stored_run.manifest;
    let data = Data::load_again(experiment, files)?;
    let cell = stored_run.plan.cells.iter().find(|cell| cell.id == id).ok_or_else(|| {
        RunError::at(
            run,
            format!("no cell of its experiment has the id {id}"),
            "the first column of cells.csv lists the ids",
        )
    })?;
    let stored = stored_run.contents.outcome(id);
    let stored =
        stored.ok_or_else(|| RunError::at(run, format!("the cell {id} is not done"), "finish the run first"))?;
    let table = data.table(cell.setting, cell.seed);
    let samples = SplitSamples::draw(&experiment.settings[cell.setting], &table, cell.seed);
    let _workers = Session::begin();
    let (outcome, fitted) = compute(experiment, cell, samples.as_ref(), &Shared::default());
    if !outcome.agrees(stored) {
        let problem = format!("the cell {id} has another outcome now, so another program computed the stored results");
        return Err(RunError::at(run, problem, "run it again with --fresh"));
    }

    let io = RunError::writing(out);
    let mut files = BTreeMap::from([
        ("cell.json".to_string(), description(experiment, cell, stored, fitted.as_ref()).map_err(&io)?),
        ("README.md".to_string(), include_str!("README.md").replace("{cell}", id).into_bytes()),
    ]);
    if let Ok(samples) = &samples {
        let is_oracle = experiment.methods[cell.method].method.is_oracle();
        files.extend(tables::tables(samples, is_oracle, fitted.as_ref()).map_err(|error| io(error.into()))?);
    }
    Staged::write(out, &files)?.put_in_place()
}

/// The contents of `cell.json`.
fn description(experiment: &Experiment, cell: &Cell, stored: &Outcome, fitted: Option<&Fitted>) -> io::Result<Vec<u8>> {
    let (scored, failure) = (stored.result.as_ref().ok(), stored.result.as_ref().err());
    let value = |metric: &Metric| Some((metric.name(), *scored?.metrics.get(metric)?));
    let trained = fitted.and_then(|fitted| fitted.trained.as_ref());
    let description = json!({
        "cell": cell.id,
        "experiment": experiment.name,
        "setting": experiment.settings[cell.setting],
        "method": experiment.methods[cell.method].method,
        "seed": cell.seed,
        "prior": stored.prior,
        "status": failure.map_or("ok", |failure| failure.kind.name()),
        "reason": failure.map(Failure::summary),
        "metrics": experiment.metrics.iter().filter_map(value).collect::<BTreeMap<_, _>>(),
        "threshold": fitted.map(|fitted| fitted.threshold),
        "fit": scored.map(|scored| &scored.fit),
        "risks": trained.map_or(&[][..], |trained| &trained.risks),
    });
    let mut json = serde_json::to_vec_pretty(&description)?;
    json.push(b'\n');
    Ok(json)
}
