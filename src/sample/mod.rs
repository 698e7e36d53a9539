//! How samples are drawn: sampling schemes, the simulation, and named random streams.

#[cfg(test)]
mod buyers_list;
mod censoring;
mod normal;
mod pools;
mod scheme;
mod simulation;
mod stream;

pub use censoring::{Censoring, LoyaltyBase, Unlabeled};
pub use normal::standard_normal;
pub use pools::{Loyal, Pools};
pub use scheme::{SampleNeed, Scheme, SchemeOptions, Split, SplitError, TestShare};
pub use simulation::{Group, Simulation};
pub use stream::{Stream, stream};
