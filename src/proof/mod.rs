//! Whether results are the same, to the bit, and what differs if they are not.

mod compare;
mod verify;

use crate::data::DataError;
use crate::run::{Outcome, StoreError, cell_columns, cell_row};
use crate::spec::{Cell, Experiment};
use std::path::PathBuf;

pub use compare::{Compared, Differing, LineDifference, MetricDifference, Part, compare};
pub use verify::{Verified, Which, verify};

/// Why results could not be held against anything, or are not what they should be.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Data(#[from] DataError),
    #[error("{}: none of its cells is done\n  help: run it first", run.display())]
    NothingDone { run: PathBuf },
    #[error(
        "{}: the report is not of the cells that the journal holds now\n  help: run it again, which writes the report anew",
        run.display()
    )]
    OtherRecords { run: PathBuf },
    #[error("{}: {name} is missing or not as it was written\n  help: run it again, which writes the report anew", run.display())]
    ChangedFile { run: PathBuf, name: String },
    #[error(
        "{}: {difference}, {how}\n  help: the manifest and `doublepu compare` tell what the stored results were made by; \
         --fresh runs them again",
        run.display()
    )]
    Different { run: PathBuf, difference: Box<Difference>, how: String },
}

/// The first column of `cells.csv` in which two outcomes of a cell differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    pub cell: String,
    /// Method, prior and seed, for people.
    pub name: String,
    pub column: String,
    /// The first and the second; `None` where it is too much to show.
    pub values: Option<(String, String)>,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Difference { cell, name, column, values } = self;
        write!(f, "cell {cell} ({name}) differs in {column}")?;
        match values {
            Some((stored, found)) => write!(f, ": {stored} is stored, {found} came out"),
            None => Ok(()),
        }
    }
}

/// `None` if the outcomes agree to the bit.
fn difference(experiment: &Experiment, cell: &Cell, first: &Outcome, second: &Outcome) -> Option<Difference> {
    if first.agrees(second) {
        return None;
    }
    let rows = cell_row(experiment, cell, first).into_iter().zip(cell_row(experiment, cell, second));
    let shown = |text: String| if text.is_empty() { "nothing".to_string() } else { text };
    let column = cell_columns(experiment).into_iter().zip(rows).find(|(_, (first, second))| first != second);
    let (column, values) = match column {
        Some((column, (first, second))) => (format!("`{column}`"), Some((shown(first), shown(second)))),
        None => ("its ROC curve, boundary, training history, or a metric that the spec leaves out".to_string(), None),
    };
    let name = format!("{}, seed {}", experiment.line_name(cell), cell.seed);
    Some(Difference { cell: cell.id.clone(), name, column, values })
}
