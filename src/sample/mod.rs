//! Which rows are seen as what: the split schemes, the simulation, and the named random streams behind them.

mod scheme;
mod simulation;
mod stream;

pub use scheme::{Censoring, Loyal, LoyaltyBase, Pools, Scheme, Split, SplitError, Unlabeled};
pub use simulation::{Group, Simulation};
pub use stream::{Stream, stream};
