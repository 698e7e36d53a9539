//! ROC curves: the mean over seeds, with the middle nine tenths of the seeds as a band.

use crate::math::metric::{CURVE_POINTS, Metric};
use crate::math::stats::quantile;
use crate::report::Line;
use crate::report::plot::canvas::{Area, Axis, Figure, Frame, GREY, PlotError, Scale, frame};
use crate::report::plot::labels::{Entry, Mark, legend_width};
use crate::report::plot::strokes::{colour, curve, dashed};
use crate::report::plot::{of_shown_methods, prior_sentence, title_of_setting};
use plotters::prelude::*;

const PLOT: u32 = 500;

pub struct RocCurves<'a> {
    title: String,
    lines: Vec<&'a Line<'a>>,
}

impl<'a> RocCurves<'a> {
    pub fn new(lines: &'a [Line<'a>]) -> Self {
        RocCurves { title: title_of_setting("ROC curves of W", lines), lines: of_shown_methods(lines) }
    }

    fn entries(&self) -> Vec<Entry> {
        let entry = |line: &&Line| {
            let mean = line.summary(Metric::RocAuc).map_or(f64::NAN, |summary| summary.mean);
            Entry { text: format!("{} ({mean:.3})", line.label), mark: Mark::Curve(line.method) }
        };
        self.lines.iter().map(entry).collect()
    }
}

impl Figure for RocCurves<'_> {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn caption(&self) -> String {
        format!(
            "ROC curves: the mean over seeds, with the middle 90% of the seeds as a band; mean AUC in brackets. Where \
             curves coincide, only the last one drawn is seen.{}",
            prior_sentence(&self.lines)
        )
    }

    fn size(&self) -> (u32, u32) {
        (PLOT + legend_width(&self.entries()), PLOT)
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>, scale: Scale) -> Result<(), PlotError>
    where
        B::ErrorType: 'static,
    {
        let mut chart = frame(
            area,
            scale,
            Frame {
                title: &self.title,
                width: PLOT,
                x: Axis { name: "false positive rate", range: 0.0..1.0 },
                y: Axis { name: "true positive rate", range: 0.0..1.0 },
                legend: &self.entries(),
            },
        )?;
        dashed(area, scale, chart.backend_coord(&(0.0, 0.0)), chart.backend_coord(&(1.0, 1.0)), GREY)?;
        for line in &self.lines {
            let colour = colour(line.method);
            let mut band = at_each_rate(line, 0.95);
            band.extend(at_each_rate(line, 0.05).into_iter().rev());
            chart.draw_series([Polygon::new(band, colour.mix(0.13))])?;
        }
        for line in &self.lines {
            let points: Vec<_> = mean_curve(line).iter().map(|point| chart.backend_coord(point)).collect();
            curve(area, scale, &points, 2.0, line.method)?;
        }
        Ok(())
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
    let points = (0..CURVE_POINTS).map(|point| (rate(point), mean(at_point(line, point))));
    // A curve may rise at once, so its first point is not the corner where it starts.
    std::iter::once((0.0, 0.0)).chain(points).collect()
}
