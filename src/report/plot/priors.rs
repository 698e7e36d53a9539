//! AUC against the factor by which a prior is wrong.

use crate::report::Line;
use crate::report::plot::canvas::{
    Area, Entry, Figure, GREY, LIGHT, Mark, PlotError, Scale, colour, dashed, legend, legend_width, padded, title,
};
use crate::spec::{Experiment, NamedPrior, PriorSource};
use crate::stats::Summary;
use plotters::prelude::*;

const PLOT: u32 = 520;
const HEIGHT: u32 = 400;

/// Which prior is swept.
#[derive(Clone, Copy, PartialEq)]
pub enum Axis {
    Beta,
    Gamma,
}

impl Axis {
    pub fn name(self) -> &'static str {
        match self {
            Axis::Beta => "beta",
            Axis::Gamma => "gamma",
        }
    }

    /// The factor of a prior that is wrong in no other way.
    fn factor(self, prior: &NamedPrior) -> Option<f64> {
        let (swept, other) = match self {
            Axis::Beta => (prior.beta, prior.gamma),
            Axis::Gamma => (prior.gamma, prior.beta),
        };
        match (swept, other) {
            (PriorSource::Multiple { times, of }, PriorSource::Multiple { times: 1.0, of: other }) if of == other => {
                Some(times)
            }
            _ => None,
        }
    }
}

pub struct AucByPrior<'a> {
    axis: Axis,
    title: String,
    curves: Vec<Curve<'a>>,
    /// Methods that are told no prior.
    levels: Vec<(&'a Line<'a>, Summary)>,
}

struct Curve<'a> {
    label: &'a str,
    method: usize,
    points: Vec<(f64, Summary)>,
}

impl<'a> AucByPrior<'a> {
    /// `None` unless the prior stands at two factors or more.
    pub fn new(experiment: &'a Experiment, lines: &'a [Line<'a>], axis: Axis) -> Option<Self> {
        let mut curves: Vec<Curve> = Vec::new();
        for line in lines {
            let factor = line.prior.and_then(|prior| axis.factor(&experiment.priors[prior]));
            let (Some(factor), Some(summary)) = (factor, line.summary(0)) else { continue };
            match curves.iter_mut().find(|curve| curve.method == line.method) {
                Some(curve) => curve.points.push((factor, summary)),
                None => {
                    curves.push(Curve { label: line.label, method: line.method, points: vec![(factor, summary)] });
                }
            }
        }
        for curve in &mut curves {
            curve.points.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        if !curves.iter().any(|curve| curve.points.len() > 1) {
            return None;
        }
        let without_prior = lines.iter().filter(|line| line.prior.is_none());
        let levels = without_prior.filter_map(|line| line.summary(0).map(|summary| (line, summary))).collect();
        let setting = lines.first().map_or("", |line| line.setting_label);
        let title = format!("ROC-AUC against a wrong {} {setting}", axis.name()).trim_end().to_string();
        Some(AucByPrior { axis, title, curves, levels })
    }

    fn labels(&self) -> impl Iterator<Item = &str> {
        self.curves.iter().map(|curve| curve.label).chain(self.levels.iter().map(|(line, _)| line.label))
    }
}

impl Figure for AucByPrior<'_> {
    fn caption(&self) -> String {
        let name = self.axis.name();
        format!("Mean ROC-AUC, with its 95% interval, when {name} is given as a multiple of what it should be.")
    }

    fn size(&self) -> (u32, u32) {
        (PLOT + legend_width(self.labels()).max(120), HEIGHT)
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>, scale: Scale) -> Result<(), PlotError>
    where
        B::ErrorType: 'static,
    {
        let points = self.curves.iter().flat_map(|curve| &curve.points);
        let x_range = padded(points.clone().map(|(factor, _)| *factor));
        let bounds = points.map(|(_, summary)| summary).chain(self.levels.iter().map(|(_, summary)| summary));
        let bounds = bounds.flat_map(|summary| {
            let (low, high) = summary.interval.unwrap_or((summary.mean, summary.mean));
            [low, high]
        });
        let y_range = padded(bounds);
        title(area, scale, &self.title)?;
        let (left, right) = area.split_horizontally(scale.px(f64::from(PLOT)));
        let left = left.margin(scale.px(40.0), scale.px(8.0), scale.px(8.0), scale.px(16.0));
        let mut chart = ChartBuilder::on(&left)
            .x_label_area_size(scale.px(44.0))
            .y_label_area_size(scale.px(66.0))
            .build_cartesian_2d(x_range.clone(), y_range)?;
        let x_desc = format!("{} given, as a multiple of the truth", self.axis.name());
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(LIGHT)
            .axis_style(GREY)
            .x_labels(8)
            .y_labels(6)
            .x_label_formatter(&|x| format!("{x:.2}"))
            .y_label_formatter(&|y| format!("{y:.3}"))
            .x_desc(x_desc)
            .y_desc("mean ROC-AUC")
            .label_style(scale.font(12.0))
            .axis_desc_style(scale.font(13.0))
            .draw()?;
        for (line, summary) in &self.levels {
            let end = |x| chart.backend_coord(&(x, summary.mean));
            dashed(area, scale, end(x_range.start), end(x_range.end), colour(line.method))?;
        }
        for curve in &self.curves {
            let style = colour(curve.method).stroke_width(scale.width(2.0));
            let means = curve.points.iter().map(|(factor, summary)| (*factor, summary.mean)).collect::<Vec<_>>();
            chart.draw_series(means.iter().map(|mean| Circle::new(*mean, scale.px(3.0), style.filled())))?;
            chart.draw_series([PathElement::new(means, style)])?;
            for (factor, summary) in &curve.points {
                let Some((low, high)) = summary.interval else { continue };
                chart.draw_series([PathElement::new(vec![(*factor, low), (*factor, high)], style)])?;
            }
        }
        let curve =
            |curve: &Curve| Entry { text: curve.label.to_string(), colour: colour(curve.method), mark: Mark::Line };
        let level = |(line, _): &(&Line, Summary)| Entry {
            text: line.label.to_string(),
            colour: colour(line.method),
            mark: Mark::Dashed,
        };
        let entries: Vec<Entry> = self.curves.iter().map(curve).chain(self.levels.iter().map(level)).collect();
        legend(&right, scale, 44.0, &entries)
    }
}
