//! `doublepu export`

use crate::cli::{Exit, Stop, say};
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub struct Export {
    /// The folder of a run
    run: PathBuf,
    /// The id of a cell: the first column of cells.csv
    cell: String,
    /// The folder to write to
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// A data file that is not where the run had it; its sha256 must be the same
    #[arg(long, value_name = "FILE")]
    data: Vec<PathBuf>,
}

impl Export {
    pub fn execute(&self) -> Result<Exit, Stop> {
        crate::export::export(&self.run, &self.data, &self.cell, &self.out)?;
        say(&format!("Fitted the cell {} again, to the same bits.", self.cell));
        say(&format!("Wrote {0}/README.md, which describes the other files of the folder.", self.out.display()));
        Ok(Exit::Done)
    }
}
