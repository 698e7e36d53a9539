//! Colours and lines.

use crate::report::plot::canvas::{Area, PlotError, Scale};
use plotters::prelude::*;

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
