//! Curves over two axes, with a legend or with names at their ends.

use crate::report::plot::canvas::{Canvas, Label, Pixel, PlotError, Point, Shape, text_width, widest};
use crate::report::plot::strokes::{GREY, LIGHT, Stroke, colour};
use crate::text::visible_line;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use std::ops::Range;

pub const TITLE_HEIGHT: f64 = 40.0;
/// The numbers and the name below a panel.
const X_AXIS_HEIGHT: f64 = 44.0;
/// The ticks alone, and a gap to the panel below.
const SHARED_AXIS_HEIGHT: f64 = 18.0;
const FONT: f64 = 13.0;
const TICK_FONT: f64 = 12.0;
const LEGEND_ROW: f64 = 22.0;
const LEGEND_MARK: f64 = 26.0;
const END_ROW: f64 = 18.0;
const END_GAP: f64 = 26.0;
/// No axis extends beyond this number, so that the length of every axis is finite.
const FARTHEST: f64 = 1e300;

pub struct Chart {
    /// Width and height without what is to the right of the axes.
    pub size: (f64, f64),
    /// One above another.
    pub panels: Vec<Panel>,
    /// To the right of the axes; empty where curves have names at their ends.
    pub legend: Vec<(String, Mark)>,
}

/// Two axes and what is drawn over them, in their numbers.
pub struct Panel {
    /// Its name is empty where the panel below has the same axis; the numbers are then left out too.
    pub x: Axis,
    pub y: Axis,
    pub shapes: Vec<Shape>,
    pub ends: Vec<End>,
}

pub struct Axis {
    pub name: String,
    pub range: Range<f64>,
    /// Where the numbers or words of an x axis are; without them, evenly spaced numbers are chosen.
    pub ticks: Vec<(f64, String)>,
}

/// A name at the end of a method's curve.
pub struct End {
    pub text: String,
    pub method: usize,
    pub at: Point,
}

/// What a legend shows beside a text.
pub enum Mark {
    /// The curve of a method.
    Curve(usize),
    Dot(RGBColor),
}

impl Axis {
    pub fn new(name: impl Into<String>, range: Range<f64>) -> Self {
        let range = range.start.max(-FARTHEST)..range.end.min(FARTHEST);
        Axis { name: visible_line(&name.into()).into_owned(), range, ticks: Vec::new() }
    }
}

impl Chart {
    pub fn size(&self) -> (f64, f64) {
        let ends: Vec<&str> = self.panels.iter().flat_map(|panel| &panel.ends).map(|end| &*end.text).collect();
        let beside =
            if ends.is_empty() { legend_width(&self.legend) } else { widest(ends, FONT).max(60.0) + END_GAP + 10.0 };
        (self.size.0 + beside.ceil(), self.size.1)
    }

    pub fn draw<B: DrawingBackend>(&self, canvas: &Canvas<B>) -> Result<(), PlotError> {
        canvas.draw(&legend_shapes(self.size.0 + 8.0, &self.legend))?;
        let (left, _) = canvas.area.split_horizontally(canvas.px(self.size.0));
        let left = left.margin(canvas.px(TITLE_HEIGHT), canvas.px(8.0), canvas.px(8.0), canvas.px(16.0));
        // All panels have the same height; below the last one are the numbers of the x axis.
        let numbers = canvas.px(X_AXIS_HEIGHT - SHARED_AXIS_HEIGHT);
        let height = (left.dim_in_pixel().1 as i32 - numbers) / self.panels.len() as i32;
        let breaks: Vec<i32> = (1..self.panels.len() as i32).map(|panel| panel * height).collect();
        let areas = left.split_by_breakpoints([0; 0], breaks);
        self.panels.iter().zip(areas).try_for_each(|(panel, area)| panel.draw(canvas, &area))
    }
}

/// How wide a legend is, with the space around it.
pub fn legend_width(legend: &[(String, Mark)]) -> f64 {
    widest(legend.iter().map(|(text, _)| &**text), FONT).max(90.0) + LEGEND_MARK + 30.0
}

pub fn legend_shapes(left: f64, legend: &[(String, Mark)]) -> Vec<Shape> {
    let entry = |(index, (text, mark)): (usize, &(String, Mark))| {
        let y = TITLE_HEIGHT + 4.0 + LEGEND_ROW * (index as f64 + 0.5);
        let right = left + LEGEND_MARK - 6.0;
        let mark = match *mark {
            Mark::Curve(method) => Shape::Line(vec![(left, y), (right, y)], Stroke::of_method(method, 2.5)),
            Mark::Dot(colour) => Shape::Dot(((left + right) / 2.0, y), 4.0, colour.filled()),
        };
        [mark, Shape::Text((left + LEGEND_MARK, y), Label::new(text, FONT, HPos::Left))]
    };
    legend.iter().enumerate().flat_map(entry).collect()
}

type Axes<'a, B> = ChartContext<'a, B, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

impl Panel {
    pub fn draw<B: DrawingBackend>(&self, canvas: &Canvas<B>, area: &DrawingArea<B, Shift>) -> Result<(), PlotError> {
        let axes = self.axes(canvas, area)?;
        self.draw_ticks(canvas, &axes)?;
        canvas.draw_at(&self.shapes, |point| axes.backend_coord(&point))?;
        let (x_pixels, y_pixels) = axes.plotting_area().get_pixel_range();
        let mut ends: Vec<(&End, Pixel)> = self.ends.iter().map(|end| (end, axes.backend_coord(&end.at))).collect();
        ends.sort_by_key(|(_, (_, y))| *y);
        let wanted: Vec<i32> = ends.iter().map(|(_, (_, y))| *y).collect();
        let shown = apart(&wanted, canvas.px(END_ROW), y_pixels.end);
        let right = x_pixels.end;
        for ((End { text, method, .. }, (_, from)), to) in ends.into_iter().zip(shown) {
            let line = [(right + canvas.px(2.0), from), (right + canvas.px(END_GAP - 6.0), to)];
            canvas.line(&line, Stroke::solid(1.0, colour(*method)))?;
            canvas.write((right + canvas.px(END_GAP), to), &Label::new(text, FONT, HPos::Left))?;
        }
        Ok(())
    }

    /// The given ticks of the x axis, each with a line of the grid. A text that would cover the last one is left out.
    fn draw_ticks<B: DrawingBackend>(&self, canvas: &Canvas<B>, axes: &Axes<B>) -> Result<(), PlotError> {
        let mut free = i32::MIN;
        for (place, text) in &self.x.ticks {
            let (x, top) = axes.backend_coord(&(*place, self.y.range.end));
            let (_, bottom) = axes.backend_coord(&(*place, self.y.range.start));
            canvas.line(&[(x, top), (x, bottom)], Stroke::solid(0.5, LIGHT))?;
            let half = canvas.px(text_width(text, TICK_FONT) / 2.0);
            if x - half >= free {
                canvas.write((x, bottom + canvas.px(13.0)), &Label::new(text, TICK_FONT, HPos::Center))?;
                free = x + half + canvas.px(6.0);
            }
        }
        Ok(())
    }

    /// Draws both axes and the grid over the whole of an area.
    fn axes<'a, B: DrawingBackend>(
        &self,
        canvas: &Canvas<B>,
        area: &'a DrawingArea<B, Shift>,
    ) -> Result<Axes<'a, B>, PlotError> {
        let Panel { x, y, .. } = self;
        let is_shared = x.name.is_empty();
        let has_own_numbers = !is_shared && x.ticks.is_empty();
        let mut axes = ChartBuilder::on(area)
            .x_label_area_size(canvas.px(if is_shared { SHARED_AXIS_HEIGHT } else { X_AXIS_HEIGHT }))
            .y_label_area_size(canvas.px(62.0))
            .build_cartesian_2d(x.range.clone(), y.range.clone())?;
        axes.configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(LIGHT)
            .axis_style(GREY)
            .x_labels(if x.ticks.is_empty() { 8 } else { 0 })
            .y_labels(8)
            .x_label_formatter(&|value| if has_own_numbers { tick(*value, &x.range) } else { String::new() })
            .y_label_formatter(&|value| tick(*value, &y.range))
            .x_desc(&*x.name)
            .y_desc(&*y.name)
            .label_style(canvas.font(TICK_FONT))
            .axis_desc_style(canvas.font(13.0))
            .draw()?;
        Ok(axes)
    }
}

/// Positions in order, each at least a gap from the next and otherwise as near as possible to the wanted one. None is
/// beyond `end`; with too many for the space, the first ones are below zero.
fn apart(wanted: &[i32], gap: i32, end: i32) -> Vec<i32> {
    let mut shown = wanted.to_vec();
    for i in 1..shown.len() {
        shown[i] = shown[i].max(shown[i - 1] + gap);
    }
    let mut limit = end;
    for position in shown.iter_mut().rev() {
        *position = (*position).min(limit);
        limit = *position - gap;
    }
    shown
}

/// A number on an axis, with as many digits as its neighbours need to differ.
pub fn tick(value: f64, range: &Range<f64>) -> String {
    let digits = (1.0 - libm::log10((range.end - range.start).abs())).ceil().clamp(0.0, 9.0) as usize;
    let text = format!("{value:.digits$}");
    if text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') { text.replace('-', "") } else { text }
}

/// The range of some numbers with a margin at both ends.
pub fn padded(values: impl Iterator<Item = f64> + Clone) -> Range<f64> {
    let low = values.clone().fold(f64::INFINITY, f64::min);
    let high = values.fold(f64::NEG_INFINITY, f64::max);
    if !(low.is_finite() && high.is_finite()) {
        return 0.0..1.0;
    }
    let margin = (0.05 * (high - low)).max(0.005);
    low - margin..high + margin
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_has_a_finite_length() {
        let Axis { range, .. } = Axis::new("risk", padded([-1.7e308, 1.7e308].into_iter()));
        assert_eq!(range, -FARTHEST..FARTHEST);
        assert_eq!(Axis::new("AUC", 0.0..1.0).range, 0.0..1.0);
    }

    #[test]
    fn ticks_have_as_many_digits_as_they_need() {
        assert_eq!(tick(0.2, &(0.0..1.0)), "0.2");
        assert_eq!(tick(-4.0, &(-6.0..7.0)), "-4");
        assert_eq!(tick(-0.0, &(-6.0..7.0)), "0");
        assert_eq!(tick(0.855, &(0.845..0.895)), "0.855");
    }

    #[test]
    fn a_range_has_a_margin_even_around_a_single_value() {
        let range = padded([0.5].into_iter());
        assert!(range.start < 0.5 && range.end > 0.5);
        assert_eq!(padded([].into_iter()), 0.0..1.0);
    }

    #[test]
    fn labels_are_moved_apart_and_stay_inside() {
        assert_eq!(apart(&[10, 50, 90], 20, 100), [10, 50, 90]);
        assert_eq!(apart(&[10, 12, 14], 20, 100), [10, 30, 50]);
        assert_eq!(apart(&[90, 95, 99], 20, 100), [60, 80, 100]);
        assert!(apart(&[], 20, 100).is_empty());
    }
}
