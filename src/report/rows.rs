//! `cells.csv` and `timings.csv`, with a row for every cell in the order of the plan; and the tables behind the plots.

use crate::analysis::Results;
use crate::math::metric::CALIBRATION_BINS;
use crate::run::{cell_columns, cell_row};
use crate::spec::{Cell, Experiment};
use crate::text::csv_bytes;
use csv::Writer;

/// All that must not differ from run to run, at full precision.
pub fn cells_csv(results: &Results) -> csv::Result<Vec<u8>> {
    let mut writer = Writer::from_writer(Vec::new());
    writer.write_record(cell_columns(results.experiment))?;
    for (cell, outcome) in &results.cells {
        writer.write_record(cell_row(results.experiment, cell, outcome))?;
    }
    csv_bytes(writer)
}

/// How the training of every network went, one row a moment.
pub fn history_csv(results: &Results) -> csv::Result<Vec<u8>> {
    let mut writer = Writer::from_writer(Vec::new());
    writer.write_record(["cell", "setting", "method", "prior", "seed", "epoch", "training_risk", "roc_auc"])?;
    for (cell, outcome) in &results.cells {
        for moment in outcome.result.iter().flat_map(|scored| &scored.history) {
            let mut row = names(results.experiment, cell);
            row.extend([moment.epoch.to_string(), moment.training_risk.to_string(), moment.roc_auc.to_string()]);
            writer.write_record(&row)?;
        }
    }
    csv_bytes(writer)
}

/// How often what was given a probability came true, over all seeds: a row a bin that has people.
pub fn calibration_csv(results: &Results) -> csv::Result<Vec<u8>> {
    let mut writer = Writer::from_writer(Vec::new());
    let header = "setting,method,prior,probability_from,probability_to,people,mean_probability,share_found";
    writer.write_record(header.split(','))?;
    for line in &results.lines {
        let bins = line.calibration().unwrap_or_default();
        let edge = |place: usize| (place as f64 / CALIBRATION_BINS as f64).to_string();
        for (place, bin) in bins.iter().enumerate().filter(|(_, bin)| bin.people > 0) {
            let people = f64::from(bin.people);
            writer.write_record([
                line.setting_label,
                line.label,
                line.prior_name,
                &edge(place),
                &edge(place + 1),
                &bin.people.to_string(),
                &(bin.expected / people).to_string(),
                &(f64::from(bin.found) / people).to_string(),
            ])?;
        }
    }
    csv_bytes(writer)
}

/// Id, setting, method, prior and seed of a cell, as tables call them.
fn names(experiment: &Experiment, cell: &Cell) -> Vec<String> {
    vec![
        cell.id.clone(),
        experiment.settings[cell.setting].label.clone(),
        experiment.methods[cell.method].label.clone(),
        cell.prior.map_or("-".to_string(), |prior| experiment.priors[prior].name.clone()),
        cell.seed.to_string(),
    ]
}

/// What differs from run to run.
pub fn timings_csv(results: &Results) -> csv::Result<Vec<u8>> {
    let mut writer = Writer::from_writer(Vec::new());
    writer.write_record(["cell", "setting", "method", "prior", "seed", "seconds"])?;
    for (cell, outcome) in &results.cells {
        let mut row = names(results.experiment, cell);
        row.push(format!("{:.6}", outcome.seconds));
        writer.write_record(&row)?;
    }
    csv_bytes(writer)
}
