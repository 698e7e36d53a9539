//! Records of minimised risks, from which they can be computed again elsewhere.

use crate::math::optim::{Ending, Minimum};
use crate::math::risk::{Correction, Loss, Predictor, SignedRisk};
use serde::Serialize;

/// A minimised risk, and where the search ended.
#[derive(Clone, Debug, Serialize)]
pub struct RiskRecord {
    pub loss: Loss,
    pub correction: Correction,
    pub ridge: f64,
    pub form: Form,
    pub terms: Vec<TermRecord>,
    pub objective: f64,
    pub gradient_norm: f64,
    /// Whether the weights are the unique minimum of a convex risk; without a ridge there may be none, or several.
    pub is_the_minimum: bool,
    #[serde(skip)]
    pub weights: Vec<f64>,
}

/// A term: `positive * mean l(g) + negative * mean l(-g)` over rows of a sample.
#[derive(Clone, Debug, Serialize)]
pub struct TermRecord {
    pub sample: &'static str,
    pub positive: f64,
    pub negative: f64,
    pub in_crowd: bool,
    /// Which rows of the sample, counted from 0; `None` for all.
    pub positions: Option<Vec<usize>>,
}

/// How `g` is computed from features and weights.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    Linear,
    Rbf {
        width: f64,
        /// The sample and row, counted from 0, of every centre.
        centers: Vec<(&'static str, usize)>,
    },
    Network {
        hidden: usize,
    },
}

impl Form {
    /// Identifies a design: with the same key, the same sample has the same columns.
    pub fn key(&self) -> String {
        match self {
            Form::Linear => "linear".to_string(),
            Form::Rbf { width, centers } => format!("rbf {width} {centers:?}"),
            Form::Network { hidden } => format!("network {hidden}"),
        }
    }
}

impl RiskRecord {
    pub fn of<P: Predictor>(risk: &SignedRisk<P>, minimum: &Minimum, form: Form, convex: bool) -> Self {
        let term = |term: &crate::math::risk::Term| TermRecord {
            sample: term.rows.sample,
            positive: term.positive,
            negative: term.negative,
            in_crowd: term.in_crowd,
            positions: term.rows.positions.clone(),
        };
        RiskRecord {
            loss: risk.loss,
            correction: risk.correction,
            ridge: risk.ridge,
            form,
            terms: risk.terms.iter().map(term).collect(),
            objective: minimum.value,
            gradient_norm: minimum.gradient_norm,
            is_the_minimum: convex
                && risk.ridge > 0.0
                && risk.loss.bends_everywhere()
                && minimum.ending == Ending::Converged,
            weights: minimum.weights.clone(),
        }
    }
}
