//! CSV and Parquet files, by polars.

use crate::caught::caught;
use crate::dataset::{DataError, Frame, RawColumn, Values, sha256};
use polars::prelude::{CsvReadOptions, DataFrame, DataType, ParquetReader, PolarsError, PolarsResult, SerReader};
use std::collections::BTreeSet;
use std::io::Cursor;
use std::path::Path;

/// Reads a CSV file (separated by comma, semicolon or tab) or a Parquet file.
pub fn read_file(path: &Path) -> Result<Frame, DataError> {
    read_bytes(&path.display().to_string(), &file_bytes(path)?)
}

/// A file larger than this is not a table that fits into memory.
const MAX_BYTES: u64 = 4 << 30;
/// A packed file may hold far more than its size tells.
const MAX_VALUES: usize = 200_000_000;

/// The bytes of a regular file.
pub fn file_bytes(path: &Path) -> Result<Vec<u8>, DataError> {
    let unreadable = |problem: String| {
        let remedy = "give a readable CSV or Parquet file; in a spec, paths start at the spec's folder";
        DataError::new(&path.display().to_string(), problem, remedy)
    };
    let metadata = std::fs::metadata(path).map_err(|error| unreadable(format!("cannot be read: {error}")))?;
    if !metadata.is_file() {
        return Err(unreadable("is not a file".to_string()));
    }
    if metadata.len() > MAX_BYTES {
        let problem = format!("has {} bytes, where a data file may have {MAX_BYTES}", metadata.len());
        return Err(DataError::new(&path.display().to_string(), problem, "give fewer rows or columns"));
    }
    std::fs::read(path).map_err(|error| unreadable(format!("cannot be read: {error}")))
}

/// The same for a file already in memory; `origin` is how errors call it.
pub fn read_bytes(origin: &str, bytes: &[u8]) -> Result<Frame, DataError> {
    let read = || if bytes.starts_with(b"PAR1") { parquet(origin, bytes) } else { csv(origin, bytes) };
    // polars panics on some types that it was not built for, and on some damaged files.
    let (rows, columns) = caught(read).unwrap_or_else(|message| {
        let remedy = "give a well-formed file whose columns are numbers, true/false or text";
        Err(DataError::new(origin, format!("cannot be read as a table: {message}"), remedy))
    })?;
    if rows == 0 {
        return Err(DataError::new(origin, "holds no rows", "give a file with a header and rows below it"));
    }
    Ok(Frame { origin: origin.to_string(), sha256: sha256(bytes), rows, columns })
}

type Columns = (usize, Vec<RawColumn>);

fn csv(origin: &str, bytes: &[u8]) -> Result<Columns, DataError> {
    let end = bytes.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r')).map_or(0, |last| last + 1);
    let bytes = &bytes[..end];
    if bytes.trim_ascii().is_empty() {
        return Err(DataError::new(origin, "is empty", "give a file with a header and rows below it"));
    }
    check_text(origin, bytes)?;
    let separator = separator(bytes);
    let lines = check_lines(origin, bytes, separator)?;
    // No inference: every column is read as text, so that a label `1` or `yes` stays what it is.
    let frame = CsvReadOptions::default()
        .with_infer_schema_length(Some(0))
        .map_parse_options(|options| options.with_separator(separator))
        .into_reader_with_file_handle(Cursor::new(bytes))
        .finish()
        .map_err(|error| from_polars(origin, &error))?;
    if frame.height() != lines.len() {
        return Err(DataError::new(origin, "holds blank lines among its rows", "remove the blank lines"));
    }
    columns(origin, &frame, |row| format!("line {}", lines[row]))
}

/// The line at which a byte stands, counted from 1.
pub fn line_of(bytes: &[u8], place: usize) -> usize {
    bytes[..place].iter().filter(|byte| **byte == b'\n').count() + 1
}

fn check_text(origin: &str, bytes: &[u8]) -> Result<(), DataError> {
    let wrong = |place: usize, problem: &str| {
        let problem = format!("line {} {problem}", line_of(bytes, place));
        Err(DataError::new(origin, problem, "give a CSV file in UTF-8, or Parquet"))
    };
    if let Err(error) = std::str::from_utf8(bytes) {
        return wrong(error.valid_up_to(), "is not UTF-8 text");
    }
    if let Some(place) = bytes.iter().position(|byte| *byte == 0) {
        return wrong(place, "holds a NUL byte, which is no text");
    }
    if bytes.contains(&b'\r') && !bytes.contains(&b'\n') {
        return wrong(0, "is the only one: lines end in CR alone, which is not understood");
    }
    Ok(())
}

/// Whichever of comma, semicolon and tab gives the header the most fields.
fn separator(bytes: &[u8]) -> u8 {
    let fields = |separator: &u8| {
        let mut reader = ::csv::ReaderBuilder::new().delimiter(*separator).from_reader(bytes);
        reader.byte_headers().map_or(0, ::csv::ByteRecord::len)
    };
    // max_by_key takes the last of equals: a lone column is read as comma-separated.
    [b'\t', b';', b','].into_iter().max_by_key(fields).unwrap_or(b',')
}

/// The line at which each row starts, if every row is as long as the header and every column has a name of its own.
///
/// polars would fill a short row up, and would not say which line is too long.
fn check_lines(origin: &str, bytes: &[u8], separator: u8) -> Result<Vec<u64>, DataError> {
    let mut reader = ::csv::ReaderBuilder::new().delimiter(separator).from_reader(bytes);
    let mut seen = BTreeSet::new();
    for name in reader.headers().map_err(|error| ragged_line(origin, &error))? {
        let name = name.trim_start_matches('\u{feff}');
        let problem = if name.is_empty() {
            Some("the header names an empty column".to_string())
        } else if name.chars().any(char::is_control) {
            Some(format!("the header names column `{name}`, with a control character"))
        } else {
            (!seen.insert(name.to_string())).then(|| format!("the header names column `{name}` twice"))
        };
        if let Some(problem) = problem {
            return Err(DataError::new(origin, format!("line 1: {problem}"), "give every column a name of its own"));
        }
    }
    let mut lines = Vec::new();
    let mut record = ::csv::ByteRecord::new();
    loop {
        match reader.read_byte_record(&mut record) {
            Ok(false) => return Ok(lines),
            Ok(true) => lines.push(record.position().map_or(0, ::csv::Position::line)),
            Err(error) => return Err(ragged_line(origin, &error)),
        }
    }
}

fn ragged_line(origin: &str, error: &::csv::Error) -> DataError {
    let ::csv::ErrorKind::UnequalLengths { pos, expected_len, len } = error.kind() else {
        return DataError::new(origin, format!("cannot be read as CSV: {error}"), "give a well-formed CSV file");
    };
    let line = pos.as_ref().map_or(0, ::csv::Position::line);
    DataError::new(
        origin,
        format!("line {line} has {len} fields where the header has {expected_len}"),
        "give every line the same number of fields; put quotes around a field that holds the separator",
    )
}

fn from_polars(origin: &str, error: &PolarsError) -> DataError {
    // The first line says what is wrong; the rest advises on polars' own options, which nobody can set here.
    let text = error.to_string();
    let first = text.lines().next().unwrap_or_default().to_string();
    if first.contains("malformed") || first.contains("could not parse") {
        let problem = "a quotation mark stands within a field, so that its end cannot be told";
        return DataError::new(origin, problem, "put quotes around the whole field, and double those within it");
    }
    DataError::new(origin, format!("cannot be read as a table: {first}"), "give a well-formed CSV or Parquet file")
}

fn parquet(origin: &str, bytes: &[u8]) -> Result<Columns, DataError> {
    let mut reader = ParquetReader::new(Cursor::new(bytes));
    // What the end of the file says of its rows need not be what its parts say.
    let size = reader.get_metadata().map(|metadata| {
        let parts: usize = metadata.row_groups.iter().map(|group| group.num_rows()).fold(0, usize::saturating_add);
        (metadata.num_rows.max(parts), metadata.schema_descr.columns().len())
    });
    let (rows, width) = size.map_err(|error| from_polars(origin, &error))?;
    if rows.saturating_mul(width) > MAX_VALUES {
        let problem = format!("holds {rows} rows of {width} columns, where a file may hold {MAX_VALUES} values");
        return Err(DataError::new(origin, problem, "give fewer rows or columns"));
    }
    let frame = reader.finish().map_err(|error| from_polars(origin, &error))?;
    columns(origin, &frame, |row| format!("row {}", row + 1))
}

/// `place` tells people where a row stands in the file.
fn columns(origin: &str, frame: &DataFrame, place: impl Fn(usize) -> String) -> Result<Columns, DataError> {
    let mut columns = Vec::with_capacity(frame.width());
    for series in frame.columns() {
        let name = series.name().to_string();
        let values = match series.dtype() {
            DataType::Boolean | DataType::String | DataType::Categorical(..) => {
                series.cast(&DataType::String).and_then(|column| {
                    // A field of nothing but blanks says no more than an empty one, with quotes or without.
                    let told = |text: &&str| !text.trim().is_empty();
                    let texts: Vec<Option<&str>> = column.str()?.iter().map(|text| text.filter(told)).collect();
                    Ok(Values::from_texts(origin, &name, &texts, &place))
                })
            }
            dtype if dtype.is_primitive_numeric() => {
                numbers(series).map(|numbers| finite(origin, &name, &numbers, &place))
            }
            dtype => Ok(Err(DataError::new(
                origin,
                format!("column `{name}` is of type {dtype}"),
                format!("turn it into numbers, true/false or text, or add `{name}` to `features.exclude`"),
            ))),
        };
        columns.push(RawColumn { name, values: values.map_err(|error| from_polars(origin, &error))? });
    }
    Ok((frame.height(), columns))
}

fn numbers(series: &polars::prelude::Column) -> PolarsResult<Vec<Option<f64>>> {
    Ok(series.cast(&DataType::Float64)?.f64()?.iter().collect())
}

fn finite(
    origin: &str,
    name: &str,
    numbers: &[Option<f64>],
    place: impl Fn(usize) -> String,
) -> Result<Values, DataError> {
    let finite: Vec<f64> = numbers.iter().flatten().copied().filter(|number| number.is_finite()).collect();
    if finite.len() == numbers.len() {
        return Ok(Values::Numeric(finite));
    }
    let row = numbers.iter().position(|number| !number.is_some_and(f64::is_finite)).unwrap_or_default();
    Err(DataError::new(
        origin,
        format!("{}: column `{name}` holds no finite number", place(row)),
        format!("fill or drop that row, or add `{name}` to `features.exclude`"),
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
            assert!(matches!(&frame.columns[0].values, Ok(Values::Numeric(ages)) if ages == &[31.0, 62.0]));
            let Ok(Values::Categorical { levels, .. }) = &frame.columns[1].values else { panic!() };
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
    fn a_long_or_short_line_is_named_also_behind_a_field_of_two_lines() {
        for (text, expected) in [
            ("age,job\n31,clerk\n62,retired,extra\n", "line 3 has 3 fields where the header has 2"),
            ("age,job\n31,clerk\n62\n", "line 3 has 1 fields where the header has 2"),
            ("age,job\n31,\"a\nb\"\n62\n", "line 4 has 1 fields where the header has 2"),
        ] {
            let error = read_bytes("people.csv", text.as_bytes()).unwrap_err();
            assert!(error.problem.contains(expected), "{error}");
        }
    }

    #[test]
    fn blank_lines_at_the_end_are_nothing_and_names_may_hold_the_separator() {
        let frame = read_bytes("people.csv", b"\"age,now\",job\n31,clerk\n62,retired\n\n\n").unwrap();
        assert_eq!((frame.rows, frame.columns[0].name.as_str()), (2, "age,now"));
        assert!(matches!(frame.columns[0].values, Ok(Values::Numeric(_))));
    }

    #[test]
    fn empty_files_and_repeated_columns_are_refused() {
        for (text, expected) in [
            ("", "is empty"),
            ("age,,job\n1,2,3\n", "empty column"),
            ("age,job\n", "no rows"),
            ("age,age\n1,2\n", "column `age` twice"),
            ("age,job\n1,a\0b\n", "line 2 holds a NUL byte"),
            ("age,job\r1,a\r", "lines end in CR alone"),
            ("age,j\x1bob\n1,a\n", "column `j\u{fffd}ob`, with a control character"),
            ("age,job\n1,5\" pipe\n2,a\n", "a quotation mark stands within a field"),
        ] {
            let error = read_bytes("people.csv", text.as_bytes()).unwrap_err();
            assert!(error.problem.contains(expected), "{text:?}: {error}");
        }
    }

    #[test]
    fn the_last_field_of_the_last_line_may_be_empty_and_quotes_around_nothing_are_nothing() {
        let frame = read_bytes("people.tsv", b"age\tjob\n31\tclerk\n62\t\n").unwrap();
        let Ok(Values::Categorical { levels, .. }) = &frame.columns[1].values else { panic!() };
        assert_eq!(levels, &["(empty)", "clerk"]);
        let frame = read_bytes("people.csv", b"age,job\n31,clerk\n62,\"\"\n63,\" \"\n64,\n").unwrap();
        let Ok(Values::Categorical { codes, levels }) = &frame.columns[1].values else { panic!() };
        assert_eq!((&codes[..], &levels[..]), (&[1, 0, 0, 0][..], &["(empty)".to_string(), "clerk".to_string()][..]));
    }

    #[test]
    fn what_is_not_utf_8_is_named_with_its_line() {
        let error = read_bytes("people.csv", b"age,job\n1,clerk\n2,caf\xe9\n").unwrap_err();
        assert_eq!(error.problem, "line 3 is not UTF-8 text");
        let utf_16: Vec<u8> = "age,job\n1,a\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read_bytes("people.csv", &utf_16).unwrap_err().problem, "line 1 holds a NUL byte, which is no text");
    }
}
