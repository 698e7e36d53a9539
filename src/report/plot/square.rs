//! Curves over the unit square, with its diagonal: ROC curves and calibration.

use crate::analysis::Line;
use crate::math::metric::{CURVE_POINTS, CalibrationBin, Metric};
use crate::math::stats::quantile;
use crate::report::plot::canvas::{Figure, Plot, Point, Shape};
use crate::report::plot::chart::{Axis, Chart, Entry, Mark, Panel};
use crate::report::plot::strokes::{GREY, Stroke, colour};
use crate::report::plot::{of_shown_methods, prior_sentence, title_of_setting};
use plotters::prelude::*;

const SIZE: (f64, f64) = (500.0, 500.0);
/// A bin with fewer people, over all seeds, is too small to show a share.
const FEWEST_PEOPLE: u32 = 20;

/// The curve of a line.
struct Curve {
    name: String,
    method: usize,
    points: Vec<Point>,
    /// The outline of a band around it; may be empty.
    band: Vec<Point>,
    has_dots: bool,
}

/// ROC curves: the mean over seeds, with the middle nine tenths of the seeds as a band.
pub fn roc_curves(lines: &[&Line]) -> Plot {
    let shown = of_shown_methods(lines);
    let of_line = |line: &&Line| {
        let mean = line.summary(Metric::RocAuc).map_or(f64::NAN, |summary| summary.mean);
        let mut band = at_each_rate(line, 0.95);
        band.extend(at_each_rate(line, 0.05).into_iter().rev());
        let name = format!("{} ({mean:.3})", line.label);
        Curve { name, method: line.method, points: mean_curve(line), band, has_dots: false }
    };
    Plot {
        title: title_of_setting("ROC curves of W", lines),
        caption: format!(
            "ROC curves: the mean over seeds, with the middle 90% of the seeds as a band; mean AUC in brackets. Where \
             curves coincide, only the last one drawn is seen.{}",
            prior_sentence(&shown)
        ),
        figure: unit_square(["false positive rate", "true positive rate"], shown.iter().map(of_line).collect()),
    }
}

/// How often what was given a probability came true; `None` if no method gives probabilities.
pub fn calibration(lines: &[&Line]) -> Option<Plot> {
    let shown = of_shown_methods(lines).into_iter().filter_map(|line| Some((line, line.calibration()?)));
    let (shown, bins): (Vec<&Line>, Vec<_>) = shown.unzip();
    let brier = |line: &Line| line.summary(Metric::BrierScore).map(|summary| format!(" ({:.3})", summary.mean));
    let of_line = |(line, bins): (&&Line, &Vec<CalibrationBin>)| {
        let name = format!("{}{}", line.label, brier(line).unwrap_or_default());
        Curve { name, method: line.method, points: shares(bins), band: Vec::new(), has_dots: true }
    };
    let has_brier = shown.iter().any(|line| brier(line).is_some());
    (!shown.is_empty()).then(|| Plot {
        title: title_of_setting("Calibration", lines),
        caption: format!(
            "People of all test parts in ten bins by the probability of W = +1 that they were given: its mean, and the \
             share who are potential customers{}. On the dashed line probabilities are what they say; above it they \
             are too low. Bins with fewer than {FEWEST_PEOPLE} people are left out, and so are methods whose scores are no \
             probabilities. Where curves coincide, only the last one drawn is seen.{}",
            if has_brier { "; mean Brier score in brackets" } else { "" },
            prior_sentence(&shown)
        ),
        figure: unit_square(
            ["mean probability given", "share of potential customers"],
            shown.iter().zip(&bins).map(of_line).collect(),
        ),
    })
}

fn unit_square(axes: [&str; 2], curves: Vec<Curve>) -> Figure {
    let mut shapes = vec![Shape::Line(vec![(0.0, 0.0), (1.0, 1.0)], Stroke::dashed(GREY))];
    let banded = curves.iter().filter(|curve| !curve.band.is_empty());
    shapes.extend(banded.map(|curve| Shape::Area(curve.band.clone(), colour(curve.method).mix(0.13))));
    let mut legend = Vec::new();
    for Curve { name, method, points, has_dots, .. } in curves {
        let dots = points.iter().filter(|_| has_dots);
        shapes.extend(dots.map(|point| Shape::Dot(*point, 3.0, colour(method).mix(1.0))));
        shapes.push(Shape::Line(points, Stroke::of_method(method, 2.0)));
        legend.push(Entry { text: name, mark: Mark::Curve(method) });
    }
    let [x, y] = axes.map(|name| Axis::new(name, 0.0..1.0));
    Figure::Chart(Chart { size: SIZE, panels: vec![Panel { x, y, shapes, ends: Vec::new() }], legend })
}

fn rate(point: usize) -> f64 {
    point as f64 / (CURVE_POINTS - 1) as f64
}

/// The true positive rates of all seeds at one point of the curve.
fn at_point(line: &Line, point: usize) -> Vec<f64> {
    line.scored().filter_map(|scored| scored.curve.get(point)).map(|rate| f64::from(*rate) / 1e4).collect()
}

fn at_each_rate(line: &Line, share: f64) -> Vec<Point> {
    let at = |point| (rate(point), quantile(&at_point(line, point), share).unwrap_or_default());
    (0..CURVE_POINTS).map(at).collect()
}

fn mean_curve(line: &Line) -> Vec<Point> {
    let mean = |rates: Vec<f64>| rates.iter().sum::<f64>() / rates.len().max(1) as f64;
    let points = (0..CURVE_POINTS).map(|point| (rate(point), mean(at_point(line, point))));
    // A curve may rise at once, so its first point is not the corner where it starts.
    std::iter::once((0.0, 0.0)).chain(points).collect()
}

/// The mean probability and the share found, of every bin with enough people.
fn shares(bins: &[CalibrationBin]) -> Vec<Point> {
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
