//! `doublepu compare`

use crate::cli::{Exit, Stop, say};
use crate::proof::compare;
use clap::ValueEnum;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub struct Compare {
    /// The folder of a run
    first: PathBuf,
    /// The folder of another run
    second: PathBuf,
    /// What to print: tables for people, the same for a comment on a change, or all of it as JSON
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Table,
    Markdown,
    Json,
}

impl Compare {
    pub fn carry_out(&self) -> Result<Exit, Stop> {
        let compared = compare(&self.first, &self.second)?;
        say(&match self.format {
            Format::Table => compared.terminal(),
            Format::Markdown => compared.markdown(),
            Format::Json => format!("{:#}", compared.json()),
        });
        Ok(Exit::Done)
    }
}
