//! ROC curves: the mean over seeds, with the middle nine tenths of the seeds as a band.

use crate::metric::CURVE_POINTS;
use crate::report::Line;
use crate::report::plot::canvas::{
    Area, Entry, Figure, GREY, LIGHT, Mark, PlotError, Scale, colour, dashed, legend, legend_width, title,
};
use crate::stats::quantile;
use plotters::prelude::*;

const PLOT: u32 = 500;

pub struct RocCurves<'a> {
    title: String,
    lines: Vec<&'a Line<'a>>,
}

impl<'a> RocCurves<'a> {
    /// Of each method, the line with its first prior: curves for many priors would hide one another.
    pub fn new(lines: &'a [Line<'a>]) -> Self {
        let first = lines.iter().filter(|line| line.prior.is_none_or(|prior| prior == 0)).collect::<Vec<_>>();
        let setting = lines.first().map_or("", |line| line.setting_label);
        RocCurves { title: format!("ROC curves of W {setting}").trim_end().to_string(), lines: first }
    }

    fn labels(&self) -> Vec<String> {
        let label = |line: &&Line| {
            let mean = line.summary(0).map_or(f64::NAN, |summary| summary.mean);
            format!("{} ({mean:.3})", line.label)
        };
        self.lines.iter().map(label).collect()
    }
}

impl Figure for RocCurves<'_> {
    fn caption(&self) -> String {
        "ROC curves: the mean over seeds, with the middle 90% of the seeds as a band; mean AUC in brackets.".to_string()
    }

    fn size(&self) -> (u32, u32) {
        (PLOT + legend_width(self.labels().iter().map(String::as_str)).max(120), PLOT)
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>, scale: Scale) -> Result<(), PlotError>
    where
        B::ErrorType: 'static,
    {
        title(area, scale, &self.title)?;
        let (left, right) = area.split_horizontally(scale.px(f64::from(PLOT)));
        let left = left.margin(scale.px(40.0), scale.px(8.0), scale.px(8.0), scale.px(16.0));
        let mut chart = ChartBuilder::on(&left)
            .x_label_area_size(scale.px(44.0))
            .y_label_area_size(scale.px(56.0))
            .build_cartesian_2d(0.0..1.0, 0.0..1.0)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(LIGHT)
            .axis_style(GREY)
            .x_labels(6)
            .y_labels(6)
            .x_desc("false positive rate")
            .y_desc("true positive rate")
            .label_style(scale.font(12.0))
            .axis_desc_style(scale.font(13.0))
            .draw()?;
        dashed(area, scale, chart.backend_coord(&(0.0, 0.0)), chart.backend_coord(&(1.0, 1.0)), GREY)?;
        for line in &self.lines {
            let colour = colour(line.method);
            let mut band = at_each_rate(line, 0.95);
            band.extend(at_each_rate(line, 0.05).into_iter().rev());
            chart.draw_series([Polygon::new(band, colour.mix(0.13))])?;
        }
        for line in &self.lines {
            let style = colour(line.method).stroke_width(scale.width(2.0));
            chart.draw_series([PathElement::new(mean_curve(line), style)])?;
        }
        let entry = |(line, text): (&&Line, String)| Entry { text, colour: colour(line.method), mark: Mark::Line };
        let entries: Vec<Entry> = self.lines.iter().zip(self.labels()).map(entry).collect();
        legend(&right, scale, 44.0, &entries)
    }
}

fn rate(point: usize) -> f64 {
    point as f64 / (CURVE_POINTS - 1) as f64
}

/// The true positive rates of all seeds at one point of the curve.
fn at_point(line: &Line, point: usize) -> Vec<f64> {
    line.scored().filter_map(|scored| scored.curve.get(point)).map(|rate| f64::from(*rate) / 1e4).collect()
}

fn at_each_rate(line: &Line, share: f64) -> Vec<(f64, f64)> {
    let at = |point| (rate(point), quantile(&at_point(line, point), share).unwrap_or_default());
    (0..CURVE_POINTS).map(at).collect()
}

fn mean_curve(line: &Line) -> Vec<(f64, f64)> {
    let mean = |rates: Vec<f64>| rates.iter().sum::<f64>() / rates.len().max(1) as f64;
    (0..CURVE_POINTS).map(|point| (rate(point), mean(at_point(line, point)))).collect()
}
