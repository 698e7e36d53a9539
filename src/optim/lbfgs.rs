//! L-BFGS (Liu and Nocedal, 1989) with the bisecting line search of Lewis and Overton (2013).

use crate::matrix::{add_scaled, dot};
use crate::optim::{Ending, Minimum, Objective, Point};
use std::collections::VecDeque;

const MEMORY: usize = 12;
const MAX_ITERATIONS: u32 = 1000;
const MAX_BISECTIONS: u32 = 50;

/// A step and how the gradient changed along it.
struct Pair {
    step: Vec<f64>,
    change: Vec<f64>,
    /// The change, multiplied by what the objective knows of the inverse Hessian.
    conditioned: Vec<f64>,
    /// `step . change`, which is above zero.
    product: f64,
}

/// Minimises from a start, until the size of the gradient is at most `target`.
pub fn lbfgs(objective: &impl Objective, start: Vec<f64>, target: f64) -> Minimum {
    let mut point = Point::start(objective, start);
    let mut conditioned = conditioned_gradient(objective, &point);
    let mut memory: VecDeque<Pair> = VecDeque::new();
    let mut iterations = 0;
    while point.gradient_size() > target {
        if iterations == MAX_ITERATIONS || !point.value.is_finite() {
            return point.end(iterations, Ending::IterationLimit);
        }
        let next = match search(objective, &point, &downhill(&point, &conditioned, &memory)) {
            Some(next) => next,
            // What was remembered leads nowhere: once more along the gradient, before giving up.
            None if !memory.is_empty() => {
                memory.clear();
                continue;
            }
            None => return point.end(iterations, Ending::Stalled),
        };
        let next_conditioned = conditioned_gradient(objective, &next);
        remember(&mut memory, (&point, &conditioned), (&next, &next_conditioned));
        (point, conditioned) = (next, next_conditioned);
        iterations += 1;
    }
    point.end(iterations, Ending::Converged)
}

/// Multiplied by what the objective knows of the inverse Hessian. Of differences of gradients that is the difference of
/// these, so that it is worked out once for a step.
fn conditioned_gradient(objective: &impl Objective, point: &Point) -> Vec<f64> {
    let mut conditioned = point.gradient.clone();
    objective.precondition(&mut conditioned);
    conditioned
}

/// Minus the gradient, multiplied by what the memory and the objective know of the inverse Hessian.
fn downhill(point: &Point, conditioned: &[f64], memory: &VecDeque<Pair>) -> Vec<f64> {
    let negative = |x: &[f64]| x.iter().map(|x| -x).collect::<Vec<f64>>();
    let (mut rest, mut direction) = (negative(&point.gradient), negative(conditioned));
    let mut weights = Vec::with_capacity(memory.len());
    for pair in memory.iter().rev() {
        let weight = dot(&pair.step, &rest) / pair.product;
        add_scaled(&mut rest, -weight, &pair.change);
        add_scaled(&mut direction, -weight, &pair.conditioned);
        weights.push(weight);
    }
    let scale = match memory.back() {
        Some(pair) => pair.product / dot(&pair.change, &pair.conditioned),
        None => 1.0 / dot(&point.gradient, conditioned).sqrt().max(1.0),
    };
    direction.iter_mut().for_each(|d| *d *= scale);
    for (pair, weight) in memory.iter().zip(weights.into_iter().rev()) {
        let correction = weight - dot(&pair.change, &direction) / pair.product;
        add_scaled(&mut direction, correction, &pair.step);
    }
    direction
}

/// A step that lowers the value and flattens the slope (the weak Wolfe conditions), by doubling and bisecting.
fn search(objective: &impl Objective, point: &Point, direction: &[f64]) -> Option<Point> {
    let slope = dot(direction, &point.gradient);
    if !(slope < 0.0 && slope.is_finite()) {
        return None;
    }
    let (mut low, mut high, mut length) = (0.0, f64::INFINITY, 1.0);
    let mut lower: Option<Point> = None;
    for _ in 0..MAX_BISECTIONS {
        let next = point.moved(objective, length, direction);
        if point.is_flat_step_to(&next) {
            return Some(next);
        }
        if !next.value.is_finite() || next.value > point.value + 1e-4 * length * slope {
            high = length;
        } else if dot(direction, &next.gradient) < 0.9 * slope {
            low = length;
            lower = Some(next);
        } else {
            return Some(next);
        }
        length = if high.is_finite() { (low + high) / 2.0 } else { 2.0 * low };
    }
    // A gain that drowns in rounding is none.
    lower.filter(|lower| point.value - lower.value > 1e-13 * point.value.abs())
}

/// Each point comes with its conditioned gradient.
fn remember(memory: &mut VecDeque<Pair>, from: (&Point, &[f64]), to: (&Point, &[f64])) {
    let minus = |to: &[f64], from: &[f64]| to.iter().zip(from).map(|(to, from)| to - from).collect::<Vec<f64>>();
    let (step, change) = (minus(&to.0.w, &from.0.w), minus(&to.0.gradient, &from.0.gradient));
    let product = dot(&step, &change);
    if product > 1e-12 * dot(&change, &change).sqrt() * dot(&step, &step).sqrt() {
        if memory.len() == MEMORY {
            memory.pop_front();
        }
        memory.push_back(Pair { step, change, conditioned: minus(to.1, from.1), product });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rosenbrock's valley, whose minimum is at (1, 1).
    struct Valley;

    impl Objective for Valley {
        fn dimension(&self) -> usize {
            2
        }

        fn scale(&self) -> f64 {
            1.0
        }

        fn value_and_gradient(&self, w: &[f64], gradient: &mut [f64]) -> f64 {
            let (a, b) = (1.0 - w[0], w[1] - w[0] * w[0]);
            gradient[0] = -2.0 * a - 400.0 * w[0] * b;
            gradient[1] = 200.0 * b;
            a * a + 100.0 * b * b
        }
    }

    #[test]
    fn goes_down_a_bent_valley_to_its_end() {
        let minimum = lbfgs(&Valley, vec![-1.2, 1.0], 1e-10);
        assert_eq!(minimum.ending, Ending::Converged);
        assert!(minimum.weights.iter().all(|w| (w - 1.0).abs() < 1e-9), "{:?}", minimum.weights);
    }

    #[test]
    fn says_so_when_the_value_falls_without_end() {
        struct Slope;
        impl Objective for Slope {
            fn dimension(&self) -> usize {
                1
            }
            fn scale(&self) -> f64 {
                1.0
            }

            fn value_and_gradient(&self, w: &[f64], gradient: &mut [f64]) -> f64 {
                gradient[0] = -1.0;
                -w[0]
            }
        }
        let minimum = lbfgs(&Slope, vec![0.0], 1e-8);
        assert_eq!(minimum.ending, Ending::IterationLimit);
        assert!(minimum.value < -1e6, "it followed the slope: {}", minimum.value);
    }
}
