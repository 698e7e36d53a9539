//! The critical-difference diagram (Demšar, 2006): methods along their average ranks, and bars over those that cannot be
//! told apart.

use crate::analysis::{RankedMethod, Ranks};
use crate::report::plot::canvas::{Figure, Label, Plot, Point, Shape, widest};
use crate::report::plot::strokes::{GREY, INK, Stroke, colour};
use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

const AXIS: f64 = 430.0;
const TOP: f64 = 112.0;
const BAR: f64 = 11.0;
const ROW: f64 = 24.0;
const FONT: f64 = 13.0;
const GAP: f64 = 26.0;
/// A diagram of more methods than this cannot be read.
const MOST_METHODS: usize = 30;

/// A diagram that is being drawn; lengths are in units of the design.
struct Diagram<'a> {
    ranks: &'a Ranks<'a>,
    /// Where the axis begins.
    left: f64,
    shapes: Vec<Shape>,
}

/// `None` for too many methods.
pub fn critical_difference(ranks: &Ranks) -> Option<Plot> {
    let Ranks { methods, settings, critical_difference, .. } = ranks;
    if methods.len() > MOST_METHODS {
        return None;
    }
    // The better half of the methods has its labels to the left.
    let half = methods.len().div_ceil(2);
    let labels: Vec<String> = methods.iter().map(label).collect();
    let width = |labels: &[String]| widest(labels.iter().map(|label| &**label), FONT) + GAP;
    let (left, right) = (width(&labels[..half]), width(&labels[half..]));
    let mut diagram = Diagram { ranks, left, shapes: Vec::new() };
    diagram.axis();
    diagram.critical_difference();
    let below_bars = diagram.bars();
    diagram.methods(half, below_bars + ROW * 0.7);
    Some(Plot {
        title: "Average ranks over settings".to_string(),
        caption: format!(
            "Average rank of each method in mean ROC-AUC over {settings} settings, the best to the left. A bar joins \
             methods that do not differ significantly: their average ranks differ by at most the critical difference \
             (CD) of {critical_difference:.2} (Nemenyi's test at 5%; Demšar, 2006)."
        ),
        figure: Figure::Diagram((left + AXIS + right, below_bars + ROW * (half as f64 + 0.7)), diagram.shapes),
    })
}

fn label(method: &RankedMethod) -> String {
    format!("{} ({:.2})", method.label, method.average)
}

impl Diagram<'_> {
    /// Where a rank is along the axis.
    fn x(&self, rank: f64) -> f64 {
        self.left + AXIS * (rank - 1.0) / (self.ranks.methods.len() - 1) as f64
    }

    fn line(&mut self, from: Point, to: Point, thickness: f64, colour: RGBColor) {
        self.shapes.push(Shape::Line(vec![from, to], Stroke::solid(thickness, colour)));
    }

    fn text(&mut self, text: String, at: Point, end: HPos) {
        self.shapes.push(Shape::Text(at, Label::new(text, FONT, end)));
    }

    /// The axis, with as many numbers as fit.
    fn axis(&mut self) {
        let count = self.ranks.methods.len();
        self.line((self.x(1.0), TOP), (self.x(count as f64), TOP), 1.5, INK);
        for rank in (1..=count).step_by(count.div_ceil(15)) {
            let x = self.x(rank as f64);
            self.line((x, TOP), (x, TOP - 6.0), 1.5, INK);
            self.text(rank.to_string(), (x, TOP - 17.0), HPos::Center);
        }
    }

    /// The critical difference as a length along the axis, or as a text if it is longer than the axis.
    fn critical_difference(&mut self) {
        let (critical, y) = (self.ranks.critical_difference, TOP - 40.0);
        if !self.ranks.can_tell_apart() {
            let middle = self.x((1 + self.ranks.methods.len()) as f64 / 2.0);
            let text = format!("CD = {critical:.2}, more than ranks can differ here");
            return self.text(text, (middle, y), HPos::Center);
        }
        let (from, to) = (self.x(1.0), self.x(1.0 + critical));
        self.line((from, y), (to, y), 2.0, GREY);
        [from, to].into_iter().for_each(|x| self.line((x, y - 4.0), (x, y + 4.0), 2.0, GREY));
        self.text(format!("CD = {critical:.2}"), (to + 8.0, y), HPos::Left);
    }

    /// A bar over each group of methods that cannot be told apart, in rows so that no two touch; returns where they end.
    fn bars(&mut self) -> f64 {
        let mut last_of_rows: Vec<usize> = Vec::new();
        for (first, last) in &self.ranks.groups {
            let row = last_of_rows.iter().position(|end| end < first).unwrap_or(last_of_rows.len());
            match last_of_rows.get_mut(row) {
                Some(end) => *end = *last,
                None => last_of_rows.push(*last),
            }
            let y = TOP + BAR * (row as f64 + 1.0);
            let [from, to] = [first, last].map(|index| self.x(self.ranks.methods[*index].average));
            self.line((from - 3.0, y), (to + 3.0, y), 4.0, INK);
        }
        TOP + BAR * last_of_rows.len() as f64
    }

    /// The methods with their labels, in rows from `start` on.
    fn methods(&mut self, half: usize, start: f64) {
        let methods = &self.ranks.methods;
        for (index, method) in methods.iter().enumerate() {
            let x = self.x(method.average);
            let is_left = index < half;
            // The best and the worst are in the highest rows, so that no line crosses another.
            let row = if is_left { index } else { methods.len() - 1 - index };
            let y = start + ROW * row as f64;
            let (end, text, side) = if is_left {
                (self.left - 14.0, self.left - 19.0, HPos::Right)
            } else {
                (self.left + AXIS + 14.0, self.left + AXIS + 19.0, HPos::Left)
            };
            self.line((x, TOP), (x, y), 1.5, colour(method.method));
            self.line((x, y), (end, y), 1.5, colour(method.method));
            self.text(label(method), (text, y), side);
        }
    }
}
