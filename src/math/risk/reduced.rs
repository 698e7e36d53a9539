//! A risk prepared for minimisation: everything that does not depend on the weights is computed once.
//!
//! Four of the losses differ at `z` and `-z` only by a linear function: `l(-z) = l(z) + k z`. So a term is
//!
//! ```text
//! positive * mean l(g) + negative * mean l(-g) = (positive + negative) * mean l(g) + k * negative * w.(mean x)
//! ```
//!
//! and its rows are not needed if the coefficients cancel. Under unit costs those of D_Y and D_L do, and double PU
//! learning is logistic regression over D_U with another linear part: 893 of the paper's 1,347 rows. The squared loss
//! needs no rows, only the means of products.

use crate::math::matrix::{Cholesky, CodeTable, Design, Folded, Lane, Sums, SymmetricMatrix, add_scaled, dot, widest};
use crate::math::optim::Objective;
use crate::math::risk::softplus::{LossSum, logistic};
use crate::math::risk::{Correction, Linear, Loss, SignedRisk};
use std::cell::RefCell;
use std::rc::Rc;

/// With more columns, a metric costs more than the passes that it saves. Without one, the time of a fit grows with the
/// number of columns and not with its square.
const MOST_COLUMNS_OF_A_METRIC: usize = 128;

/// `sum over terms of bend * mean l(sign * g) + linear.w + ridge * |w|^2`
pub struct ReducedRisk<'a> {
    loss: Loss,
    ridge: f64,
    width: usize,
    bent: Vec<BentTerm<'a>>,
    linear: Vec<f64>,
    weight_sizes: Vec<f64>,
    step_sizes: Vec<f64>,
    value_size: f64,
    metric: Option<Rc<Cholesky>>,
    /// Buffers for the passes, so that none allocates.
    buffers: RefCell<(Vec<CodeTable>, Vec<Sums>)>,
}

/// A term without its linear part.
#[derive(Clone, Copy)]
struct BentTerm<'a> {
    design: &'a Design,
    bend: f64,
    /// The side with the larger coefficient. If it is the only side, there is no linear part.
    sign: f64,
}

impl<'a> ReducedRisk<'a> {
    /// `None` if the loss does not allow it, or if a correction needs the terms separately.
    pub fn of(risk: &'a SignedRisk<Linear>) -> Option<Self> {
        let line = risk.loss.odd_line().filter(|_| risk.correction == Correction::None)?;
        let width = risk.predictor.width;
        let (mut bent, mut linear) = (Vec::new(), vec![0.0; width + 1]);
        for term in &risk.terms {
            let (bend, design) = (term.positive + term.negative, &*term.rows.design);
            let sign = if term.positive.abs() >= term.negative.abs() { 1.0 } else { -1.0 };
            let lesser = if sign > 0.0 { term.negative } else { term.positive };
            if lesser != 0.0 {
                let factor = line * sign * lesser;
                add_scaled(&mut linear, factor, &design.moments().means);
            }
            if bend != 0.0 {
                bent.push(BentTerm { design, bend, sign });
            }
        }
        Some(ReducedRisk {
            loss: risk.loss,
            ridge: risk.ridge,
            width,
            linear,
            weight_sizes: risk.weight_sizes(),
            step_sizes: risk.step_sizes(),
            value_size: risk.value_size(),
            metric: None,
            buffers: RefCell::new((Vec::new(), bent.iter().map(|term: &BentTerm| term.design.sums()).collect())),
            bent,
        })
    }

    /// Whether a metric saves more time than it costs.
    pub fn may_have_metric(&self) -> bool {
        self.width <= MOST_COLUMNS_OF_A_METRIC
    }

    /// The approximate Hessian with the mean curvature of the loss for every row: the same for all weights and, under
    /// unit costs, for all priors. For the squared loss it is the Hessian.
    ///
    /// With the largest curvature instead, which is a bound (Böhning, 1992), the fits of `benches/peers/sweep.yaml`
    /// took 14.5 steps on average with the logistic loss and 39.1 with the double hinge; with the mean they take 12.7
    /// and 23.1.
    pub fn mean_hessian(&self) -> SymmetricMatrix {
        let mut sum = SymmetricMatrix::zero(self.width + 1);
        for term in &self.bent {
            sum.add_scaled(term.bend * self.loss.mean_curvature(), term.design.gram());
        }
        (0..self.width).for_each(|index| sum.add(index, index, 2.0 * self.ridge));
        sum
    }

    /// Preconditions with this matrix, instead of column by column.
    pub fn with_metric(self, metric: Option<Rc<Cholesky>>) -> Self {
        ReducedRisk { metric, ..self }
    }

    /// Value and gradient at zero weights. All rows have the same loss and slope there, so the means suffice.
    fn at_zero(&self, gradient: &mut [f64]) -> f64 {
        gradient.copy_from_slice(&self.linear);
        for term in &self.bent {
            add_scaled(gradient, term.bend * term.sign * self.loss.slope(0.0), &term.design.moments().means);
        }
        self.bent.iter().map(|term| term.bend).sum::<f64>() * self.loss.value(0.0)
    }

    /// Value and gradient of a squared term, from the means of products.
    fn squared_value_and_gradient(&self, term: &BentTerm, w: &[f64], gradient: &mut [f64]) -> f64 {
        let (gram, means) = (term.design.gram(), &term.design.moments().means);
        let products = gram.times(w);
        for ((gradient, product), mean) in gradient.iter_mut().zip(&products).zip(means) {
            *gradient += 2.0 * term.bend * (product - term.sign * mean);
        }
        term.bend * (dot(&products, w) - 2.0 * term.sign * dot(means, w) + 1.0)
    }
}

impl Objective for ReducedRisk<'_> {
    fn dimension(&self) -> usize {
        self.width + 1
    }

    fn weight_sizes(&self) -> Vec<f64> {
        self.weight_sizes.clone()
    }

    fn step_sizes(&self) -> Vec<f64> {
        self.step_sizes.clone()
    }

    fn precondition(&self, direction: &mut [f64]) {
        match &self.metric {
            Some(metric) => metric.solve_in_place(direction),
            None => direction.iter_mut().zip(&self.step_sizes).for_each(|(d, size)| *d *= size * size),
        }
    }

    fn scale(&self) -> f64 {
        let mut gradient = vec![0.0; self.width + 1];
        self.at_zero(&mut gradient);
        let size = gradient.iter().zip(&self.weight_sizes).map(|(g, size)| (g * size).abs()).fold(0.0, f64::max);
        size.max(1e-7 * self.value_size)
    }

    fn value_size(&self) -> f64 {
        self.value_size
    }

    fn value_and_gradient(&self, w: &[f64], gradient: &mut [f64]) -> f64 {
        // Every search starts at zero weights.
        if w.iter().all(|w| *w == 0.0) {
            return self.at_zero(gradient);
        }
        gradient.copy_from_slice(&self.linear);
        let mut value = dot(&self.linear, w) + self.ridge * dot(&w[..self.width], &w[..self.width]);
        add_scaled(gradient, 2.0 * self.ridge, &w[..self.width]);
        let (tables, sums) = &mut *self.buffers.borrow_mut();
        for (term, sums) in self.bent.iter().zip(sums) {
            if self.loss == Loss::Squared {
                value += self.squared_value_and_gradient(term, w, gradient);
                continue;
            }
            let (design, share) = (term.design, term.bend / term.design.rows() as f64);
            design.clear(sums);
            value += share * pass(self.loss, design, &design.fold(w, tables), term.sign, sums);
            design.unfold(sums, share * term.sign, gradient);
        }
        value
    }
}

widest! {
    /// Sums `l(z)` and its slopes times `(x, 1)`, with `z = sign * g`, in one pass over the rows.
    fn pass(loss: Loss, design: &Design, w: &Folded, sign: f64, sums: &mut Sums) -> f64 {
        let mut sum = LossSum::new();
        for block in design.blocks() {
            let mut z = block.margins(w);
            z.0.iter_mut().for_each(|z| *z *= sign);
            // The margin of padding rows is infinite, where the loss is zero.
            z.0[block.rows..].fill(f64::INFINITY);
            let mut slopes = match loss {
                Loss::DoubleHinge => double_hinge(&z, &mut sum),
                _ => logistic(&z, &mut sum),
            };
            slopes.0[block.rows..].fill(0.0);
            block.add_rows(&slopes, sums);
        }
        sum.total()
    }
}

#[inline(always)]
fn double_hinge(z: &Lane, sum: &mut LossSum) -> Lane {
    let (mut values, mut slopes) = (Lane::ZERO, Lane::ZERO);
    for ((value, slope), z) in values.0.iter_mut().zip(&mut slopes.0).zip(&z.0) {
        *value = Loss::DoubleHinge.value(*z);
        *slope = Loss::DoubleHinge.slope(*z);
    }
    sum.add(&values);
    slopes
}
