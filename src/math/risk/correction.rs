//! Corrections keep parts of a signed risk, which are never negative over the population, from falling below zero.

use crate::math::square;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{EnumCount, IntoStaticStr, VariantArray};

/// The half width, as a share of a part's size, within which its clamp at zero is rounded, so that it has a gradient
/// everywhere.
pub const ROUNDING: f64 = 0.01;

/// A correction of the signed risk (Section III-D of the paper). The risk is `missed + crowd + loyal` with
///
/// ```text
/// missed = c_FN (beta E_Y l(g) - gamma E_L l(g))      the loss on potential customers
/// crowd  = c_FP (E_U l(-g) - beta E_Y l(-g))          the loss on people without interest
/// loyal  = c_FP gamma E_L l(-g)                       the loss on loyal buyers
/// ```
///
/// With expectations in place of means, none of the three is negative. On samples, `missed` and `crowd` can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[derive(strum::Display, EnumCount, IntoStaticStr, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Correction {
    /// Minimises `missed + crowd + loyal`.
    None,
    /// Minimises `missed + max(0, crowd) + loyal`, as the paper proposes.
    Paper,
    /// Minimises `max(0, missed) + max(0, crowd) + loyal`, which is never negative.
    TwoPart,
    /// Reports the value of `two_part`. Where a part is negative, the step goes up the gradient of this part and ignores the
    /// other parts except for the ridge (Kiryo, Niu, du Plessis and Sugiyama, 2017, with their tolerance 0 and step discount
    /// 1).
    Kiryo,
}

impl Correction {
    pub const ALL: [Correction; Correction::COUNT] = *Correction::VARIANTS.first_chunk().expect("as many as there are");

    pub fn name(self) -> &'static str {
        self.into()
    }

    pub fn clamps_missed(self) -> bool {
        matches!(self, Correction::TwoPart | Correction::Kiryo)
    }

    pub fn clamps_crowd(self) -> bool {
        self != Correction::None
    }
}

/// `max(0, part)`, rounded off within `half_width` of zero.
pub fn clamped(part: f64, half_width: f64) -> f64 {
    if part >= half_width {
        part
    } else if part <= -half_width {
        0.0
    } else {
        square(part + half_width) / (4.0 * half_width)
    }
}

/// The derivative of [`clamped`].
pub fn clamped_slope(part: f64, half_width: f64) -> f64 {
    if half_width == 0.0 {
        return if part > 0.0 { 1.0 } else { 0.0 };
    }
    ((part + half_width) / (2.0 * half_width)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clamp_is_the_part_or_zero_but_for_its_rounding() {
        assert_eq!((clamped(0.5, 0.01), clamped(-0.5, 0.01)), (0.5, 0.0));
        assert_eq!(clamped(0.0, 0.01), 0.0025);
        for part in [-0.02, -0.009, 0.0, 0.004, 0.03] {
            let difference = (clamped(part + 1e-7, 0.01) - clamped(part - 1e-7, 0.01)) / 2e-7;
            assert!((difference - clamped_slope(part, 0.01)).abs() < 1e-6, "{part}");
        }
    }
}
