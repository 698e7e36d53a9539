//! Newton's method with a backtracking line search (Nocedal and Wright, *Numerical Optimization*, chapters 3 and 6).

use crate::math::matrix::{Cholesky, dot};
use crate::math::optim::{Curvature, Ending, Minimum, Objective, Point, TwiceDifferentiable};

const MAX_ITERATIONS: u32 = 500;
const MAX_HALVINGS: u32 = 40;

/// Minimises from a start, until the size of the gradient is at most `target`.
///
/// If the Hessian is not positive definite, the step uses only its convex part, which always gives a descent direction
/// (the concave-convex procedure of Yuille and Rangarajan, 2003, one Newton step at a time).
pub fn newton(objective: &impl TwiceDifferentiable, start: Vec<f64>, target: f64) -> Minimum {
    let mut point = Point::start(objective, start);
    let mut iterations = 0;
    while point.gradient_size() > target {
        if iterations == MAX_ITERATIONS || !point.value.is_finite() {
            return point.end(iterations, Ending::IterationLimit);
        }
        let Some(next) = step(objective, &point) else { return point.end(iterations, Ending::Stalled) };
        point = next;
        iterations += 1;
    }
    point.end(iterations, Ending::Converged)
}

/// One descent step; `None` if there is none.
fn step(objective: &impl TwiceDifferentiable, point: &Point) -> Option<Point> {
    let curvature = objective.curvature(&point.w);
    let largest = objective.largest_curvature();
    definite_parts(&curvature, &largest).find_map(|factor| {
        let direction: Vec<f64> = factor.solve(&point.gradient).into_iter().map(|d| -d).collect();
        step_along(objective, point, &direction)
    })
}

/// Halves the step along a direction until the value falls by a sufficient fraction of what the slope predicts.
fn step_along(objective: &impl Objective, point: &Point, direction: &[f64]) -> Option<Point> {
    let slope = dot(direction, &point.gradient);
    let mut length = 1.0;
    for _ in 0..MAX_HALVINGS {
        let next = point.moved(objective, length, direction);
        let falls = slope < 0.0 && next.value <= point.value + 1e-4 * length * slope;
        if falls || point.is_flat_step_to(&next) {
            return Some(next);
        }
        length /= 2.0;
    }
    None
}

/// Factorisations to try in turn: the Hessian, if it is positive definite; its convex part; the convex part with
/// increasing diagonals.
///
/// Almost all steps use the first. The last are for points where the function is flat in some weight, so that the first
/// would step too far: they limit the step to one that the largest curvature of the function allows.
fn definite_parts(curvature: &Curvature, largest_curvature: &[f64]) -> impl Iterator<Item = Cholesky> {
    let convex = &curvature.convex;
    let whole = std::iter::once_with(|| curvature.hessian());
    let convex_alone = std::iter::once_with(|| convex.clone());
    let damped =
        [1e-10, 1e-8, 1e-6, 1e-4, 1e-2, 1.0].into_iter().map(|share| convex.plus_diagonal(share, largest_curvature));
    whole.chain(convex_alone).chain(damped).filter_map(|candidate| candidate.cholesky())
}
