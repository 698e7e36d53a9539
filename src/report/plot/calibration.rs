//! Whether probabilities are what they say: how often what was given a probability came true.

use crate::math::metric::{CalibrationBin, Metric};
use crate::report::Line;
use crate::report::plot::canvas::{Area, Axis, Figure, Frame, GREY, PlotError, Scale, frame};
use crate::report::plot::labels::{Entry, Mark, legend_width};
use crate::report::plot::strokes::{colour, curve, dashed};
use crate::report::plot::{of_shown_methods, prior_sentence, title_of_setting};
use plotters::prelude::*;

const PLOT: u32 = 500;
/// A bin with fewer people, over all seeds, says nothing.
const FEWEST_PEOPLE: u32 = 20;

pub struct Calibration<'a> {
    title: String,
    lines: Vec<(&'a Line<'a>, Vec<(f64, f64)>)>,
}

impl<'a> Calibration<'a> {
    /// `None` if no method gives probabilities.
    pub fn new(lines: &'a [Line<'a>]) -> Option<Self> {
        let points = |line: &'a Line<'a>| Some((line, points(&line.calibration()?)));
        let title = title_of_setting("Calibration", lines);
        let lines: Vec<_> = of_shown_methods(lines).into_iter().filter_map(points).collect();
        (!lines.is_empty()).then_some(Calibration { title, lines })
    }

    fn entries(&self) -> Vec<Entry> {
        let entry = |(line, _): &(&Line, _)| {
            let brier = line.summary(Metric::BrierScore).map(|summary| format!(" ({:.3})", summary.mean));
            let text = format!("{}{}", line.label, brier.unwrap_or_default());
            Entry { text, mark: Mark::Curve(line.method) }
        };
        self.lines.iter().map(entry).collect()
    }
}

fn points(bins: &[CalibrationBin]) -> Vec<(f64, f64)> {
    let point = |bin: &CalibrationBin| {
        let people = f64::from(bin.people);
        (bin.people >= FEWEST_PEOPLE).then(|| (bin.expected / people, f64::from(bin.found) / people))
    };
    bins.iter().filter_map(point).collect()
}

impl Figure for Calibration<'_> {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn caption(&self) -> String {
        let lines: Vec<&Line> = self.lines.iter().map(|(line, _)| *line).collect();
        let has_brier = lines.iter().any(|line| line.summary(Metric::BrierScore).is_some());
        let brier = if has_brier { "; mean Brier score in brackets" } else { "" };
        format!(
            "People of all test parts in ten bins by the probability of W = +1 that they were given: its mean, and the \
             share who are potential customers{brier}. On the dashed line probabilities are what they say; above it they \
             are too low. Bins with fewer than {FEWEST_PEOPLE} people are left out, and so are methods whose scores are no \
             probabilities. Where curves coincide, only the last one drawn is seen.{}",
            prior_sentence(&lines)
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
                x: Axis { name: "mean probability given", range: 0.0..1.0 },
                y: Axis { name: "share of potential customers", range: 0.0..1.0 },
                legend: &self.entries(),
            },
        )?;
        dashed(area, scale, chart.backend_coord(&(0.0, 0.0)), chart.backend_coord(&(1.0, 1.0)), GREY)?;
        for (line, points) in &self.lines {
            let dot = |point: &(f64, f64)| Circle::new(*point, scale.px(3.0), colour(line.method).filled());
            chart.draw_series(points.iter().map(dot))?;
            let points: Vec<_> = points.iter().map(|point| chart.backend_coord(point)).collect();
            curve(area, scale, &points, 2.0, line.method)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_has_a_point_for_every_bin_with_enough_people() {
        let bin = |people, expected, found| CalibrationBin { people, expected, found };
        let bins = [bin(20, 1.0, 2), bin(19, 5.0, 5), bin(40, 30.0, 10)];
        assert_eq!(points(&bins), [(0.05, 0.1), (0.75, 0.25)]);
    }
}
