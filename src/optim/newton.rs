//! Newton's method with a backtracking line search (Nocedal and Wright, *Numerical Optimization*, chapters 3 and 6).

use crate::matrix::Cholesky;
use crate::optim::{Boundedness, Curvature, Ending, Minimum, Objective};

/// A fit has converged when the gradient has shrunk by this factor from where it started.
const TOLERANCE: f64 = 1e-8;
const MAX_ITERATIONS: u32 = 500;
const MAX_HALVINGS: u32 = 40;

/// Minimises from zero. The start, and so for an objective that is not convex the minimum found, is always the same.
///
/// Where the Hessian is not positive definite, the step uses its convex part alone, which always leads downwards
/// (the concave-convex procedure of Yuille and Rangarajan, 2003, one Newton step at a time). A quadratic objective
/// is solved at once. An objective that falls without end is told by name and not followed.
pub fn minimise(objective: &impl Objective) -> Minimum {
    let mut search = Search::at_zero(objective);
    let boundedness = objective.boundedness_before_fitting();
    if let Boundedness::Unbounded { .. } = boundedness {
        return search.end(Ending::Unbounded, boundedness);
    }
    if objective.is_quadratic() {
        return search.solve_quadratic();
    }
    let target = TOLERANCE * search.gradient_norm();
    while search.gradient_norm() > target {
        if search.iterations == MAX_ITERATIONS {
            return search.end(Ending::IterationLimit, boundedness);
        }
        if !search.step() {
            return search.end(Ending::Stalled, boundedness);
        }
        if boundedness == Boundedness::Undecided && objective.falls_forever_along(&search.w) {
            let along = "a combination of columns".to_string();
            return search.end(Ending::Unbounded, Boundedness::Unbounded { along });
        }
    }
    let boundedness = if objective.is_convex() { Boundedness::Bounded } else { boundedness };
    search.end(Ending::Converged, boundedness)
}

struct Search<'a, O> {
    objective: &'a O,
    w: Vec<f64>,
    value: f64,
    gradient: Vec<f64>,
    iterations: u32,
}

impl<'a, O: Objective> Search<'a, O> {
    fn at_zero(objective: &'a O) -> Self {
        let w = vec![0.0; objective.dimension()];
        let mut gradient = w.clone();
        let value = objective.value_and_gradient(&w, &mut gradient);
        Search { objective, w, value, gradient, iterations: 0 }
    }

    fn gradient_norm(&self) -> f64 {
        largest(&self.gradient)
    }

    /// The minimum of a quadratic objective: `H w = -gradient at zero`.
    fn solve_quadratic(mut self) -> Minimum {
        let Curvature { convex, concave } = self.objective.curvature(&self.w);
        let Some(factor) = convex.minus(&concave).cholesky() else {
            return self.end(Ending::Indefinite, Boundedness::Undecided);
        };
        let target = TOLERANCE * self.gradient_norm();
        self.w = downhill(&factor, &self.gradient);
        self.value = self.objective.value_and_gradient(&self.w, &mut self.gradient);
        self.iterations = 1;
        let ending = if self.gradient_norm() <= target { Ending::Converged } else { Ending::Stalled };
        self.end(ending, Boundedness::Bounded)
    }

    /// One step downwards; `false` if there is none.
    fn step(&mut self) -> bool {
        let curvature = self.objective.curvature(&self.w);
        let largest = self.objective.largest_curvature();
        definite_parts(&curvature, &largest).any(|factor| self.step_along(&downhill(&factor, &self.gradient)))
    }

    /// Goes along a direction until the value has fallen by a fair part of what the slope promises.
    fn step_along(&mut self, direction: &[f64]) -> bool {
        let slope: f64 = direction.iter().zip(&self.gradient).map(|(d, g)| d * g).sum();
        let mut gradient = vec![0.0; self.w.len()];
        let mut length = 1.0;
        for _ in 0..MAX_HALVINGS {
            let w: Vec<f64> = self.w.iter().zip(direction).map(|(w, d)| w + length * d).collect();
            let value = self.objective.value_and_gradient(&w, &mut gradient);
            // Near the minimum the gain drowns in rounding while the gradient still shrinks.
            let flat = (value - self.value).abs() <= 1e-13 * self.value.abs()
                && largest(&gradient) < 0.9 * self.gradient_norm();
            if (slope < 0.0 && value <= self.value + 1e-4 * length * slope) || flat {
                (self.w, self.value, self.gradient) = (w, value, gradient);
                self.iterations += 1;
                return true;
            }
            length /= 2.0;
        }
        false
    }

    fn end(self, ending: Ending, boundedness: Boundedness) -> Minimum {
        let (gradient_norm, convex) = (self.gradient_norm(), self.objective.is_convex());
        let Search { w: weights, value, iterations, .. } = self;
        Minimum { weights, value, gradient_norm, iterations, convex, ending, boundedness }
    }
}

/// The Hessian if it is positive definite, then its convex part, then that with an ever larger diagonal.
///
/// The first does in almost all steps. The last are for where the function is flat in some weight, and so the first
/// would leap: they keep the step below one that the function's largest curvature allows.
fn definite_parts(
    Curvature { convex, concave }: &Curvature,
    largest_curvature: &[f64],
) -> impl Iterator<Item = Cholesky> {
    let whole = std::iter::once_with(|| convex.minus(concave));
    let convex_alone = std::iter::once_with(|| convex.clone());
    let damped = (-10..=0).step_by(2).map(|power| convex.plus_diagonal(10f64.powi(power), largest_curvature));
    whole.chain(convex_alone).chain(damped).filter_map(|candidate| candidate.cholesky())
}

fn downhill(factor: &Cholesky, gradient: &[f64]) -> Vec<f64> {
    factor.solve(gradient).into_iter().map(|d| -d).collect()
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest, value| value.abs().max(largest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Design;
    use crate::risk::{Loss, SignedRisk, Term};

    fn points(xs: &[f64]) -> Design {
        Design::dense(vec!["x".into()], &xs.iter().map(|x| vec![*x]).collect::<Vec<_>>())
    }

    fn term(rows: &Design, positive: f64, negative: f64) -> Term<'_> {
        Term { sample: "D", rows, positive, negative }
    }

    #[test]
    fn finds_the_log_odds_when_there_is_only_an_intercept() {
        let (ones, zeros) = (points(&[0.0]), points(&[0.0]));
        let risk = SignedRisk::new(Loss::Logistic, 0.01, vec![term(&ones, 0.8, 0.0), term(&zeros, 0.0, 0.2)]);
        let minimum = minimise(&risk.unwrap());
        assert_eq!(minimum.ending, Ending::Converged);
        assert_eq!(minimum.boundedness, Boundedness::Bounded);
        assert!((minimum.weights[1] - 4f64.ln()).abs() < 1e-8);
        assert!(minimum.weights[0].abs() < 1e-12);
    }

    #[test]
    fn names_the_column_along_which_the_risk_falls_for_ever() {
        // beta * mean_Y is 0.6 where mean_U is 0.5: more of x than the crowd can hold.
        let (interest, crowd) = (points(&[1.0, 1.0]), points(&[1.0, 0.0]));
        let terms = || vec![term(&interest, 0.6, -0.6), term(&crowd, 0.0, 1.0)];
        let minimum = minimise(&SignedRisk::new(Loss::Logistic, 0.0, terms()).unwrap());
        assert_eq!(minimum.ending, Ending::Unbounded);
        assert_eq!(minimum.boundedness, Boundedness::Unbounded { along: "x".into() });

        let ridged = minimise(&SignedRisk::new(Loss::Logistic, 0.01, terms()).unwrap());
        assert_eq!((ridged.ending, ridged.boundedness), (Ending::Converged, Boundedness::Bounded));
    }

    #[test]
    fn notices_an_unbounded_combination_of_columns() {
        // Each column alone is bounded, x - y is not: D_Y has (1, -1) and so has only a tenth of the crowd.
        let rows = |rows: &[[f64; 2]]| {
            let rows: Vec<_> = rows.iter().map(|row| row.to_vec()).collect();
            Design::dense(vec!["x".into(), "y".into()], &rows)
        };
        let interest = rows(&[[1.0, -1.0]]);
        let mut crowd = vec![[1.0, 1.0], [-1.0, -1.0], [1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
        crowd.extend([[1.0, 1.0], [-1.0, -1.0], [1.0, 1.0], [-1.0, -1.0], [0.0, 0.0]]);
        let crowd = rows(&crowd);
        let terms = vec![term(&interest, 0.4, -0.4), term(&crowd, 0.0, 1.0)];
        let minimum = minimise(&SignedRisk::new(Loss::Logistic, 0.0, terms).unwrap());
        assert_eq!(minimum.ending, Ending::Unbounded);
        assert!(matches!(minimum.boundedness, Boundedness::Unbounded { .. }));
    }

    #[test]
    fn tells_an_indefinite_quadratic_by_name() {
        let (interest, crowd) = (points(&[3.0, -3.0]), points(&[0.5, -0.5]));
        let terms = vec![term(&interest, 0.5, -50.0), term(&crowd, 0.0, 100.0)];
        let minimum = minimise(&SignedRisk::new(Loss::Squared, 0.01, terms).unwrap());
        assert_eq!(minimum.ending, Ending::Indefinite);
    }

    #[test]
    fn descends_to_a_stationary_point_where_the_objective_is_not_convex() {
        let interest = points(&[1.2, 0.4, 2.0, -0.3]);
        let crowd = points(&[-1.0, 0.2, 0.9, -0.7, 1.5, -2.0]);
        let terms = vec![term(&interest, 0.4, -40.0), term(&crowd, 0.0, 100.0)];
        let risk = SignedRisk::new(Loss::Logistic, 0.01, terms).unwrap();
        let minimum = minimise(&risk);
        assert_eq!((minimum.ending, minimum.convex), (Ending::Converged, false));
        let mut gradient = [0.0; 2];
        let start = risk.value_and_gradient(&[0.0, 0.0], &mut gradient);
        let steepest = largest(&gradient);
        assert!(risk.value_and_gradient(&minimum.weights, &mut gradient) < start);
        assert!(largest(&gradient) < 1e-7 * steepest);
    }
}
