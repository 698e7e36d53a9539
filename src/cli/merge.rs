//! `doublepu merge`

use crate::cli::listener::Printer;
use crate::cli::{Exit, Stop, complain};
use crate::harness;
use crate::run::{Manifest, Merged};
use crate::text::quoted;
use std::path::PathBuf;

/// Lines with missing cells beyond this number are counted and not listed.
const MOST_LINES: usize = 10;
/// Likewise seeds.
const MOST_SEEDS: usize = 8;

#[derive(Debug, clap::Args)]
pub struct Merge {
    /// The folders of runs of one experiment
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// The folder for the merged run
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

impl Merge {
    pub fn execute(&self) -> Result<Exit, Stop> {
        let printer = Printer::default();
        let (merged, failed) = harness::merge(&self.runs, &self.out, &|event| printer.print(event))?;
        if failed.is_none() {
            self.print_missing(&merged);
        }
        Ok(failed.map_or(Exit::BadResults, Exit::after))
    }

    fn print_missing(&self, merged: &Merged) {
        let Merged { manifest: Manifest { experiment, command, .. }, plan, .. } = merged;
        let (missing, out) = (merged.missing(), self.out.display().to_string());
        complain(&format!("error: {} of {} cells are in none of these runs:", missing.len(), plan.cells.len()));
        let lines: Vec<_> = missing.chunk_by(|a, b| a.line() == b.line()).collect();
        for cells in lines.iter().take(MOST_LINES) {
            let seeds: Vec<String> = cells.iter().take(MOST_SEEDS).map(|cell| cell.seed.to_string()).collect();
            let more = cells.len().saturating_sub(MOST_SEEDS);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let noun = if cells.len() == 1 { "seed" } else { "seeds" };
            complain(&format!("  {}: {noun} {}{more}", experiment.line_name(cells[0]), seeds.join(", ")));
        }
        if lines.len() > MOST_LINES {
            complain(&format!("  and of {} more lines", lines.len() - MOST_LINES));
        }
        complain(&format!(
            "  help: all other cells are kept in {out}; merge again with the missing shards, or run the rest:\n        \
             {command} --out {}",
            quoted(&out)
        ));
    }
}
