//! A chart of rows over one axis of numbers: a label to the left of each row, a value to its right.

use crate::report::plot::canvas::{Area, GREY, INK, LIGHT, Label, PlotError, Scale, text_width, tick, title, write};
use crate::report::plot::strokes::dashed;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use std::ops::Range;

/// How high a row is, in units of the design.
const ROW: f64 = 38.0;
const TOP: f64 = 62.0;
const BOTTOM: f64 = 56.0;
const PLOT_WIDTH: f64 = 560.0;
const LABEL_FONT: f64 = 14.0;
const SMALL_FONT: f64 = 11.5;
/// So many points of a row can be told apart; of more, evenly spaced ones in the order of their values are drawn.
const MOST_POINTS: usize = 200;

/// A row, with what stands beside it.
pub struct Row {
    pub label: String,
    /// In small letters below the label; may be empty.
    pub detail: String,
    /// To the right of the row.
    pub value: String,
    /// In small letters below the value; may be empty.
    pub value_detail: String,
    /// The values of the seeds, drawn first.
    pub points: Vec<f64>,
    /// Of the points.
    pub colour: RGBColor,
    /// Drawn over the points, in this order.
    pub marks: Vec<Mark>,
}

/// What a row shows beside its points.
pub enum Mark {
    /// From one number to another along the row, so many units thick.
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
    pub title: String,
    pub x_name: String,
    pub range: Range<f64>,
    pub marker: Option<Marker>,
    pub rows: Vec<Row>,
}

/// Where a row is in the picture.
struct RowSpot<'a, 'b, B: DrawingBackend> {
    area: &'b Area<B>,
    scale: Scale,
    at: &'b dyn Fn(f64, f64) -> (i32, i32),
    range: &'a Range<f64>,
    middle: f64,
}

impl RowChart {
    fn left(&self) -> f64 {
        widest(self.rows.iter().map(|row| (&*row.label, &*row.detail))) + 28.0
    }

    fn right(&self) -> f64 {
        widest(self.rows.iter().map(|row| (&*row.value, &*row.value_detail))) + 28.0
    }

    fn bottom(&self) -> f64 {
        TOP + ROW * self.rows.len().max(1) as f64
    }

    pub fn size(&self) -> (u32, u32) {
        let width = (self.left() + PLOT_WIDTH + self.right()).max(text_width(&self.title, 17.0) + 28.0);
        (width as u32, (self.bottom() + BOTTOM) as u32)
    }

    pub fn draw<B: DrawingBackend>(&self, area: &Area<B>, scale: Scale) -> Result<(), PlotError>
    where
        B::ErrorType: 'static,
    {
        title(area, scale, &self.title)?;
        let (left, bottom) = (self.left(), self.bottom());
        let (width, _) = area.dim_in_pixel();
        let right = width as i32 - scale.px(left + PLOT_WIDTH);
        let inner = area.margin(scale.px(TOP), scale.px(BOTTOM - 30.0), scale.px(left), right);
        let mut chart = ChartBuilder::on(&inner)
            .x_label_area_size(scale.px(30.0))
            .build_cartesian_2d(self.range.clone(), self.rows.len().max(1) as f64..0.0)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .light_line_style(TRANSPARENT)
            .bold_line_style(LIGHT)
            .axis_style(GREY)
            .x_labels(8)
            .x_label_formatter(&|x| tick(*x, &self.range))
            .x_label_style(scale.font(12.0))
            .draw()?;
        let below = (scale.px(left + PLOT_WIDTH / 2.0), scale.px(bottom + 38.0));
        write(area, scale, below, Label { text: &self.x_name, size: 12.5, colour: INK, end: HPos::Center })?;
        let at = |x: f64, y: f64| chart.backend_coord(&(x, y));
        if let Some(Marker { at: value, text, colour }) = &self.marker {
            let (x, top) = at(*value, 0.0);
            dashed(area, scale, (x, top - scale.px(6.0)), (x, scale.px(bottom)), *colour)?;
            // Its middle is above the line, unless it would leave the picture there.
            let half = scale.px(text_width(text, 12.5) / 2.0 + 6.0);
            let middle = x.clamp(half, (width as i32 - half).max(half));
            let label = Label { text, size: 12.5, colour: *colour, end: HPos::Center };
            write(area, scale, (middle, top - scale.px(14.0)), label)?;
        }
        for (index, row) in self.rows.iter().enumerate() {
            let spot = RowSpot { area, scale, at: &at, range: &self.range, middle: index as f64 + 0.5 };
            spot.points(&row.points, row.colour)?;
            row.marks.iter().try_for_each(|mark| spot.mark(mark))?;
            let (_, y) = at(self.range.start, spot.middle);
            two_lines(area, scale, (scale.px(left - 12.0), y), HPos::Right, (&row.label, &row.detail))?;
            let end = scale.px(left + PLOT_WIDTH + 12.0);
            two_lines(area, scale, (end, y), HPos::Left, (&row.value, &row.value_detail))?;
        }
        Ok(())
    }
}

fn widest<'a>(texts: impl Iterator<Item = (&'a str, &'a str)>) -> f64 {
    texts.map(|(large, small)| text_width(large, LABEL_FONT).max(text_width(small, SMALL_FONT))).fold(0.0, f64::max)
}

/// A text, with a smaller one below it if there is one.
fn two_lines<B: DrawingBackend>(
    area: &Area<B>,
    scale: Scale,
    (x, y): (i32, i32),
    end: HPos,
    (large, small): (&str, &str),
) -> Result<(), PlotError>
where
    B::ErrorType: 'static,
{
    let shift = if small.is_empty() { 0 } else { scale.px(8.0) };
    write(area, scale, (x, y - shift), Label { text: large, size: LABEL_FONT, colour: INK, end })?;
    if small.is_empty() {
        return Ok(());
    }
    write(area, scale, (x, y + shift), Label { text: small, size: SMALL_FONT, colour: GREY, end })
}

impl<B: DrawingBackend> RowSpot<'_, '_, B>
where
    B::ErrorType: 'static,
{
    /// Where a number is in this row; beyond the axis it is at its end.
    fn at(&self, x: f64) -> (i32, i32) {
        (self.at)(x.clamp(self.range.start, self.range.end), self.middle)
    }

    /// Every value a point.
    fn points(&self, values: &[f64], colour: RGBColor) -> Result<(), PlotError> {
        for (index, value) in thinned(values).into_iter().enumerate() {
            // Spread by the golden ratio: even, and the same in every run.
            let offset = ((index as f64 * 0.618_033_988_749_895).fract() - 0.5) * 0.6;
            let point = (self.at)(value.clamp(self.range.start, self.range.end), self.middle + offset);
            self.area.draw(&Circle::new(point, self.scale.px(2.4), colour.mix(0.4).filled()))?;
        }
        Ok(())
    }

    fn mark(&self, mark: &Mark) -> Result<(), PlotError> {
        let (ends, style) = match *mark {
            Mark::Bar((from, to), thickness, colour) => {
                ([self.at(from), self.at(to)], colour.stroke_width(self.scale.width(thickness)))
            }
            Mark::Cross(x, colour) => {
                let (x, y) = self.at(x);
                let half = self.scale.px(ROW * 0.34);
                ([(x, y - half), (x, y + half)], colour.stroke_width(self.scale.width(2.0)))
            }
        };
        Ok(self.area.draw(&PathElement::new(ends.to_vec(), style))?)
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

/// What a caption adds where not every value is drawn.
pub fn thinning_sentence(most_values: usize) -> String {
    if most_values <= MOST_POINTS {
        return String::new();
    }
    format!(" Of the seeds of a row, {MOST_POINTS} evenly spaced ones in the order of their values are drawn.")
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
