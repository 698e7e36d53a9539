//! From stored outcomes to findings: lines, pairs, comparisons, ranks, the verdict on a paper's value. How findings are
//! shown is up to [`crate::report`], [`crate::gate`] and [`crate::proof`].

mod comparison;
mod leader;
mod paired;
mod paper;
mod ranks;
mod results;

pub use comparison::{Comparison, Comparisons, Rival, Tested};
pub use leader::{Lead, Leader, wins};
pub use paired::{Standing, paired_difference};
pub use paper::{FEWEST_SEEDS, Reading, Readings, Spread, Verdict, rounding_interval};
pub use ranks::{RankedMethod, Ranks};
pub use results::{FailureGroup, Line, Results};

/// Results, with all that is derived from them.
pub struct Findings<'a> {
    pub results: &'a Results<'a>,
    /// If the spec names a method to compare.
    pub comparisons: Option<Comparisons<'a>>,
    /// If there are several settings.
    pub ranks: Option<Ranks<'a>>,
    /// If the spec has a printed value.
    pub readings: Option<Readings<'a>>,
}

impl<'a> Findings<'a> {
    pub fn of(results: &'a Results<'a>) -> Self {
        let (comparisons, ranks, readings) = (Comparisons::of(results), Ranks::of(results), Readings::of(results));
        Findings { results, comparisons, ranks, readings }
    }
}
