//! Standard normal numbers, the same on every machine.
//!
//! The ziggurat of Doornik (*An Improved Ziggurat Method to Generate Normal Random Samples*, 2005): layers of equal area
//! cover the upper half of exp(-x^2 / 2), the lowest with the tail. A point is drawn in a random layer, and accepted at
//! once where it lies below the edge of the layer above. The draws are those of the crate rand_distr, which takes the
//! logarithm of the platform in the tail.

use crate::math::rounded::{exp, ln};
use rand::distr::Open01;
use rand::{Rng, RngExt};
use std::sync::LazyLock;

const COUNT: usize = 256;
/// The edge of the lowest layer, where the tail begins.
const TAIL: f64 = 3.654_152_885_361_009;
/// The area of a layer.
const AREA: f64 = 0.004_928_673_233_99;

/// The right edges of the layers from the bottom up, and the heights of the curve there.
struct Layers {
    edges: [f64; COUNT + 1],
    heights: [f64; COUNT + 1],
}

static LAYERS: LazyLock<Layers> = LazyLock::new(|| {
    let height = |x: f64| exp(-x * x / 2.0);
    let mut edges = [0.0; COUNT + 1];
    // The lowest layer and its tail together have the area of a rectangle of this width.
    edges[0] = AREA / height(TAIL);
    edges[1] = TAIL;
    for i in 2..COUNT {
        let below = edges[i - 1];
        edges[i] = (-2.0 * ln(AREA / below + height(below))).sqrt();
    }
    Layers { edges, heights: edges.map(height) }
});

/// A standard normal number.
pub fn standard_normal(random: &mut impl Rng) -> f64 {
    let Layers { edges, heights } = &*LAYERS;
    loop {
        // One word gives the layer, by its lowest 8 bits, and a number from -1 to 1, by its highest 52.
        let word = random.next_u64();
        let layer = (word % COUNT as u64) as usize;
        let across = (word >> 12) as f64 * (2.0 * f64::EPSILON) - 1.0;
        let x = across * edges[layer];
        if x.abs() < edges[layer + 1] {
            return x;
        }
        if layer == 0 {
            return beyond_tail(random).copysign(across);
        }
        let up = random.random::<f64>();
        // A point that rounding would put on the other side of the curve comes up once in 10^15 draws or so: libm will do.
        if heights[layer + 1] + (heights[layer] - heights[layer + 1]) * up < libm::exp(-x * x / 2.0) {
            return x;
        }
    }
}

/// A number beyond the edge of the lowest layer, from its tail (Marsaglia, 1964).
fn beyond_tail(random: &mut impl Rng) -> f64 {
    loop {
        let [first, second] = [(); 2].map(|()| ln(random.sample(Open01)));
        let beyond = -first / TAIL;
        if -2.0 * second >= beyond * beyond {
            return TAIL + beyond;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::sha256;
    use crate::sample::stream;
    use rand_distr::{Distribution, StandardNormal};

    #[test]
    fn a_million_draws_have_the_pinned_bits() {
        let mut random = stream(&["test", "normal"]);
        let draws: Vec<f64> = (0..1_000_000).map(|_| standard_normal(&mut random)).collect();
        assert_eq!(draws[..3], [0.2445037370710655, 0.955066178283221, -0.6265448638627603]);
        assert!(draws.iter().filter(|draw| draw.abs() > TAIL).count() > 200, "the tail is among them");
        let bytes = draws.iter().flat_map(|draw| draw.to_le_bytes()).collect::<Vec<u8>>();
        assert_eq!(sha256(&bytes), "9b9df96353de9bfb51e83437b8f91a947c5e49f9b6172510f7a90b2f149eb024");
    }

    #[test]
    fn the_draws_are_those_of_rand_distr() {
        let mut random = stream(&["test", "normal"]);
        let mut other = random.clone();
        for index in 0..1_000_000 {
            let (found, expected): (f64, f64) = (standard_normal(&mut random), StandardNormal.sample(&mut other));
            // In the tail the platform's logarithm may give a neighbour.
            let apart = found.to_bits().abs_diff(expected.to_bits());
            assert!(apart <= u64::from(found.abs() > TAIL), "draw {index}: {found} {expected}");
        }
    }

    #[test]
    fn the_layers_have_equal_areas_and_reach_the_peak() {
        let Layers { edges, heights } = &*LAYERS;
        for i in 1..COUNT {
            let area = edges[i] * (heights[i + 1] - heights[i]);
            // The highest layer has what the others leave: TAIL and AREA are rounded.
            assert!((area / AREA - 1.0).abs() < if i == COUNT - 1 { 1e-8 } else { 1e-12 }, "layer {i}: {area}");
        }
        assert_eq!((edges[COUNT], heights[COUNT]), (0.0, 1.0));
    }
}
