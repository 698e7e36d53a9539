//! Whether results are the same bits, and what differs if they are not.

mod compare;
mod verify;

use crate::run::{CellTable, Field, Outcome};
use crate::spec::{Cell, Experiment};
use serde::Serialize;
use std::collections::BTreeMap;

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

fn versions(outcome: &Outcome) -> Option<&BTreeMap<String, String>> {
    outcome.result.as_ref().ok().map(|scored| &scored.fit.versions)
}

/// `None` if the outcomes are the same bits.
fn difference(experiment: &Experiment, cell: &Cell, first: &Outcome, second: &Outcome) -> Option<Difference> {
    if first.agrees(second) {
        return None;
    }
    let table = CellTable::of(experiment);
    let rows = table.row(cell, first).into_iter().zip(table.row(cell, second));
    let shown = |field: Field| if field == Field::Missing { "nothing".to_string() } else { field.to_string() };
    // Compared as texts, in which 0 and -0 differ.
    let differs = |(first, second): &(Field, Field)| first.to_string() != second.to_string();
    let (column, first, second) = match table.columns().into_iter().zip(rows).find(|(_, fields)| differs(fields)) {
        Some((column, (first, second))) => (column.name, Some(shown(first)), Some(shown(second))),
        None if versions(first) != versions(second) => ("the versions that its method runs on".to_string(), None, None),
        None => ("its ROC curve, boundary or training history".to_string(), None, None),
    };
    let name = format!("{}, seed {}", experiment.line_name(cell), cell.seed);
    Some(Difference { cell: cell.id.clone(), name, column, first, second })
}
