//! The row of a cell in `cells.csv`: every value that is the same from run to run, at full precision.

use crate::run::{Outcome, SampleSizes};
use crate::spec::{Cell, Experiment};
use crate::text::exact;

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
    let (scored, failure) = (outcome.result.as_ref().ok(), outcome.result.as_ref().err());
    let mut row = vec![
        cell.id.clone(),
        experiment.settings[cell.setting].label.clone(),
        method.name().to_string(),
        options.join(" "),
        cell.prior.map_or("-".to_string(), |prior| experiment.priors[prior].name.clone()),
        exact(outcome.prior.map(|prior| prior.beta())),
        exact(outcome.prior.map(|prior| prior.gamma())),
        cell.seed.to_string(),
        failure.map_or("ok", |failure| failure.kind.name()).to_string(),
    ];
    row.extend(experiment.metrics.iter().map(|metric| exact(scored.and_then(|scored| scored.metric(*metric)))));
    let fit = scored.map(|scored| &scored.fit);
    let starts = fit.and_then(|fit| fit.starts);
    let without_minimum = failure.filter(|failure| failure.kind.has_no_minimum()).map(|_| "no");
    row.extend([
        exact(fit.map(|fit| fit.ending.word())),
        exact(fit.and_then(|fit| fit.optimizer).map(|optimizer| optimizer.name())),
        exact(fit.and_then(|fit| fit.iterations)),
        exact(fit.and_then(|fit| fit.objective)),
        exact(fit.and_then(|fit| fit.gradient_norm)),
        exact(fit.and_then(|fit| fit.relative_gradient)),
        exact(starts.map(|starts| starts.count)),
        exact(starts.map(|starts| starts.lowest)),
        exact(starts.map(|starts| starts.highest)),
        exact(fit.and_then(|fit| fit.convex).map(|convex| if convex { "yes" } else { "no" })),
        exact(fit.and_then(|fit| fit.bounded.as_ref()).map(|bounded| bounded.word()).or(without_minimum)),
        exact(fit.and_then(|fit| fit.tuned.as_ref())),
    ]);
    let sizes = |SampleSizes { interest, unlabeled, loyal, train, test }| [interest, unlabeled, loyal, train, test];
    row.extend(outcome.sizes.map_or([const { String::new() }; 5], |rows| sizes(rows).map(|size| size.to_string())));
    row.push(exact(failure.map(|failure| &failure.reason)));
    row
}
