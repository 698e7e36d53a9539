//! `doublepu verify`

use crate::cli::{Exit, Stop, complain, progress_bar, say};
use crate::proof::{self, Sample, Verified};
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub struct Verify {
    /// The folder of a run
    run: PathBuf,
    /// A data file that is not where the run had it; its sha256 must be the same
    #[arg(long, value_name = "FILE")]
    data: Vec<PathBuf>,
    /// The number of cells to compute again: drawn anew each time, as different in method and setting as possible
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    cells: u32,
    /// Draw the cells that an earlier `verify` printed this seed for
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Compute every cell again
    #[arg(long, conflicts_with_all = ["cells", "seed"])]
    all: bool,
}

impl Verify {
    pub fn execute(&self) -> Result<Exit, Stop> {
        let bar = progress_bar(0);
        let sample = self.sample();
        let verified = proof::verify(&self.run, &self.data, sample, |done, all| {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        });
        bar.finish_and_clear();
        if let Sample::Drawn { seed, .. } = sample {
            complain(&format!("The cells were drawn with --seed {seed}."));
        }
        let Verified { cells, all, not_done, files, unverified } = verified?;
        say(&format!("{}: spec and data are those of the run.", self.run.display()));
        say(&format!(
            "{cells} of {all} cells were computed again, on one thread in reverse order and on several in random order: the \
             same bits."
        ));
        if files > 0 {
            say(&format!("{files} files of the report were derived again from the journal: the same bytes."));
        }
        if not_done > 0 {
            say(&format!("{not_done} of {all} are not done yet."));
        }
        say("Not verified:");
        unverified.iter().for_each(|what| say(&format!("  {what}")));
        Ok(Exit::Done)
    }

    fn sample(&self) -> Sample {
        let cells = self.cells as usize;
        match self.seed {
            _ if self.all => Sample::All,
            Some(seed) => Sample::Drawn { cells, seed },
            None => Sample::random(cells),
        }
    }
}
