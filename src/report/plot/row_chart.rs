//! A chart of rows over one axis of numbers: a label to the left of each row, a value to its right.

use crate::report::plot::canvas::{Canvas, Label, Pixel, PlotError, Point, Shape, text_width, widest};
use crate::report::plot::chart::tick;
use crate::report::plot::strokes::{GREY, LIGHT, Stroke};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use std::ops::Range;

/// The height of a row, in units of the design.
const ROW: f64 = 38.0;
const TOP: f64 = 62.0;
const BOTTOM: f64 = 56.0;
const X_NUMBERS: f64 = 30.0;
const PLOT_WIDTH: f64 = 560.0;
const LABEL_FONT: f64 = 14.0;
const AXIS_FONT: f64 = 12.5;
const SMALL_FONT: f64 = 11.5;
/// Half the height of a mark across a row.
const CROSS: f64 = 13.0;
/// More points than this in a row overlap too much; of more, evenly spaced ones in the order of their values are drawn.
const MOST_POINTS: usize = 200;

/// A row, with what is written beside it.
pub struct Row {
    /// To the left of the row: a label, and a detail in small letters below it, which may be empty.
    pub label: [String; 2],
    /// The same to the right of the row.
    pub value: [String; 2],
    /// The values of the seeds, drawn first.
    pub points: Vec<f64>,
    /// Of the points.
    pub colour: RGBColor,
    /// Drawn over the points, in this order.
    pub marks: Vec<Mark>,
}

/// What a row shows beside its points.
pub enum Mark {
    /// From one number to another along the row, with its thickness in units of the design.
    Bar((f64, f64), f64, RGBColor),
    /// A line across the row.
    Cross(f64, RGBColor),
}

/// A dashed line across all rows.
pub struct Marker {
    pub at: f64,
    /// Above the rows; may be empty.
    pub text: String,
    pub colour: RGBColor,
}

pub struct RowChart {
    pub x_name: String,
    pub range: Range<f64>,
    pub marker: Option<Marker>,
    pub rows: Vec<Row>,
}

impl RowChart {
    fn beside(&self, texts: fn(&Row) -> &[String; 2]) -> f64 {
        let wide = |part: usize, font: f64| widest(self.rows.iter().map(|row| &*texts(row)[part]), font);
        wide(0, LABEL_FONT).max(wide(1, SMALL_FONT)) + 28.0
    }

    fn left(&self) -> f64 {
        self.beside(|row| &row.label)
    }

    /// The height of all rows, or of one if there is none.
    fn height(&self) -> f64 {
        ROW * self.rows.len().max(1) as f64
    }

    /// What a caption adds where not every value is drawn.
    pub fn thinning_sentence(&self) -> String {
        if self.rows.iter().all(|row| row.points.len() <= MOST_POINTS) {
            return String::new();
        }
        format!(" Of the seeds of a row, {MOST_POINTS} evenly spaced ones in the order of their values are drawn.")
    }

    pub fn size(&self) -> (f64, f64) {
        (self.left() + PLOT_WIDTH + self.beside(|row| &row.value), TOP + self.height() + BOTTOM)
    }

    pub fn draw<B: DrawingBackend>(&self, canvas: &Canvas<B>) -> Result<(), PlotError> {
        let left = self.left();
        let width = canvas.area.dim_in_pixel().0 as i32;
        let right = width - canvas.px(left + PLOT_WIDTH);
        let inner = canvas.area.margin(canvas.px(TOP), canvas.px(BOTTOM - X_NUMBERS), canvas.px(left), right);
        let mut axes = ChartBuilder::on(&inner)
            .x_label_area_size(canvas.px(X_NUMBERS))
            .build_cartesian_2d(self.range.clone(), self.height() / ROW..0.0)?;
        axes.configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .light_line_style(TRANSPARENT)
            .bold_line_style(LIGHT)
            .axis_style(GREY)
            .x_labels(8)
            .x_label_formatter(&|x| tick(*x, &self.range))
            .x_label_style(canvas.font(12.0))
            .draw()?;
        let name = Label::new(&self.x_name, AXIS_FONT, HPos::Center);
        canvas.draw(&[Shape::Text((left + PLOT_WIDTH / 2.0, TOP + self.height() + 38.0), name)])?;
        // What is beyond the axis is drawn at its end.
        let at = |(x, y): Point| axes.backend_coord(&(x.clamp(self.range.start, self.range.end), y));
        if let Some(marker) = &self.marker {
            let (x, top) = axes.backend_coord(&(marker.at, 0.0));
            marker.draw(canvas, x, (top, canvas.px(TOP + self.height())))?;
        }
        for (index, row) in self.rows.iter().enumerate() {
            let middle = index as f64 + 0.5;
            canvas.draw_at(&row.shapes(middle), at)?;
            let y = TOP + ROW * middle;
            canvas.draw(&two_lines(&row.label, (left - 12.0, y), HPos::Right))?;
            canvas.draw(&two_lines(&row.value, (left + PLOT_WIDTH + 12.0, y), HPos::Left))?;
        }
        Ok(())
    }
}

impl Marker {
    fn draw<B: DrawingBackend>(&self, canvas: &Canvas<B>, x: i32, (top, bottom): Pixel) -> Result<(), PlotError> {
        canvas.line(&[(x, top - canvas.px(6.0)), (x, bottom)], Stroke::dashed(self.colour))?;
        // The text is centred above the line, unless it would leave the picture there.
        let width = canvas.area.dim_in_pixel().0 as i32;
        let half = canvas.px(text_width(&self.text, AXIS_FONT) / 2.0 + 6.0);
        let middle = x.clamp(half, (width - half).max(half));
        let label = Label { colour: self.colour, ..Label::new(&self.text, AXIS_FONT, HPos::Center) };
        canvas.write((middle, top - canvas.px(14.0)), &label)
    }
}

/// A text, with a smaller one below it if there is one.
fn two_lines([large, small]: &[String; 2], (x, y): Point, end: HPos) -> Vec<Shape> {
    let shift = if small.is_empty() { 0.0 } else { 8.0 };
    let large = Shape::Text((x, y - shift), Label::new(large, LABEL_FONT, end));
    let small = Shape::Text((x, y + shift), Label { colour: GREY, ..Label::new(small, SMALL_FONT, end) });
    if shift > 0.0 { vec![large, small] } else { vec![large] }
}

impl Row {
    /// Points and marks, with the middle of the row at a height that counts rows.
    fn shapes(&self, middle: f64) -> Vec<Shape> {
        let point = |(index, value): (usize, f64)| {
            // Spread by the golden ratio: evenly, and the same in every run.
            let offset = ((index as f64 * 0.618_033_988_749_895).fract() - 0.5) * 0.6;
            Shape::Dot((value, middle + offset), 2.4, self.colour.mix(0.4).filled())
        };
        let mark = |mark: &Mark| match *mark {
            Mark::Bar((from, to), thickness, colour) => {
                Shape::Line(vec![(from, middle), (to, middle)], Stroke::solid(thickness, colour))
            }
            Mark::Cross(x, colour) => {
                let half = CROSS / ROW;
                Shape::Line(vec![(x, middle - half), (x, middle + half)], Stroke::solid(2.0, colour))
            }
        };
        let points = thinned(&self.points).into_iter().enumerate().map(point);
        points.chain(self.marks.iter().map(mark)).collect()
    }
}

fn thinned(values: &[f64]) -> Vec<f64> {
    if values.len() <= MOST_POINTS {
        return values.to_vec();
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len() - 1;
    (0..MOST_POINTS).map(|point| sorted[point * last / (MOST_POINTS - 1)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_points_evenly_spaced_ones_are_drawn_ends_included() {
        let many: Vec<f64> = (0..10_000).rev().map(f64::from).collect();
        let drawn = thinned(&many);
        assert_eq!((drawn.len(), drawn[0], drawn[MOST_POINTS - 1]), (MOST_POINTS, 0.0, 9999.0));
        assert!(drawn.is_sorted());
        assert_eq!(thinned(&[2.0, 1.0]), [2.0, 1.0]);
    }
}
