//! How much a wrong prior costs: mean AUC over a grid of priors, as colours and as numbers.

use crate::analysis::Line;
use crate::learn::PriorUse;
use crate::math::metric::Metric;
use crate::report::plot::canvas::{Area, Figure, INK, Label, PlotError, Scale, text_width, title, write};
use crate::report::plot::{of_shown_methods, title_of_setting};
use crate::spec::{Experiment, PriorSource};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

const TOP: f64 = 62.0;
const ROW: f64 = 30.0;
const FONT: f64 = 12.5;
/// More columns than this cannot be read.
const MOST_COLUMNS: usize = 16;
const MOST_ROWS: usize = 24;

/// Mean AUCs in rows and columns.
pub struct HeatMap {
    title: String,
    caption: String,
    /// What the columns are.
    x_name: String,
    /// What the rows are; may be empty.
    y_name: String,
    columns: Vec<String>,
    rows: Vec<(String, Vec<Option<f64>>)>,
}

/// The heat maps of a setting, with what their files' names end on.
pub fn heat_maps(experiment: &Experiment, lines: &[Line]) -> Vec<(String, HeatMap)> {
    let mut maps: Vec<(String, HeatMap)> = Vec::new();
    for line in of_shown_methods(lines).into_iter().filter(|line| line.prior_use == PriorUse::BetaAndGamma) {
        let of_method: Vec<&Line> = lines.iter().filter(|other| other.method == line.method).collect();
        maps.extend(grid(experiment, &of_method).map(|map| (format!("_method_{}", line.method + 1), map)));
    }
    maps.extend(by_method(experiment, lines).map(|map| (String::new(), map)));
    maps
}

/// Of one method: every beta against every gamma, where all combinations were run.
fn grid(experiment: &Experiment, lines: &[&Line]) -> Option<HeatMap> {
    let factors =
        |of: fn(&crate::spec::NamedPrior) -> PriorSource, line: &Line| match of(&experiment.priors[line.prior?]) {
            PriorSource::Multiple { times, .. } => Some(times),
            PriorSource::Fixed(_) => None,
        };
    let (beta, gamma) =
        (|line: &Line| factors(|prior| prior.beta, line), |line: &Line| factors(|prior| prior.gamma, line));
    let mean = |times: (f64, f64)| {
        let line = lines.iter().find(|line| beta(line).zip(gamma(line)) == Some(times))?;
        line.summary(Metric::RocAuc).map(|summary| summary.mean)
    };
    let distinct = |values: Vec<f64>| {
        let mut values = values;
        values.sort_by(f64::total_cmp);
        values.dedup();
        values
    };
    // A prior may also be swept by itself, at factors that the grid does not have.
    let off_axis =
        |line: &&&Line| beta(line).is_some_and(|times| times != 1.0) && gamma(line).is_some_and(|times| times != 1.0);
    let crossed: Vec<&&Line> = lines.iter().filter(off_axis).collect();
    let with_one = |values: Vec<f64>| distinct(values.into_iter().chain([1.0]).collect());
    let betas = with_one(crossed.iter().filter_map(|line| beta(line)).collect());
    let gammas = with_one(crossed.iter().filter_map(|line| gamma(line)).collect());
    if crossed.is_empty() || betas.len() > MOST_COLUMNS || gammas.len() > MOST_ROWS {
        return None;
    }
    let row = |gamma: &f64| (format!("×{gamma}"), betas.iter().map(|beta| mean((*beta, *gamma))).collect());
    let lines: Vec<Line> = lines.iter().map(|line| (*line).clone()).collect();
    let label = lines.first()?.label;
    Some(HeatMap {
        title: title_of_setting(&format!("{label}: mean ROC-AUC by prior"), &lines),
        caption: format!(
            "Mean ROC-AUC of `{label}` when beta and gamma are given as multiples of what they should be."
        ),
        x_name: "beta given, as a multiple of what it should be".to_string(),
        y_name: "gamma".to_string(),
        columns: betas.iter().map(|beta| format!("×{beta}")).collect(),
        rows: gammas.iter().rev().map(row).collect(),
    })
}

/// Every method against every prior.
fn by_method(experiment: &Experiment, lines: &[Line]) -> Option<HeatMap> {
    let priors = experiment.priors.len();
    if !(2..=MOST_COLUMNS).contains(&priors) {
        return None;
    }
    // A method that ignores gamma has one line for all priors of the same beta.
    let mean = |method: usize, prior: usize| {
        let told = |line: &&Line| {
            line.method == method
                && line.prior.is_some_and(|other| {
                    let ignores_gamma = line.prior_use == PriorUse::Beta;
                    other == prior || (ignores_gamma && experiment.priors[other].beta == experiment.priors[prior].beta)
                })
        };
        lines.iter().find(told)?.summary(Metric::RocAuc).map(|summary| summary.mean)
    };
    let methods: Vec<&Line> =
        of_shown_methods(lines).into_iter().filter(|line| line.prior.is_some()).take(MOST_ROWS).collect();
    let row = |line: &&Line| (line.label.to_string(), (0..priors).map(|prior| mean(line.method, prior)).collect());
    let rows: Vec<(String, Vec<Option<f64>>)> = methods.iter().map(row).collect();
    (!rows.is_empty()).then(|| HeatMap {
        title: title_of_setting("Mean ROC-AUC by prior", lines),
        caption: "Mean ROC-AUC of every method that is told a prior, for every prior of the spec.".to_string(),
        x_name: "prior".to_string(),
        y_name: String::new(),
        columns: experiment.priors.iter().map(|prior| prior.name.clone()).collect(),
        rows,
    })
}

impl HeatMap {
    fn left(&self) -> f64 {
        let names = self.rows.iter().map(|(name, _)| text_width(name, FONT));
        names.chain([text_width(&self.y_name, FONT)]).fold(0.0, f64::max) + 30.0
    }

    fn column(&self) -> f64 {
        self.columns.iter().map(|name| text_width(name, FONT) + 14.0).fold(64.0, f64::max)
    }

    fn ends(&self) -> (f64, f64) {
        let values = self.rows.iter().flat_map(|(_, values)| values).flatten();
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(*value), high.max(*value)))
    }
}

/// From light to dark, the same for any kind of colour vision.
fn shade(part: f64) -> RGBColor {
    const ENDS: [(f64, f64, f64); 3] = [(247.0, 251.0, 255.0), (107.0, 174.0, 214.0), (8.0, 48.0, 107.0)];
    let (from, to, part) =
        if part < 0.5 { (ENDS[0], ENDS[1], 2.0 * part) } else { (ENDS[1], ENDS[2], 2.0 * part - 1.0) };
    let mix = |a: f64, b: f64| (a + part * (b - a)).round() as u8;
    RGBColor(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
}

impl Figure for HeatMap {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn caption(&self) -> String {
        format!("{} The darker, the higher.", self.caption)
    }

    fn size(&self) -> (u32, u32) {
        let width = self.left() + self.column() * self.columns.len() as f64 + 20.0;
        let width = width.max(text_width(&self.title, 17.0) + 28.0);
        (width as u32, (TOP + ROW * self.rows.len() as f64 + 62.0) as u32)
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>, scale: Scale) -> Result<(), PlotError>
    where
        B::ErrorType: 'static,
    {
        title(area, scale, &self.title)?;
        let (left, width) = (self.left(), self.column());
        let text = |text: &str, (x, y): (f64, f64), end: HPos, colour: RGBColor| {
            write(area, scale, (scale.px(x), scale.px(y)), Label { text, size: FONT, colour, end })
        };
        let (low, high) = self.ends();
        for (row, (name, values)) in self.rows.iter().enumerate() {
            let y = TOP + ROW * row as f64;
            text(name, (left - 10.0, y + ROW / 2.0), HPos::Right, INK)?;
            for (column, value) in values.iter().enumerate() {
                let Some(value) = value else { continue };
                let x = left + width * column as f64;
                // Where all are the same, none is dark.
                let part = if high > low { (value - low) / (high - low) } else { 0.0 };
                let corners = [(scale.px(x), scale.px(y)), (scale.px(x + width - 1.0), scale.px(y + ROW - 1.0))];
                area.draw(&Rectangle::new(corners, shade(part).filled()))?;
                let ink = if part > 0.55 { WHITE } else { INK };
                text(&format!("{value:.4}"), (x + width / 2.0, y + ROW / 2.0), HPos::Center, ink)?;
            }
        }
        let bottom = TOP + ROW * self.rows.len() as f64;
        for (column, name) in self.columns.iter().enumerate() {
            text(name, (left + width * (column as f64 + 0.5), bottom + 14.0), HPos::Center, INK)?;
        }
        text(&self.x_name, (left + width * self.columns.len() as f64 / 2.0, bottom + 40.0), HPos::Center, INK)?;
        text(&self.y_name, (left - 10.0, TOP - 12.0), HPos::Right, INK)
    }
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
