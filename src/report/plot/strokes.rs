//! Colours, strokes and dashes.

use crate::report::plot::canvas::Pixel;
use plotters::prelude::*;

pub const INK: RGBColor = RGBColor(34, 34, 34);
pub const GREY: RGBColor = RGBColor(110, 110, 110);
pub const LIGHT: RGBColor = RGBColor(225, 225, 225);
pub const PAPER: RGBColor = RGBColor(190, 30, 45);

/// Colours that are distinct for any kind of colour vision (Okabe and Ito, 2008).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(213, 94, 0),
    RGBColor(0, 0, 0),
];

/// The colour of a method, by its index in the experiment. Colours repeat after seven methods; a row then still has its
/// label, and a curve its dashes.
pub fn colour(method: usize) -> RGBColor {
    COLOURS[method % COLOURS.len()]
}

/// The lengths of the dashes of a method's curve and of the gaps between them; `None` for a solid line.
fn dashes(method: usize) -> Option<(f64, f64)> {
    const PATTERNS: [Option<(f64, f64)>; 3] = [None, Some((9.0, 4.0)), Some((2.5, 3.0))];
    PATTERNS[method / COLOURS.len() % PATTERNS.len()]
}

/// How a line is drawn; lengths are in units of the design.
#[derive(Clone, Copy)]
pub struct Stroke {
    pub thickness: f64,
    pub colour: RGBColor,
    /// The lengths of dashes and gaps; `None` for a solid line.
    pub dashes: Option<(f64, f64)>,
}

impl Stroke {
    pub fn solid(thickness: f64, colour: RGBColor) -> Self {
        Stroke { thickness, colour, dashes: None }
    }

    pub fn dashed(colour: RGBColor) -> Self {
        Stroke { thickness: 2.0, colour, dashes: Some((6.0, 0.7 * 6.0)) }
    }

    /// That of a method's curve.
    pub fn of_method(method: usize, thickness: f64) -> Self {
        Stroke { thickness, colour: colour(method), dashes: dashes(method) }
    }
}

/// The dashes along a line from point to point; they continue around its corners.
pub fn dashed_parts(points: &[Pixel], dash: f64, gap: f64) -> Vec<Vec<Pixel>> {
    let mut parts: Vec<Vec<Pixel>> = points.first().map(|point| vec![*point]).into_iter().collect();
    // How much is left of the dash or gap that is being drawn.
    let (mut is_dash, mut left) = (true, dash);
    for pair in points.windows(2) {
        let [from, to] = [pair[0], pair[1]].map(|(x, y)| (f64::from(x), f64::from(y)));
        let length = libm::hypot(to.0 - from.0, to.1 - from.1);
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
    fn dashes_continue_around_corners_and_end_with_the_line() {
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
