//! `doublepu plan`

use crate::cli::{Exit, SpecArguments, Stop, say};
use crate::harness::default_folder;
use crate::run::{Data, DataFile, RunError, Store};
use crate::spec::{self, Cell, Experiment};
use crate::text::{TextTable, counted};
use clap::ValueEnum;
use std::path::PathBuf;

/// What fits on a screen.
const MOST_ROWS: usize = 40;

#[derive(Debug, clap::Args)]
pub struct Plan {
    #[command(flatten)]
    spec: SpecArguments,
    /// The run folder [default: results/runs/<experiment>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print a table by method and prior, or one JSON object per cell
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Table,
    Jsonl,
}

impl Plan {
    pub fn execute(&self) -> Result<Exit, Stop> {
        let mut experiment = spec::read(&self.spec.spec, &self.spec.set)?;
        let folder = self.out.clone().unwrap_or_else(|| default_folder(&experiment));
        self.spec.find_data(&mut experiment, &folder)?;
        let data = Data::load(&experiment).map_err(RunError::from)?;
        let plan = data.plan(&experiment);
        let contents = Store::peek_resumed(&folder)?;
        let done = |cell: &Cell| contents.outcome(&cell.id).is_some_and(|outcome| outcome.is_done(&experiment.metrics));
        match self.format {
            Format::Table => {
                data.files().iter().for_each(|file| say(&format!("{}\n", schema_text(file))));
                say(&table(&experiment, &plan.cells, done));
            }
            Format::Jsonl => plan.cells.iter().for_each(|cell| say(&json(&experiment, cell, done(cell)))),
        }
        Ok(Exit::Done)
    }
}

/// The columns of a file; after the first table, only those that other settings use differently.
pub fn schema_text(file: &DataFile) -> String {
    let mut text = format!("{}, {}", file.name, counted(file.rows, "row"));
    for (index, schema) in file.schema.iter().enumerate() {
        let columns = schema.feature_columns();
        let table = if index == 0 { schema.table() } else { schema.differences(&file.schema[0]).table() };
        if index > 0 {
            text += &format!("\n{}", schema.settings.join("; "));
        }
        text += &format!("\n{}\n{columns} feature columns, if every category occurs in training", table.terminal());
    }
    text
}

fn table(experiment: &Experiment, cells: &[Cell], done: impl Fn(&Cell) -> bool) -> String {
    let count = |cells: &[Cell]| cells.iter().filter(|cell| done(cell)).count();
    let row = |line: &[Cell]| {
        vec![
            experiment.methods[line[0].method].label.clone(),
            experiment.settings[line[0].setting].label.clone(),
            prior_name(experiment, &line[0]).to_string(),
            line.len().to_string(),
            count(line).to_string(),
            line[0].id.clone(),
        ]
    };
    let header = ["method", "setting", "prior", "cells", "done", "first cell"].map(String::from).to_vec();
    let rows = cells.chunk_by(|a, b| a.line() == b.line()).map(row).collect();
    let mut table = TextTable { header, rows, words: 3 };
    let others = table.keep(&(0..MOST_ROWS).collect::<Vec<_>>());
    let others = if others > 0 { format!("\nand {}", counted(others, "more row")) } else { String::new() };
    let table = table.terminal() + &others;
    let left_out: String = experiment.left_out().iter().map(|sentence| format!("\n{sentence}")).collect();
    let (all, done) = (cells.len(), count(cells));
    format!("{table}\n\n{all} cells, {done} done; --format jsonl lists every cell with its id{left_out}")
}

fn prior_name<'a>(experiment: &'a Experiment, cell: &Cell) -> &'a str {
    cell.prior.map_or("-", |prior| &experiment.priors[prior].name)
}

fn json(experiment: &Experiment, cell: &Cell, done: bool) -> String {
    serde_json::json!({
        "cell": cell.id,
        "setting": experiment.settings[cell.setting].label,
        "method": experiment.methods[cell.method].label,
        "prior": prior_name(experiment, cell),
        "seed": cell.seed,
        "done": done,
    })
    .to_string()
}
