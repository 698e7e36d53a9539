//! The paper's Figure 5: the points of a split and the lines where p(w = +1 | x) is one half.

use crate::analysis::Line;
use crate::report::plot::canvas::{Figure, Plot, Point, Shape};
use crate::report::plot::chart::{Axis, Chart, Mark, Panel, padded};
use crate::report::plot::strokes::Stroke;
use crate::report::plot::{of_shown_methods, prior_sentence, title_of_setting};
use crate::run::{Scatter, ScatterGroup};
use plotters::prelude::*;
use std::ops::Range;

const SIZE: (f64, f64) = (560.0, 560.0);

const GROUPS: [(ScatterGroup, &str, RGBColor); 3] = [
    (ScatterGroup::NotInterested, "Y = -1", RGBColor(170, 170, 170)),
    (ScatterGroup::LoyalBuyer, "Y = +1, Z = +1", RGBColor(240, 200, 120)),
    (ScatterGroup::PotentialCustomer, "Y = +1, Z = -1 (W = +1)", RGBColor(120, 180, 220)),
];

/// The training rows of one seed, and the boundary of each linear method; of many methods, of the best ones.
pub fn boundaries(scatter: &Scatter, lines: &[&Line]) -> Plot {
    let Scatter { seed, columns: [x_name, y_name], points, .. } = scatter;
    let x = Axis::new(x_name, padded(points.iter().map(|point| point.0)));
    let y = Axis::new(y_name, padded(points.iter().map(|point| point.1)));
    let shown = of_shown_methods(lines);
    let (mut shapes, mut legend) = (Vec::new(), Vec::new());
    for (group, text, colour) in GROUPS {
        let of_group = points.iter().filter(|(.., other)| *other == group);
        shapes.extend(of_group.map(|(x, y, _)| Shape::Dot((*x, *y), 2.2, colour.mix(0.8).filled())));
        legend.push((text.to_string(), Mark::Dot(colour)));
    }
    for line in &shown {
        let result = line.outcome(*seed).and_then(|outcome| outcome.result.as_ref().ok());
        let Some(weights) = result.and_then(|scored| scored.boundary) else { continue };
        let ends = clip(weights, &x.range, &y.range);
        shapes.extend(ends.map(|ends| Shape::Line(ends.to_vec(), Stroke::of_method(line.method, 2.5))));
        legend.push((line.label.to_string(), Mark::Curve(line.method)));
    }
    Plot {
        title: title_of_setting(&format!("Learned boundaries, seed {seed}"), lines),
        caption: format!(
            "The training rows of seed {seed} and, for each linear method, the line where its score is 0. At equal costs, \
             its estimate of p(w = +1 | x) is one half there.{}",
            prior_sentence(&shown)
        ),
        figure: Figure::Chart(Chart { size: SIZE, panels: vec![Panel { x, y, shapes, ends: Vec::new() }], legend }),
    }
}

/// Where the line `w1 x + w2 y + intercept = 0` enters and leaves a rectangle.
fn clip([w1, w2, intercept]: [f64; 3], x_range: &Range<f64>, y_range: &Range<f64>) -> Option<[Point; 2]> {
    let at_x = |x: f64| (x, -(w1 * x + intercept) / w2);
    let at_y = |y: f64| (-(w2 * y + intercept) / w1, y);
    let borders = [at_x(x_range.start), at_x(x_range.end), at_y(y_range.start), at_y(y_range.end)];
    let tolerance = 1e-9 * (x_range.end - x_range.start + y_range.end - y_range.start);
    let is_within = |value: f64, range: &Range<f64>| (range.start - tolerance..=range.end + tolerance).contains(&value);
    let mut ends = borders.into_iter().filter(|(x, y)| is_within(*x, x_range) && is_within(*y, y_range));
    let first = ends.next()?;
    let far = |(x, y): &Point| (x - first.0).abs() + (y - first.1).abs() > tolerance;
    ends.find(far).map(|last| [first, last])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_at_the_borders() {
        let square = -1.0..1.0;
        assert_eq!(clip([1.0, 0.0, 0.0], &square, &square), Some([(0.0, -1.0), (0.0, 1.0)]));
        assert_eq!(clip([1.0, 1.0, 0.0], &square, &square), Some([(-1.0, 1.0), (1.0, -1.0)]));
        assert_eq!(clip([1.0, 1.0, 9.0], &square, &square), None);
        assert_eq!(clip([0.0, 0.0, 1.0], &square, &square), None);
    }
}
