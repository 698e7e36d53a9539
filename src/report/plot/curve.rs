//! Mean AUCs of methods at several values of a number or a choice, as curves with intervals.

use crate::analysis::Line;
use crate::math::metric::Metric;
use crate::math::stats::Summary;
use crate::report::plot::canvas::{Point, Shape};
use crate::report::plot::chart::{Axis, padded};
use crate::report::plot::strokes::{Stroke, colour};
use plotters::prelude::*;
use std::ops::Range;

/// From this ratio of the largest to the smallest value on, an axis is logarithmic.
const LOGARITHMIC: f64 = 10.0;
/// How much of the distance between two neighbouring values the intervals of all methods take.
const DODGE: f64 = 0.5;
/// The largest distance between the intervals of two methods, as a share of the axis of a whole plot, and of a panel.
pub const STEP: f64 = 0.01;
pub const PANEL_STEP: f64 = 0.018;

/// A method with the places on the axis at which it was run, and what came out.
pub struct Curve<'a> {
    pub label: &'a str,
    pub method: usize,
    pub points: Vec<(f64, &'a Summary)>,
}

/// The values of an axis at their places: numbers by size or by logarithm, choices one after the other.
pub struct Scale {
    pub places: Vec<f64>,
    levels: Vec<String>,
    /// Whether the places between two values mean something.
    pub is_continuous: bool,
    is_logarithmic: bool,
}

impl Scale {
    /// `levels` are in order.
    pub fn of(levels: &[&str]) -> Self {
        let numbers: Option<Vec<f64>> = levels.iter().map(|level| level.parse().ok()).collect();
        let is_continuous = numbers.is_some();
        let mut places = numbers.unwrap_or((0..levels.len()).map(|index| index as f64).collect());
        let ratio =
            places.first().zip(places.last()).filter(|(first, _)| **first > 0.0).map(|(first, last)| last / first);
        let is_logarithmic = is_continuous && ratio.is_some_and(|ratio| ratio >= LOGARITHMIC);
        if is_logarithmic {
            places.iter_mut().for_each(|place| *place = libm::log10(*place));
        }
        Scale { places, levels: levels.iter().map(|level| level.to_string()).collect(), is_continuous, is_logarithmic }
    }

    /// What a caption adds.
    pub fn sentence(&self) -> &'static str {
        if self.is_logarithmic { " The lower axis is logarithmic." } else { "" }
    }

    /// With a number for each value, and half a step free at both ends.
    pub fn axis(&self, name: &str) -> Axis {
        let (low, high) = ends(self.places.iter().copied());
        let margin = if high > low { 0.06 * (high - low) } else { 0.5 };
        let margin = if self.is_continuous { margin } else { 0.5 };
        let ticks = self.places.iter().copied().zip(self.levels.iter().cloned()).collect();
        Axis { ticks, ..Axis::new(name, low - margin..high + margin) }
    }
}

/// Moves curves apart sideways, so that intervals at one value do not cover one another.
pub fn dodge(curves: &mut [Curve], range: &Range<f64>, largest_step: f64) {
    let mut places: Vec<f64> = curves.iter().flat_map(|curve| &curve.points).map(|(place, _)| *place).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let gap = places.windows(2).map(|pair| pair[1] - pair[0]).fold(range.end - range.start, f64::min);
    let count = curves.len() as f64;
    let step = (DODGE * gap / count).min(largest_step * (range.end - range.start));
    for (index, curve) in curves.iter_mut().enumerate() {
        let shift = (index as f64 - (count - 1.0) / 2.0) * step;
        curve.points.iter_mut().for_each(|(place, _)| *place += shift);
    }
}

/// Dots with their intervals, connected where the places between them mean something.
pub fn shapes(curves: &[Curve], is_connected: bool) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for Curve { method, points, .. } in curves {
        let means: Vec<Point> = points.iter().map(|(x, summary)| (*x, summary.mean)).collect();
        let dot = colour(*method).stroke_width(2).filled();
        shapes.extend(means.iter().map(|mean| Shape::Dot(*mean, 3.0, dot)));
        if is_connected {
            shapes.push(Shape::Line(means, Stroke::of_method(*method, 2.0)));
        }
        let intervals = points.iter().filter_map(|(x, summary)| Some((x, interval(summary)?)));
        let stroke = Stroke::solid(2.0, colour(*method));
        shapes.extend(intervals.map(|(x, (low, high))| Shape::Line(vec![(*x, low), (*x, high)], stroke)));
    }
    shapes
}

/// The range of AUCs that holds all means and intervals.
pub fn auc_range<'a>(summaries: impl Iterator<Item = &'a Summary> + Clone) -> Range<f64> {
    padded(summaries.flat_map(|summary| {
        let (low, high) = interval(summary).unwrap_or((summary.mean, summary.mean));
        [low, high]
    }))
}

/// The methods of some lines, in the order of the spec, with the points that `place` gives.
pub fn curves<'a>(
    labels: impl Iterator<Item = (usize, &'a str)>,
    lines: &[&'a Line<'a>],
    place: impl Fn(&Line) -> Option<f64>,
) -> Vec<Curve<'a>> {
    let curve = |(method, label)| {
        let of_method = lines.iter().filter(|line| line.method == method && line.is_of_first_prior());
        let mut points: Vec<_> =
            of_method.filter_map(|line| Some((place(line)?, line.summary(Metric::RocAuc)?))).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Curve { label, method, points }
    };
    labels.map(curve).filter(|curve| !curve.points.is_empty()).collect()
}

fn interval(summary: &Summary) -> Option<(f64, f64)> {
    summary.interval.map(|interval| Metric::RocAuc.possible(interval))
}

fn ends(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_over_a_wide_range_are_spread_by_their_logarithm_and_words_evenly() {
        assert_eq!(Scale::of(&["0.5", "1", "1.5"]).places, [0.5, 1.0, 1.5]);
        assert_eq!(Scale::of(&["0.01", "0.1", "1"]).places, [-2.0, -1.0, 0.0]);
        assert_eq!(Scale::of(&["0", "100"]).places, [0.0, 100.0]);
        let words = Scale::of(&["all", "remaining"]);
        assert!(words.places == [0.0, 1.0] && !words.is_continuous);
        assert_eq!(words.axis("unlabeled").ticks, [(0.0, "all".to_string()), (1.0, "remaining".to_string())]);
    }

    #[test]
    fn intervals_at_one_value_lie_side_by_side_and_within_their_part_of_the_axis() {
        let summary = Summary::of(&[0.5, 0.6]).unwrap();
        let curve = |method| Curve { label: "m", method, points: vec![(0.1, &summary), (0.2, &summary)] };
        let mut curves: Vec<Curve> = (0..4).map(curve).collect();
        dodge(&mut curves, &(0.0..10.0), STEP);
        let firsts: Vec<f64> = curves.iter().map(|curve| curve.points[0].0).collect();
        assert!(firsts.windows(2).all(|pair| pair[0] < pair[1]), "{firsts:?}");
        assert!((firsts.iter().sum::<f64>() / 4.0 - 0.1).abs() < 1e-12, "they stay around the value");
        assert!(firsts[3] < curves[0].points[1].0, "and before those of the next value");
    }
}
