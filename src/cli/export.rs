//! `doublepu export`

use crate::cli::{Exit, Stop, say};
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub struct Export {
    /// The folder of a run, for instance results/runs/smoke
    run: PathBuf,
    /// The id of a cell: the first column of cells.csv
    cell: String,
    /// The folder to write to
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

impl Export {
    pub fn carry_out(&self) -> Result<Exit, Stop> {
        crate::export::export(&self.run, &self.cell, &self.out)?;
        say(&format!("Fitted the cell {} again, to the same bits.", self.cell));
        say(&format!("Wrote {0}/README.md, which explains what lies beside it.", self.out.display()));
        Ok(Exit::Done)
    }
}
