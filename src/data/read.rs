//! Reads CSV and Parquet files with polars.

use crate::caught::caught;
use crate::data::{DataError, Frame, RawColumn, TextColumn, Values, sha256};
use polars::prelude::{
    Column, CsvReadOptions, DataFrame, DataType, Field, ParquetReader, PolarsError, PolarsResult, SerReader,
};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

/// Reads a CSV file (separated by comma, semicolon or tab) or a Parquet file.
pub fn read_file(path: &Path) -> Result<Frame, DataError> {
    read_bytes(&path.display().to_string(), &file_bytes(path)?)
}

/// The largest data file: the table of a larger one does not fit into memory.
const MAX_BYTES: u64 = 4 << 30;
/// The largest number of values: a compressed file may hold far more than its size suggests.
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
        let problem = format!("has {} bytes, but a data file may have at most {MAX_BYTES}", metadata.len());
        return Err(DataError::new(&path.display().to_string(), problem, "give fewer rows or columns"));
    }
    std::fs::read(path).map_err(|error| unreadable(format!("cannot be read: {error}")))
}

/// The same for a file in memory, which errors call `origin`.
pub fn read_bytes(origin: &str, bytes: &[u8]) -> Result<Frame, DataError> {
    let read = || if bytes.starts_with(b"PAR1") { parquet(origin, bytes) } else { csv(origin, bytes, ROWS_OF_A_PART) };
    // polars panics on some types that are not compiled in, and on some damaged files.
    let (rows, columns) = caught(read).unwrap_or_else(|message| {
        let remedy = "give a well-formed file whose columns are numbers, true/false or text";
        Err(DataError::new(origin, format!("cannot be read as a table: {message}"), remedy))
    })?;
    if rows == 0 {
        return Err(DataError::new(origin, "holds no rows", "give a file with a header and rows below it"));
    }
    Ok(Frame { origin: origin.to_string(), sha256: sha256(bytes), rows, columns })
}

/// Starts the threads of polars, which panics if it cannot start them when it reads the first file.
pub fn start_reading_threads() -> Result<(), String> {
    caught(|| CsvReadOptions::default().into_reader_with_file_handle(Cursor::new(b"a\n1\n")).finish())
        .and_then(|frame| frame.map(drop).map_err(|error| error.to_string()))
}

type Columns = (usize, Vec<RawColumn>);

/// The number of rows of a CSV file that polars reads at a time.
///
/// Texts take more memory than the file, and each new page costs a page fault: 10^7 rows at once took 51 s (17 s of it
/// in the system) and 5 GB; in parts they take 31 s and 2 GB.
const ROWS_OF_A_PART: usize = 1 << 14;

fn csv(origin: &str, bytes: &[u8], rows_of_a_part: usize) -> Result<Columns, DataError> {
    let end = bytes.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r')).map_or(0, |last| last + 1);
    let bytes = &bytes[..end];
    if bytes.trim_ascii().is_empty() {
        return Err(DataError::new(origin, "is empty", "give a file with a header and rows below it"));
    }
    check_text(origin, bytes)?;
    let text = CsvText::new(origin, bytes, rows_of_a_part)?;
    let mut columns: Vec<TextColumn> = text.names.iter().map(|_| TextColumn::default()).collect();
    let mut due: Vec<(usize, &mut TextColumn)> = columns.iter_mut().enumerate().collect();
    while !due.is_empty() {
        for part in 0..text.parts.len() {
            let frame = text.read(part)?;
            let add = |(index, column): &mut (usize, &mut TextColumn)| -> PolarsResult<()> {
                column.add(&texts(&frame.columns()[*index])?);
                Ok(())
            };
            due.par_iter_mut().try_for_each(add).map_err(|error| from_polars(origin, &error))?;
        }
        due.retain_mut(|(_, column)| column.begins_again());
    }
    let location = |row: usize| format!("line {}", text.lines[row]);
    let finished = |(column, name): (TextColumn, &String)| {
        let values = column.values(origin, name, location).map(Arc::new);
        RawColumn { name: name.clone(), values }
    };
    Ok((text.lines.len(), columns.into_iter().zip(&text.names).map(finished).collect()))
}

/// A CSV file whose rows all have as many fields as the header.
struct CsvText<'a> {
    origin: &'a str,
    bytes: &'a [u8],
    separator: u8,
    names: Vec<String>,
    /// The line at which each row starts.
    lines: Vec<u64>,
    rows_of_a_part: usize,
    /// The byte at which each part starts.
    parts: Vec<usize>,
}

impl<'a> CsvText<'a> {
    /// Checks the rows, because polars pads short rows and does not report which line is too long.
    fn new(origin: &'a str, bytes: &'a [u8], rows_of_a_part: usize) -> Result<Self, DataError> {
        let separator = separator(bytes);
        let mut reader = ::csv::ReaderBuilder::new().delimiter(separator).from_reader(bytes);
        let header = reader.headers().map_err(|error| ragged_line(origin, bytes, &error))?;
        let names: Vec<String> = header.iter().map(|name| name.trim_start_matches('\u{feff}').to_string()).collect();
        check_names(origin, &names)?;
        let (mut lines, mut parts) = (Vec::new(), Vec::new());
        let mut record = ::csv::ByteRecord::new();
        while reader.read_byte_record(&mut record).map_err(|error| ragged_line(origin, bytes, &error))? {
            let (start, line) = record.position().map_or((0, 0), |position| start_of_row(bytes, position));
            if matches!(bytes[start], b'\n' | b'\r') {
                return Err(DataError::new(origin, format!("line {line} is blank"), "remove blank lines"));
            }
            if lines.len() % rows_of_a_part == 0 {
                parts.push(start);
            }
            lines.push(line);
        }
        Ok(CsvText { origin, bytes, separator, names, lines, rows_of_a_part, parts })
    }

    /// Reads every column as text, without inference, so that a label `1` or `yes` stays as it is.
    fn read(&self, part: usize) -> Result<DataFrame, DataError> {
        let end = self.parts.get(part + 1).copied().unwrap_or(self.bytes.len());
        let rows = (self.lines.len() - part * self.rows_of_a_part).min(self.rows_of_a_part);
        let schema = self.names.iter().map(|name| Field::new(name.into(), DataType::String)).collect();
        let frame = CsvReadOptions::default()
            .with_has_header(false)
            .with_schema(Some(Arc::new(schema)))
            .map_parse_options(|options| options.with_separator(self.separator))
            .into_reader_with_file_handle(Cursor::new(&self.bytes[self.parts[part]..end]))
            .finish();
        match frame {
            Ok(frame) if frame.height() == rows => Ok(frame),
            _ => Err(self.misread(part)),
        }
    }

    /// The error for a part in which polars finds other rows or fields than [`CsvText::new`] counted.
    fn misread(&self, part: usize) -> DataError {
        let first = part * self.rows_of_a_part;
        let rows = (first..self.lines.len()).take(self.rows_of_a_part);
        let starts = CsvText::new(self.origin, self.bytes, 1).map_or(Vec::new(), |text| text.parts);
        let is_odd = |row: &usize| {
            let end = starts.get(row + 1).copied().unwrap_or(self.bytes.len());
            starts.get(*row).is_some_and(|start| has_odd_end(&self.bytes[*start..end], self.separator))
        };
        let line = self.lines[rows.clone().find(is_odd).unwrap_or(first)];
        let problem = format!("line {line} holds a quotation mark within a field, or a CR without LF");
        let remedy = "put quotes around the whole field and double those within it; end lines with LF or CRLF";
        DataError::new(self.origin, problem, remedy)
    }
}

/// Whether a row ends in CR alone, or has a quotation mark in a field without quotes, or text after a closing quote.
fn has_odd_end(row: &[u8], separator: u8) -> bool {
    let (mut is_start, mut is_quoted, mut is_open) = (true, false, false);
    for byte in row {
        match byte {
            b'"' if is_quoted => is_open = !is_open,
            b'"' if is_start => (is_quoted, is_open) = (true, true),
            b'"' => return true,
            _ if is_open => {}
            b'\r' | b'\n' => {}
            byte if *byte == separator => {
                (is_start, is_quoted) = (true, false);
                continue;
            }
            _ if is_quoted => return true,
            _ => {}
        }
        is_start = false;
    }
    row.ends_with(b"\r")
}

/// The byte and the line at which a row starts. After CRLF, the reader's position is between the two bytes.
fn start_of_row(bytes: &[u8], position: &::csv::Position) -> (usize, u64) {
    let (start, line) = (position.byte() as usize, position.line());
    let is_between = start > 0 && bytes[start - 1] == b'\r' && bytes.get(start) == Some(&b'\n');
    if is_between { (start + 1, line + 1) } else { (start, line) }
}

fn check_names(origin: &str, names: &[String]) -> Result<(), DataError> {
    let mut seen = BTreeSet::new();
    for name in names {
        let problem = if name.is_empty() {
            "an empty column".to_string()
        } else if name.chars().any(char::is_control) {
            format!("column `{name}`, with a control character")
        } else if !seen.insert(name) {
            format!("column `{name}` twice")
        } else {
            continue;
        };
        let problem = format!("line 1: the header names {problem}");
        return Err(DataError::new(origin, problem, "give every column a unique name without control characters"));
    }
    Ok(())
}

/// The line of a byte, counted from 1.
pub fn line_of(bytes: &[u8], position: usize) -> usize {
    bytes[..position].iter().filter(|byte| **byte == b'\n').count() + 1
}

fn check_text(origin: &str, bytes: &[u8]) -> Result<(), DataError> {
    let wrong = |position: usize, problem: &str| {
        let problem = format!("line {} {problem}", line_of(bytes, position));
        Err(DataError::new(origin, problem, "give a CSV file in UTF-8, or Parquet"))
    };
    if let Err(error) = std::str::from_utf8(bytes) {
        return wrong(error.valid_up_to(), "is not UTF-8 text");
    }
    // `contains` compares eight bytes at a time.
    if bytes.contains(&0) {
        let position = bytes.iter().take_while(|byte| **byte != 0).count();
        return wrong(position, "holds a NUL byte, which is not text");
    }
    if bytes.contains(&b'\r') && !bytes.contains(&b'\n') {
        return wrong(0, "is the only line: lines that end in CR alone are not supported");
    }
    Ok(())
}

/// The separator (comma, semicolon or tab) with which the header has the most fields.
fn separator(bytes: &[u8]) -> u8 {
    let fields = |separator: &u8| {
        let mut reader = ::csv::ReaderBuilder::new().delimiter(*separator).from_reader(bytes);
        reader.byte_headers().map_or(0, ::csv::ByteRecord::len)
    };
    // max_by_key returns the last of equals: a single column is read as comma-separated.
    [b'\t', b';', b','].into_iter().max_by_key(fields).unwrap_or(b',')
}

fn ragged_line(origin: &str, bytes: &[u8], error: &::csv::Error) -> DataError {
    let ::csv::ErrorKind::UnequalLengths { pos, expected_len, len } = error.kind() else {
        return DataError::new(origin, format!("cannot be read as CSV: {error}"), "give a well-formed CSV file");
    };
    let line = pos.as_ref().map_or(0, |position| start_of_row(bytes, position).1);
    DataError::new(
        origin,
        format!("line {line} has {len} fields where the header has {expected_len}"),
        "give every line the same number of fields; put quotes around a field that holds the separator",
    )
}

fn from_polars(origin: &str, error: &PolarsError) -> DataError {
    // The first line states the problem; the rest suggests polars options, which users cannot set here.
    let text = error.to_string();
    let first = text.lines().next().unwrap_or_default().to_string();
    DataError::new(origin, format!("cannot be read as a table: {first}"), "give a well-formed CSV or Parquet file")
}

fn parquet(origin: &str, bytes: &[u8]) -> Result<Columns, DataError> {
    let mut reader = ParquetReader::new(Cursor::new(bytes));
    // The footer and the row groups may state different numbers of rows.
    let size = reader.get_metadata().map(|metadata| {
        let parts: usize = metadata.row_groups.iter().map(|group| group.num_rows()).fold(0, usize::saturating_add);
        (metadata.num_rows.max(parts), metadata.schema_descr.columns().len())
    });
    let (rows, width) = size.map_err(|error| from_polars(origin, &error))?;
    if rows.saturating_mul(width) > MAX_VALUES {
        let problem = format!("holds {rows} rows of {width} columns, but a file may hold at most {MAX_VALUES} values");
        return Err(DataError::new(origin, problem, "give fewer rows or columns"));
    }
    let frame = reader.finish().map_err(|error| from_polars(origin, &error))?;
    let column =
        |series: &Column| RawColumn { name: series.name().to_string(), values: values(origin, series).map(Arc::new) };
    Ok((frame.height(), frame.columns().iter().map(column).collect()))
}

/// The values of a column of a Parquet file.
fn values(origin: &str, series: &Column) -> Result<Values, DataError> {
    let (name, location) = (series.name(), |row: usize| format!("row {}", row + 1));
    let from_polars = |error: PolarsError| from_polars(origin, &error);
    match series.dtype() {
        DataType::Boolean | DataType::String | DataType::Categorical(..) => {
            let series = series.cast(&DataType::String).map_err(from_polars)?;
            let mut column = TextColumn::default();
            column.add(&texts(&series).map_err(from_polars)?);
            column.values(origin, name, location)
        }
        dtype if dtype.is_primitive_numeric() => {
            let series = series.cast(&DataType::Float64).map_err(from_polars)?;
            let numbers: Vec<Option<f64>> = series.f64().map_err(from_polars)?.iter().collect();
            let is_finite = |number: &Option<f64>| number.is_some_and(f64::is_finite);
            match numbers.iter().position(|number| !is_finite(number)) {
                None => Ok(Values::Numeric(numbers.into_iter().flatten().collect())),
                Some(row) => Err(DataError::new(
                    origin,
                    format!("{}: column `{name}` holds no finite number", location(row)),
                    format!("fill or drop that row, or add `{name}` to `features.exclude`"),
                )),
            }
        }
        dtype => Err(DataError::new(
            origin,
            format!("column `{name}` has the type {dtype}, which is not supported"),
            format!("convert it to numbers, true/false or text, or add `{name}` to `features.exclude`"),
        )),
    }
}

/// The texts of a column. A blank field counts as empty, with quotes or without.
fn texts(series: &Column) -> PolarsResult<Vec<Option<&str>>> {
    let is_given =
        |text: &&str| text.bytes().next().is_some_and(|byte| byte.is_ascii_graphic()) || !text.trim().is_empty();
    Ok(series.str()?.iter().map(|text| text.filter(is_given)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use polars::prelude::{NamedFrom, ParquetWriter, Series};

    fn values(frame: &Frame, column: usize) -> &Values {
        frame.columns[column].values.as_ref().unwrap()
    }

    /// A part may end in quotes over two lines, an empty field, or a column that is numeric up to there.
    #[test]
    fn the_parts_in_which_a_file_is_read_do_not_matter() {
        let lines =
            ["\u{feff}age,\"j\"\"ob\",n", "31,\"a\nb\",1", "32,\"c,d\",2", "33,,3", "34,e,x", "35,\"\",", "36,f,\"\""];
        for end in ["\n", "\r\n"] {
            let text = lines.join(end);
            let whole = csv("people.csv", text.as_bytes(), 100).unwrap();
            let names: Vec<&str> = whole.1.iter().map(|column| column.name.as_str()).collect();
            assert_eq!((whole.0, &names[..]), (6, &["age", "j\"ob", "n"][..]));
            for rows in 1..7 {
                let parts = csv("people.csv", text.as_bytes(), rows).unwrap();
                assert_eq!(format!("{parts:?}"), format!("{whole:?}"), "{rows} rows a part");
            }
        }
    }

    #[test]
    fn reads_comma_semicolon_and_tab_and_either_line_end() {
        for (separator, end) in [(",", "\n"), (";", "\r\n"), ("\t", "\n")] {
            let text = [["age", "\"job\""], ["31", "\"clerk\""], ["62", "\"retired\""]]
                .map(|row| row.join(separator))
                .join(end);
            let frame = read_bytes("people.csv", text.as_bytes()).unwrap();
            assert_eq!(frame.rows, 2);
            assert!(matches!(values(&frame, 0), Values::Numeric(ages) if ages == &[31.0, 62.0]));
            let Values::Categorical { levels, .. } = values(&frame, 1) else { panic!() };
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
            ("age,job\r\n31,clerk\r\n62\r\n", "line 3 has 1 fields where the header has 2"),
            ("age,job\n31,clerk\n\n62,retired\n", "line 3 is blank"),
            ("age,job\r\n31,clerk\r\n\r\n62,retired\r\n", "line 3 is blank"),
            (
                "age,job\n30,\"a\"\"b\"\n31,clerk\r62,retired\n",
                "line 3 holds a quotation mark within a field, or a CR without LF",
            ),
        ] {
            let error = read_bytes("people.csv", text.as_bytes()).unwrap_err();
            assert!(error.problem.contains(expected), "{error}");
        }
    }

    #[test]
    fn blank_lines_at_the_end_are_nothing_and_names_may_hold_the_separator() {
        let frame = read_bytes("people.csv", b"\"age,now\",job\n31,clerk\n62,retired\n\n\n").unwrap();
        assert_eq!((frame.rows, frame.columns[0].name.as_str()), (2, "age,now"));
        assert!(matches!(values(&frame, 0), Values::Numeric(_)));
    }

    #[test]
    fn empty_files_and_repeated_columns_are_refused() {
        for (text, expected) in [
            ("", "is empty"),
            ("age,,job\n1,2,3\n", "empty column"),
            ("age,job\n", "no rows"),
            ("age,age\n1,2\n", "column `age` twice"),
            ("age,job\n1,a\0b\n", "line 2 holds a NUL byte"),
            ("age,job\r1,a\r", "lines that end in CR alone are not supported"),
            ("age,j\x1bob\n1,a\n", "column `j\\u001bob`, with a control character"),
            ("age,job\n1,a\n1,5\" pipe\n2,a\n", "line 3 holds a quotation mark within a field"),
        ] {
            let error = read_bytes("people.csv", text.as_bytes()).unwrap_err();
            assert!(error.problem.contains(expected), "{text:?}: {error}");
        }
    }

    #[test]
    fn the_last_field_of_the_last_line_may_be_empty_and_quotes_around_nothing_are_nothing() {
        let frame = read_bytes("people.tsv", b"age\tjob\n31\tclerk\n62\t\n").unwrap();
        let Values::Categorical { levels, .. } = values(&frame, 1) else { panic!() };
        assert_eq!(levels, &["(empty)", "clerk"]);
        let frame = read_bytes("people.csv", b"age,job\n31,clerk\n62,\"\"\n63,\" \"\n64,\n").unwrap();
        let Values::Categorical { codes, levels } = values(&frame, 1) else { panic!() };
        assert_eq!((&codes[..], &levels[..]), (&[1, 0, 0, 0][..], &["(empty)".to_string(), "clerk".to_string()][..]));
    }

    #[test]
    fn what_is_not_utf_8_is_named_with_its_line() {
        let error = read_bytes("people.csv", b"age,job\n1,clerk\n2,caf\xe9\n").unwrap_err();
        assert_eq!(error.problem, "line 3 is not UTF-8 text");
        let utf_16: Vec<u8> = "age,job\n1,a\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(
            read_bytes("people.csv", &utf_16).unwrap_err().problem,
            "line 1 holds a NUL byte, which is not text"
        );
    }
}
