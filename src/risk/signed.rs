//! The signed risk, its gradient and its curvature, over [`Design`] matrices.

use crate::matrix::{Design, SymmetricMatrix};
use crate::optim::{Boundedness, Curvature, Objective};
use crate::risk::Loss;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a wrong decision costs; the paper's Section V uses 1 and 100.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Costs {
    /// The cost of missing a potential customer.
    #[serde(default = "one")]
    pub false_negative: f64,
    /// The cost of taking somebody else for a potential customer.
    #[serde(default = "one")]
    pub false_positive: f64,
}

fn one() -> f64 {
    1.0
}

impl Costs {
    pub const UNIT: Costs = Costs { false_negative: 1.0, false_positive: 1.0 };
}

impl Default for Costs {
    fn default() -> Self {
        Costs::UNIT
    }
}

impl std::fmt::Display for Costs {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}:{}", self.false_negative, self.false_positive)
    }
}

/// One sample's share of the risk: `positive * mean l(g) + negative * mean l(-g)`.
#[derive(Clone, Copy, Debug)]
pub struct Term<'a> {
    /// How the sample is called in an error message, for instance `D_L`.
    pub sample: &'static str,
    pub rows: &'a Design,
    pub positive: f64,
    pub negative: f64,
}

/// `sum over terms + ridge * |w|^2`, for a linear `g(x) = w.x + intercept`.
///
/// The weights are laid out as the columns of the design, then the intercept. The ridge leaves the intercept alone.
#[derive(Debug)]
pub struct SignedRisk<'a> {
    loss: Loss,
    ridge: f64,
    terms: Vec<Term<'a>>,
    width: usize,
}

/// A mean over no rows was asked for.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{sample} has no row, so its mean does not exist")]
pub struct EmptySample {
    pub sample: &'static str,
}

impl<'a> SignedRisk<'a> {
    /// Terms whose coefficients are both zero are left out, and so may be empty.
    pub fn new(loss: Loss, ridge: f64, terms: Vec<Term<'a>>) -> Result<Self, EmptySample> {
        let terms: Vec<_> = terms.into_iter().filter(|term| term.positive != 0.0 || term.negative != 0.0).collect();
        if let Some(term) = terms.iter().find(|term| term.rows.rows() == 0) {
            return Err(EmptySample { sample: term.sample });
        }
        let width = terms.first().map_or(0, |term| term.rows.width());
        Ok(SignedRisk { loss, ridge, terms, width })
    }

    /// The names of the weights, the intercept last.
    pub fn weight_name(&self, index: usize) -> String {
        match self.terms.first() {
            Some(term) if index < self.width => term.rows.names()[index].clone(),
            _ => "the intercept".to_string(),
        }
    }

    /// How fast the risk without ridge grows far out along `direction`: its limit `R(t d) / t`.
    ///
    /// Negative means that the risk falls without end. Only for the logistic loss, which is linear far out.
    fn growth_along(&self, direction: &[f64]) -> f64 {
        let mut growth = 0.0;
        for term in &self.terms {
            let mut sum = 0.0;
            for row in 0..term.rows.rows() {
                let margin = term.rows.margin(row, direction);
                sum += term.positive * (-margin).max(0.0) + term.negative * margin.max(0.0);
            }
            growth += sum / term.rows.rows() as f64;
        }
        growth
    }
}

impl Objective for SignedRisk<'_> {
    fn dimension(&self) -> usize {
        self.width + 1
    }

    fn value_and_gradient(&self, w: &[f64], gradient: &mut [f64]) -> f64 {
        gradient.fill(0.0);
        let mut value = 0.0;
        for term in &self.terms {
            let share = 1.0 / term.rows.rows() as f64;
            let mut sum = 0.0;
            for row in 0..term.rows.rows() {
                let g = term.rows.margin(row, w);
                sum += term.positive * self.loss.value(g) + term.negative * self.loss.value(-g);
                let slope = term.positive * self.loss.slope(g) - term.negative * self.loss.slope(-g);
                term.rows.add_row(row, slope * share, gradient);
            }
            value += sum * share;
        }
        for (gradient, w) in gradient.iter_mut().zip(&w[..self.width]) {
            value += self.ridge * w * w;
            *gradient += 2.0 * self.ridge * w;
        }
        value
    }

    fn curvature(&self, w: &[f64]) -> Curvature {
        let mut convex = SymmetricMatrix::zero(self.dimension());
        let mut concave = SymmetricMatrix::zero(self.dimension());
        for term in &self.terms {
            let share = 1.0 / term.rows.rows() as f64;
            for row in 0..term.rows.rows() {
                let g = term.rows.margin(row, w);
                let bend = term.positive * self.loss.curvature(g) + term.negative * self.loss.curvature(-g);
                if bend > 0.0 {
                    term.rows.add_outer(row, bend * share, &mut convex);
                } else if bend < 0.0 {
                    term.rows.add_outer(row, -bend * share, &mut concave);
                }
            }
        }
        for index in 0..self.width {
            convex.add(index, index, 2.0 * self.ridge);
        }
        Curvature { convex, concave }
    }

    fn largest_curvature(&self) -> Vec<f64> {
        let mut bound = vec![0.0; self.dimension()];
        for term in &self.terms {
            let bend = (term.positive.abs() + term.negative.abs()) * self.loss.largest_curvature();
            let share = bend / term.rows.rows() as f64;
            (0..term.rows.rows()).for_each(|row| term.rows.add_squares(row, share, &mut bound));
        }
        bound[..self.width].iter_mut().for_each(|entry| *entry += 2.0 * self.ridge);
        bound
    }

    fn is_quadratic(&self) -> bool {
        self.loss.is_quadratic()
    }

    /// Both losses bend alike at `z` and `-z`, so a term is convex where its coefficients do not sum below zero.
    fn is_convex(&self) -> bool {
        self.terms.iter().all(|term| term.positive + term.negative >= 0.0)
    }

    fn falls_forever_along(&self, direction: &[f64]) -> bool {
        let length = direction.iter().map(|d| d.abs()).fold(0.0, f64::max);
        let penalised = direction[..self.width].iter().any(|d| *d != 0.0);
        if self.is_quadratic() || length == 0.0 || (self.ridge > 0.0 && penalised) {
            return false;
        }
        // The margin scales with the direction; rounding in a sum of that size must not count as a fall.
        let scale: f64 = self.terms.iter().map(|t| t.positive.abs() + t.negative.abs()).sum();
        self.growth_along(direction) < -1e-10 * scale * length
    }

    fn boundedness_before_fitting(&self) -> Boundedness {
        let dimension = self.dimension();
        let mut direction = vec![0.0; dimension];
        for index in 0..dimension {
            for sign in [1.0, -1.0] {
                direction[index] = sign;
                if self.falls_forever_along(&direction) {
                    return Boundedness::Unbounded { along: self.weight_name(index) };
                }
            }
            direction[index] = 0.0;
        }
        // With a ridge every direction but the intercept's grows quadratically, and the intercept's was tried.
        if self.ridge > 0.0 && !self.is_quadratic() { Boundedness::Bounded } else { Boundedness::Undecided }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optim::{Ending, minimise};
    use crate::sample::stream;
    use rand::RngExt;

    /// `rows` rows of three numeric columns, shifted by `shift`, from the test's own stream.
    fn cloud(name: &str, rows: usize, shift: f64) -> Design {
        let mut random = stream(&["signed risk test", name]);
        let rows: Vec<Vec<f64>> =
            (0..rows).map(|_| (0..3).map(|_| shift + 2.0 * random.random::<f64>() - 1.0).collect()).collect();
        Design::dense(vec!["a".into(), "b".into(), "c".into()], &rows)
    }

    fn double_pu_terms<'a>(samples: &'a [Design; 3], costs: Costs, beta: f64, gamma: f64) -> Vec<Term<'a>> {
        let Costs { false_negative, false_positive } = costs;
        let [interest, unlabeled, loyal] = samples;
        vec![
            Term { sample: "D_Y", rows: interest, positive: false_negative * beta, negative: -false_positive * beta },
            Term { sample: "D_U", rows: unlabeled, positive: 0.0, negative: false_positive },
            Term { sample: "D_L", rows: loyal, positive: -false_negative * gamma, negative: false_positive * gamma },
        ]
    }

    fn samples() -> [Design; 3] {
        [cloud("interest", 40, 0.3), cloud("unlabeled", 90, 0.0), cloud("loyal", 15, 0.6)]
    }

    const COSTS: [Costs; 3] = [
        Costs::UNIT,
        Costs { false_negative: 1.0, false_positive: 100.0 },
        Costs { false_negative: 3.0, false_positive: 0.5 },
    ];

    #[test]
    fn gradient_and_curvature_match_central_differences() {
        let samples = samples();
        let (h, w) = (1e-5, [0.4, -0.7, 0.2, 0.1]);
        for loss in [Loss::Logistic, Loss::Squared] {
            for costs in COSTS {
                let risk = SignedRisk::new(loss, 0.05, double_pu_terms(&samples, costs, 0.45, 0.2)).unwrap();
                let at = |w: &[f64]| {
                    let mut gradient = vec![0.0; 4];
                    (risk.value_and_gradient(w, &mut gradient), gradient)
                };
                let gradient = at(&w).1;
                let Curvature { convex, concave } = risk.curvature(&w);
                let hessian = convex.minus(&concave);
                let bound = risk.largest_curvature();
                for i in 0..4 {
                    assert!(hessian.at(i, i).abs() <= bound[i]);
                    let (mut up, mut down) = (w, w);
                    up[i] += h;
                    down[i] -= h;
                    let ((value_up, gradient_up), (value_down, gradient_down)) = (at(&up), at(&down));
                    let scale = 1.0 + costs.false_positive;
                    assert!(((value_up - value_down) / (2.0 * h) - gradient[i]).abs() < 1e-7 * scale);
                    for j in 0..4 {
                        let bend = (gradient_up[j] - gradient_down[j]) / (2.0 * h);
                        assert!((bend - hessian.at(i, j)).abs() < 1e-7 * scale, "{loss:?} {costs} ({i}, {j})");
                    }
                }
            }
        }
    }

    #[test]
    fn unit_costs_equal_the_written_out_risk_of_the_paper() {
        let samples = samples();
        let w = [0.4, -0.7, 0.2, 0.1];
        let mean = |design: &Design, sign: f64| -> f64 {
            let losses = (0..design.rows()).map(|row| (1.0 + (-sign * design.margin(row, &w)).exp()).ln());
            losses.sum::<f64>() / design.rows() as f64
        };
        let [y, u, l] = &samples;
        let written_out =
            0.45 * mean(y, 1.0) + mean(u, -1.0) - 0.45 * mean(y, -1.0) - 0.2 * mean(l, 1.0) + 0.2 * mean(l, -1.0);
        let risk = SignedRisk::new(Loss::Logistic, 0.0, double_pu_terms(&samples, Costs::UNIT, 0.45, 0.2)).unwrap();
        assert!((risk.value_and_gradient(&w, &mut [0.0; 4]) - written_out).abs() < 1e-12);
    }

    #[test]
    fn squared_loss_at_unit_costs_has_the_closed_form_minimum() {
        // (S_U + ridge I) w = 2 m - mean_U, with m = beta mean_Y - gamma mean_L and no ridge on the intercept.
        let samples = samples();
        let (beta, gamma, ridge) = (0.45, 0.2, 0.05);
        let [y, u, l] = &samples;
        let mean = |design: &Design| -> Vec<f64> {
            let mut sum = vec![0.0; 4];
            (0..design.rows()).for_each(|row| design.add_row(row, 1.0 / design.rows() as f64, &mut sum));
            sum
        };
        let (mean_y, mean_u, mean_l) = (mean(y), mean(u), mean(l));
        let mut second_moments = SymmetricMatrix::zero(4);
        (0..u.rows()).for_each(|row| u.add_outer(row, 1.0 / u.rows() as f64, &mut second_moments));
        (0..3).for_each(|i| second_moments.add(i, i, ridge));
        let right: Vec<f64> = (0..4).map(|i| 2.0 * (beta * mean_y[i] - gamma * mean_l[i]) - mean_u[i]).collect();
        let expected = second_moments.cholesky().unwrap().solve(&right);

        let terms = double_pu_terms(&samples, Costs::UNIT, beta, gamma);
        let minimum = minimise(&SignedRisk::new(Loss::Squared, ridge, terms).unwrap());
        assert_eq!(minimum.ending, Ending::Converged);
        for (found, expected) in minimum.weights.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-10);
        }
    }

    #[test]
    fn newton_agrees_with_plain_gradient_descent() {
        let samples = samples();
        for costs in [Costs::UNIT, Costs { false_negative: 3.0, false_positive: 0.5 }] {
            for loss in [Loss::Logistic, Loss::Squared] {
                let risk = SignedRisk::new(loss, 0.1, double_pu_terms(&samples, costs, 0.45, 0.2)).unwrap();
                let (mut w, mut gradient) = (vec![0.0; 4], vec![0.0; 4]);
                for _ in 0..20_000 {
                    risk.value_and_gradient(&w, &mut gradient);
                    w.iter_mut().zip(&gradient).for_each(|(w, g)| *w -= 0.05 * g);
                }
                for (newton, descent) in minimise(&risk).weights.iter().zip(&w) {
                    assert!((newton - descent).abs() < 1e-7, "{loss:?} {costs}: {newton} and {descent}");
                }
            }
        }
    }

    #[test]
    fn a_mean_over_no_rows_is_refused_unless_its_coefficient_is_zero() {
        let (some, none) = (cloud("some", 5, 0.0), cloud("none", 0, 0.0));
        let terms = |gamma: f64| {
            vec![
                Term { sample: "D_U", rows: &some, positive: 0.0, negative: 1.0 },
                Term { sample: "D_L", rows: &none, positive: -gamma, negative: gamma },
            ]
        };
        assert_eq!(SignedRisk::new(Loss::Logistic, 0.1, terms(0.2)).unwrap_err(), EmptySample { sample: "D_L" });
        assert!(SignedRisk::new(Loss::Logistic, 0.1, terms(0.0)).is_ok());
    }
}
