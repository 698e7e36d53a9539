//! Reads CSV text with polars, in parts, after a scan has found where its rows are.

use crate::data::collect::Collector;
use crate::data::infer::Inference;
use crate::data::missing::MissingTexts;
use crate::data::read::{Reading, from_polars};
use crate::data::scan::{Rows, Scan, line_of};
use crate::data::schema::Kind;
use crate::data::source::MAX_BYTES;
use crate::data::{DataError, Places, RawColumn};
use polars::prelude::{CsvReadOptions, DataFrame, Field, PolarsResult, SerReader};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::io::Cursor;
use std::sync::Arc;

/// The number of values that polars reads at a time, so that only the texts of these are in memory.
const VALUES_OF_A_PART: usize = 1 << 22;

/// From so many columns on, a part is one piece for every 16 MB. For each thread that polars is given, it divides a part into
/// 16 pieces, each of which costs 1.2 us a column: with 1,000 columns, as much as a hundred rows.
const MANY_COLUMNS: usize = 100;

/// The number of rows that polars reads at a time.
pub fn rows_of_a_part(width: usize) -> usize {
    (VALUES_OF_A_PART / width.max(1)).clamp(1, 1 << 16)
}

/// Rows, places and columns of a CSV text.
pub fn csv(
    origin: &str,
    bytes: &[u8],
    reading: &Reading,
    rows_of_a_part: impl Fn(usize) -> usize,
) -> Result<(usize, Places, Vec<RawColumn>), DataError> {
    let bytes = text_of(origin, bytes)?;
    let scan = Scan::new(bytes);
    let (names, start) = scan.header(origin)?;
    check_names(origin, &names)?;
    let rows = scan.rows(origin, start, names.len(), rows_of_a_part(names.len()))?;
    refuse_large_table(origin, rows.count, names.len())?;
    let text = CsvText { origin, bytes, separator: scan.separator(), names: &names, rows: &rows };
    let missing = MissingTexts::with(&reading.missing);
    let collected = text.collect(reading, &missing)?;
    let places = Places::Lines(rows.lines.clone());
    let columns = names.par_iter().zip(collected).map(|(name, collector)| {
        let inference =
            Inference { origin, name, places: &places, declared: reading.types.get(name), missing: &missing };
        match collector {
            None => inference.unread(Kind::Excluded),
            Some(Collector::Numbers { numbers, .. }) => inference.numbers(numbers),
            Some(Collector::Texts(texts)) => inference.texts(texts),
            // `collect` ends when no column is mistaken.
            Some(Collector::Mistaken) => inference.unread(Kind::Category),
        }
    });
    let columns = columns.collect();
    Ok((rows.count, places, columns))
}

/// The text without a byte order mark and without blank lines at its end.
fn text_of<'a>(origin: &str, bytes: &'a [u8]) -> Result<&'a [u8], DataError> {
    let end = bytes.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r')).map_or(0, |last| last + 1);
    let bytes = &bytes[..end];
    if bytes.trim_ascii().is_empty() {
        return Err(DataError::new(origin, "is empty", "give a file with a header and rows below it"));
    }
    check_text(origin, bytes)?;
    Ok(bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes))
}

fn check_text(origin: &str, bytes: &[u8]) -> Result<(), DataError> {
    let wrong = |position: usize, problem: &str, remedy: &str| {
        let problem = format!("line {} {problem}", line_of(bytes, position));
        Err(DataError::new(origin, problem, remedy))
    };
    let remedy = "save the file as UTF-8, or give a Parquet file";
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return wrong(0, "is UTF-16 text", remedy);
    }
    if let Err(error) = std::str::from_utf8(bytes) {
        let remedy = "save the file as UTF-8, or give a Parquet file; it may be Latin-1 or Windows-1252";
        return wrong(error.valid_up_to(), "is not UTF-8 text", remedy);
    }
    // `contains` compares eight bytes at a time.
    if bytes.contains(&0) {
        let position = bytes.iter().take_while(|byte| **byte != 0).count();
        return wrong(position, "holds a NUL byte, which is not text", remedy);
    }
    if bytes.contains(&b'\r') && !bytes.contains(&b'\n') {
        let remedy = "end lines with LF or CRLF";
        return wrong(0, "is the only line: lines that end in CR alone are not supported", remedy);
    }
    Ok(())
}

fn check_names(origin: &str, names: &[String]) -> Result<(), DataError> {
    let mut seen = BTreeSet::new();
    for (place, name) in names.iter().enumerate() {
        let problem = if name.is_empty() {
            format!("an empty column, the {} of {}", place + 1, names.len())
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

/// Refuses a table that would need more memory than its file: every value takes eight bytes, however short its text is.
fn refuse_large_table(origin: &str, rows: usize, width: usize) -> Result<(), DataError> {
    let bytes = (rows as u64).saturating_mul(width as u64).saturating_mul(8);
    if bytes <= MAX_BYTES {
        return Ok(());
    }
    let problem =
        format!("has {rows} rows of {width} columns, {bytes} bytes as numbers, but at most {MAX_BYTES} are allowed");
    Err(DataError::new(origin, problem, "give fewer rows or columns"))
}

/// A CSV text whose rows are known.
struct CsvText<'a> {
    origin: &'a str,
    bytes: &'a [u8],
    separator: u8,
    names: &'a [String],
    rows: &'a Rows,
}

impl CsvText<'_> {
    /// Every column that is needed, as numbers or categories.
    fn collect(&self, reading: &Reading, missing: &MissingTexts) -> Result<Vec<Option<Collector>>, DataError> {
        let collector = |name: &String| reading.needs(name).then(|| Collector::new(reading.types.get(name)));
        let mut columns: Vec<Option<Collector>> = self.names.iter().map(collector).collect();
        let mut due: Vec<(usize, &mut Collector)> =
            columns.iter_mut().enumerate().filter_map(|(index, column)| Some((index, column.as_mut()?))).collect();
        while !due.is_empty() {
            for part in 0..self.rows.parts.len().saturating_sub(1) {
                let frame = self.read(part, &due)?;
                let add = |((_, collector), column): (&mut (usize, &mut Collector), _)| collector.add(column, missing);
                let added: PolarsResult<()> = due.par_iter_mut().zip(frame.columns()).try_for_each(add);
                added.map_err(|error| from_polars(self.origin, &error))?;
            }
            due.retain_mut(|(_, column)| column.begins_again());
        }
        Ok(columns)
    }

    /// The columns that are due, in the order of the file, as texts or categories: polars infers nothing, so that a label `1`
    /// or `yes` stays as it is.
    fn read(&self, part: usize, due: &[(usize, &mut Collector)]) -> Result<DataFrame, DataError> {
        let (start, end) = (self.rows.parts[part], self.rows.parts[part + 1]);
        let mut schema: polars::prelude::Schema =
            self.names.iter().map(|name| Field::new(name.into(), polars::prelude::DataType::String)).collect();
        for (index, collector) in due {
            schema.set_dtype_at_index(*index, collector.dtype());
        }
        let frame = CsvReadOptions::default()
            .with_has_header(false)
            .with_schema(Some(Arc::new(schema)))
            .with_projection(Some(Arc::new(due.iter().map(|(index, _)| *index).collect())))
            .with_n_threads(Some(usize::from(due.len() < MANY_COLUMNS)))
            .map_parse_options(|options| options.with_separator(self.separator))
            .into_reader_with_file_handle(Cursor::new(&self.bytes[start..end]))
            .finish();
        let frame = frame.map_err(|error| from_polars(self.origin, &error))?;
        let first = part * self.rows.rows_of_a_part;
        let rows = (self.rows.count - first).min(self.rows.rows_of_a_part);
        if frame.width() == due.len() && frame.height() == rows {
            return Ok(frame);
        }
        let problem = format!("cannot be read as a table near line {}", self.rows.lines.of(first));
        Err(DataError::new(self.origin, problem, "give a well-formed CSV file"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Frame, Values, read_bytes};

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
            let read = |rows: usize| csv("people.csv", text.as_bytes(), &Reading::default(), |_| rows).unwrap();
            let whole = read(100);
            let names: Vec<&str> = whole.2.iter().map(|column| column.name.as_str()).collect();
            assert_eq!((whole.0, &names[..]), (6, &["age", "j\"ob", "n"][..]));
            for rows in 1..7 {
                assert_eq!(format!("{:?}", read(rows)), format!("{whole:?}"), "{rows} rows a part");
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
    fn blank_lines_at_the_end_are_nothing_and_names_may_hold_the_separator() {
        let frame = read_bytes("people.csv", b"\"age,now\",job\n31,clerk\n62,retired\n\n\n").unwrap();
        assert_eq!((frame.rows, frame.columns[0].name.as_str()), (2, "age,now"));
        assert!(matches!(values(&frame, 0), Values::Numeric(_)));
    }

    #[test]
    fn empty_files_and_repeated_columns_are_refused() {
        for (text, expected) in [
            ("", "is empty"),
            ("age,,job\n1,2,3\n", "an empty column, the 2 of 3"),
            ("age,job\n", "no rows"),
            ("age,age\n1,2\n", "column `age` twice"),
            ("age,job\n1,a\0b\n", "line 2 holds a NUL byte"),
            ("age,job\r1,a\r", "lines that end in CR alone are not supported"),
            ("age,j\x1bob\n1,a\n", "column `j\\u001bob`, with a control character"),
        ] {
            let error = read_bytes("people.csv", text.as_bytes()).unwrap_err();
            assert!(error.problem.contains(expected), "{text:?}: {error}");
        }
    }

    #[test]
    fn the_last_field_of_the_last_line_may_be_empty_and_quotes_around_nothing_are_nothing() {
        let frame = read_bytes("people.tsv", b"age\tjob\n31\tclerk\n62\t\n").unwrap();
        let Values::Categorical { levels, .. } = values(&frame, 1) else { panic!() };
        assert_eq!(levels, &["clerk", "(missing)"]);
        let frame = read_bytes("people.csv", b"age,job\n31,clerk\n62,\"\"\n63,\" \"\n64,\n").unwrap();
        let Values::Categorical { codes, .. } = values(&frame, 1) else { panic!() };
        assert_eq!((&codes[..], frame.columns[1].missing), (&[0, 1, 1, 1][..], 3));
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
