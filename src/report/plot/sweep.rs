//! Mean AUC against a number that is swept: a curve a method.

use crate::analysis::Line;
use crate::math::metric::Metric;
use crate::math::stats::Summary;
use crate::report::plot::canvas::{Area, Axis, Figure, Frame, PlotError, Scale, frame, padded};
use crate::report::plot::labels::{EndLabel, end_label_width, end_labels};
use crate::report::plot::strokes::{colour, curve, dashed};
use plotters::prelude::*;

const PLOT: u32 = 520;
const HEIGHT: u32 = 400;

pub struct AucBySweep<'a> {
    title: String,
    /// What varies, to end a sentence.
    when: String,
    x_name: String,
    curves: Vec<Curve<'a>>,
    /// Methods that do not depend on what is swept.
    levels: Vec<(&'a Line<'a>, &'a Summary)>,
}

pub struct Curve<'a> {
    pub label: &'a str,
    pub method: usize,
    /// The swept number, and what came out at it.
    pub points: Vec<(f64, &'a Summary)>,
}

impl<'a> AucBySweep<'a> {
    pub fn new(
        title: String,
        when: String,
        x_name: String,
        mut curves: Vec<Curve<'a>>,
        levels: Vec<(&'a Line<'a>, &'a Summary)>,
    ) -> Self {
        for curve in &mut curves {
            curve.points.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        AucBySweep { title, when, x_name, curves, levels }
    }

    /// Every curve and level: its name, its method and the mean at its right end.
    fn ends(&self) -> impl Iterator<Item = (&str, usize, f64)> {
        let end = |curve: &Curve| curve.points.last().map_or(f64::NAN, |(_, summary)| summary.mean);
        let curves = self.curves.iter().map(move |curve| (curve.label, curve.method, end(curve)));
        curves.chain(self.levels.iter().map(|(line, summary)| (line.label, line.method, summary.mean)))
    }
}

impl Figure for AucBySweep<'_> {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn caption(&self) -> String {
        let levels = if self.levels.is_empty() { "" } else { " Methods that do not depend on it are dashed." };
        format!("Mean ROC-AUC, with its 95% interval, when {}.{levels}", self.when)
    }

    fn size(&self) -> (u32, u32) {
        (PLOT + end_label_width(self.ends().map(|(text, ..)| text)), HEIGHT)
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>, scale: Scale) -> Result<(), PlotError>
    where
        B::ErrorType: 'static,
    {
        let points = self.curves.iter().flat_map(|curve| &curve.points);
        let x_range = padded(points.clone().map(|(factor, _)| *factor));
        let bounds = points.map(|(_, summary)| summary).chain(self.levels.iter().map(|(_, summary)| summary));
        let bounds = bounds.flat_map(|summary| {
            let (low, high) = shown_interval(summary).unwrap_or((summary.mean, summary.mean));
            [low, high]
        });
        let y_range = padded(bounds);
        let mut chart = frame(
            area,
            scale,
            Frame {
                title: &self.title,
                width: PLOT,
                x: Axis { name: &self.x_name, range: x_range.clone() },
                y: Axis { name: "mean ROC-AUC", range: y_range },
                legend: &[],
            },
        )?;
        for (line, summary) in &self.levels {
            let end = |x| chart.backend_coord(&(x, summary.mean));
            dashed(area, scale, end(x_range.start), end(x_range.end), colour(line.method))?;
        }
        for swept in &self.curves {
            let style = colour(swept.method).stroke_width(scale.width(2.0));
            let means = swept.points.iter().map(|(factor, summary)| (*factor, summary.mean)).collect::<Vec<_>>();
            chart.draw_series(means.iter().map(|mean| Circle::new(*mean, scale.px(3.0), style.filled())))?;
            let means: Vec<_> = means.iter().map(|mean| chart.backend_coord(mean)).collect();
            curve(area, scale, &means, 2.0, swept.method)?;
            for (factor, summary) in &swept.points {
                let Some((low, high)) = shown_interval(summary) else { continue };
                chart.draw_series([PathElement::new(vec![(*factor, low), (*factor, high)], style)])?;
            }
        }
        let label = |(text, method, mean): (&str, usize, f64)| EndLabel {
            text: text.to_string(),
            colour: colour(method),
            y: chart.backend_coord(&(x_range.end, mean)).1,
        };
        end_labels(area, &chart, scale, self.ends().map(label).collect())
    }
}

fn shown_interval(summary: &Summary) -> Option<(f64, f64)> {
    summary.interval.map(|interval| Metric::RocAuc.possible(interval))
}
