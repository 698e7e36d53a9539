//! What all plots share: the two backends, the font, text, titles and axes.

use crate::report::plot::labels::{Entry, legend};
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};
use std::ops::Range;
use std::sync::Once;

pub const INK: RGBColor = RGBColor(34, 34, 34);
pub const GREY: RGBColor = RGBColor(110, 110, 110);
pub const LIGHT: RGBColor = RGBColor(225, 225, 225);
pub const PAPER: RGBColor = RGBColor(190, 30, 45);

/// A plot could not be drawn.
#[derive(Clone, Debug, thiserror::Error)]
#[error("a plot cannot be drawn: {0}")]
pub struct PlotError(String);

impl PlotError {
    fn of(error: impl std::fmt::Display) -> Self {
        PlotError(error.to_string())
    }
}

impl<E: std::error::Error + Send + Sync> From<DrawingAreaErrorKind<E>> for PlotError {
    fn from(error: DrawingAreaErrorKind<E>) -> Self {
        PlotError::of(error)
    }
}

pub type Area<B> = DrawingArea<B, Shift>;

/// Something that can be drawn at any scale.
pub trait Figure {
    fn title(&self) -> String;

    /// What it shows, in sentences.
    fn caption(&self) -> String;

    /// Width and height at scale 1.
    fn size(&self) -> (u32, u32);

    fn draw<B: DrawingBackend>(&self, area: &Area<B>, scale: Scale) -> Result<(), PlotError>
    where
        B::ErrorType: 'static;
}

/// How the units of the design become pixels.
#[derive(Clone, Copy)]
pub struct Scale {
    pixels: u32,
    /// By how much smaller the backend draws a font than the size that it was given.
    shrinks_fonts: f64,
    /// How far above its middle the backend sets a text, as a part of the font's size.
    lifts_text: f64,
}

const SVG: Scale = Scale { pixels: 1, shrinks_fonts: 1.065, lifts_text: 0.0 };
/// A PNG has twice the pixels of its SVG.
const PNG: Scale = Scale { pixels: 2, shrinks_fonts: 1.0, lifts_text: 0.13 };

impl Scale {
    pub fn px(self, units: f64) -> i32 {
        (units * f64::from(self.pixels)).round() as i32
    }

    pub fn width(self, units: f64) -> u32 {
        self.px(units).max(1) as u32
    }

    pub fn font(self, units: f64) -> TextStyle<'static> {
        ("sans-serif", units * f64::from(self.pixels) * self.shrinks_fonts).into_font().color(&INK)
    }
}

/// The SVG text and the PNG file, drawn at the same time: a plot of many rows takes longer than all others together.
pub fn render(figure: &(impl Figure + Sync)) -> Result<(String, Vec<u8>), PlotError> {
    static FONT: Once = Once::new();
    FONT.call_once(|| {
        // Cannot fail: the bytes are compiled in. If it did, drawing would say so.
        let _ = register_font("sans-serif", FontStyle::Normal, dejavu::sans::regular());
        let _ = register_font("sans-serif", FontStyle::Bold, dejavu::sans::bold());
    });
    let (png, svg) = rayon::join(|| render_png(figure), || render_svg(figure));
    Ok((svg?, png?))
}

fn render_svg(figure: &impl Figure) -> Result<String, PlotError> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, figure.size()).into_drawing_area();
        area.fill(&WHITE)?;
        figure.draw(&area, SVG)?;
        area.present()?;
    }
    Ok(svg)
}

fn render_png(figure: &impl Figure) -> Result<Vec<u8>, PlotError> {
    let (width, height) = figure.size();
    let (width, height) = (width * PNG.pixels, height * PNG.pixels);
    let mut pixels = vec![255; (width * height * 3) as usize];
    {
        let area = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
        figure.draw(&area, PNG)?;
        area.present()?;
    }
    encode_png(&pixels, width, height).map_err(PlotError::of)
}

fn encode_png(pixels: &[u8], width: u32, height: u32) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(pixels)?;
    Ok(bytes)
}

/// How wide a text is, in units of the design.
pub fn text_width(text: &str, font: f64) -> f64 {
    let size = ("sans-serif", font).into_font().box_size(text);
    size.map_or(text.len() as f64 * font * 0.6, |(width, _)| f64::from(width))
}

/// A text of a size in units of the design.
pub struct Label<'a> {
    pub text: &'a str,
    pub size: f64,
    pub colour: RGBColor,
    /// Which end of the text stands at the given place; the middle of its height always does.
    pub end: HPos,
}

pub fn write<B: DrawingBackend>(area: &Area<B>, scale: Scale, (x, y): (i32, i32), label: Label) -> Result<(), PlotError>
where
    B::ErrorType: 'static,
{
    let Label { text, size, colour, end } = label;
    let style = scale.font(size).color(&colour).pos(Pos::new(end, VPos::Center));
    let drop = scale.px(size * scale.lifts_text);
    Ok(area.draw(&Text::new(text.to_string(), (x, y + drop), style))?)
}

/// The title of a plot, at its top left.
pub fn title<B: DrawingBackend>(area: &Area<B>, scale: Scale, text: &str) -> Result<(), PlotError>
where
    B::ErrorType: 'static,
{
    let (width, _) = area.dim_in_pixel();
    let fits = |text: &str| scale.px(text_width(text, 17.0) + 28.0) <= width as i32;
    let mut shown = text.to_string();
    while !fits(&shown) && shown.chars().count() > 2 {
        shown = format!("{}…", shown.chars().take(shown.chars().count() - 2).collect::<String>());
    }
    let label = Label { text: &shown, size: 17.0, colour: INK, end: HPos::Left };
    write(area, scale, (scale.px(14.0), scale.px(22.0)), label)
}

const TITLE_HEIGHT: f64 = 40.0;
/// The numbers and the name below a plot.
pub const X_AXIS_HEIGHT: f64 = 44.0;
/// The marks alone, and a gap to the panel below.
pub const SHARED_AXIS_HEIGHT: f64 = 18.0;

/// A plot with a title above and a legend to its right.
pub struct Frame<'a> {
    pub title: &'a str,
    /// Of the plot without its legend, in units of the design.
    pub width: u32,
    pub x: Axis<'a>,
    pub y: Axis<'a>,
    pub legend: &'a [Entry],
}

pub struct Axis<'a> {
    /// Empty for an x axis that the panel below has as well; its numbers are then left out too.
    pub name: &'a str,
    pub range: Range<f64>,
}

pub type Chart<'a, B> = ChartContext<'a, B, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Draws all but the data.
pub fn frame<'a, B: DrawingBackend>(area: &Area<B>, scale: Scale, frame: Frame) -> Result<Chart<'a, B>, PlotError>
where
    B::ErrorType: 'static,
{
    let Frame { title, width, x, y, legend } = frame;
    axes(&surround(area, scale, title, width, legend)?, scale, x, y)
}

/// Draws the title and the legend, and gives the part of the area that they leave. `width` is as in [`Frame`].
pub fn surround<B: DrawingBackend>(
    area: &Area<B>,
    scale: Scale,
    text: &str,
    width: u32,
    entries: &[Entry],
) -> Result<Area<B>, PlotError>
where
    B::ErrorType: 'static,
{
    title(area, scale, text)?;
    let (left, right) = area.split_horizontally(scale.px(f64::from(width)));
    legend(&right, scale, TITLE_HEIGHT + 4.0, entries)?;
    Ok(left.margin(scale.px(TITLE_HEIGHT), scale.px(8.0), scale.px(8.0), scale.px(16.0)))
}

/// Draws both axes and the grid over the whole of an area.
pub fn axes<'a, B: DrawingBackend>(area: &Area<B>, scale: Scale, x: Axis, y: Axis) -> Result<Chart<'a, B>, PlotError>
where
    B::ErrorType: 'static,
{
    let is_shared = x.name.is_empty();
    let mut chart = ChartBuilder::on(area)
        .x_label_area_size(scale.px(if is_shared { SHARED_AXIS_HEIGHT } else { X_AXIS_HEIGHT }))
        .y_label_area_size(scale.px(62.0))
        .build_cartesian_2d(x.range.clone(), y.range.clone())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(LIGHT)
        .axis_style(GREY)
        .x_labels(8)
        .y_labels(8)
        .x_label_formatter(&|value| if is_shared { String::new() } else { tick(*value, &x.range) })
        .y_label_formatter(&|value| tick(*value, &y.range))
        .x_desc(x.name)
        .y_desc(y.name)
        .label_style(scale.font(12.0))
        .axis_desc_style(scale.font(13.0))
        .draw()?;
    Ok(chart)
}

/// A number on an axis, with as many digits as tell its neighbours apart.
pub fn tick(value: f64, range: &Range<f64>) -> String {
    let digits = (1.0 - (range.end - range.start).abs().log10()).ceil().clamp(0.0, 9.0) as usize;
    let text = format!("{value:.digits$}");
    if text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') { text.replace('-', "") } else { text }
}

/// The range of some numbers with a little room at both ends.
pub fn padded(values: impl Iterator<Item = f64> + Clone) -> Range<f64> {
    let low = values.clone().fold(f64::INFINITY, f64::min);
    let high = values.fold(f64::NEG_INFINITY, f64::max);
    if !(low.is_finite() && high.is_finite()) {
        return 0.0..1.0;
    }
    let room = (0.05 * (high - low)).max(0.005);
    low - room..high + room
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_have_as_many_digits_as_they_need() {
        assert_eq!(tick(0.2, &(0.0..1.0)), "0.2");
        assert_eq!(tick(-4.0, &(-6.0..7.0)), "-4");
        assert_eq!(tick(-0.0, &(-6.0..7.0)), "0");
        assert_eq!(tick(0.855, &(0.845..0.895)), "0.855");
    }

    #[test]
    fn a_range_has_room_even_around_a_single_value() {
        let range = padded([0.5].into_iter());
        assert!(range.start < 0.5 && range.end > 0.5);
        assert_eq!(padded([].into_iter()), 0.0..1.0);
    }
}
