//! `doublepu verify`

use crate::cli::{Exit, Stop, progress_bar, say};
use crate::proof::{self, Verified};
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub struct Verify {
    /// The folder of a run
    run: PathBuf,
    /// The number of cells to compute again: one of every method, setting and prior before a second of any
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    cells: u32,
    /// Compute every cell again
    #[arg(long, conflicts_with = "cells")]
    all: bool,
}

impl Verify {
    pub fn execute(&self) -> Result<Exit, Stop> {
        let bar = progress_bar(0);
        let verified = proof::verify(&self.run, (!self.all).then_some(self.cells as usize), |done, all| {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        });
        bar.finish_and_clear();
        let Verified { cells, all, not_done, files } = verified?;
        say(&format!("{}: spec and data are those of the run.", self.run.display()));
        if files > 0 {
            say(&format!("{files} files of the report are unchanged."));
        }
        say(&format!(
            "{cells} of {all} cells were computed again, on one thread in reverse order and on several in random order: the \
             same bits."
        ));
        if not_done > 0 {
            say(&format!("{not_done} of {all} are not done yet."));
        }
        Ok(Exit::Done)
    }
}
