//! Plots, each as SVG and as PNG at twice the size. The font is compiled in, so none is needed on the machine.

mod boundary;
mod canvas;
mod heat;
mod history;
mod labels;
mod learning;
mod priors;
mod ranks;
mod row_chart;
mod seeds;
mod square;
mod strokes;
mod sweep;

use crate::analysis::{Findings, Line, Results};
use crate::run::Scatter;
use canvas::{Figure, PlotError};
use rayon::prelude::*;

/// More curves than this cannot be told apart.
const MOST_CURVES: usize = 16;
/// Plots of a single setting are drawn for so many settings, the first ones.
pub const MOST_SETTINGS: usize = 12;

pub use canvas::PlotError as Error;

/// A finished plot.
pub struct Drawing {
    /// The name of its files, without the ending.
    pub name: String,
    pub title: String,
    /// What it shows, in sentences.
    pub caption: String,
    pub svg: String,
    pub png: Vec<u8>,
}

/// A plot to be drawn.
type Task<'a> = Box<dyn FnOnce() -> Result<Drawing, PlotError> + Send + 'a>;

fn task<'a>(name: String, figure: impl Figure + Send + Sync + 'a) -> Task<'a> {
    Box::new(move || {
        let (svg, png) = canvas::render(&figure)?;
        Ok(Drawing { name, title: figure.title(), caption: figure.caption(), svg, png })
    })
}

/// Draws all at the same time, as far as there are threads.
fn drawn(tasks: Vec<Task>) -> Result<Vec<Drawing>, PlotError> {
    tasks.into_par_iter().map(|task| task()).collect()
}

/// Every plot that an experiment calls for. `scatters` holds the points behind settings with two numeric features.
pub fn draw_all(findings: &Findings, scatters: &[Scatter]) -> Result<Vec<Drawing>, PlotError> {
    let results = findings.results;
    let mut tasks = vec![task("auc_by_method".to_string(), seeds::auc_by_method(results))];
    if let Some(figure) = findings.comparisons.as_ref().and_then(seeds::differences) {
        tasks.push(task("differences".to_string(), figure));
    }
    if let Some(readings) = &findings.readings {
        for (place, paper) in results.experiment.paper.iter().enumerate() {
            if let Some(figure) = seeds::readings(results.experiment, readings, paper) {
                tasks.push(task(format!("paper{}", suffix(place, results.experiment.paper.len())), figure));
            }
        }
    }
    if let Some(ranks) = findings.ranks.as_ref().filter(|ranks| ranks.methods.len() <= ranks::MOST_METHODS) {
        tasks.push(task("ranks".to_string(), ranks::CriticalDifference { ranks }));
    }
    if let Some((key, figure)) = learning::learning_curve(results) {
        tasks.push(task(format!("auc_by_{key}"), figure));
    }
    let settings = (0..results.experiment.settings.len().min(MOST_SETTINGS)).into_par_iter();
    let of_settings = || settings.map(|setting| of_setting(results, scatters, setting)).collect::<Result<Vec<_>, _>>();
    let (drawings, of_settings) = rayon::join(|| drawn(tasks), of_settings);
    Ok(drawings?.into_iter().chain(of_settings?.into_iter().flatten()).collect())
}

/// The plots of a single setting.
fn of_setting(results: &Results, scatters: &[Scatter], setting: usize) -> Result<Vec<Drawing>, PlotError> {
    let suffix = suffix(setting, results.experiment.settings.len());
    let has_values = |line: &&Line| line.setting == setting && line.scored().next().is_some();
    let lines: Vec<Line> = results.lines.iter().filter(has_values).cloned().collect();
    let mut tasks = Vec::new();
    for swept in [priors::Swept::Beta, priors::Swept::Gamma] {
        if let Some(figure) = priors::auc_by_prior(results.experiment, &lines, swept) {
            tasks.push(task(format!("auc_by_{}{suffix}", swept.name()), figure));
        }
    }
    for (which, figure) in heat::heat_maps(results.experiment, &lines) {
        tasks.push(task(format!("auc_by_prior{suffix}{which}"), figure));
    }
    tasks.push(task(format!("roc{suffix}"), square::roc_curves(&lines)));
    if let Some(figure) = square::calibration(&lines) {
        tasks.push(task(format!("calibration{suffix}"), figure));
    }
    if let Some(figure) = history::Training::new(&lines) {
        tasks.push(task(format!("training{suffix}"), figure));
    }
    if let Some(scatter) = scatters.iter().find(|scatter| scatter.setting == setting) {
        tasks.push(task(format!("boundary{suffix}"), boundary::Boundaries { scatter, lines: &lines }));
    }
    drawn(tasks)
}

/// What the name of a file ends on that there is one of for each of so many; nothing if there is only one.
fn suffix(place: usize, count: usize) -> String {
    if count > 1 { format!("_{}", place + 1) } else { String::new() }
}

/// Of each method, the line with its first prior, the best ones: more curves, or curves for many priors, would hide one
/// another.
fn of_shown_methods<'a>(lines: &'a [Line<'a>]) -> Vec<&'a Line<'a>> {
    lines.iter().filter(|line| line.is_of_first_prior()).take(MOST_CURVES).collect()
}

/// What a caption adds if any of the shown methods is told a prior.
fn prior_sentence(lines: &[&Line]) -> String {
    let prior = lines.iter().find(|line| line.prior.is_some()).map(|line| line.prior_name);
    prior.map_or(String::new(), |prior| format!(" Methods that are told a prior are shown with `{prior}`."))
}

/// A title with what tells the setting of these lines from others.
fn title_of_setting(text: &str, lines: &[Line]) -> String {
    match lines.first().map(|line| line.setting_label) {
        Some(label) if !label.is_empty() => format!("{text}, {label}"),
        _ => text.to_string(),
    }
}
