//! Names in CSV files: readers take a field for a number, a truth value, a missing value, a date or a formula where they can.

/// Words that some reader (pandas, polars, R, Excel, SQL) takes for something other than a text.
const WORDS: [&str; 22] = [
    "true",
    "false",
    "t",
    "f",
    "yes",
    "no",
    "y",
    "n",
    "on",
    "off",
    "na",
    "n/a",
    "nan",
    "nat",
    "null",
    "none",
    "nil",
    "missing",
    "inf",
    "infinity",
    "undefined",
    "default",
];
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// A name as CSV files have it: if a reader could take it for anything but a text, the name of its column stands before it,
/// as in `prior=true`. The same name in a column of the same name is written the same in every file.
pub fn csv_name(column: &str, name: &str) -> String {
    let is_written = name.strip_prefix(column).is_some_and(|rest| rest.starts_with('='));
    if is_text(name) && !is_written { name.to_string() } else { format!("{column}={name}") }
}

/// The name behind a written one.
pub fn name_of_csv<'a>(column: &str, written: &'a str) -> &'a str {
    written.strip_prefix(column).and_then(|rest| rest.strip_prefix('=')).unwrap_or(written)
}

/// The same for a file that only this program reads, but people open: names stay as they are, except for formulas.
pub fn formula_free(column: &str, name: &str) -> String {
    if is_formula(column, name) { format!("{column}={name}") } else { name.to_string() }
}

/// The name behind a written one.
pub fn name_of_formula_free(column: &str, written: &str) -> String {
    let name = name_of_csv(column, written);
    if is_formula(column, name) { name.to_string() } else { written.to_string() }
}

/// Whether a spreadsheet takes it for a formula, or would if the name of its column were not in front.
fn is_formula(column: &str, name: &str) -> bool {
    let name = name.trim_start_matches(&format!("{column}="));
    name.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'])
}

/// Whether every reader takes it for a text: it begins with a letter, and is neither a word with a meaning nor a date.
fn is_text(name: &str) -> bool {
    let lower = name.trim().to_lowercase();
    name.starts_with(char::is_alphabetic) && !WORDS.contains(&&*lower) && !is_date(&lower)
}

/// Whether it is the name of a month with a day or a year.
fn is_date(lower: &str) -> bool {
    let (word, rest) = lower.split_at(lower.find(|c: char| !c.is_alphabetic()).unwrap_or(lower.len()));
    let is_month = word.len() >= 3 && MONTHS.iter().any(|month| month.starts_with(word));
    let is_number = |c: char| c.is_ascii_digit() || " -/.,'".contains(c);
    is_month && rest.contains(|c: char| c.is_ascii_digit()) && rest.chars().all(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_a_reader_would_take_for_something_else_gets_its_column_in_front() {
        let mistakable = [
            "true",
            "TRUE",
            "no",
            "NA",
            "null",
            "None",
            "5%",
            "1e5",
            "2024-01-01",
            "1:100",
            "=cmd()",
            "+1",
            "-20%",
            "@a",
            "\ta",
            "-",
            "",
            " true",
            "Mar-5",
            "december 24",
            "#N/A",
            "<NA>",
            "?",
            ".5",
            "'x",
            "prior=true",
            "\u{ff1d}x",
        ];
        for name in mistakable {
            let written = csv_name("prior", name);
            assert_eq!(written, format!("prior={name}"));
            assert_eq!(name_of_csv("prior", &written), name);
        }
        for name in [
            "train",
            "paper",
            "truth",
            "beta ×0.5",
            "both beta×0.8 gamma×1.2",
            "größer",
            "Z=housing=yes",
            "march",
            "may be 5",
        ] {
            assert_eq!(csv_name("prior", name), name);
            assert_eq!(name_of_csv("prior", name), name);
        }
    }

    #[test]
    fn a_formula_is_none_behind_the_name_of_its_column() {
        for name in ["=cmd()", "+1", "-20%", "@a", "prior==x", "prior=prior=+1"] {
            let written = formula_free("prior", name);
            assert_eq!(written, format!("prior={name}"));
            assert_eq!(name_of_formula_free("prior", &written), name);
        }
        for name in ["true", "5%", "prior=5%", "paper"] {
            assert_eq!((formula_free("prior", name), name_of_formula_free("prior", name)), (name.into(), name.into()));
        }
    }
}
