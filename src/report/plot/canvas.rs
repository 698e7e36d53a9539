//! What all plots share: the two backends, the font, colours, text and the legend.

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

/// They can be told apart with any kind of colour vision (Okabe and Ito, 2008).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(213, 94, 0),
    RGBColor(0, 0, 0),
];

/// The colour of a method, by its place in the experiment. Colours come again after seven methods: in a row of its own a
/// method is known by its label, and a curve by its dashes, too.
pub fn colour(method: usize) -> RGBColor {
    COLOURS[method % COLOURS.len()]
}

/// How long the dashes of a method's curve and the gaps between them are, in units of the design; `None` for a whole line.
fn dashes(method: usize) -> Option<(f64, f64)> {
    const PATTERNS: [Option<(f64, f64)>; 3] = [None, Some((9.0, 4.0)), Some((2.5, 3.0))];
    PATTERNS[method / COLOURS.len() % PATTERNS.len()]
}

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

/// The SVG text and the PNG file.
pub fn render(figure: &impl Figure) -> Result<(String, Vec<u8>), PlotError> {
    static FONT: Once = Once::new();
    FONT.call_once(|| {
        // Cannot fail: the bytes are compiled in. If it did, drawing would say so.
        let _ = register_font("sans-serif", FontStyle::Normal, dejavu::sans::regular());
        let _ = register_font("sans-serif", FontStyle::Bold, dejavu::sans::bold());
    });
    let (width, height) = figure.size();
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
        area.fill(&WHITE)?;
        figure.draw(&area, SVG)?;
        area.present()?;
    }
    let (width, height) = (width * PNG.pixels, height * PNG.pixels);
    let mut pixels = vec![0; (width * height * 3) as usize];
    {
        let area = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
        area.fill(&WHITE)?;
        figure.draw(&area, PNG)?;
        area.present()?;
    }
    Ok((svg, encode_png(&pixels, width, height).map_err(PlotError::of)?))
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

/// An entry of a legend.
pub struct Entry {
    pub text: String,
    pub mark: Mark,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Mark {
    /// The curve of a method.
    Curve(usize),
    Dot(RGBColor),
}

const LEGEND_FONT: f64 = 13.0;
const LEGEND_ROW: f64 = 22.0;
const LEGEND_MARK: f64 = 26.0;
const TITLE_HEIGHT: f64 = 40.0;
const END_LABEL_ROW: f64 = 18.0;
const END_LABEL_GAP: f64 = 26.0;
/// The numbers and the name below a plot.
pub const X_AXIS_HEIGHT: f64 = 44.0;
/// The marks alone, and a gap to the panel below.
pub const SHARED_AXIS_HEIGHT: f64 = 18.0;

/// A name at the end of a curve.
pub struct EndLabel {
    pub text: String,
    pub colour: RGBColor,
    /// Where the curve ends, in pixels from the top.
    pub y: i32,
}

/// How wide names at the ends of curves are, in units of the design.
pub fn end_label_width<'a>(texts: impl Iterator<Item = &'a str>) -> u32 {
    (texts.map(|text| text_width(text, LEGEND_FONT)).fold(60.0, f64::max) + END_LABEL_GAP + 10.0).ceil() as u32
}

/// Writes names to the right of where curves end, moved apart where they would overlap.
pub fn end_labels<B: DrawingBackend>(
    area: &Area<B>,
    chart: &Chart<B>,
    scale: Scale,
    mut labels: Vec<EndLabel>,
) -> Result<(), PlotError>
where
    B::ErrorType: 'static,
{
    let (x_range, y_range) = chart.plotting_area().get_pixel_range();
    labels.sort_by_key(|label| label.y);
    let wanted: Vec<i32> = labels.iter().map(|label| label.y).collect();
    let places = apart(&wanted, scale.px(END_LABEL_ROW), y_range);
    for (label, y) in labels.iter().zip(places) {
        let EndLabel { text, colour, y: end } = label;
        let (from, to) = (x_range.end + scale.px(2.0), x_range.end + scale.px(END_LABEL_GAP - 6.0));
        stroke(area, scale, &[(from, *end), (to, y)], 1.0, *colour)?;
        let place = (x_range.end + scale.px(END_LABEL_GAP), y);
        write(area, scale, place, Label { text, size: LEGEND_FONT, colour: INK, end: HPos::Left })?;
    }
    Ok(())
}

/// Places in order, each at least a gap from the next and as near as that allows to where it should be, within a range if
/// there is room.
fn apart(wanted: &[i32], gap: i32, within: Range<i32>) -> Vec<i32> {
    let mut places = wanted.to_vec();
    for i in 1..places.len() {
        places[i] = places[i].max(places[i - 1] + gap);
    }
    let mut limit = within.end;
    for place in places.iter_mut().rev() {
        *place = (*place).min(limit);
        limit = *place - gap;
    }
    places
}

/// How wide a legend is, in units of the design.
pub fn legend_width(entries: &[Entry]) -> u32 {
    let widest = entries.iter().map(|entry| text_width(&entry.text, LEGEND_FONT)).fold(90.0, f64::max);
    (widest + LEGEND_MARK + 30.0).ceil() as u32
}

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

/// Draws a legend down from the top left of an area.
fn legend<B: DrawingBackend>(area: &Area<B>, scale: Scale, top: f64, entries: &[Entry]) -> Result<(), PlotError>
where
    B::ErrorType: 'static,
{
    for (index, entry) in entries.iter().enumerate() {
        let y = scale.px(top + LEGEND_ROW * (index as f64 + 0.5));
        let (left, right) = (scale.px(8.0), scale.px(8.0 + LEGEND_MARK - 6.0));
        match entry.mark {
            Mark::Curve(method) => curve(area, scale, &[(left, y), (right, y)], 2.5, method)?,
            Mark::Dot(colour) => {
                area.draw(&Circle::new(((left + right) / 2, y), scale.px(4.0), colour.filled()))?;
            }
        }
        let label = Label { text: &entry.text, size: LEGEND_FONT, colour: INK, end: HPos::Left };
        write(area, scale, (scale.px(8.0 + LEGEND_MARK), y), label)?;
    }
    Ok(())
}

/// Straight lines from pixel to pixel, so many units thick.
pub fn stroke<B: DrawingBackend>(
    area: &Area<B>,
    scale: Scale,
    points: &[(i32, i32)],
    thickness: f64,
    colour: RGBColor,
) -> Result<(), PlotError>
where
    B::ErrorType: 'static,
{
    Ok(area.draw(&PathElement::new(points.to_vec(), colour.stroke_width(scale.width(thickness))))?)
}

/// The curve of a method, from pixel to pixel.
pub fn curve<B: DrawingBackend>(
    area: &Area<B>,
    scale: Scale,
    points: &[(i32, i32)],
    thickness: f64,
    method: usize,
) -> Result<(), PlotError>
where
    B::ErrorType: 'static,
{
    match dashes(method) {
        None => stroke(area, scale, points, thickness, colour(method)),
        Some((dash, gap)) => {
            let (dash, gap) = (f64::from(scale.px(dash)), f64::from(scale.px(gap)));
            let mut parts = dashed_parts(points, dash, gap).into_iter();
            parts.try_for_each(|part| stroke(area, scale, &part, thickness, colour(method)))
        }
    }
}

/// A dashed straight line between two pixels.
pub fn dashed<B: DrawingBackend>(
    area: &Area<B>,
    scale: Scale,
    from: (i32, i32),
    to: (i32, i32),
    colour: RGBColor,
) -> Result<(), PlotError>
where
    B::ErrorType: 'static,
{
    let dash = f64::from(scale.px(6.0));
    let mut parts = dashed_parts(&[from, to], dash, 0.7 * dash).into_iter();
    parts.try_for_each(|part| stroke(area, scale, &part, 2.0, colour))
}

/// The dashes along a way from point to point; they go on around its corners.
fn dashed_parts(points: &[(i32, i32)], dash: f64, gap: f64) -> Vec<Vec<(i32, i32)>> {
    let mut parts: Vec<Vec<(i32, i32)>> = Vec::new();
    // How much is left of the dash or gap that is being drawn.
    let (mut is_dash, mut left) = (true, dash);
    parts.extend(points.first().map(|point| vec![*point]));
    for pair in points.windows(2) {
        let [from, to] = [pair[0], pair[1]].map(|(x, y)| (f64::from(x), f64::from(y)));
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        let at = |along: f64| {
            let part = along / length;
            let mix = |a: f64, b: f64| (a + part * (b - a)).round() as i32;
            (mix(from.0, to.0), mix(from.1, to.1))
        };
        let mut along = 0.0;
        while length - along > left {
            along += left;
            if is_dash {
                parts.last_mut().into_iter().for_each(|part| part.push(at(along)));
            } else {
                parts.push(vec![at(along)]);
            }
            (is_dash, left) = (!is_dash, if is_dash { gap } else { dash });
        }
        left -= length - along;
        if is_dash {
            parts.last_mut().into_iter().for_each(|part| part.push(pair[1]));
        }
    }
    parts
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
    fn dashes_go_on_around_corners_and_end_with_the_way() {
        let parts = dashed_parts(&[(0, 0), (10, 0), (10, 10)], 6.0, 2.0);
        let expected = vec![vec![(0, 0), (6, 0)], vec![(8, 0), (10, 0), (10, 4)], vec![(10, 6), (10, 10)]];
        assert_eq!(parts, expected);
        assert_eq!(dashed_parts(&[(3, 3), (3, 3)], 6.0, 2.0), [[(3, 3), (3, 3)]]);
        assert!(dashed_parts(&[], 6.0, 2.0).is_empty());
    }

    #[test]
    fn methods_differ_in_colour_or_in_dashes() {
        let styles: std::collections::BTreeSet<String> =
            (0..21).map(|method| format!("{:?} {:?}", colour(method), dashes(method))).collect();
        assert_eq!(styles.len(), 21);
    }

    #[test]
    fn labels_are_moved_apart_and_stay_inside() {
        assert_eq!(apart(&[10, 50, 90], 20, 0..100), [10, 50, 90]);
        assert_eq!(apart(&[10, 12, 14], 20, 0..100), [10, 30, 50]);
        assert_eq!(apart(&[90, 95, 99], 20, 0..100), [60, 80, 100]);
        assert!(apart(&[], 20, 0..100).is_empty());
    }

    #[test]
    fn a_range_has_room_even_around_a_single_value() {
        let range = padded([0.5].into_iter());
        assert!(range.start < 0.5 && range.end > 0.5);
        assert_eq!(padded([].into_iter()), 0.0..1.0);
    }
}
