//! The class priors that double PU learning is given.

use crate::learn::{Failure, FailureKind};
use serde::{Deserialize, Serialize};

/// `beta = p(y = +1)` and `gamma = p(y = +1, z = +1)`, with `0 <= gamma < beta < 1`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prior {
    beta: f64,
    gamma: f64,
}

/// Priors that no population can have.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PriorError {
    #[error("beta = {0} is not between 0 and 1")]
    Beta(f64),
    #[error("gamma = {0} is not 0 or above")]
    Gamma(f64),
    #[error("gamma = {gamma} is not below beta = {beta}, so nobody would be a potential customer")]
    Order { beta: f64, gamma: f64 },
}

impl Prior {
    pub fn new(beta: f64, gamma: f64) -> Result<Self, PriorError> {
        if !(beta > 0.0 && beta < 1.0) {
            return Err(PriorError::Beta(beta));
        }
        if !(gamma >= 0.0 && gamma.is_finite()) {
            return Err(PriorError::Gamma(gamma));
        }
        if gamma >= beta {
            return Err(PriorError::Order { beta, gamma });
        }
        Ok(Prior { beta, gamma })
    }

    /// The prior, for a method that needs one.
    pub fn needed(prior: Option<Prior>) -> Result<Prior, Failure> {
        prior.ok_or(Failure { kind: FailureKind::ImpossiblePrior, reason: "no prior was given".into() })
    }

    pub fn beta(self) -> f64 {
        self.beta
    }

    pub fn gamma(self) -> f64 {
        self.gamma
    }

    /// `p(w = +1)`
    pub fn alpha(self) -> f64 {
        self.beta - self.gamma
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_possible_priors_can_be_made() {
        assert!(Prior::new(0.4738, 0.0046).is_ok());
        assert!(Prior::new(0.5, 0.0).is_ok());
        assert_eq!(Prior::new(1.2, 0.1), Err(PriorError::Beta(1.2)));
        assert_eq!(Prior::new(0.5, -0.1), Err(PriorError::Gamma(-0.1)));
        assert_eq!(Prior::new(0.5, 0.5), Err(PriorError::Order { beta: 0.5, gamma: 0.5 }));
        assert!(Prior::new(f64::NAN, 0.1).is_err() && Prior::new(0.5, f64::NAN).is_err());
    }
}
