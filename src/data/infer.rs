//! What a column is: the declared kind, or the kind that its values have beyond doubt.

use crate::data::collect::{Level, Numbers, Texts};
use crate::data::doubt::{Doubt, of_numbers, of_texts};
use crate::data::missing::{MISSING_LEVEL, MissingTexts};
use crate::data::notation::Notation;
use crate::data::schema::{ColumnType, Kind};
use crate::data::{DataError, Places, RawColumn, Values, date};
use crate::text::presentable;
use std::sync::Arc;

/// A column with everything that messages about it need.
pub struct Inference<'a> {
    pub origin: &'a str,
    pub name: &'a str,
    pub places: &'a Places,
    pub declared: Option<&'a ColumnType>,
    pub missing: &'a MissingTexts,
}

/// A level of a column of texts, without the blanks around it.
pub struct Given<'a> {
    pub text: &'a str,
    pub rows: usize,
    pub first_row: usize,
}

impl Inference<'_> {
    /// A column whose kind is certain or declared.
    fn column(&self, kind: Kind, values: Values, missing: usize, first_missing: Option<usize>) -> RawColumn {
        let kind = self.declared.map_or(kind, ColumnType::kind);
        let is_declared = self.declared.is_some();
        let (name, values) = (self.name.to_string(), Ok(Arc::new(values)));
        RawColumn { name, kind, is_declared, values, doubt: None, missing, first_missing, examples: Vec::new() }
    }

    /// The error for a value that is not of the declared kind.
    fn contradicted(&self, row: usize, text: &str, declared: &str, remedy: &str) -> DataError {
        let place = self.places.of(row);
        let problem = format!("{place}: column `{}` holds `{text}`, but the spec declares {declared}", self.name);
        let remedy = format!("{remedy}correct the value, or declare it missing with `dataset: {{ missing: [..] }}`");
        DataError::new(self.origin, problem, remedy)
    }

    /// Excluded columns and declared identifiers are not read.
    pub fn unread(&self, kind: Kind) -> RawColumn {
        let problem = format!("column `{}` is left out by the spec, so it has no values", self.name);
        let error = DataError::new(self.origin, problem, "use a column that is not left out");
        RawColumn { values: Err(error), ..self.column(kind, Values::Numeric(Vec::new()), 0, None) }
    }

    pub fn numbers(&self, numbers: Numbers) -> RawColumn {
        if let Some((row, text)) = &numbers.stray {
            let remedy = match Notation::of(text) {
                Notation::Odd(oddity) => format!("{}; ", oddity.remedy()),
                _ => String::new(),
            };
            let error = self.contradicted(*row, text, "a number", &remedy);
            return RawColumn { values: Err(error), ..self.column(Kind::Number, Values::Numeric(Vec::new()), 0, None) };
        }
        let doubt = if self.declared.is_none() { of_numbers(self.name, &numbers) } else { None };
        let examples = range(&numbers.values).map_or(Vec::new(), |range| range.map(|end| end.to_string()).to_vec());
        let (missing, first_missing) = (numbers.missing, numbers.first_missing);
        let column = self.column(Kind::Number, Values::Numeric(numbers.values), missing, first_missing);
        self.doubted(RawColumn { examples, ..column }, doubt)
    }

    /// Numbers that stand for dates, NaN where one is missing.
    pub fn dates(&self, days: Vec<f64>) -> RawColumn {
        let missing = days.iter().filter(|days| days.is_nan()).count();
        let first_missing = days.iter().position(|days| days.is_nan());
        let examples = range(&days).map_or(Vec::new(), |range| range.map(date::iso).to_vec());
        RawColumn { examples, ..self.column(Kind::Date, Values::Numeric(days), missing, first_missing) }
    }

    pub fn texts(&self, texts: Texts) -> RawColumn {
        let (codes, levels) = texts.levels();
        let is_missing = |level: &&Level| self.missing.contain(level.text.trim());
        let given: Vec<Given> = levels
            .iter()
            .filter(|level| !is_missing(level))
            .map(|level| Given { text: level.text.trim(), rows: level.rows, first_row: level.first_row })
            .collect();
        match self.declared {
            Some(ColumnType::Date(options)) => {
                return match self.format(&given, options.format.as_deref()) {
                    Ok(format) => self.dates(days_of(&codes, &levels, &format)),
                    Err(error) => RawColumn { values: Err(error), ..self.categories(&codes, &levels) },
                };
            }
            Some(_) => return self.categories(&codes, &levels),
            None => {}
        }
        match date::common_formats(given.iter().map(|level| level.text)).as_slice() {
            [] => {}
            [format] if !date::has_short_year(format) => return self.dates(days_of(&codes, &levels, format)),
            formats => {
                let column = RawColumn { kind: Kind::Date, ..self.categories(&codes, &levels) };
                return self.doubted(column, Some(Doubt::of_formats(&given, formats)));
            }
        }
        let doubt = of_texts(&given, codes.len());
        self.doubted(self.categories(&codes, &levels), doubt)
    }

    /// The format of a column that is declared a date.
    fn format(&self, given: &[Given], declared: Option<&str>) -> Result<String, DataError> {
        if let Some(format) = declared {
            return match given.iter().find(|level| date::days(level.text, format).is_none()) {
                None => Ok(format.to_string()),
                Some(level) => {
                    let declared = format!("dates in the format {format}");
                    Err(self.contradicted(level.first_row, level.text, &declared, ""))
                }
            };
        }
        let formats = date::common_formats(given.iter().map(|level| level.text));
        if let [format] = formats[..] {
            return Ok(format.to_string());
        }
        if formats.is_empty() {
            let is_stray = |level: &&Given| date::formats(level.text).is_empty();
            if given.iter().all(|level| date::days(level.text, date::COMPACT).is_some()) {
                return Ok(date::COMPACT.to_string());
            }
            if let Some(level) = given.iter().find(is_stray) {
                let remedy = "add the format, as in `date: { format: \"%d/%m/%Y\" }`; ";
                return Err(self.contradicted(level.first_row, level.text, "a date", remedy));
            }
        }
        Err(Doubt::of_formats(given, &formats).error(self))
    }

    /// Categories: levels in alphabetical order, without blanks around them.
    fn categories(&self, codes: &[u32], levels: &[Level]) -> RawColumn {
        let trimmed: Vec<Option<&str>> =
            levels.iter().map(|level| Some(level.text.trim()).filter(|text| !self.missing.contain(text))).collect();
        let mut names: Vec<&str> = trimmed.iter().flatten().copied().collect();
        names.sort_unstable();
        names.dedup();
        // That of missing values is the last.
        let place = |text: &Option<&str>| match text {
            Some(text) => names.partition_point(|name| name < text) as u32,
            None => names.len() as u32,
        };
        let places: Vec<u32> = trimmed.iter().map(place).collect();
        let codes = codes.iter().map(|code| places[*code as usize]).collect();
        let missing: usize =
            levels.iter().zip(&trimmed).filter(|(_, text)| text.is_none()).map(|(level, _)| level.rows).sum();
        let first = levels.iter().zip(&trimmed).find(|(_, text)| text.is_none()).map(|(level, _)| level.first_row);
        let mut frequent: Vec<(&Level, &str)> =
            levels.iter().zip(&trimmed).filter_map(|(level, text)| Some((level, (*text)?))).collect();
        frequent.sort_by(|(a, _), (b, _)| b.rows.cmp(&a.rows).then(a.first_row.cmp(&b.first_row)));
        let examples = frequent.iter().take(3).map(|(_, text)| short(text)).collect();
        let missing_level = first.map(|_| MISSING_LEVEL);
        let levels = names.into_iter().chain(missing_level).map(str::to_string).collect();
        let values = Values::Categorical { codes, levels };
        RawColumn { examples, ..self.column(Kind::Category, values, missing, first) }
    }

    fn doubted(&self, column: RawColumn, doubt: Option<Doubt>) -> RawColumn {
        let Some(doubt) = doubt else { return column };
        RawColumn { kind: doubt.kind.unwrap_or(column.kind), doubt: Some(doubt.error(self)), ..column }
    }
}

/// A value of a table, cut short.
pub fn short(text: &str) -> String {
    const MOST: usize = 24;
    let text = presentable(text).replace('\n', " ");
    if text.chars().count() <= MOST {
        return text;
    }
    text.chars().take(MOST - 1).chain(['…']).collect()
}

fn range(numbers: &[f64]) -> Option<[f64; 2]> {
    // NaN is neither below nor above.
    let (low, high) = numbers.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| {
        (if *number < low { *number } else { low }, if *number > high { *number } else { high })
    });
    (low <= high).then_some([low, high])
}

/// Whatever is no date in the format is missing.
fn days_of(codes: &[u32], levels: &[Level], format: &str) -> Vec<f64> {
    let days: Vec<f64> = levels.iter().map(|level| date::days(&level.text, format).unwrap_or(f64::NAN)).collect();
    codes.iter().map(|code| days[*code as usize]).collect()
}
