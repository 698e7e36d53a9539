//! Doubts about what a column is. A column in doubt is no feature before the spec says what it is.

use crate::data::collect::{Examples, Numbers};
use crate::data::infer::{Given, Inference, short};
use crate::data::notation::{Notation, Oddity};
use crate::data::schema::Kind;
use crate::data::{DataError, date};
use std::collections::HashSet;

/// Fewer rows than these may well have different values without being identifiers.
const FEW_ROWS: usize = 20;
/// A column with more levels than this has few rows for each of them if they are a fifth of all rows.
const MANY_LEVELS: usize = 100;

/// Why a column may not be what it seems.
pub struct Doubt {
    /// What it rather is.
    pub kind: Option<Kind>,
    examples: Examples,
    /// What the examples are, or what is odd about the column.
    why: String,
    /// What else helps, besides a declaration.
    remedy: String,
    /// The types that settle it, as a spec declares them.
    declare: Vec<String>,
}

impl Doubt {
    fn new(examples: Examples, why: impl Into<String>, declare: &[&str]) -> Self {
        let declare = declare.iter().map(|kind| kind.to_string()).collect();
        Doubt { kind: None, examples, why: why.into(), remedy: String::new(), declare }
    }

    fn with_remedy(self, remedy: &str) -> Self {
        Doubt { remedy: format!("{remedy}; or "), ..self }
    }

    fn rather(self, kind: Kind) -> Self {
        Doubt { kind: Some(kind), ..self }
    }

    /// Every level is a date in several formats, or in one with two digits for the year.
    pub fn of_formats(given: &[Given], formats: &[&str]) -> Self {
        let declare: Vec<String> =
            formats.iter().take(3).map(|format| format!("{{ date: {{ format: \"{format}\" }} }}")).collect();
        let why = match formats {
            [] => "dates in different formats".to_string(),
            [_] => "dates whose years have two digits".to_string(),
            [a, b, ..] => format!("dates of which the format is not certain, {a} or {b}"),
        };
        let examples = match formats {
            [] => of_different_formats(given),
            _ => given.iter().take(3).map(Given::example).collect(),
        };
        let declare = if declare.is_empty() { vec!["category".to_string()] } else { declare };
        let remedy = if formats.is_empty() { "write all dates in one format; or " } else { "" };
        Doubt { kind: Some(Kind::Date), examples, why, remedy: remedy.to_string(), declare }
    }

    pub fn error(&self, inference: &Inference) -> DataError {
        let Inference { origin, name, places, .. } = inference;
        let Doubt { examples, why, remedy, declare, .. } = self;
        let examples: Vec<String> =
            examples.iter().map(|(row, text)| format!("`{}` ({})", short(text), places.of(*row))).collect();
        let colon = if examples.is_empty() { "" } else { ": " };
        let problem = format!("column `{name}` is doubtful: {why}{colon}{}", examples.join(", "));
        let name_in_spec = in_yaml(name);
        let (first, others) = declare.split_first().map_or((String::new(), &[][..]), |(a, b)| (a.clone(), b));
        let others: String = others.iter().map(|kind| format!(", or `{kind}`")).collect();
        let remedy = format!(
            "{remedy}declare what it is: `features: {{ types: {{ {name_in_spec}: {first} }} }}`{others}; or add it to \
             `features.exclude`"
        );
        DataError::new(origin, problem, remedy)
    }
}

impl Given<'_> {
    fn example(&self) -> (usize, String) {
        (self.first_row, self.text.to_string())
    }
}

/// A name as it is written in a spec.
pub fn in_yaml(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.' | '/' | '(' | ')');
    if name.starts_with(char::is_alphabetic) && name.chars().all(is_plain) && !name.ends_with(' ') {
        return name.to_string();
    }
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Doubts about a column in which every value is a number.
pub fn of_numbers(name: &str, numbers: &Numbers) -> Option<Doubt> {
    let Numbers { values, missing, padded, large, lost, .. } = numbers;
    let given = || values.iter().copied().filter(|number| !number.is_nan());
    let first = || -> Examples {
        let shown = values.iter().enumerate().filter(|(_, number)| !number.is_nan()).take(3);
        shown.map(|(row, number)| (row, number.to_string())).collect()
    };
    let count = values.len() - missing;
    if count == 0 {
        return Some(Doubt::new(Vec::new(), "it has no value in any row", &["identifier"]));
    }
    if !padded.is_empty() {
        let why = "leading zeros, as codes have that are no numbers";
        return Some(Doubt::new(padded.clone(), why, &["category", "number", "identifier"]));
    }
    if !large.is_empty() {
        let why = "integers of 2^53 or more, which a number of 64 bits rounds";
        return Some(Doubt::new(large.clone(), why, &["identifier", "category", "number"]).rather(Kind::Identifier));
    }
    if !lost.is_empty() {
        let why = "numbers that are not zero, but so small that they would become zero";
        return Some(Doubt::new(lost.clone(), why, &["number"]).with_remedy("use a larger unit"));
    }
    let are_integers = given().all(|number| number.fract() == 0.0);
    if are_integers && count >= FEW_ROWS && are_distinct(given(), count) {
        let why = format!("all {count} values differ, as identifiers do");
        return Some(Doubt::new(first(), why, &["identifier", "number"]).rather(Kind::Identifier));
    }
    if are_integers && date::are_compact(given()) {
        let why = "numbers that may be dates, written as year, month and day";
        return Some(Doubt::new(first(), why, &["date", "number"]).rather(Kind::Date));
    }
    // `phone_service` with 0 and 1 says no and yes.
    let are_flags = given().all(|number| number == 0.0 || number == 1.0);
    if are_integers && !are_flags && is_name_of_code(name) {
        let why = format!("integers, but `{name}` is a name for codes, whose size means nothing");
        return Some(Doubt::new(first(), why, &["category", "identifier", "number"]).rather(Kind::Category));
    }
    if 2 * missing > values.len() {
        let why = format!("{missing} of {} values are missing", values.len());
        return Some(Doubt::new(first(), why, &["number"]));
    }
    None
}

/// Whether all numbers differ. Ends at the first that repeats.
fn are_distinct(numbers: impl Iterator<Item = f64> + Clone, count: usize) -> bool {
    let mut next = numbers.clone();
    next.next();
    if numbers.clone().zip(next).all(|(a, b)| a < b) {
        return true;
    }
    let mut seen = HashSet::with_capacity(count.min(1 << 16));
    numbers.map(f64::to_bits).all(|bits| seen.insert(bits))
}

/// Whether a word of the name says that the column holds codes.
fn is_name_of_code(name: &str) -> bool {
    const ANYWHERE: [&str; 10] =
        ["zip", "zipcode", "postcode", "postal", "plz", "phone", "telephone", "uuid", "guid", "iban"];
    const AT_THE_END: [&str; 5] = ["id", "ids", "code", "nr", "number"];
    let mut words: Vec<String> = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() || (letter.is_uppercase() && was_lower) {
            words.push(String::new());
        }
        was_lower = letter.is_lowercase();
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words.iter().any(|word| ANYWHERE.contains(&word.as_str()))
        || words.last().is_some_and(|word| AT_THE_END.contains(&word.as_str()))
}

/// Doubts about a column of texts, some of which may be numbers, among `rows` rows.
pub fn of_texts(given: &[Given], rows: usize) -> Option<Doubt> {
    if given.is_empty() {
        return Some(Doubt::new(Vec::new(), "it has no value in any row", &["identifier"]));
    }
    among_numbers(given)
        .or_else(|| among_dates(given))
        .or_else(|| too_many(given, rows))
        .or_else(|| measured(given))
        .or_else(|| same_but_for_case(given))
}

/// Texts that look like numbers, or that stand among numbers.
fn among_numbers(given: &[Given]) -> Option<Doubt> {
    let notations: Vec<Notation> = given.iter().map(|level| Notation::of(level.text)).collect();
    let is_text = |notation: &Notation| *notation == Notation::Text;
    let rows: usize = given.iter().map(|level| level.rows).sum();
    let texts = notations.iter().filter(|notation| is_text(notation)).count();
    let text_rows: usize =
        given.iter().zip(&notations).filter(|(_, notation)| is_text(notation)).map(|(level, _)| level.rows).sum();
    let numbers = given.len() - texts;
    if numbers == 0 || (2 * text_rows >= rows && numbers <= texts) {
        return None;
    }
    let examples = |is: &dyn Fn(&Notation) -> bool| -> Examples {
        given
            .iter()
            .zip(&notations)
            .filter(|(_, notation)| is(notation))
            .take(3)
            .map(|(level, _)| level.example())
            .collect()
    };
    let odd = |notation: &Notation| match notation {
        Notation::Odd(oddity) => Some(*oddity),
        _ => None,
    };
    let is_finite = |oddity: &Oddity| *oddity != Oddity::NotFinite;
    let oddity = notations.iter().filter_map(odd).find(is_finite).or_else(|| notations.iter().find_map(odd));
    if let Some(oddity) = oddity {
        let examples = examples(&|notation| odd(notation) == Some(oddity));
        let doubt = Doubt::new(examples, oddity.what(), &["category"]);
        return Some(doubt.with_remedy(oddity.remedy()));
    }
    let (examples, why) = if texts > 0 {
        (examples(&is_text), "texts among values that are mostly numbers")
    } else {
        (examples(&|_| true), "numbers")
    };
    let remedy = "correct these values, or count them as missing with `dataset: { missing: [..] }`";
    Some(Doubt::new(examples, why, &["category"]).with_remedy(remedy))
}

/// One text for each of the most frequent formats.
fn of_different_formats(given: &[Given]) -> Examples {
    let mut seen: Vec<Vec<&str>> = Vec::new();
    let mut examples = Examples::new();
    for level in given {
        let formats = date::formats(level.text);
        if !seen.contains(&formats) && examples.len() < 3 {
            examples.push(level.example());
            seen.push(formats);
        }
    }
    examples
}

/// Texts that are mostly dates, but not all, or not in one format.
fn among_dates(given: &[Given]) -> Option<Doubt> {
    let is_date = |level: &&Given| !date::formats(level.text).is_empty();
    let (dates, others): (Vec<&Given>, Vec<&Given>) = given.iter().partition(is_date);
    if dates.is_empty() || dates.len() < others.len() {
        return None;
    }
    if others.is_empty() {
        return Some(Doubt::of_formats(given, &[]));
    }
    let examples = others.iter().take(3).map(|level| level.example()).collect();
    let remedy = "correct these values, or count them as missing with `dataset: { missing: [..] }`";
    Some(
        Doubt::new(examples, "texts among values that are mostly dates", &["category"])
            .with_remedy(remedy)
            .rather(Kind::Date),
    )
}

/// A value of its own in every row, or almost.
fn too_many(given: &[Given], rows: usize) -> Option<Doubt> {
    let first = || given.iter().take(3).map(Given::example).collect();
    let values: usize = given.iter().map(|level| level.rows).sum();
    if given.len() == values && values >= FEW_ROWS {
        let why = format!("all {values} values differ, as identifiers do");
        return Some(Doubt::new(first(), why, &["identifier", "category"]).rather(Kind::Identifier));
    }
    if given.len() > MANY_LEVELS && 5 * given.len() > rows {
        let why = format!("{} different values in {rows} rows, each a category of few rows", given.len());
        return Some(Doubt::new(first(), why, &["identifier", "category"]).rather(Kind::Identifier));
    }
    None
}

/// Numbers that all have the same unit.
fn measured(given: &[Given]) -> Option<Doubt> {
    let unit = |level: &Given| {
        let end = level.text.rfind(|c: char| c.is_ascii_digit())? + 1;
        let is_number = matches!(Notation::of(&level.text[..end]), Notation::Plain(_) | Notation::Odd(_));
        let unit = level.text[end..].trim();
        (is_number && !unit.is_empty()).then(|| unit.to_string())
    };
    let first = unit(given.first()?)?;
    if given.len() < FEW_ROWS || !given.iter().all(|level| unit(level).as_deref() == Some(&first)) {
        return None;
    }
    let examples = given.iter().take(3).map(Given::example).collect();
    let doubt = Doubt::new(examples, format!("numbers with the unit `{}`", short(&first)), &["category"]);
    Some(doubt.with_remedy("write them without the unit"))
}

/// Levels that are the same in another case.
fn same_but_for_case(given: &[Given]) -> Option<Doubt> {
    let pair = case_pair(given.iter().map(|level| level.text))?;
    let examples = given.iter().filter(|level| pair.contains(&level.text.to_string())).map(Given::example).collect();
    let doubt = Doubt::new(examples, "categories that differ only in case", &["category"]);
    Some(doubt.with_remedy("write them alike"))
}

/// Two texts that are the same in another case.
pub fn case_pair<'a>(texts: impl Iterator<Item = &'a str>) -> Option<[String; 2]> {
    let mut seen = std::collections::HashMap::new();
    for text in texts {
        if let Some(other) = seen.insert(text.to_lowercase(), text).filter(|other| *other != text) {
            return Some([other.to_string(), text.to_string()]);
        }
    }
    None
}

/// A count of columns for messages.
pub fn more_columns(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => "; another column is in doubt, see `doublepu data show FILE`".to_string(),
        count => format!("; {count} other columns are in doubt, see `doublepu data show FILE`"),
    }
}
