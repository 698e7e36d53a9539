//! L-BFGS (Liu and Nocedal, 1989) with the bisecting line search of Lewis and Overton (2013).

use crate::math::matrix::{add_scaled, dot};
use crate::math::optim::{Ending, Minimum, Objective, Point};
use std::collections::VecDeque;

/// The smallest number of steps in memory. The number is one per [`WEIGHTS_TO_A_STEP`] weights, up to [`MOST_MEMORY`].
///
/// With few weights, the preconditioner leaves little to remember. With many, it treats each column separately, and
/// more memory saves steps: 1,000 columns that nearly repeat seven take 62 steps, and took 101 with 12 steps in memory;
/// 400 columns made from twenty hidden ones take 47, and took 63.
const LEAST_MEMORY: usize = 12;
const WEIGHTS_TO_A_STEP: usize = 8;
const MOST_MEMORY: usize = 100;
const MAX_ITERATIONS: u32 = 1000;
const MAX_BISECTIONS: u32 = 50;

/// A step, and the change of the gradient along it.
struct Pair {
    step: Vec<f64>,
    change: Vec<f64>,
    /// The preconditioned change.
    conditioned: Vec<f64>,
    /// `step . change`, which is above zero.
    product: f64,
}

/// Minimises from a start, until the size of the gradient is at most `target`.
pub fn lbfgs(objective: &impl Objective, start: Vec<f64>, target: f64) -> Minimum {
    let remembered = (start.len() / WEIGHTS_TO_A_STEP).clamp(LEAST_MEMORY, MOST_MEMORY);
    lbfgs_that_remembers(remembered, objective, start, target)
}

fn lbfgs_that_remembers(steps: usize, objective: &impl Objective, start: Vec<f64>, target: f64) -> Minimum {
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
            // The memory gives no descent: try once more along the gradient before giving up.
            None if !memory.is_empty() => {
                memory.clear();
                continue;
            }
            None => return point.end(iterations, Ending::Stalled),
        };
        let next_conditioned = conditioned_gradient(objective, &next);
        if let Some(pair) = pair((&point, &conditioned), (&next, &next_conditioned)) {
            if memory.len() == steps {
                memory.pop_front();
            }
            memory.push_back(pair);
        }
        (point, conditioned) = (next, next_conditioned);
        iterations += 1;
    }
    point.end(iterations, Ending::Converged)
}

/// The preconditioned gradient. Preconditioning is linear, so differences of gradients need none of their own, and it
/// runs once per step.
fn conditioned_gradient(objective: &impl Objective, point: &Point) -> Vec<f64> {
    let mut conditioned = point.gradient.clone();
    objective.precondition(&mut conditioned);
    conditioned
}

/// Minus the gradient, multiplied by the inverse Hessian as approximated by the memory and the preconditioner.
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

/// A step that lowers the value and flattens the slope (the weak Wolfe conditions), found by doubling and bisection.
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
    // A gain below the rounding error is no gain.
    lower.filter(|lower| point.value - lower.value > 1e-13 * point.value.abs())
}

/// The pair to remember of a step, if the curvature along it is positive. Each point comes with its preconditioned
/// gradient.
fn pair(from: (&Point, &[f64]), to: (&Point, &[f64])) -> Option<Pair> {
    let minus = |to: &[f64], from: &[f64]| to.iter().zip(from).map(|(to, from)| to - from).collect::<Vec<f64>>();
    let (step, change) = (minus(&to.0.w, &from.0.w), minus(&to.0.gradient, &from.0.gradient));
    let product = dot(&step, &change);
    let is_convex = product > 1e-12 * dot(&change, &change).sqrt() * dot(&step, &step).sqrt();
    is_convex.then(|| Pair { step, change, conditioned: minus(to.1, from.1), product })
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

    /// A quadratic in 400 weights that are all coupled: a sum of squares, thirty with far larger curvature than the
    /// rest, reflected at the hyperplane orthogonal to (1, ..., 1). Its minimum is at 1.
    struct Entangled;

    fn mirrored(mut w: Vec<f64>) -> Vec<f64> {
        let twice_the_mean = 2.0 * w.iter().sum::<f64>() / w.len() as f64;
        w.iter_mut().for_each(|w| *w -= twice_the_mean);
        w
    }

    impl Objective for Entangled {
        fn dimension(&self) -> usize {
            400
        }

        fn scale(&self) -> f64 {
            1.0
        }

        fn value_and_gradient(&self, w: &[f64], gradient: &mut [f64]) -> f64 {
            let along = mirrored(w.iter().map(|w| w - 1.0).collect());
            let bend = |i: usize| if i < 30 { 100.0 * (i + 1) as f64 } else { 1.0 + i as f64 / 400.0 };
            gradient.copy_from_slice(&mirrored(along.iter().enumerate().map(|(i, x)| bend(i) * x).collect()));
            along.iter().enumerate().map(|(i, x)| bend(i) * x * x / 2.0).sum()
        }
    }

    #[test]
    fn of_many_weights_it_remembers_more_and_takes_fewer_steps() {
        let start = || vec![0.0; 400];
        let (usual, short) = (lbfgs(&Entangled, start(), 1e-6), lbfgs_that_remembers(12, &Entangled, start(), 1e-6));
        assert_eq!((usual.ending, short.ending), (Ending::Converged, Ending::Converged));
        assert!(usual.weights.iter().all(|w| (w - 1.0).abs() < 1e-6));
        assert!(usual.iterations < short.iterations * 9 / 10, "{} and {}", usual.iterations, short.iterations);
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
