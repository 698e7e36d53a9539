//! The paper's Figure 5: the points of a split and the lines where p(w = +1 | x) is one half.

use crate::analysis::Line;
use crate::report::plot::canvas::{Area, Axis, Figure, Frame, PlotError, Scale, frame, padded};
use crate::report::plot::labels::{Entry, Mark, legend_width};
use crate::report::plot::strokes::curve;
use crate::report::plot::{of_shown_methods, prior_sentence, title_of_setting};
use crate::run::{Scatter, ScatterGroup};
use plotters::prelude::*;

const PLOT: u32 = 560;

const GROUPS: [(ScatterGroup, &str, RGBColor); 3] = [
    (ScatterGroup::NotInterested, "Y = -1", RGBColor(170, 170, 170)),
    (ScatterGroup::LoyalBuyer, "Y = +1, Z = +1", RGBColor(240, 200, 120)),
    (ScatterGroup::PotentialCustomer, "Y = +1, Z = -1 (W = +1)", RGBColor(120, 180, 220)),
];

pub struct Boundaries<'a> {
    pub scatter: &'a Scatter,
    pub lines: &'a [Line<'a>],
}

impl<'a> Boundaries<'a> {
    /// The linear methods of the scatter's seed, with their weights; the best ones if there are many.
    fn models(&self) -> impl Iterator<Item = (&'a Line<'a>, [f64; 3])> {
        of_shown_methods(self.lines).into_iter().filter_map(|line| Some((line, self.weights(line)?)))
    }

    fn weights(&self, line: &Line) -> Option<[f64; 3]> {
        let (_, outcome) = line.cells.iter().find(|(cell, _)| cell.seed == self.scatter.seed)?;
        outcome.result.as_ref().ok()?.boundary
    }

    fn entries(&self) -> Vec<Entry> {
        let group =
            |(_, text, colour): &(_, &str, RGBColor)| Entry { text: text.to_string(), mark: Mark::Dot(*colour) };
        let model = |(line, _): (&Line, _)| Entry { text: line.label.to_string(), mark: Mark::Curve(line.method) };
        GROUPS.iter().map(group).chain(self.models().map(model)).collect()
    }
}

impl Figure for Boundaries<'_> {
    fn title(&self) -> String {
        title_of_setting(&format!("Learned boundaries, seed {}", self.scatter.seed), self.lines)
    }

    fn caption(&self) -> String {
        let seed = self.scatter.seed;
        format!(
            "The training rows of seed {seed} and, for each linear method, where its score is 0: at equal costs, where its \
             own estimate of p(w = +1 | x) is one half.{}",
            prior_sentence(&of_shown_methods(self.lines))
        )
    }

    fn size(&self) -> (u32, u32) {
        (PLOT + legend_width(&self.entries()), PLOT)
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>, scale: Scale) -> Result<(), PlotError>
    where
        B::ErrorType: 'static,
    {
        let points = &self.scatter.points;
        let (x_range, y_range) = (padded(points.iter().map(|p| p.0)), padded(points.iter().map(|p| p.1)));
        let [x_name, y_name] = &self.scatter.columns;
        let mut chart = frame(
            area,
            scale,
            Frame {
                title: &self.title(),
                width: PLOT,
                x: Axis { name: x_name, range: x_range.clone() },
                y: Axis { name: y_name, range: y_range.clone() },
                legend: &self.entries(),
            },
        )?;
        for (group, _, colour) in GROUPS {
            let of_group = points.iter().filter(|(.., other)| *other == group);
            chart.draw_series(
                of_group.map(|(x, y, _)| Circle::new((*x, *y), scale.px(2.2), colour.mix(0.8).filled())),
            )?;
        }
        for (line, weights) in self.models() {
            if let Some(ends) = clip(weights, &x_range, &y_range) {
                let ends = ends.map(|end| chart.backend_coord(&end));
                curve(area, scale, &ends, 2.5, line.method)?;
            }
        }
        Ok(())
    }
}

/// Where the line `w1 x + w2 y + intercept = 0` enters and leaves a rectangle.
fn clip(
    [w1, w2, intercept]: [f64; 3],
    x_range: &std::ops::Range<f64>,
    y_range: &std::ops::Range<f64>,
) -> Option<[(f64, f64); 2]> {
    let at_x = |x: f64| (x, -(w1 * x + intercept) / w2);
    let at_y = |y: f64| (-(w2 * y + intercept) / w1, y);
    let corners = [at_x(x_range.start), at_x(x_range.end), at_y(y_range.start), at_y(y_range.end)];
    let room = 1e-9 * (x_range.end - x_range.start + y_range.end - y_range.start);
    let inside = |(x, y): &(f64, f64)| {
        (x_range.start - room..=x_range.end + room).contains(x)
            && (y_range.start - room..=y_range.end + room).contains(y)
    };
    let mut ends = corners.into_iter().filter(inside);
    let first = ends.next()?;
    let far = |(x, y): &(f64, f64)| (x - first.0).abs() + (y - first.1).abs() > room;
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
