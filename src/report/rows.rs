//! `cells.csv` and `timings.csv`: one row a cell, in the order of the plan; and tables behind the plots.

use crate::math::metric::CALIBRATION_BINS;
use crate::report::Results;
use crate::run::{Outcome, SampleSizes, csv_bytes};
use crate::spec::{Cell, Experiment};
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

/// The header of `cells.csv`.
pub fn cell_columns(experiment: &Experiment) -> Vec<&'static str> {
    let mut header = vec!["cell", "setting", "method", "options", "prior", "beta", "gamma", "seed", "status"];
    header.extend(experiment.metrics.iter().map(|metric| metric.name()));
    header.extend(["ending", "optimizer", "iterations", "objective", "gradient_norm", "relative_gradient"]);
    header.extend(["starts", "lowest_objective", "highest_objective", "convex", "bounded", "tuned"]);
    header.extend(["rows_interest", "rows_unlabeled", "rows_loyal", "rows_train", "rows_test", "reason"]);
    header
}

/// A row of `cells.csv`.
pub fn cell_row(experiment: &Experiment, cell: &Cell, outcome: &Outcome) -> Vec<String> {
    let method = &experiment.methods[cell.method].method;
    let options: Vec<String> = method.options().into_iter().map(|(key, value)| format!("{key}={value}")).collect();
    let mut row = vec![
        cell.id.clone(),
        experiment.settings[cell.setting].label.clone(),
        method.name().to_string(),
        options.join(" "),
        cell.prior.map_or("-".to_string(), |prior| experiment.priors[prior].name.clone()),
        text(outcome.prior.map(|prior| prior.beta())),
        text(outcome.prior.map(|prior| prior.gamma())),
        cell.seed.to_string(),
    ];
    let scored = outcome.result.as_ref().ok();
    let failure = outcome.result.as_ref().err();
    row.push(failure.map_or("ok", |failure| failure.kind.name()).to_string());
    row.extend(experiment.metrics.iter().map(|metric| text(scored.and_then(|scored| scored.metric(*metric)))));
    let fit = scored.map(|scored| &scored.fit);
    let without_minimum = failure.filter(|failure| failure.kind.has_no_minimum()).map(|_| "no");
    row.extend([
        text(fit.map(|fit| fit.ending.word())),
        text(fit.and_then(|fit| fit.optimizer).map(|optimizer| optimizer.name())),
        text(fit.and_then(|fit| fit.iterations)),
        text(fit.and_then(|fit| fit.objective)),
        text(fit.and_then(|fit| fit.gradient_norm)),
        text(fit.and_then(|fit| fit.relative_gradient)),
        text(fit.and_then(|fit| fit.starts).map(|starts| starts.count)),
        text(fit.and_then(|fit| fit.starts).map(|starts| starts.lowest)),
        text(fit.and_then(|fit| fit.starts).map(|starts| starts.highest)),
        text(fit.and_then(|fit| fit.convex).map(|convex| if convex { "yes" } else { "no" })),
        text(fit.and_then(|fit| fit.bounded.as_ref()).map(|bounded| bounded.word()).or(without_minimum)),
        text(fit.and_then(|fit| fit.tuned.as_ref())),
    ]);
    let size = |of: fn(&SampleSizes) -> usize| text(outcome.sizes.as_ref().map(of));
    row.extend([
        size(|sizes| sizes.interest),
        size(|sizes| sizes.unlabeled),
        size(|sizes| sizes.loyal),
        size(|sizes| sizes.train),
        size(|sizes| sizes.test),
    ]);
    row.push(failure.map_or(String::new(), |failure| failure.reason.clone()));
    row
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

/// Nothing for nothing; numbers in the fewest digits that give back the same bits.
pub fn text(value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}
