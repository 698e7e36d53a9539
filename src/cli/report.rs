//! `doublepu report`

use crate::cli::conclusion::{tell, tell_failures};
use crate::cli::{Exit, Stop, complain, say};
use crate::report::{self, Findings, Results};
use crate::run::{self, Manifest, Scatter, Store, StoredRun};
use clap::ValueEnum;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub struct Report {
    /// The folder of a run, for instance results/runs/smoke
    run: PathBuf,
    /// What to print: tables for people, or all that the page says as JSON
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Format {
    Table,
    Json,
}

impl Report {
    pub fn carry_out(&self) -> Result<Exit, Stop> {
        let stored = StoredRun::open_repeatable(&self.run)?;
        let _held = Store::hold(&self.run)?;
        stored.require_complete()?;
        let (Manifest { experiment, data, command, .. }, plan) = (&stored.manifest, stored.plan());
        let contents = stored.contents()?;
        let results = Results::gather(experiment, plan, |id| contents.outcome(id));
        let scatters = self.scatters(&stored);
        let manifest = Manifest::new(experiment, plan, data, contents, command.clone())?;
        let findings = Findings::of(&results);
        report::write(&self.run, &findings, manifest, &scatters)?;
        match self.format {
            Format::Table => tell(&self.run, &findings),
            Format::Json => say(&format!("{:#}", report::summary_json(&findings))),
        }
        Ok(tell_failures(&results, "cells.csv lists them all"))
    }

    /// The points behind the boundary plots: as an earlier report has them, or from the data if that is at hand.
    fn scatters(&self, stored: &StoredRun) -> Vec<Scatter> {
        if let Some(scatters) = report::stored_scatters(&self.run, &stored.manifest) {
            return scatters;
        }
        match stored.load_data() {
            Ok(data) => run::scatters(&stored.manifest.experiment, &data),
            Err(_) => {
                complain("The data is not where the run had it: a plot that shows people is left out.");
                Vec::new()
            }
        }
    }
}
