//! The signed risk, its gradient and its curvature, over [`Design`] matrices.

use crate::math::matrix::{Design, SymmetricMatrix, add_scaled};
use crate::math::optim::{Curvature, Ending, Minimum, Objective, TwiceDifferentiable};
use crate::math::risk::correction::{ROUNDING, clamped, clamped_slope};
use crate::math::risk::{Correction, Linear, Loss, Predictor, zero_one};
use std::borrow::Cow;

/// The rows of a sample over which a mean runs.
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    /// The sample's name in messages, for instance `D_L`.
    pub sample: &'static str,
    /// Which rows of the sample these are; `None` for all of them.
    pub positions: Option<Vec<usize>>,
    pub design: Cow<'a, Design>,
}

impl<'a> Rows<'a> {
    pub fn all(sample: &'static str, design: &'a Design) -> Self {
        Rows { sample, positions: None, design: Cow::Borrowed(design) }
    }

    /// Some rows of a sample. A row may occur several times.
    pub fn some(sample: &'static str, design: &Design, positions: Vec<usize>) -> Self {
        let design = Cow::Owned(design.select(&positions));
        Rows { sample, positions: Some(positions), design }
    }

    pub fn count(&self) -> usize {
        self.design.rows()
    }
}

/// The contribution of a sample to the risk: `positive * mean l(g) + negative * mean l(-g)`.
#[derive(Clone, Debug)]
pub struct Term<'a> {
    pub rows: Rows<'a>,
    pub positive: f64,
    pub negative: f64,
    /// Whether the negative part belongs to what a [`Correction`] calls `crowd`, and not to `loyal`.
    pub in_crowd: bool,
}

/// `sum over terms, corrected, + ridge * |w|^2`
#[derive(Clone, Debug)]
pub struct SignedRisk<'a, P = Linear> {
    pub(crate) predictor: P,
    pub(crate) loss: Loss,
    pub(crate) correction: Correction,
    pub(crate) ridge: f64,
    pub(crate) terms: Vec<Term<'a>>,
}

/// A mean over no rows.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{sample} has no row, so its mean does not exist")]
pub struct EmptySample {
    pub sample: &'static str,
}

/// The three parts of a risk that a correction treats differently.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Parts {
    missed: f64,
    crowd: f64,
    loyal: f64,
}

impl Parts {
    fn plain(self) -> f64 {
        self.missed + self.crowd + self.loyal
    }
}

impl<'a, P: Predictor> SignedRisk<'a, P> {
    /// Drops terms whose coefficients are both zero; these may be empty.
    pub fn new(
        predictor: P,
        loss: Loss,
        correction: Correction,
        ridge: f64,
        terms: Vec<Term<'a>>,
    ) -> Result<Self, EmptySample> {
        let terms: Vec<_> = terms.into_iter().filter(|term| term.positive != 0.0 || term.negative != 0.0).collect();
        if let Some(term) = terms.iter().find(|term| term.rows.count() == 0) {
            return Err(EmptySample { sample: term.rows.sample });
        }
        Ok(SignedRisk { predictor, loss, correction, ridge, terms })
    }

    /// Whether every term uses all rows of its sample.
    pub fn is_over_whole_samples(&self) -> bool {
        self.terms.iter().all(|term| term.rows.positions.is_none())
    }

    /// The same risk over a batch: some rows of each term.
    pub fn over(&self, rows_of_terms: &[&[usize]]) -> SignedRisk<'static, P>
    where
        P: Clone,
    {
        let batch = |(term, rows): (&Term, &&[usize])| Term {
            rows: Rows::some(term.rows.sample, &term.rows.design, rows.to_vec()),
            ..*term
        };
        let terms = self.terms.iter().zip(rows_of_terms).map(batch).collect();
        SignedRisk { predictor: self.predictor.clone(), terms, ..*self }
    }

    fn margins(&self, w: &[f64]) -> Vec<Vec<f64>> {
        self.terms.iter().map(|term| self.predictor.margins(&term.rows.design, w)).collect()
    }

    fn parts(&self, margins: &[Vec<f64>], loss: impl Fn(f64) -> f64) -> Parts {
        let mut parts = Parts::default();
        for (term, margins) in self.terms.iter().zip(margins) {
            let count = margins.len() as f64;
            if term.positive != 0.0 {
                parts.missed += term.positive * margins.iter().map(|g| loss(*g)).sum::<f64>() / count;
            }
            if term.negative != 0.0 {
                let mean = margins.iter().map(|g| loss(-g)).sum::<f64>() / count;
                let part = if term.in_crowd { &mut parts.crowd } else { &mut parts.loyal };
                *part += term.negative * mean;
            }
        }
        parts
    }

    /// The half widths within which the clamps of `missed` and `crowd` are rounded; `None` for a part without clamp.
    fn clamps(&self) -> [Option<f64>; 2] {
        let missed: f64 = self.terms.iter().map(|term| term.positive.abs()).sum();
        let crowd: f64 = self.terms.iter().filter(|term| term.in_crowd).map(|term| term.negative.abs()).sum();
        let correction = self.correction;
        [correction.clamps_missed().then_some(ROUNDING * missed), correction.clamps_crowd().then_some(ROUNDING * crowd)]
    }

    fn corrected(&self, Parts { missed, crowd, loyal }: Parts) -> f64 {
        let [missed_width, crowd_width] = self.clamps();
        missed_width.map_or(missed, |width| clamped(missed, width))
            + crowd_width.map_or(crowd, |width| clamped(crowd, width))
            + loyal
    }

    /// The factors of the gradients of `missed`, `crowd` and `loyal` in the gradient of the objective.
    fn gradient_factors(&self, parts: Parts) -> [f64; 3] {
        let [missed, crowd] = self.clamps();
        let factor = |part, width: Option<f64>| width.map_or(1.0, |width| clamped_slope(part, width));
        [factor(parts.missed, missed), factor(parts.crowd, crowd), 1.0]
    }

    /// The same for the step direction, which for `kiryo` is not the gradient.
    fn direction_factors(&self, parts: Parts) -> [f64; 3] {
        if self.correction != Correction::Kiryo {
            return self.gradient_factors(parts);
        }
        match (parts.missed < 0.0, parts.crowd < 0.0) {
            (false, false) => [1.0; 3],
            (missed, crowd) => [if missed { -1.0 } else { 0.0 }, if crowd { -1.0 } else { 0.0 }, 0.0],
        }
    }

    /// `out = sum of factors * gradients of the parts + gradient of the ridge`
    fn combine(&self, w: &[f64], margins: &[Vec<f64>], [missed, crowd, loyal]: [f64; 3], out: &mut [f64]) {
        out.fill(0.0);
        for (term, margins) in self.terms.iter().zip(margins) {
            let share = 1.0 / margins.len() as f64;
            let positive = missed * term.positive * share;
            let negative = (if term.in_crowd { crowd } else { loyal }) * term.negative * share;
            let slope = |g: &f64| {
                let of_positive = if positive == 0.0 { 0.0 } else { positive * self.loss.slope(*g) };
                let of_negative = if negative == 0.0 { 0.0 } else { negative * self.loss.slope(-g) };
                of_positive - of_negative
            };
            let slopes: Vec<f64> = margins.iter().map(slope).collect();
            self.predictor.pull_back(&term.rows.design, w, &slopes, out);
        }
        for index in (0..w.len()).filter(|index| self.predictor.is_penalised(*index)) {
            out[index] += 2.0 * self.ridge * w[index];
        }
    }

    fn penalty(&self, w: &[f64]) -> f64 {
        let squares = w.iter().enumerate().filter(|(index, _)| self.predictor.is_penalised(*index));
        self.ridge * squares.map(|(_, w)| w * w).sum::<f64>()
    }

    /// The signed risk itself, without correction and ridge.
    pub fn plain_value(&self, w: &[f64]) -> f64 {
        self.parts(&self.margins(w), |z| self.loss.value(z)).plain()
    }

    /// The signed risk with the zero-one loss in place of the surrogate, for given scores of each term's rows.
    pub fn zero_one_value(&self, scores: &[Vec<f64>]) -> f64 {
        self.parts(scores, zero_one).plain()
    }

    /// Overwrites `direction` with the direction to step against, which for `kiryo` is not the gradient.
    pub fn direction(&self, w: &[f64], direction: &mut [f64]) {
        let margins = self.margins(w);
        let parts = self.parts(&margins, |z| self.loss.value(z));
        self.combine(w, &margins, self.direction_factors(parts), direction);
    }

    /// Whether no part without clamp has a negative coefficient. Losses are never negative, so then neither is the
    /// risk.
    pub fn has_no_negative_part(&self) -> bool {
        let missed = self.correction.clamps_missed() || self.terms.iter().all(|term| term.positive >= 0.0);
        let negatives = |in_crowd| self.terms.iter().filter(move |t| t.in_crowd == in_crowd).map(|t| t.negative);
        let crowd = self.correction.clamps_crowd() || negatives(true).all(|negative| negative >= 0.0);
        missed && crowd && negatives(false).all(|negative| negative >= 0.0)
    }

    /// Whether the risk is known to be convex in the margins, term by term.
    pub fn is_convex(&self) -> bool {
        let clamps_matter = self.correction != Correction::None
            && self.terms.iter().any(|term| term.positive < 0.0 || (term.in_crowd && term.negative < 0.0));
        !clamps_matter && self.terms.iter().all(|term| self.loss.is_convex_with(term.positive, term.negative))
    }
}

impl<P: Predictor> Objective for SignedRisk<'_, P> {
    fn dimension(&self) -> usize {
        self.predictor.dimension()
    }

    /// If the gradient at zero weights is only rounding error, the coefficients determine the scale.
    fn scale(&self) -> f64 {
        let zero = Minimum::given(self, vec![0.0; self.dimension()], 0, Ending::Stalled);
        zero.gradient_size.max(1e-7 * self.value_size())
    }

    fn value_size(&self) -> f64 {
        self.terms.iter().map(|term| term.positive.abs() + term.negative.abs()).sum()
    }

    fn weight_sizes(&self) -> Vec<f64> {
        self.predictor.weight_sizes(self.terms.iter().map(|term| &*term.rows.design))
    }

    /// From a bound on the curvature, to which the ridge adds the same for every weight.
    fn step_sizes(&self) -> Vec<f64> {
        let bend = self.value_size() * self.loss.largest_curvature();
        let of = |(index, size): (usize, &f64)| {
            let ridge = if self.predictor.is_penalised(index) { 2.0 * self.ridge } else { 0.0 };
            (bend / (bend / (size * size) + ridge)).sqrt()
        };
        self.weight_sizes().iter().enumerate().map(of).collect()
    }

    fn value_and_gradient(&self, w: &[f64], gradient: &mut [f64]) -> f64 {
        let margins = self.margins(w);
        let parts = self.parts(&margins, |z| self.loss.value(z));
        self.combine(w, &margins, self.gradient_factors(parts), gradient);
        self.corrected(parts) + self.penalty(w)
    }
}

/// The derivatives of the risk without correction: Newton's method is not used for corrected risks.
impl TwiceDifferentiable for SignedRisk<'_, Linear> {
    fn curvature(&self, w: &[f64]) -> Curvature {
        let mut convex = SymmetricMatrix::zero(self.dimension());
        let mut concave = SymmetricMatrix::zero(self.dimension());
        for term in &self.terms {
            let design = &term.rows.design;
            let share = 1.0 / design.rows() as f64;
            let bend = |g: f64| term.positive * self.loss.curvature(g) + term.negative * self.loss.curvature(-g);
            let bends: Vec<f64> = design.margins(w).into_iter().map(|g| share * bend(g)).collect();
            for (part, sign) in [(&mut convex, 1.0), (&mut concave, -1.0)] {
                let bends: Vec<f64> = bends.iter().map(|bend| (sign * bend).max(0.0)).collect();
                if bends.iter().any(|bend| *bend > 0.0) {
                    part.add_scaled(1.0, &design.weighted_gram(&bends));
                }
            }
        }
        for index in 0..self.predictor.width {
            convex.add(index, index, 2.0 * self.ridge);
        }
        Curvature { convex, concave }
    }

    fn largest_curvature(&self) -> Vec<f64> {
        let mut bound = vec![0.0; self.dimension()];
        for term in &self.terms {
            let bend = (term.positive.abs() + term.negative.abs()) * self.loss.largest_curvature();
            add_scaled(&mut bound, bend, &term.rows.design.moments().squares);
        }
        bound[..self.predictor.width].iter_mut().for_each(|entry| *entry += 2.0 * self.ridge);
        // The risk does not depend on the weight of a column of zeros; any positive bound keeps steps in it finite.
        bound.iter_mut().filter(|entry| **entry == 0.0).for_each(|entry| *entry = 1.0);
        bound
    }
}

#[cfg(test)]
mod tests;
