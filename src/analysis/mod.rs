//! From stored outcomes to findings: lines, pairs, comparisons, ranks, the verdict on a paper's value.
//!
//! It knows nothing of how findings are shown; [`crate::report`], [`crate::gate`] and [`crate::proof`] do that.

mod comparison;
mod findings;
mod leader;
mod paired;
mod paper;
mod ranks;
mod results;

pub use comparison::{Comparison, Comparisons, Rival, Tested};
pub use findings::Findings;
pub use leader::{Lead, Leader, wins};
pub use paired::{Standing, paired_difference};
pub use paper::{FEWEST_SEEDS, Reading, Readings, Spread, Verdict, rounding_interval};
pub use ranks::{RankedMethod, Ranks};
pub use results::{FailureGroup, Line, Results};
