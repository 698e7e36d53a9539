//! Plots, each as SVG and as PNG at twice the size. The font is compiled in, so none is needed on the machine.

mod boundary;
mod canvas;
mod history;
mod priors;
mod roc;
mod strip;

use crate::report::{Line, Results};
use crate::run::Scatter;
use canvas::{Figure, PlotError};

pub use canvas::PlotError as Error;

/// A finished plot.
pub struct Drawing {
    /// The name of its files, without the ending.
    pub name: String,
    /// What it shows, in a sentence.
    pub caption: String,
    pub svg: String,
    pub png: Vec<u8>,
}

/// Every plot that an experiment calls for. `scatters` holds the points behind settings with two numeric features.
pub fn draw_all(results: &Results, scatters: &[Scatter]) -> Result<Vec<Drawing>, PlotError> {
    let mut drawings = vec![drawing("auc_by_method", &strip::AucByMethod { results })?];
    for (setting, suffix) in settings(results) {
        let lines = of_setting(results, setting);
        for swept in [priors::Swept::Beta, priors::Swept::Gamma] {
            if let Some(figure) = priors::AucByPrior::new(results.experiment, &lines, swept) {
                drawings.push(drawing(&format!("auc_by_{}{suffix}", swept.name()), &figure)?);
            }
        }
        drawings.push(drawing(&format!("roc{suffix}"), &roc::RocCurves::new(&lines))?);
        if let Some(figure) = history::Training::new(&lines) {
            drawings.push(drawing(&format!("training{suffix}"), &figure)?);
        }
        if let Some(scatter) = scatters.iter().find(|scatter| scatter.setting == setting) {
            drawings.push(drawing(&format!("boundary{suffix}"), &boundary::Boundaries { scatter, lines: &lines })?);
        }
    }
    Ok(drawings)
}

/// The settings, with what their files' names end on: nothing if there is only one.
fn settings(results: &Results) -> impl Iterator<Item = (usize, String)> {
    let several = results.has_settings();
    let suffix = move |setting: usize| if several { format!("_{}", setting + 1) } else { String::new() };
    (0..results.experiment.settings.len()).map(move |setting| (setting, suffix(setting)))
}

fn of_setting<'a>(results: &Results<'a>, setting: usize) -> Vec<Line<'a>> {
    results.lines.iter().filter(|line| line.setting == setting && line.scored().next().is_some()).cloned().collect()
}

/// Of each method, the line with its first prior: curves for many priors would hide one another.
fn of_first_prior<'a>(lines: &'a [Line<'a>]) -> Vec<&'a Line<'a>> {
    lines.iter().filter(|line| line.prior.is_none_or(|prior| prior == 0)).collect()
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

fn drawing(name: &str, figure: &impl Figure) -> Result<Drawing, PlotError> {
    let (svg, png) = canvas::render(figure)?;
    Ok(Drawing { name: name.to_string(), caption: figure.caption(), svg, png })
}
