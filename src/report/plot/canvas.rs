//! What a plot consists of, and how its shapes are drawn as SVG and as PNG at any scale.

use crate::report::plot::chart::Chart;
use crate::report::plot::grid::Grid;
use crate::report::plot::row_chart::RowChart;
use crate::report::plot::strokes::{INK, Stroke, dashed_parts};
use crate::text::visible_line;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};
use std::sync::Once;

const TITLE_FONT: f64 = 17.0;
/// How much of the width is kept free beside a title.
const TITLE_MARGIN: f64 = 28.0;
/// Pixels beyond this number are drawn here, far outside of any picture.
const FARTHEST: i32 = 1 << 20;

/// A plot cannot be drawn.
#[derive(Clone, Debug, thiserror::Error)]
#[error("a plot cannot be drawn: {0}")]
pub struct PlotError(String);

impl<E: std::error::Error + Send + Sync> From<DrawingAreaErrorKind<E>> for PlotError {
    fn from(error: DrawingAreaErrorKind<E>) -> Self {
        PlotError(error.to_string())
    }
}

impl From<png::EncodingError> for PlotError {
    fn from(error: png::EncodingError) -> Self {
        PlotError(error.to_string())
    }
}

/// A plot that can be drawn at any scale.
pub struct Plot {
    pub title: String,
    /// What it shows, in sentences.
    pub caption: String,
    pub figure: Figure,
}

/// What is below the title. Sizes are those at scale 1.
pub enum Figure {
    Chart(Chart),
    Rows(RowChart),
    Grid(Grid),
    /// Shapes in units of the design, with the size of the picture.
    Diagram((f64, f64), Vec<Shape>),
}

pub type Point = (f64, f64);
pub type Pixel = (i32, i32);

/// A part of a figure; its points are in units of the design or in the numbers of two axes.
pub enum Shape {
    /// Straight lines from point to point.
    Line(Vec<Point>, Stroke),
    /// A filled polygon.
    Area(Vec<Point>, RGBAColor),
    Rectangle([Point; 2], RGBColor),
    /// A circle with its radius.
    Dot(Point, f64, ShapeStyle),
    Text(Point, Label),
}

/// A text with its size in units of the design.
pub struct Label {
    pub text: String,
    pub size: f64,
    pub colour: RGBColor,
    /// Which end of the text is at its point, at half its height.
    pub end: HPos,
}

impl Label {
    pub fn new(text: impl Into<String>, size: f64, end: HPos) -> Self {
        Label { text: visible_line(&text.into()).into_owned(), size, colour: INK, end }
    }
}

impl Plot {
    fn size(&self) -> (u32, u32) {
        let with_title = |width: f64| width.max(text_width(&self.title, TITLE_FONT) + TITLE_MARGIN);
        let (width, height) = match &self.figure {
            Figure::Chart(chart) => chart.size(),
            Figure::Rows(rows) => (with_title(rows.size().0), rows.size().1),
            Figure::Grid(grid) => (with_title(grid.size().0), grid.size().1),
            Figure::Diagram((width, height), _) => (with_title(*width), *height),
        };
        (width as u32, height as u32)
    }

    fn draw<B: DrawingBackend>(&self, canvas: &Canvas<B>) -> Result<(), PlotError> {
        let title = Label::new(self.shown_title(), TITLE_FONT, HPos::Left);
        canvas.draw(&[Shape::Text((14.0, 22.0), title)])?;
        match &self.figure {
            Figure::Chart(chart) => chart.draw(canvas),
            Figure::Rows(rows) => rows.draw(canvas),
            Figure::Grid(grid) => grid.draw(canvas),
            Figure::Diagram(_, shapes) => canvas.draw(shapes),
        }
    }

    /// The title, cut where it is wider than the plot.
    fn shown_title(&self) -> String {
        let width = f64::from(self.size().0);
        let mut shown = self.title.clone();
        while text_width(&shown, TITLE_FONT) + TITLE_MARGIN > width && shown.chars().count() > 2 {
            shown = format!("{}…", shown.chars().take(shown.chars().count() - 2).collect::<String>());
        }
        shown
    }
}

/// A picture that is being drawn.
pub struct Canvas<B: DrawingBackend> {
    pub area: DrawingArea<B, Shift>,
    /// How many pixels a unit of the design has.
    pixels: u32,
    /// By how much smaller the backend draws a font than the size that it was given.
    shrinks_fonts: f64,
    /// How far above its middle the backend draws a text, as a share of the font's size.
    lifts_text: f64,
}

impl<B: DrawingBackend> Canvas<B> {
    pub fn px(&self, units: f64) -> i32 {
        (units * f64::from(self.pixels)).round() as i32
    }

    pub fn font(&self, units: f64) -> TextStyle<'static> {
        ("sans-serif", units * f64::from(self.pixels) * self.shrinks_fonts).into_font().color(&INK)
    }

    /// Draws shapes in units of the design.
    pub fn draw(&self, shapes: &[Shape]) -> Result<(), PlotError> {
        self.draw_at(shapes, |(x, y)| (self.px(x), self.px(y)))
    }

    /// Draws shapes whose points are at the given pixels.
    pub fn draw_at(&self, shapes: &[Shape], at: impl Fn(Point) -> Pixel) -> Result<(), PlotError> {
        // What lies far outside of a picture would have millions of dashes.
        let near = |pixel: i32| pixel.clamp(-FARTHEST, FARTHEST);
        let at = |point: Point| {
            let (x, y) = at(point);
            (near(x), near(y))
        };
        let all = |points: &[Point]| points.iter().map(|point| at(*point)).collect::<Vec<_>>();
        shapes.iter().try_for_each(|shape| match shape {
            Shape::Line(points, stroke) => self.line(&all(points), *stroke),
            Shape::Area(points, colour) => Ok(self.area.draw(&Polygon::new(all(points), *colour))?),
            Shape::Rectangle(corners, colour) => {
                Ok(self.area.draw(&Rectangle::new(corners.map(&at), colour.filled()))?)
            }
            Shape::Dot(middle, radius, style) => {
                Ok(self.area.draw(&Circle::new(at(*middle), self.px(*radius), *style))?)
            }
            Shape::Text(point, label) => self.write(at(*point), label),
        })
    }

    pub fn line(&self, points: &[Pixel], stroke: Stroke) -> Result<(), PlotError> {
        let parts = match stroke.dashes {
            None => vec![points.to_vec()],
            Some((dash, gap)) => dashed_parts(points, f64::from(self.px(dash)), gap * f64::from(self.pixels)),
        };
        let style = stroke.colour.stroke_width(self.px(stroke.thickness).max(1) as u32);
        parts.into_iter().try_for_each(|part| Ok(self.area.draw(&PathElement::new(part, style))?))
    }

    pub fn write(&self, (x, y): Pixel, label: &Label) -> Result<(), PlotError> {
        let style = self.font(label.size).color(&label.colour).pos(Pos::new(label.end, VPos::Center));
        let drop = self.px(label.size * self.lifts_text);
        Ok(self.area.draw(&Text::new(&*label.text, (x, y + drop), style))?)
    }
}

/// Registers the font, without which no text has a width.
pub fn register_fonts() {
    static FONT: Once = Once::new();
    FONT.call_once(|| {
        // The bytes are compiled in, so this cannot fail; if it did, drawing would return an error.
        let _ = register_font("sans-serif", FontStyle::Normal, dejavu::sans::regular());
        let _ = register_font("sans-serif", FontStyle::Bold, dejavu::sans::bold());
    });
}

/// The SVG text and the PNG file, drawn at the same time: a plot of many rows takes longer than all others together.
pub fn render(plot: &Plot) -> Result<(String, Vec<u8>), PlotError> {
    let (png, svg) = rayon::join(|| render_png(plot), || render_svg(plot));
    Ok((svg?, png?))
}

fn render_svg(plot: &Plot) -> Result<String, PlotError> {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, plot.size()).into_drawing_area();
    area.fill(&WHITE)?;
    let canvas = Canvas { area, pixels: 1, shrinks_fonts: 1.065, lifts_text: 0.0 };
    plot.draw(&canvas)?;
    canvas.area.present()?;
    drop(canvas);
    Ok(svg)
}

/// With twice the pixels of the SVG.
fn render_png(plot: &Plot) -> Result<Vec<u8>, PlotError> {
    let (width, height) = plot.size();
    let (width, height) = (2 * width, 2 * height);
    let mut pixels = vec![255; (width * height * 3) as usize];
    let area = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
    let canvas = Canvas { area, pixels: 2, shrinks_fonts: 1.0, lifts_text: 0.13 };
    plot.draw(&canvas)?;
    canvas.area.present()?;
    drop(canvas);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(bytes)
}

/// How wide a text is, in units of the design.
pub fn text_width(text: &str, font: f64) -> f64 {
    let text = &*visible_line(text);
    let size = ("sans-serif", font).into_font().box_size(text);
    size.map_or(text.len() as f64 * font * 0.6, |(width, _)| f64::from(width))
}

/// How wide the widest of some texts is, in units of the design.
pub fn widest<'a>(texts: impl IntoIterator<Item = &'a str>, font: f64) -> f64 {
    texts.into_iter().map(|text| text_width(text, font)).fold(0.0, f64::max)
}
