//! Plots, each as SVG and as PNG at twice the size. The font is compiled in, so the machine needs none.

mod boundary;
mod canvas;
mod chart;
mod curve;
mod grid;
mod heat;
mod history;
mod names;
mod ranks;
mod row_chart;
mod seeds;
mod settings;
mod square;
mod strokes;
mod sweep;

use crate::analysis::{Findings, Line, Results};
use crate::run::Scatter;
use canvas::Plot;
use names::suffixes;
use rayon::prelude::*;
use sweep::Swept;

pub use canvas::PlotError;

/// The most curves of a plot; more could not be distinguished.
const MOST_CURVES: usize = 16;
/// Plots of a single setting are drawn for at most this many settings, the first ones.
pub const MOST_SETTINGS: usize = 12;

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

/// Draws all plots of an experiment in parallel. `scatters` contains the points of settings with two numeric features.
pub fn draw_all(findings: &Findings, scatters: &[Scatter]) -> Result<Vec<Drawing>, PlotError> {
    canvas::register_fonts();
    let labels = findings.results.experiment.settings.iter().map(|setting| &*setting.label);
    let settings: Vec<(usize, String)> = suffixes(labels).into_iter().enumerate().take(MOST_SETTINGS).collect();
    let of_setting = |(setting, suffix)| drawn(of_setting(findings.results, scatters, setting, suffix));
    let of_settings = || settings.into_par_iter().map(of_setting);
    let (drawings, of_settings) =
        rayon::join(|| drawn(of_experiment(findings)), || of_settings().collect::<Result<Vec<_>, _>>());
    Ok(drawings?.into_iter().chain(of_settings?.into_iter().flatten()).collect())
}

fn drawn(plots: Vec<(String, Plot)>) -> Result<Vec<Drawing>, PlotError> {
    let draw = |(name, plot): (String, Plot)| {
        let (svg, png) = canvas::render(&plot)?;
        Ok(Drawing { name, title: plot.title, caption: plot.caption, svg, png })
    };
    plots.into_par_iter().map(draw).collect()
}

/// The plots over all settings, with the names of their files.
fn of_experiment(findings: &Findings) -> Vec<(String, Plot)> {
    let Findings { results, comparisons, ranks, readings } = findings;
    let experiment = results.experiment;
    let mut plots = vec![("auc_by_method".to_string(), seeds::auc_by_method(results))];
    plots.extend(comparisons.as_ref().and_then(seeds::differences).map(|plot| ("differences".to_string(), plot)));
    let printed: Vec<String> =
        experiment.paper.iter().map(|paper| format!("{} {}", paper.method, paper.metric.name())).collect();
    for (paper, suffix) in experiment.paper.iter().zip(suffixes(printed.iter().map(String::as_str))) {
        let plot = readings.as_ref().and_then(|readings| seeds::readings(experiment, readings, paper));
        plots.extend(plot.map(|plot| (format!("paper{suffix}"), plot)));
    }
    plots.extend(ranks.as_ref().and_then(ranks::critical_difference).map(|plot| ("ranks".to_string(), plot)));
    plots.extend(settings::auc_by_settings(results));
    plots
}

/// The plots of a single setting, with the names of their files.
fn of_setting(results: &Results, scatters: &[Scatter], setting: usize, suffix: String) -> Vec<(String, Plot)> {
    let has_values = |line: &&Line| line.setting == setting && line.scored().next().is_some();
    let lines: Vec<&Line> = results.lines.iter().filter(has_values).collect();
    let mut plots = Vec::new();
    for swept in [Swept::Beta, Swept::Gamma] {
        let plot = sweep::auc_by_prior(results.experiment, &lines, swept);
        plots.extend(plot.map(|plot| (format!("auc_by_{swept}{suffix}"), plot)));
    }
    let heat_maps = heat::heat_maps(results.experiment, &lines).into_iter();
    plots.extend(heat_maps.map(|(which, plot)| (format!("auc_by_prior{suffix}{which}"), plot)));
    let scatter = scatters.iter().find(|scatter| scatter.setting == setting);
    let others = [
        ("roc", Some(square::roc_curves(&lines))),
        ("calibration", square::calibration(&lines)),
        ("training", history::training(&lines)),
        ("boundary", scatter.map(|scatter| boundary::boundaries(scatter, &lines))),
    ];
    plots.extend(others.into_iter().filter_map(|(name, plot)| Some((format!("{name}{suffix}"), plot?))));
    plots
}

/// Of each method, the line with its first prior; of many methods, the best ones. More curves would hide one another.
fn of_shown_methods<'a>(lines: &[&'a Line<'a>]) -> Vec<&'a Line<'a>> {
    lines.iter().copied().filter(|line| line.is_of_first_prior()).take(MOST_CURVES).collect()
}

/// What a caption adds if any of the shown methods uses a prior.
fn prior_sentence(lines: &[&Line]) -> String {
    let prior = lines.iter().find(|line| line.prior.is_some()).map(|line| line.prior_name);
    prior.map_or(String::new(), |prior| format!(" Methods that use a prior are shown with `{prior}`."))
}

/// A title with the setting of these lines, where the experiment has several.
fn title_of_setting(text: &str, lines: &[&Line]) -> String {
    match lines.first().map(|line| line.setting_label) {
        Some(label) if !label.is_empty() => format!("{text}, {label}"),
        _ => text.to_string(),
    }
}
