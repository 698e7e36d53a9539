//! Reads data files: CSV text, plain or compressed, and Parquet.

use crate::caught::caught;
use crate::data::csv::{csv, rows_of_a_part};
use crate::data::parquet::parquet;
use crate::data::schema::{ColumnType, ColumnTypes};
use crate::data::source::{file_bytes, unpacked};
use crate::data::{DataError, Frame, sha256};
use polars::prelude::{CsvReadOptions, PolarsError, SerReader};
use std::io::Cursor;
use std::path::Path;

/// What a spec says about a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Texts that count as missing, besides the usual ones.
    pub missing: Vec<String>,
    pub types: ColumnTypes,
    /// Columns that are not needed.
    pub unused: Vec<String>,
}

impl Reading {
    pub fn needs(&self, column: &str) -> bool {
        self.types.get(column) != Some(&ColumnType::Identifier) && !self.unused.iter().any(|name| name == column)
    }
}

/// Reads a file as a spec says.
pub fn read_file(path: &Path, reading: &Reading) -> Result<Frame, DataError> {
    read_as(&path.display().to_string(), &file_bytes(path)?, reading)
}

/// Reads a file in memory, which errors call `origin`.
pub fn read_bytes(origin: &str, bytes: &[u8]) -> Result<Frame, DataError> {
    read_as(origin, bytes, &Reading::default())
}

/// The same as a spec says.
pub fn read_as(origin: &str, bytes: &[u8], reading: &Reading) -> Result<Frame, DataError> {
    let unpacked = unpacked(origin, bytes)?;
    let read = || match unpacked.starts_with(b"PAR1") {
        true => parquet(origin, &unpacked, reading),
        false => csv(origin, &unpacked, reading, rows_of_a_part),
    };
    // polars panics on some damaged files.
    let (rows, places, columns) = caught(read).unwrap_or_else(|message| {
        let remedy = "give a well-formed file whose columns are numbers, dates, true/false or text";
        Err(DataError::new(origin, format!("cannot be read as a table: {message}"), remedy))
    })?;
    if rows == 0 {
        return Err(DataError::new(origin, "holds no rows", "give a file with a header and rows below it"));
    }
    Ok(Frame { origin: origin.to_string(), sha256: sha256(bytes), rows, places, columns, is_built_in: false })
}

/// Starts the threads of polars, which panics if it cannot start them when it reads the first file.
pub fn start_reading_threads() -> Result<(), String> {
    caught(|| CsvReadOptions::default().into_reader_with_file_handle(Cursor::new(b"a\n1\n")).finish())
        .and_then(|frame| frame.map(drop).map_err(|error| error.to_string()))
}

pub fn from_polars(origin: &str, error: &PolarsError) -> DataError {
    // The first line states the problem; the rest suggests polars options, which users cannot set here.
    let text = error.to_string();
    let first = text.lines().next().unwrap_or_default().to_string();
    DataError::new(origin, format!("cannot be read as a table: {first}"), "give a well-formed CSV or Parquet file")
}
