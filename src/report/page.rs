//! `report.html`: one file that needs nothing else.

use crate::report::plot::Drawing;
use crate::report::{Comparisons, Results, TextTable, table, verdicts};
use crate::run::Manifest;
use minijinja::{AutoEscape, Environment, Value, context};

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
    let comparison = Comparisons::of(results)
        .map(|comparisons| context! { heading => comparisons.heading(), table => shown(comparisons.table()) });
    let plots: Vec<_> =
        drawings.iter().map(|drawing| context! { svg => &drawing.svg, caption => &drawing.caption }).collect();
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
        notes => results.notes(),
        failed => results.failures(),
        table => shown(table::table(results)),
        comparison, plots, spec, command,
        data,
        program,
    })
}

/// A table as the template knows it.
fn shown(table: TextTable) -> Value {
    let TextTable { header, rows, words } = table;
    context! { header, rows, words }
}

/// Which method came first among those that see no true W, and what the best oracle gets.
fn answer(results: &Results) -> String {
    let best = |oracle: bool| {
        let mut lines = results.lines.iter().filter(|line| line.is_oracle == oracle);
        lines.find_map(|line| line.summary(0).map(|summary| (line, summary)))
    };
    let Some((line, summary)) = best(false) else { return "No cell gave a result without true labels.".to_string() };
    let interval = table::interval_text(&summary, results.experiment.metrics[0]);
    let oracle = best(true).map(|(line, summary)| {
        format!(
            " The best oracle, {}, which sees the true labels of all training rows, gets {:.4}.",
            line.name(),
            summary.mean
        )
    });
    format!(
        "Among what sees no true label of W, {} has the highest mean ROC-AUC on the test part over {} seeds: {:.4}{}.{}",
        line.name(),
        results.experiment.seeds,
        summary.mean,
        interval.map_or(String::new(), |interval| format!(", 95% interval {interval}")),
        oracle.unwrap_or_default()
    )
}
