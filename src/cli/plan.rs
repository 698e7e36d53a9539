//! `doublepu plan`

use crate::cli::{Exit, SpecArguments, Stop, say};
use crate::harness::default_folder;
use crate::run::{Data, Store};
use crate::spec::{Cell, Experiment};
use clap::ValueEnum;
use comfy_table::{CellAlignment, Table, presets};
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub struct Plan {
    #[command(flatten)]
    spec: SpecArguments,
    /// The run folder to look into; results/runs/<experiment> if left out
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// A table by method and prior, or one JSON object a cell
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Table,
    Jsonl,
}

impl Plan {
    pub fn carry_out(&self) -> Result<Exit, Stop> {
        let experiment = self.spec.read()?;
        let data = Data::load(&experiment)?;
        let plan = data.plan(&experiment);
        let folder = self.out.clone().unwrap_or_else(|| default_folder(&experiment));
        let contents = Store::peek_resumed(&folder)?;
        let done = |cell: &Cell| contents.outcome(&cell.id).is_some_and(|outcome| outcome.is_done(&experiment.metrics));
        match self.format {
            Format::Table => say(&table(&experiment, &plan.cells, done)),
            Format::Jsonl => plan.cells.iter().for_each(|cell| say(&json(&experiment, cell, done(cell)))),
        }
        Ok(Exit::Done)
    }
}

fn table(experiment: &Experiment, cells: &[Cell], done: impl Fn(&Cell) -> bool) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["method", "setting", "prior", "cells", "done", "first cell"]);
    for line in cells.chunk_by(|a, b| a.line() == b.line()) {
        let cell = &line[0];
        table.add_row([
            experiment.methods[cell.method].label.clone(),
            experiment.settings[cell.setting].label.clone(),
            prior_name(experiment, cell).to_string(),
            line.len().to_string(),
            line.iter().filter(|cell| done(cell)).count().to_string(),
            cell.id.clone(),
        ]);
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_cell_alignment(if matches!(index, 3 | 4) { CellAlignment::Right } else { CellAlignment::Left });
    }
    let finished = cells.iter().filter(|cell| done(cell)).count();
    let body = table.lines().map(|line| line.trim_end().to_string()).collect::<Vec<_>>().join("\n");
    let left_out: String = experiment.left_out().iter().map(|sentence| format!("\n{sentence}")).collect();
    format!("{body}\n\n{} cells, {finished} done; --format jsonl lists every cell with its id{left_out}", cells.len())
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
