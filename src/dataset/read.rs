//! CSV and Parquet files, by polars.

use crate::dataset::{Column, DataError, Frame, Values, sha256};
use polars::prelude::{CsvReadOptions, DataFrame, DataType, ParquetReader, PolarsError, PolarsResult, SerReader};
use std::collections::BTreeSet;
use std::io::Cursor;
use std::path::Path;

/// Reads a CSV file (separated by comma, semicolon or tab) or a Parquet file.
pub fn read_file(path: &Path) -> Result<Frame, DataError> {
    let origin = path.display().to_string();
    let unreadable = |problem: String| {
        DataError::new(&origin, problem, "give a readable CSV or Parquet file; paths start at the spec's folder")
    };
    let metadata = std::fs::metadata(path).map_err(|error| unreadable(format!("cannot be read: {error}")))?;
    if !metadata.is_file() {
        return Err(unreadable("is not a file".to_string()));
    }
    let bytes = std::fs::read(path).map_err(|error| unreadable(format!("cannot be read: {error}")))?;
    read_bytes(&origin, &bytes)
}

/// The same for a file already in memory; `origin` is how errors call it.
pub fn read_bytes(origin: &str, bytes: &[u8]) -> Result<Frame, DataError> {
    let columns = if bytes.starts_with(b"PAR1") { parquet(origin, bytes)? } else { csv(origin, bytes)? };
    let rows = columns.first().map_or(0, |column| column.values.rows());
    if rows == 0 {
        return Err(DataError::new(origin, "holds no rows", "give a file with a header and rows below it"));
    }
    Ok(Frame { origin: origin.to_string(), sha256: sha256(bytes), rows, columns })
}

fn csv(origin: &str, bytes: &[u8]) -> Result<Vec<Column>, DataError> {
    let separator = check_header(origin, bytes)?;
    // No inference: every column is read as text, so that a label `1` or `yes` stays what it is.
    let frame = CsvReadOptions::default()
        .with_infer_schema_length(Some(0))
        .map_parse_options(|options| options.with_separator(separator))
        .into_reader_with_file_handle(Cursor::new(bytes))
        .finish()
        .map_err(|error| ragged_line(origin, bytes, separator).unwrap_or_else(|| from_polars(origin, &error)))?;
    texts_by_column(origin, &frame)
}

/// The separator: whichever of comma, semicolon and tab the header holds most of.
fn check_header(origin: &str, bytes: &[u8]) -> Result<u8, DataError> {
    let header = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let Ok(header) = std::str::from_utf8(header) else {
        return Err(DataError::new(origin, "line 1 is not UTF-8 text", "give a CSV file in UTF-8, or a Parquet file"));
    };
    let header = header.trim_start_matches('\u{feff}').trim_end_matches('\r');
    let count = |separator: u8| header.bytes().filter(|byte| *byte == separator).count();
    // max_by_key takes the last of equals: a lone column is read as comma-separated.
    let separator = [b'\t', b';', b','].into_iter().max_by_key(|separator| count(*separator)).unwrap_or(b',');
    let mut seen = BTreeSet::new();
    for name in header.split(char::from(separator)).map(|name| name.trim_matches('"')) {
        if name.is_empty() || !seen.insert(name) {
            let problem = if name.is_empty() {
                "line 1: the header names an empty column".to_string()
            } else {
                format!("line 1: the header names column `{name}` twice")
            };
            return Err(DataError::new(origin, problem, "give every column a name of its own"));
        }
    }
    Ok(separator)
}

/// polars says that some line is too long, but not which one.
fn ragged_line(origin: &str, bytes: &[u8], separator: u8) -> Option<DataError> {
    let mut reader = ::csv::ReaderBuilder::new().delimiter(separator).from_reader(bytes);
    let error = reader.byte_records().find_map(Result::err)?;
    let ::csv::ErrorKind::UnequalLengths { pos, expected_len, len } = error.kind() else { return None };
    let line = pos.as_ref().map_or(0, ::csv::Position::line);
    Some(DataError::new(
        origin,
        format!("line {line} has {len} fields where the header has {expected_len}"),
        "give every line the same number of fields; put quotes around a field that holds the separator",
    ))
}

fn from_polars(origin: &str, error: &PolarsError) -> DataError {
    // The first line says what is wrong; the rest advises on polars' own options, which nobody can set here.
    let text = error.to_string();
    let first = text.lines().next().unwrap_or_default().to_string();
    DataError::new(origin, format!("cannot be read as a table: {first}"), "give a well-formed CSV or Parquet file")
}

fn parquet(origin: &str, bytes: &[u8]) -> Result<Vec<Column>, DataError> {
    let frame = ParquetReader::new(Cursor::new(bytes)).finish().map_err(|error| from_polars(origin, &error))?;
    texts_by_column(origin, &frame)
}

fn texts_by_column(origin: &str, frame: &DataFrame) -> Result<Vec<Column>, DataError> {
    let mut columns = Vec::with_capacity(frame.width());
    for series in frame.columns() {
        let name = series.name().to_string();
        let dtype = series.dtype();
        if !(dtype.is_primitive_numeric() || matches!(dtype, DataType::Boolean | DataType::String)) {
            return Err(DataError::new(
                origin,
                format!("column `{name}` is of type {dtype}"),
                "turn it into numbers, true/false or text, or leave it out of the file",
            ));
        }
        let values = column_values(origin, &name, series).map_err(|error| from_polars(origin, &error))??;
        columns.push(Column { name, values });
    }
    Ok(columns)
}

fn column_values(
    origin: &str,
    name: &str,
    series: &polars::prelude::Column,
) -> PolarsResult<Result<Values, DataError>> {
    if series.dtype().is_primitive_numeric() {
        let numbers = series.cast(&DataType::Float64)?;
        let numbers: Vec<Option<f64>> = numbers.f64()?.iter().collect();
        return Ok(finite(origin, name, &numbers));
    }
    let texts = series.cast(&DataType::String)?;
    let texts: Vec<Option<&str>> = texts.str()?.iter().collect();
    Ok(Values::from_texts(origin, name, &texts))
}

fn finite(origin: &str, name: &str, numbers: &[Option<f64>]) -> Result<Values, DataError> {
    let finite: Vec<f64> = numbers.iter().flatten().copied().filter(|number| number.is_finite()).collect();
    if finite.len() == numbers.len() {
        return Ok(Values::Numeric(finite));
    }
    let row = numbers.iter().position(|number| !number.is_some_and(f64::is_finite)).unwrap_or_default();
    Err(DataError::new(
        origin,
        format!("row {}: column `{name}` holds no finite number", row + 1),
        "fill or drop that row, or leave the column out of the file",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use polars::prelude::{NamedFrom, ParquetWriter, Series};

    #[test]
    fn reads_comma_semicolon_and_tab_and_either_line_end() {
        for (separator, end) in [(",", "\n"), (";", "\r\n"), ("\t", "\n")] {
            let text = [["age", "\"job\""], ["31", "\"clerk\""], ["62", "\"retired\""]]
                .map(|row| row.join(separator))
                .join(end);
            let frame = read_bytes("people.csv", text.as_bytes()).unwrap();
            assert_eq!(frame.rows, 2);
            assert!(matches!(&frame.columns[0].values, Values::Numeric(ages) if ages == &[31.0, 62.0]));
            let Values::Categorical { levels, .. } = &frame.columns[1].values else { panic!() };
            assert_eq!(levels, &["clerk", "retired"]);
        }
    }

    #[test]
    fn parquet_gives_the_same_columns_as_csv() {
        let mut frame = DataFrame::new(
            2,
            vec![
                Series::new("age".into(), [31i64, 62]).into(),
                Series::new("job".into(), ["clerk", "retired"]).into(),
                Series::new("loyal".into(), [true, false]).into(),
            ],
        )
        .unwrap();
        let mut bytes = Vec::new();
        ParquetWriter::new(&mut bytes).finish(&mut frame).unwrap();
        let parquet = read_bytes("people.parquet", &bytes).unwrap();
        let csv = read_bytes("people.csv", b"age,job,loyal\n31,clerk,true\n62,retired,false\n").unwrap();
        assert_eq!(format!("{:?}", parquet.columns), format!("{:?}", csv.columns));
    }

    #[test]
    fn a_long_line_is_named() {
        let error = read_bytes("people.csv", b"age,job\n31,clerk\n62,retired,extra\n").unwrap_err();
        assert!(error.problem.contains("line 3 has 3 fields where the header has 2"), "{error}");
    }

    #[test]
    fn empty_files_and_repeated_columns_are_refused() {
        for (text, expected) in
            [("", "empty column"), ("age,job\n", "no rows"), ("age,age\n1,2\n", "column `age` twice")]
        {
            let error = read_bytes("people.csv", text.as_bytes()).unwrap_err();
            assert!(error.problem.contains(expected), "{text:?}: {error}");
        }
    }
}
