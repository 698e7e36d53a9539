//! The description of a method, for readers and for the harness.

use crate::sample::SampleNeed;

/// The description of a method, which `doublepu methods`, the schema and the reference page print.
#[derive(Clone, Copy, Debug)]
pub struct Card {
    /// The name in specs and tables.
    pub name: &'static str,
    pub what: &'static str,
    /// The samples that it learns from, in words.
    pub samples: &'static str,
    pub prior: PriorUse,
    pub needs: SampleNeed,
    pub source: &'static str,
}

/// The class priors that a method is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub enum PriorUse {
    None,
    Beta,
    BetaAndGamma,
}

impl PriorUse {
    pub fn words(self) -> &'static str {
        match self {
            PriorUse::None => "none",
            PriorUse::Beta => "beta",
            PriorUse::BetaAndGamma => "beta, gamma",
        }
    }
}
