//! Whether results are the same bits, and what differs if they are not.

mod compare;
mod verify;

use crate::run::{Outcome, cell_columns, cell_row};
use crate::spec::{Cell, Experiment};
use serde::Serialize;

pub use compare::{Compared, Differing, Layout, LineDifference, MetricDifference, Part, compare};
pub use verify::{Sample, Verified, verify};

/// The first column of `cells.csv` in which two outcomes of a cell differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    pub cell: String,
    /// Method, prior and seed.
    #[serde(skip)]
    pub name: String,
    pub column: String,
    /// `None` if what differs is not in `cells.csv`.
    pub first: Option<String>,
    pub second: Option<String>,
}

impl Difference {
    /// The column and both values, with words after each of them.
    fn text(&self, [after_first, after_second]: [&str; 2]) -> String {
        match (&self.first, &self.second) {
            (Some(first), Some(second)) => format!("`{}`: {first}{after_first}{second}{after_second}", self.column),
            _ => self.column.clone(),
        }
    }
}

/// `None` if the outcomes are the same bits.
fn difference(experiment: &Experiment, cell: &Cell, first: &Outcome, second: &Outcome) -> Option<Difference> {
    if first.agrees(second) {
        return None;
    }
    let rows = cell_row(experiment, cell, first).into_iter().zip(cell_row(experiment, cell, second));
    let shown = |text: String| if text.is_empty() { "nothing".to_string() } else { text };
    let (column, first, second) =
        match cell_columns(experiment).into_iter().zip(rows).find(|(_, (first, second))| first != second) {
            Some((column, (first, second))) => (column, Some(shown(first)), Some(shown(second))),
            None => ("its ROC curve, boundary, training history, or a metric that the spec leaves out", None, None),
        };
    let name = format!("{}, seed {}", experiment.line_name(cell), cell.seed);
    Some(Difference { cell: cell.id.clone(), name, column: column.to_string(), first, second })
}
