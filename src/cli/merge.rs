//! `doublepu merge`

use crate::cli::conclusion::{complete, conclude};
use crate::cli::{Exit, Stop, complain};
use crate::quoted;
use crate::report::Results;
use crate::run::{self, Manifest, Merged};
use crate::spec::Cell;
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
        let missing = merged.missing();
        if !missing.is_empty() {
            if !merged.store.has_older_results() {
                manifest(&merged)?.write_ahead(&self.out)?;
            }
            self.tell_missing(&merged, &missing);
            return Ok(Exit::BadResults);
        }
        complete(&mut merged.store)?;
        let manifest = manifest(&merged)?;
        if manifest.computed_by.len() > 1 {
            complain("These cells were computed by different programs or on different machines (see manifest.json):");
            manifest.computed_by.iter().for_each(|environment| complain(&format!("  {environment}")));
        }
        let Merged { experiment, plan, store, data, .. } = &merged;
        if data.is_none() {
            complain("The data is not where the runs had it: a plot that shows people is left out.");
        }
        let scatters = data.as_ref().map_or(Vec::new(), |data| run::scatters(experiment, data));
        let results = Results::gather(experiment, plan, |id| store.outcome(id));
        conclude(&self.out, &results, manifest, &scatters)
    }

    fn tell_missing(&self, merged: &Merged, missing: &[&Cell]) {
        let Merged { experiment, plan, command, .. } = merged;
        let out = self.out.display();
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

fn manifest(merged: &Merged) -> Result<Manifest, Stop> {
    let Merged { experiment, plan, files, command, store, .. } = merged;
    Ok(Manifest::new(experiment, plan, files, store.contents(), command.clone())?)
}
