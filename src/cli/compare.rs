//! `doublepu compare`

use crate::cli::{Exit, Stop, say};
use crate::proof::{Layout, compare};
use clap::ValueEnum;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub struct Compare {
    /// The folder of a run
    first: PathBuf,
    /// The folder of another run
    second: PathBuf,
    /// Print tables, the same as Markdown, or everything as JSON
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
    pub fn execute(&self) -> Result<Exit, Stop> {
        let compared = compare(&self.first, &self.second)?;
        say(&match self.format {
            Format::Table => compared.show(Layout::Terminal),
            Format::Markdown => compared.show(Layout::Markdown),
            Format::Json => serde_json::to_string_pretty(&compared).unwrap_or_default(),
        });
        Ok(Exit::Done)
    }
}
