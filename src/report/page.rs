//! `report.html`: one file that needs nothing else.

use crate::metric::Metric;
use crate::report::plot::Drawing;
use crate::report::{Comparisons, Results, TextTable, table, verdicts};
use crate::run::Manifest;
use minijinja::{AutoEscape, Environment, Value, context};

const TEMPLATE: &str = include_str!("page.html");

/// The page as text.
pub fn page(results: &Results, manifest: &Manifest, drawings: &[Drawing]) -> Result<String, minijinja::Error> {
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
    let programs: Vec<String> = manifest.computed_by.iter().map(ToString::to_string).collect();
    let spec = serde_json::to_string_pretty(&manifest.experiment).unwrap_or_default();
    environment.get_template("page")?.render(context! {
        name => &results.experiment.name,
        answers => answers(results),
        verdicts => verdicts(results),
        notes => results.notes(),
        failed => results.failures(),
        table => shown(table::table(results)),
        comparison, plots, spec, data, programs,
        command => &manifest.command,
    })
}

/// A table as the template knows it.
fn shown(table: TextTable) -> Value {
    let TextTable { header, rows, words } = table;
    context! { header, rows, words }
}

/// In so many settings the winner of each is told.
const MOST_WINNERS: usize = 4;

/// Which method came first among those that see no true W, and what the best oracle gets, for each setting.
fn answers(results: &Results) -> Vec<String> {
    let settings = results.experiment.settings.len();
    if settings > MOST_WINNERS {
        return vec![format!("{settings} settings, each with its own order of methods: see the table.")];
    }
    (0..settings).map(|setting| answer(results, setting)).collect()
}

fn answer(results: &Results, setting: usize) -> String {
    let best = |oracle: bool| {
        let mut lines = results.lines.iter().filter(|line| line.setting == setting && line.is_oracle == oracle);
        lines.find_map(|line| line.summary(Metric::RocAuc).map(|summary| (line, summary)))
    };
    let place = match &*results.experiment.settings[setting].label {
        "" => String::new(),
        label => format!("{label}: "),
    };
    let Some((line, summary)) = best(false) else {
        return format!("{place}No cell gave a result without true labels.");
    };
    let interval = table::interval_text(&summary, results.experiment.metrics[0]);
    let oracle = best(true).map(|(line, summary)| {
        format!(" The best oracle, {}, which sees true labels of training rows, gets {:.4}.", line.label, summary.mean)
    });
    let prior = if line.prior.is_some() { format!(" with prior {}", line.prior_name) } else { String::new() };
    format!(
        "{place}Among what sees no true label of W, {}{prior} has the highest mean ROC-AUC on the test part over {} seeds: \
         {:.4}{}.{}",
        line.label,
        results.experiment.seeds,
        summary.mean,
        interval.map_or(String::new(), |interval| format!(", 95% interval {interval}")),
        oracle.unwrap_or_default()
    )
}
