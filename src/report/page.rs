//! `report.html`: one file that needs nothing else.

use crate::report::plot::Drawing;
use crate::report::{Results, table, verdicts};
use crate::run::Manifest;
use minijinja::{AutoEscape, Environment, context};

const TEMPLATE: &str = include_str!("page.html");

/// The page as text. `command` is what a reader runs to get it again.
pub fn page(
    results: &Results,
    manifest: &Manifest,
    drawings: &[Drawing],
    command: &str,
) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.add_template("page", TEMPLATE)?;
    let (header, rows, words) = table::texts(results);
    let plots: Vec<_> =
        drawings.iter().map(|drawing| context! { svg => &drawing.svg, caption => &drawing.caption }).collect();
    let failed: Vec<_> = results
        .failed()
        .map(|(cell, outcome)| {
            context! {
                method => &results.experiment.methods[cell.method].label,
                seed => cell.seed,
                reason => outcome.result.as_ref().err().map(ToString::to_string),
            }
        })
        .collect();
    let data: Vec<_> = manifest
        .data
        .iter()
        .map(|file| context! { name => &file.name, rows => file.rows, sha256 => &file.sha256 })
        .collect();
    let built = &manifest.environment;
    let program = format!(
        "doublepu {}, commit {}, results version {}, {}, {}",
        built.version, built.commit, built.results_version, built.compiler, built.target
    );
    let spec = serde_json::to_string_pretty(manifest.experiment).unwrap_or_default();
    environment.get_template("page")?.render(context! {
        name => &results.experiment.name,
        answer => answer(results),
        verdicts => verdicts(results),
        header, rows, words, plots, failed, spec, command,
        data,
        program,
    })
}

/// What was compared and which came first.
pub fn answer(results: &Results) -> String {
    let best = results.lines.iter().find_map(|line| line.summary(0).map(|summary| (line, summary)));
    let Some((line, summary)) = best else { return "No cell gave a result.".to_string() };
    let interval = summary.interval.map(|(low, high)| format!(", 95% interval {low:.4} to {high:.4}"));
    let (count, seeds) = (results.lines.len(), results.experiment.seeds);
    format!(
        "Of {count} combinations of method, prior and setting, each over {seeds} seeds, {} has the highest mean ROC-AUC \
         of W on the test part: {:.4}{}.",
        line.name(),
        summary.mean,
        interval.unwrap_or_default()
    )
}
