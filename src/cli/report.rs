//! `doublepu report`

use crate::cli::conclusion::{tell, tell_failures};
use crate::cli::{Exit, Stop, complain, say};
use crate::report::{self, Findings, Results};
use crate::run::{self, Data, Manifest, Scatter, Store, StoreError};
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
        let manifest = Manifest::read_repeatable(&self.run)?;
        let _held = Store::hold(&self.run)?;
        let contents = Store::peek(&self.run)?;
        let plan = manifest.plan();
        let results = Results::gather(&manifest.experiment, &plan, |id| contents.outcome(id));
        let (all, missing) = (plan.cells.len(), plan.cells.len() - results.cells.len());
        if missing > 0 {
            let (folder, command) = (self.run.clone(), manifest.command_to_go_on(&self.run));
            return Err(StoreError::Incomplete { folder, missing, all, command }.into());
        }
        let scatters = self.scatters(&manifest);
        let command = manifest.command.clone();
        let manifest = Manifest::new(&manifest.experiment, &plan, &manifest.data, &contents, command)?;
        let findings = Findings::of(&results);
        report::write(&self.run, &findings, manifest, &scatters)?;
        match self.format {
            Format::Table => tell(&self.run, &findings),
            Format::Json => say(&format!("{:#}", report::summary_json(&findings))),
        }
        Ok(tell_failures(&results, "cells.csv lists them all"))
    }

    /// The points behind the boundary plots: as an earlier report has them, or from the data if that is at hand.
    fn scatters(&self, manifest: &Manifest) -> Vec<Scatter> {
        if let Some(scatters) = report::stored_scatters(&self.run, manifest) {
            return scatters;
        }
        match Data::load_again(&manifest.experiment, &manifest.data) {
            Ok(data) => run::scatters(&manifest.experiment, &data),
            Err(_) => {
                complain("The data is not where the run had it: a plot that shows people is left out.");
                Vec::new()
            }
        }
    }
}
