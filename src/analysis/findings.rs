//! Everything that is derived from results, each once.

use crate::analysis::{Comparisons, Ranks, Readings, Results};

/// Results, with what they say of one another and of a paper.
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
        Findings {
            results,
            comparisons: Comparisons::of(results),
            ranks: Ranks::of(results),
            readings: Readings::of(results),
        }
    }
}
