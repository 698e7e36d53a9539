//! How much a wrong prior costs: mean AUC over a grid of priors, as colours and as numbers.

use crate::analysis::Line;
use crate::learn::PriorUse;
use crate::math::metric::Metric;
use crate::report::plot::canvas::{Figure, Label, Plot, Shape, widest};
use crate::report::plot::names::slugs;
use crate::report::plot::strokes::INK;
use crate::report::plot::{of_shown_methods, title_of_setting};
use crate::spec::{Experiment, NamedPrior, PriorSource};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

const TOP: f64 = 62.0;
const ROW: f64 = 30.0;
const FONT: f64 = 12.5;
/// More columns than this cannot be read.
const MOST_COLUMNS: usize = 16;
const MOST_ROWS: usize = 24;

/// A name with its values, of which some may be missing.
type Row = (String, Vec<Option<f64>>);

/// The heat maps of a setting, with what their files' names end on.
pub fn heat_maps(experiment: &Experiment, lines: &[&Line]) -> Vec<(String, Plot)> {
    let methods = slugs(experiment.methods.iter().map(|method| &*method.label));
    let mut maps = Vec::new();
    for line in of_shown_methods(lines).into_iter().filter(|line| line.prior_use == PriorUse::BetaAndGamma) {
        let suffix = format!("_{}", methods[line.method]);
        maps.extend(grid(experiment, line.method, lines).map(|map| (suffix, map)));
    }
    maps.extend(by_method(experiment, lines).map(|map| (String::new(), map)));
    maps
}

/// Of one method: every beta against every gamma, where all combinations were run.
fn grid(experiment: &Experiment, method: usize, lines: &[&Line]) -> Option<Plot> {
    use PriorSource::Multiple;
    let factors = |line: &Line| match experiment.priors[line.prior?] {
        NamedPrior { beta: Multiple { times: beta, .. }, gamma: Multiple { times: gamma, .. }, .. } => {
            Some((beta, gamma))
        }
        _ => None,
    };
    let of_method = || lines.iter().filter(|line| line.method == method);
    // A prior may also be varied by itself, at factors that the grid does not have.
    let crossed = of_method().filter_map(|line| factors(line)).filter(|(beta, gamma)| *beta != 1.0 && *gamma != 1.0);
    let (betas, gammas): (Vec<f64>, Vec<f64>) = crossed.unzip();
    let with_one = |mut values: Vec<f64>| {
        values.push(1.0);
        values.sort_by(f64::total_cmp);
        values.dedup();
        values
    };
    let (betas, gammas) = (with_one(betas), with_one(gammas));
    if betas.len() == 1 || betas.len() > MOST_COLUMNS || gammas.len() > MOST_ROWS {
        return None;
    }
    let mean = |beta: f64, gamma: f64| mean(*of_method().find(|line| factors(line) == Some((beta, gamma)))?);
    let row = |gamma: &f64| (format!("×{gamma}"), betas.iter().map(|beta| mean(*beta, *gamma)).collect());
    let label = of_method().next()?.label;
    Some(Plot {
        title: title_of_setting(&format!("{label}: mean ROC-AUC by prior"), lines),
        caption: format!(
            "Mean ROC-AUC of `{label}` when beta and gamma are given as multiples of their values in the data. Darker is higher."
        ),
        figure: heat_map(
            ["beta as a multiple of its value in the data", "gamma"],
            betas.iter().map(|beta| format!("×{beta}")).collect(),
            gammas.iter().rev().map(row).collect(),
        ),
    })
}

/// Every method against every prior.
fn by_method(experiment: &Experiment, lines: &[&Line]) -> Option<Plot> {
    let priors = &experiment.priors;
    if !(2..=MOST_COLUMNS).contains(&priors.len()) {
        return None;
    }
    let value = |method: usize, prior: usize| {
        // A method that ignores gamma has one line for all priors of the same beta.
        let has_prior = |line: &Line| {
            let is_same_beta = |other: usize| priors[other].beta == priors[prior].beta;
            line.prior.is_some_and(|other| other == prior || (line.prior_use == PriorUse::Beta && is_same_beta(other)))
        };
        mean(*lines.iter().find(|line| line.method == method && has_prior(line))?)
    };
    let methods = of_shown_methods(lines).into_iter().filter(|line| line.prior.is_some()).take(MOST_ROWS);
    let row =
        |line: &Line| (line.label.to_string(), (0..priors.len()).map(|prior| value(line.method, prior)).collect());
    let rows: Vec<Row> = methods.map(row).collect();
    (!rows.is_empty()).then(|| Plot {
        title: title_of_setting("Mean ROC-AUC by prior", lines),
        caption: "Mean ROC-AUC of every method that uses a prior, for every prior of the spec. Darker is higher."
            .into(),
        figure: heat_map(["prior", ""], priors.iter().map(|prior| prior.name.clone()).collect(), rows),
    })
}

fn mean(line: &Line) -> Option<f64> {
    line.summary(Metric::RocAuc).map(|summary| summary.mean)
}

/// Mean AUCs in rows and columns, with the names of both axes.
fn heat_map([x_name, y_name]: [&str; 2], columns: Vec<String>, rows: Vec<Row>) -> Figure {
    let left = widest(rows.iter().map(|(name, _)| &**name).chain([y_name]), FONT) + 30.0;
    let width = (widest(columns.iter().map(|name| &**name), FONT) + 14.0).max(64.0);
    let (right, bottom) = (left + width * columns.len() as f64, TOP + ROW * rows.len() as f64);
    let values = || rows.iter().flat_map(|(_, values)| values).flatten().copied();
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    let mut shapes = Vec::new();
    let text = |text: &str, at: (f64, f64), end: HPos| Shape::Text(at, Label::new(text, FONT, end));
    for (row, (name, values)) in rows.iter().enumerate() {
        let y = TOP + ROW * row as f64;
        shapes.push(text(name, (left - 10.0, y + ROW / 2.0), HPos::Right));
        for (column, value) in values.iter().enumerate() {
            let Some(value) = value else { continue };
            let x = left + width * column as f64;
            // Where all values are the same, none is dark.
            let part = if high > low { (value - low) / (high - low) } else { 0.0 };
            shapes.push(Shape::Rectangle([(x, y), (x + width - 1.0, y + ROW - 1.0)], shade(part)));
            let colour = if part > 0.55 { WHITE } else { INK };
            let number = Label { colour, ..Label::new(format!("{value:.4}"), FONT, HPos::Center) };
            shapes.push(Shape::Text((x + width / 2.0, y + ROW / 2.0), number));
        }
    }
    for (column, name) in columns.iter().enumerate() {
        shapes.push(text(name, (left + width * (column as f64 + 0.5), bottom + 14.0), HPos::Center));
    }
    shapes.push(text(x_name, ((left + right) / 2.0, bottom + 40.0), HPos::Center));
    shapes.push(text(y_name, (left - 10.0, TOP - 12.0), HPos::Right));
    Figure::Diagram((right + 20.0, bottom + 62.0), shapes)
}

/// From light to dark, the same for any kind of colour vision.
fn shade(part: f64) -> RGBColor {
    const ENDS: [(f64, f64, f64); 3] = [(247.0, 251.0, 255.0), (107.0, 174.0, 214.0), (8.0, 48.0, 107.0)];
    let (from, to, part) =
        if part < 0.5 { (ENDS[0], ENDS[1], 2.0 * part) } else { (ENDS[1], ENDS[2], 2.0 * part - 1.0) };
    let mix = |a: f64, b: f64| (a + part * (b - a)).round() as u8;
    RGBColor(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_go_from_light_to_dark() {
        let darkness = |part| {
            let RGBColor(r, g, b) = shade(part);
            -(i32::from(r) + i32::from(g) + i32::from(b))
        };
        assert!((0..20).all(|step| darkness(f64::from(step) / 20.0) < darkness(f64::from(step + 1) / 20.0)));
    }
}
