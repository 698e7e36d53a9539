//! The costs of wrong decisions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The costs of wrong decisions, each from 1e-9 to 1e9. The paper's Section V uses 1 and 100.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Costs {
    /// c_FN, the cost of missing a potential customer.
    pub false_negative: f64,
    /// c_FP, the cost of classifying another person as a potential customer.
    pub false_positive: f64,
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
