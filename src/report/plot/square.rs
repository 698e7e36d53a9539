//! Curves over the unit square, with its diagonal: ROC curves and calibration.

use crate::analysis::Line;
use crate::math::metric::{CURVE_POINTS, CalibrationBin, Metric};
use crate::math::stats::quantile;
use crate::report::plot::canvas::{Area, Axis, Figure, Frame, GREY, PlotError, Scale, frame};
use crate::report::plot::labels::{Entry, Mark, legend_width};
use crate::report::plot::strokes::{colour, curve, dashed};
use crate::report::plot::{of_shown_methods, prior_sentence, title_of_setting};
use plotters::prelude::*;

const PLOT: u32 = 500;
/// A bin with fewer people, over all seeds, says nothing.
const FEWEST_PEOPLE: u32 = 20;

pub struct UnitSquare {
    title: String,
    caption: String,
    axes: [&'static str; 2],
    curves: Vec<Curve>,
}

/// The curve of a line.
struct Curve {
    name: String,
    method: usize,
    points: Vec<(f64, f64)>,
    /// The outline of a band around it; may be empty.
    band: Vec<(f64, f64)>,
    has_dots: bool,
}

/// ROC curves: the mean over seeds, with the middle nine tenths of the seeds as a band.
pub fn roc_curves(lines: &[Line]) -> UnitSquare {
    let shown = of_shown_methods(lines);
    let of_line = |line: &&Line| {
        let mean = line.summary(Metric::RocAuc).map_or(f64::NAN, |summary| summary.mean);
        let mut band = at_each_rate(line, 0.95);
        band.extend(at_each_rate(line, 0.05).into_iter().rev());
        let name = format!("{} ({mean:.3})", line.label);
        Curve { name, method: line.method, points: mean_curve(line), band, has_dots: false }
    };
    UnitSquare {
        title: title_of_setting("ROC curves of W", lines),
        caption: format!(
            "ROC curves: the mean over seeds, with the middle 90% of the seeds as a band; mean AUC in brackets. Where \
             curves coincide, only the last one drawn is seen.{}",
            prior_sentence(&shown)
        ),
        axes: ["false positive rate", "true positive rate"],
        curves: shown.iter().map(of_line).collect(),
    }
}

/// How often what was given a probability came true; `None` if no method gives probabilities.
pub fn calibration(lines: &[Line]) -> Option<UnitSquare> {
    let shown: Vec<(&Line, Vec<CalibrationBin>)> =
        of_shown_methods(lines).into_iter().filter_map(|line| Some((line, line.calibration()?))).collect();
    let brier = |line: &Line| line.summary(Metric::BrierScore).map(|summary| summary.mean);
    let of_line = |(line, bins): &(&Line, Vec<CalibrationBin>)| {
        let brier = brier(line).map_or(String::new(), |mean| format!(" ({mean:.3})"));
        let name = format!("{}{brier}", line.label);
        Curve { name, method: line.method, points: shares(bins), band: Vec::new(), has_dots: true }
    };
    let has_brier = shown.iter().any(|(line, _)| brier(line).is_some());
    let lines_shown: Vec<&Line> = shown.iter().map(|(line, _)| *line).collect();
    (!shown.is_empty()).then(|| UnitSquare {
        title: title_of_setting("Calibration", lines),
        caption: format!(
            "People of all test parts in ten bins by the probability of W = +1 that they were given: its mean, and the \
             share who are potential customers{}. On the dashed line probabilities are what they say; above it they \
             are too low. Bins with fewer than {FEWEST_PEOPLE} people are left out, and so are methods whose scores are no \
             probabilities. Where curves coincide, only the last one drawn is seen.{}",
            if has_brier { "; mean Brier score in brackets" } else { "" },
            prior_sentence(&lines_shown)
        ),
        axes: ["mean probability given", "share of potential customers"],
        curves: shown.iter().map(of_line).collect(),
    })
}

impl UnitSquare {
    fn entries(&self) -> Vec<Entry> {
        let entry = |curve: &Curve| Entry { text: curve.name.clone(), mark: Mark::Curve(curve.method) };
        self.curves.iter().map(entry).collect()
    }
}

impl Figure for UnitSquare {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn caption(&self) -> String {
        self.caption.clone()
    }

    fn size(&self) -> (u32, u32) {
        (PLOT + legend_width(&self.entries()), PLOT)
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>, scale: Scale) -> Result<(), PlotError>
    where
        B::ErrorType: 'static,
    {
        let [x, y] = self.axes.map(|name| Axis { name, range: 0.0..1.0 });
        let legend = &self.entries();
        let mut chart = frame(area, scale, Frame { title: &self.title, width: PLOT, x, y, legend })?;
        dashed(area, scale, chart.backend_coord(&(0.0, 0.0)), chart.backend_coord(&(1.0, 1.0)), GREY)?;
        for Curve { method, band, .. } in self.curves.iter().filter(|curve| !curve.band.is_empty()) {
            chart.draw_series([Polygon::new(band.clone(), colour(*method).mix(0.13))])?;
        }
        for Curve { method, points, has_dots, .. } in &self.curves {
            if *has_dots {
                let dot = |point: &(f64, f64)| Circle::new(*point, scale.px(3.0), colour(*method).filled());
                chart.draw_series(points.iter().map(dot))?;
            }
            let points: Vec<_> = points.iter().map(|point| chart.backend_coord(point)).collect();
            curve(area, scale, &points, 2.0, *method)?;
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

/// The mean probability and the share found, of every bin with enough people.
fn shares(bins: &[CalibrationBin]) -> Vec<(f64, f64)> {
    let point = |bin: &CalibrationBin| {
        let people = f64::from(bin.people);
        (bin.people >= FEWEST_PEOPLE).then(|| (bin.expected / people, f64::from(bin.found) / people))
    };
    bins.iter().filter_map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_has_a_point_for_every_bin_with_enough_people() {
        let bin = |people, expected, found| CalibrationBin { people, expected, found };
        let bins = [bin(20, 1.0, 2), bin(19, 5.0, 5), bin(40, 30.0, 10)];
        assert_eq!(shares(&bins), [(0.05, 0.1), (0.75, 0.25)]);
    }
}
