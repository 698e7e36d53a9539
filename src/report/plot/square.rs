//! Curves over the unit square, with its diagonal: ROC curves and calibration.

use crate::analysis::Line;
use crate::math::metric::{CURVE_POINTS, CalibrationBin, Metric};
use crate::math::stats::quantile;
use crate::report::plot::canvas::{Figure, Plot, Point, Shape};
use crate::report::plot::chart::{Axis, Chart, Mark, Panel};
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
    /// The outline of a band around it. A curve without a band has dots at its points.
    band: Vec<Point>,
}

/// ROC curves: the mean over seeds, with the middle nine tenths of the seeds as a band.
pub fn roc_curves(lines: &[&Line]) -> Plot {
    let shown = of_shown_methods(lines);
    let of_line = |line: &&Line| {
        let mean = line.summary(Metric::RocAuc).map_or(f64::NAN, |summary| summary.mean);
        let quantiles = |share: f64| over_seeds(line, |rates| quantile(rates, share).unwrap_or_default());
        let band = quantiles(0.95).into_iter().chain(quantiles(0.05).into_iter().rev()).collect();
        // A curve may rise at once, so its first point is not the corner where it starts.
        let mut points = vec![(0.0, 0.0)];
        points.extend(over_seeds(line, |rates| rates.iter().sum::<f64>() / rates.len().max(1) as f64));
        let name = format!("{} ({mean:.3})", line.label);
        Curve { name, method: line.method, points, band }
    };
    Plot {
        title: title_of_setting("ROC curves of W", lines),
        caption: format!(
            "Mean ROC curves over seeds. The band is the middle 90% of the seeds, and the mean AUC is in brackets. Where \
             curves coincide, only the last one is visible.{}",
            prior_sentence(&shown)
        ),
        figure: unit_square(["false positive rate", "true positive rate"], shown.iter().map(of_line).collect()),
    }
}

/// Predicted probabilities and observed shares; `None` if no method predicts probabilities.
pub fn calibration(lines: &[&Line]) -> Option<Plot> {
    let shown = of_shown_methods(lines).into_iter().filter_map(|line| Some((line, line.calibration()?)));
    let (shown, bins): (Vec<&Line>, Vec<_>) = shown.unzip();
    let brier = |line: &Line| line.summary(Metric::BrierScore).map(|summary| format!(" ({:.3})", summary.mean));
    let of_line = |(line, bins): (&&Line, &Vec<CalibrationBin>)| {
        let name = format!("{}{}", line.label, brier(line).unwrap_or_default());
        Curve { name, method: line.method, points: shares(bins), band: Vec::new() }
    };
    let has_brier = shown.iter().any(|line| brier(line).is_some());
    (!shown.is_empty()).then(|| Plot {
        title: title_of_setting("Calibration", lines),
        caption: format!(
            "People of all test sets in ten bins by predicted probability of W = +1: the mean probability, and the share \
             of potential customers{}. On the dashed line probabilities are calibrated; above it they are too low. Bins \
             with fewer than {FEWEST_PEOPLE} people are left out, as are methods whose scores are no probabilities. Where \
             curves coincide, only the last one is visible.{}",
            if has_brier { "; mean Brier score in brackets" } else { "" },
            prior_sentence(&shown)
        ),
        figure: unit_square(
            ["mean predicted probability", "share of potential customers"],
            shown.iter().zip(&bins).map(of_line).collect(),
        ),
    })
}

fn unit_square(axes: [&str; 2], curves: Vec<Curve>) -> Figure {
    let mut shapes = vec![Shape::Line(vec![(0.0, 0.0), (1.0, 1.0)], Stroke::dashed(GREY))];
    let banded = curves.iter().filter(|curve| !curve.band.is_empty());
    shapes.extend(banded.map(|curve| Shape::Area(curve.band.clone(), colour(curve.method).mix(0.13))));
    let mut legend = Vec::new();
    for Curve { name, method, points, band } in curves {
        let dots = points.iter().filter(|_| band.is_empty());
        shapes.extend(dots.map(|point| Shape::Dot(*point, 3.0, colour(method).filled())));
        shapes.push(Shape::Line(points, Stroke::of_method(method, 2.0)));
        legend.push((name, Mark::Curve(method)));
    }
    let [x, y] = axes.map(|name| Axis::new(name, 0.0..1.0));
    Figure::Chart(Chart { size: SIZE, panels: vec![Panel { x, y, shapes, ends: Vec::new() }], legend })
}

/// For each false positive rate, a number that is computed from the true positive rates of all seeds.
fn over_seeds(line: &Line, number: impl Fn(&[f64]) -> f64) -> Vec<Point> {
    let at = |point: usize| {
        let rates = line.scored().filter_map(|scored| scored.curve.get(point)).map(|rate| f64::from(*rate) / 1e4);
        (point as f64 / (CURVE_POINTS - 1) as f64, number(&rates.collect::<Vec<_>>()))
    };
    (0..CURVE_POINTS).map(at).collect()
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
