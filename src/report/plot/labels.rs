//! What tells curves apart: legends, and names where curves end.

use crate::report::plot::canvas::{Area, Chart, INK, Label, PlotError, Scale, text_width, write};
use crate::report::plot::strokes::{curve, stroke};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use std::ops::Range;

const LEGEND_FONT: f64 = 13.0;
const LEGEND_ROW: f64 = 22.0;
const LEGEND_MARK: f64 = 26.0;
const END_LABEL_ROW: f64 = 18.0;
const END_LABEL_GAP: f64 = 26.0;

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

/// How wide a legend is, in units of the design.
pub fn legend_width(entries: &[Entry]) -> u32 {
    let widest = entries.iter().map(|entry| text_width(&entry.text, LEGEND_FONT)).fold(90.0, f64::max);
    (widest + LEGEND_MARK + 30.0).ceil() as u32
}

/// Draws a legend down from the top left of an area.
pub fn legend<B: DrawingBackend>(area: &Area<B>, scale: Scale, top: f64, entries: &[Entry]) -> Result<(), PlotError>
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_moved_apart_and_stay_inside() {
        assert_eq!(apart(&[10, 50, 90], 20, 0..100), [10, 50, 90]);
        assert_eq!(apart(&[10, 12, 14], 20, 0..100), [10, 30, 50]);
        assert_eq!(apart(&[90, 95, 99], 20, 0..100), [60, 80, 100]);
        assert!(apart(&[], 20, 0..100).is_empty());
    }
}
