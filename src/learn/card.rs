//! What a reader and the harness must know of a method without looking at how it fits.

use crate::sample::SampleNeed;

/// What a method is: `doublepu methods`, the schema and the reference page all print it from here.
#[derive(Clone, Copy, Debug)]
pub struct Card {
    /// As in specs and tables.
    pub name: &'static str,
    pub what: &'static str,
    /// The samples that it learns from, in words.
    pub samples: &'static str,
    pub prior: PriorUse,
    pub needs: SampleNeed,
    pub source: &'static str,
}

/// Which class priors a method is told.
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
