//! The structure of a CSV file: where rows start, how many fields they have, and what is wrong with them.
//!
//! polars reads the fields, but pads short rows, guesses at quotation marks within fields, and reports no lines. This scan
//! accepts only files that can be read in one way: a field in quotes starts and ends with them and doubles those within it,
//! other fields hold none, and rows end in LF or CRLF.

use crate::data::DataError;

/// The rows of a CSV file, all with as many fields as the header.
pub struct Rows {
    pub count: usize,
    pub lines: Lines,
    /// The byte at which each part of `rows_of_a_part` rows starts, and the end of the last.
    pub parts: Vec<usize>,
    pub rows_of_a_part: usize,
}

/// The line at which each row starts.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    first: usize,
    /// The rows that take several lines, each with the number of surplus lines up to its end.
    long_rows: Vec<(usize, usize)>,
}

impl Lines {
    pub fn of(&self, row: usize) -> usize {
        let before = self.long_rows.partition_point(|(long, _)| *long < row);
        let surplus = before.checked_sub(1).map_or(0, |last| self.long_rows[last].1);
        self.first + row + surplus
    }
}

/// What cannot be read in one way, and at which byte.
enum Flaw {
    Quote(usize),
    Unclosed(usize),
    Return(usize),
}

struct Record {
    /// The byte behind its line end.
    next: usize,
    fields: usize,
    /// Line ends in quotes.
    breaks: usize,
}

/// A CSV text and its separator.
pub struct Scan<'a> {
    bytes: &'a [u8],
    separator: u8,
    /// Whether a byte ends a field, or must not be in it.
    is_special: [bool; 256],
}

impl<'a> Scan<'a> {
    /// With the separator (comma, semicolon or tab) with which the header has the most fields.
    pub fn new(bytes: &'a [u8]) -> Self {
        let scans = [b'\t', b';', b','].map(|separator| Scan::with(bytes, separator));
        let fields = |scan: &Scan| scan.record(0).map_or(0, |record| record.fields);
        // max_by_key returns the last of equals: a single column is read as comma-separated.
        scans.into_iter().max_by_key(fields).unwrap_or_else(|| Scan::with(bytes, b','))
    }

    fn with(bytes: &'a [u8], separator: u8) -> Self {
        let mut is_special = [false; 256];
        [separator, b'\n', b'\r', b'"'].iter().for_each(|byte| is_special[*byte as usize] = true);
        Scan { bytes, separator, is_special }
    }

    pub fn separator(&self) -> u8 {
        self.separator
    }

    /// The record that starts at a byte.
    fn record(&self, start: usize) -> Result<Record, Flaw> {
        let Scan { bytes, separator, is_special } = self;
        let (mut at, mut fields, mut breaks) = (start, 1, 0);
        loop {
            if bytes.get(at) == Some(&b'"') {
                at = self.behind_quotes(at, &mut breaks)?;
            } else {
                let length = bytes[at..].iter().position(|byte| is_special[*byte as usize]);
                at = length.map_or(bytes.len(), |length| at + length);
            }
            match bytes.get(at) {
                None => return Ok(Record { next: at, fields, breaks }),
                Some(b'\n') => return Ok(Record { next: at + 1, fields, breaks }),
                Some(b'\r') if bytes.get(at + 1) == Some(&b'\n') => return Ok(Record { next: at + 2, fields, breaks }),
                Some(b'\r') => return Err(Flaw::Return(at)),
                Some(byte) if byte == separator => {
                    fields += 1;
                    at += 1;
                }
                Some(_) => return Err(Flaw::Quote(at)),
            }
        }
    }

    /// The byte behind the closing quote of a field that opens at `open`.
    fn behind_quotes(&self, open: usize, breaks: &mut usize) -> Result<usize, Flaw> {
        let mut at = open + 1;
        loop {
            match self.bytes.get(at) {
                None => return Err(Flaw::Unclosed(open)),
                Some(b'"') if self.bytes.get(at + 1) == Some(&b'"') => at += 2,
                Some(b'"') => return Ok(at + 1),
                Some(byte) => {
                    *breaks += usize::from(*byte == b'\n');
                    at += 1;
                }
            }
        }
    }

    /// The names of the columns, without blanks around them, and the byte at which the rows start.
    pub fn header(&self, origin: &str) -> Result<(Vec<String>, usize), DataError> {
        let record = self.record(0).map_err(|flaw| self.error(origin, &flaw))?;
        let line = String::from_utf8_lossy(&self.bytes[..record.next]);
        let (mut names, mut name, mut is_open) = (Vec::new(), String::new(), false);
        let mut letters = line.trim_end_matches(['\n', '\r']).chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '"' if is_open && letters.peek() == Some(&'"') => name.extend(letters.next()),
                '"' => is_open = !is_open,
                letter if !is_open && letter == char::from(self.separator) => names.push(std::mem::take(&mut name)),
                letter => name.push(letter),
            }
        }
        names.push(name);
        Ok((names.iter().map(|name| name.trim().to_string()).collect(), record.next))
    }

    /// The rows from a byte on, which must all have `width` fields.
    pub fn rows(&self, origin: &str, start: usize, width: usize, rows_of_a_part: usize) -> Result<Rows, DataError> {
        let mut lines = Lines { first: line_of(self.bytes, start), long_rows: Vec::new() };
        let (mut at, mut count, mut surplus, mut parts) = (start, 0, 0, Vec::new());
        while at < self.bytes.len() {
            let record = self.record(at).map_err(|flaw| self.error(origin, &flaw))?;
            if matches!(self.bytes[at], b'\n' | b'\r') {
                let problem = format!("line {} is blank", lines.of(count));
                return Err(DataError::new(origin, problem, "remove blank lines"));
            }
            if record.fields != width {
                let problem =
                    format!("line {} has {} fields where the header has {width}", lines.of(count), record.fields);
                let remedy =
                    "give every line the same number of fields; put quotes around a field that holds the separator";
                return Err(DataError::new(origin, problem, remedy));
            }
            if count % rows_of_a_part == 0 {
                parts.push(at);
            }
            if record.breaks > 0 {
                surplus += record.breaks;
                lines.long_rows.push((count, surplus));
            }
            count += 1;
            at = record.next;
        }
        parts.push(at);
        Ok(Rows { count, lines, parts, rows_of_a_part })
    }

    fn error(&self, origin: &str, flaw: &Flaw) -> DataError {
        let (byte, problem, remedy) = match flaw {
            Flaw::Quote(byte) => (
                byte,
                "holds a quotation mark within a field",
                "put quotes around the whole field and double those within it",
            ),
            Flaw::Unclosed(byte) => (byte, "opens a quotation mark that is never closed", "close it, or remove it"),
            Flaw::Return(byte) => (byte, "holds a CR without LF", "end lines with LF or CRLF"),
        };
        DataError::new(origin, format!("line {} {problem}", line_of(self.bytes, *byte)), remedy)
    }
}

/// The line of a byte, counted from 1.
pub fn line_of(bytes: &[u8], position: usize) -> usize {
    bytes[..position].iter().filter(|byte| **byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Result<Vec<usize>, String> {
        let scan = Scan::new(text.as_bytes());
        let (names, start) = scan.header("people.csv").map_err(|error| error.problem.clone())?;
        let rows = scan.rows("people.csv", start, names.len(), 2).map_err(|error| error.problem.clone())?;
        Ok((0..rows.count).map(|row| rows.lines.of(row)).collect())
    }

    #[test]
    fn rows_know_their_lines_also_behind_fields_of_several_lines() {
        assert_eq!(rows("a,b\n1,2\n3,4\n"), Ok(vec![2, 3]));
        assert_eq!(rows("\"a\nb\",c\n1,\"x\ny\nz\"\n3,\"\"\"\"\n5,6"), Ok(vec![3, 6, 7]));
        assert_eq!(rows("a,b\r\n1,\"x\r\ny\"\r\n3,4\r\n"), Ok(vec![2, 4]));
    }

    #[test]
    fn whatever_can_be_read_in_two_ways_is_refused_with_its_line() {
        for (text, expected) in [
            ("a,b\n1,5\" pipe\n", "line 2 holds a quotation mark within a field"),
            ("a,b\n1,\"x\"y\n", "line 2 holds a quotation mark within a field"),
            ("a,b\n1, \"x\"\n", "line 2 holds a quotation mark within a field"),
            ("a,b\n1,\"x\"\"\n2,y\n", "line 2 opens a quotation mark that is never closed"),
            ("a,b\n1,x\ry\n", "line 2 holds a CR without LF"),
            ("a,b\n1,2,3\n", "line 2 has 3 fields where the header has 2"),
            ("a,b\n\"1\n2\",3\n4\n", "line 4 has 1 fields where the header has 2"),
            ("a,b\n1,2\n\n3,4\n", "line 3 is blank"),
        ] {
            assert_eq!(rows(text).unwrap_err(), expected, "{text:?}");
        }
    }

    #[test]
    fn names_are_unquoted_and_trimmed_and_the_separator_is_that_of_the_header() {
        let header = |text: &str| Scan::new(text.as_bytes()).header("people.csv").unwrap().0;
        assert_eq!(header("\"a;\"\"b\"\"\"; c \n1;2"), ["a;\"b\"", "c"]);
        assert_eq!(header("a\tb,c\td\n"), ["a", "b,c", "d"]);
        assert_eq!(header("alone\n1"), ["alone"]);
    }
}
