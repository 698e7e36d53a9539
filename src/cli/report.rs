//! `doublepu report`

use crate::cli::listener::{Printer, print_failures};
use crate::cli::{Exit, Stop, say};
use crate::harness::{self, Event};
use crate::report::summary_json;
use clap::ValueEnum;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub struct Report {
    /// The folder of a run
    run: PathBuf,
    /// A data file that is not where the run had it; its sha256 must be the same
    #[arg(long, value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Print tables, or everything on the page as JSON
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Format {
    Table,
    Json,
}

impl Report {
    pub fn execute(&self) -> Result<Exit, Stop> {
        let printer = Printer::default();
        let failed = harness::report(&self.run, &self.data, &|event| match (self.format, event) {
            (Format::Json, Event::Reported { findings, .. }) => {
                say(&format!("{:#}", summary_json(findings)));
                print_failures(findings.results, "cells.csv lists them all");
            }
            (_, event) => printer.print(event),
        })?;
        Ok(Exit::after(failed))
    }
}
