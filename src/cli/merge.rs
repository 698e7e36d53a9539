//! `doublepu merge`

use crate::cli::listener::{Printer, exit_after};
use crate::cli::{Exit, Stop, complain};
use crate::harness::{self, Merging};
use crate::run::Merged;
use crate::text::quoted;
use std::path::PathBuf;

/// More lines than this with missing cells are counted and not listed.
const MOST_LINES: usize = 10;
/// More seeds than this are counted.
const MOST_SEEDS: usize = 8;

#[derive(Debug, clap::Args)]
pub struct Merge {
    /// The folders of runs of one experiment, such as results/runs/smoke/shard-*
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// The folder to put them together in, such as results/runs/smoke
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

impl Merge {
    pub fn carry_out(&self) -> Result<Exit, Stop> {
        let printer = Printer::default();
        match harness::merge(&self.runs, &self.out, &|event| printer.hear(event))? {
            Merging::Complete { failed } => Ok(exit_after(failed)),
            Merging::Incomplete(merged) => {
                self.print_missing(&merged);
                Ok(Exit::BadResults)
            }
        }
    }

    fn print_missing(&self, merged: &Merged) {
        let Merged { experiment, plan, command, .. } = merged;
        let (missing, out) = (merged.missing(), self.out.display());
        complain(&format!("error: {} of {} cells are in none of these runs:", missing.len(), plan.cells.len()));
        let lines: Vec<_> = missing.chunk_by(|a, b| a.line() == b.line()).collect();
        for cells in lines.iter().take(MOST_LINES) {
            let seeds: Vec<String> = cells.iter().take(MOST_SEEDS).map(|cell| cell.seed.to_string()).collect();
            let more =
                if cells.len() > MOST_SEEDS { format!(" and {} more", cells.len() - MOST_SEEDS) } else { "".into() };
            complain(&format!(
                "  {}: {} {}{more}",
                experiment.line_name(cells[0]),
                if cells.len() == 1 { "seed" } else { "seeds" },
                seeds.join(", ")
            ));
        }
        if lines.len() > MOST_LINES {
            complain(&format!("  and of {} more lines", lines.len() - MOST_LINES));
        }
        complain(&format!(
            "  help: the others are kept in {out}; merge again with the missing shards, or run the rest:"
        ));
        complain(&format!("        {command} --out {}", quoted(&out.to_string())));
    }
}
