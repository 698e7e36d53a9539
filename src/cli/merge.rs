//! `doublepu merge`

use crate::cli::conclusion::conclude;
use crate::cli::{Exit, Stop, complain};
use crate::report::Results;
use crate::run::{self, Manifest, Merged};
use crate::spec::{Cell, Experiment};
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
        let mut merged = run::merge(&self.runs, &self.out)?;
        let Merged { experiment, plan, files, command, .. } = &merged;
        let manifest = Manifest::new(experiment, plan, files, merged.store.contents(), command.clone())?;
        let missing = merged.missing();
        if !missing.is_empty() {
            manifest.write_ahead(&self.out)?;
            self.tell_missing(experiment, plan.cells.len(), &missing, command);
            return Ok(Exit::BadResults);
        }
        merged.store.complete()?;
        let Merged { experiment, plan, store, data, .. } = &merged;
        if manifest.computed_by.len() > 1 {
            complain("These cells were computed by different programs or on different machines (see manifest.json):");
            manifest.computed_by.iter().for_each(|environment| complain(&format!("  {environment}")));
        }
        let results = Results::gather(experiment, plan, |id| store.outcome(id));
        conclude(&self.out, &results, manifest, || match data {
            Some(data) => run::scatters(experiment, data),
            None => {
                complain("The data is not where the runs had it: plots that show people are left out.");
                Vec::new()
            }
        })
    }

    fn tell_missing(&self, experiment: &Experiment, all: usize, missing: &[&Cell], command: &str) {
        let out = self.out.display();
        complain(&format!("error: {} of {all} cells are in none of these runs:", missing.len()));
        let line = |cell: &Cell| (cell.setting, cell.method, cell.prior);
        let lines: Vec<_> = missing.chunk_by(|a, b| line(a) == line(b)).collect();
        for cells in lines.iter().take(MOST_LINES) {
            let seeds: Vec<String> = cells.iter().take(MOST_SEEDS).map(|cell| cell.seed.to_string()).collect();
            let more =
                if cells.len() > MOST_SEEDS { format!(" and {} more", cells.len() - MOST_SEEDS) } else { "".into() };
            complain(&format!("  {}: seeds {}{more}", experiment.line_name(cells[0]), seeds.join(", ")));
        }
        if lines.len() > MOST_LINES {
            complain(&format!("  and of {} more lines", lines.len() - MOST_LINES));
        }
        complain(&format!(
            "  help: what there is is kept in {out}; merge again with the other shards, or run the rest:"
        ));
        complain(&format!("        {command} --out {out}"));
    }
}
