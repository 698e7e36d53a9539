//! `cells.csv` and `cells.parquet`, with a row for every cell in the order of the plan, and the same values in both: all
//! that must not differ from run to run.

use crate::analysis::Results;
use crate::run::{CellTable, Field, Kind, Outcome};
use crate::spec::Cell;
use crate::text::{csv_table, visible_line};
use polars::prelude::{Column, DataFrame, NamedFrom, ParquetCompression, ParquetWriter, PolarsResult, Series};
use rayon::prelude::*;

/// The number of rows that are turned into columns at a time: all rows at once would take several times the memory.
const ROWS_OF_A_PART: usize = 1 << 13;

pub fn cells_csv(results: &Results) -> csv::Result<Vec<u8>> {
    let table = CellTable::of(results.experiment);
    let rows = results.cells.iter().map(|(cell, outcome)| table.row(cell, outcome));
    let header = table.columns().into_iter().map(|column| column.name);
    csv_table(header, rows.map(|row| row.into_iter().map(|field| field.to_string())))
}

/// The same with a type for each column and nulls for missing values. The file holds no time and no version.
pub fn cells_parquet(results: &Results) -> PolarsResult<Vec<u8>> {
    let table = CellTable::of(results.experiment);
    let mut parts = results.cells.chunks(ROWS_OF_A_PART);
    let mut whole = frame(&table, parts.next().unwrap_or_default())?;
    for part in parts {
        whole.vstack_mut(&frame(&table, part)?)?;
    }
    let mut bytes = Vec::new();
    ParquetWriter::new(&mut bytes).with_compression(ParquetCompression::Snappy).finish(&mut whole)?;
    Ok(bytes)
}

fn frame(table: &CellTable, cells: &[(&Cell, &Outcome)]) -> PolarsResult<DataFrame> {
    let rows: Vec<Vec<Field>> = cells.par_iter().map(|(cell, outcome)| table.row(cell, outcome)).collect();
    let columns = table.columns().into_iter().enumerate().map(|(index, column)| {
        let fields = rows.iter().map(|row| &row[index]);
        let name = column.name.into();
        Column::from(match column.kind {
            Kind::Text => Series::new(name, fields.map(text).collect::<Vec<Option<String>>>()),
            Kind::Whole => Series::new(name, fields.map(whole).collect::<Vec<Option<i64>>>()),
            Kind::Number => Series::new(name, fields.map(number).collect::<Vec<Option<f64>>>()),
        })
    });
    DataFrame::new(rows.len(), columns.collect())
}

fn text(field: &Field) -> Option<String> {
    let text = field.to_string();
    (*field != Field::Missing).then(|| visible_line(&text).into_owned())
}

fn whole(field: &Field) -> Option<i64> {
    if let Field::Whole(number) = field { i64::try_from(*number).ok() } else { None }
}

fn number(field: &Field) -> Option<f64> {
    if let Field::Number(number) = field { Some(*number) } else { None }
}
