//! A file as numeric and categorical columns, before labels are assigned.

use crate::data::DataError;
use std::collections::HashMap;
use std::sync::Arc;

/// A column with at most this many distinct texts is categorical, even if some of them are numbers.
const MOST_MIXED_LEVELS: usize = 50;

/// The level of a missing text.
pub const EMPTY: &str = "(empty)";

#[derive(Clone, Debug)]
pub struct Frame {
    /// The path or the built-in name.
    pub origin: String,
    /// The sha256 of the file.
    pub sha256: String,
    pub rows: usize,
    pub columns: Vec<RawColumn>,
}

/// A column as read. An invalid column is an error only if it is used.
#[derive(Clone, Debug)]
pub struct RawColumn {
    pub name: String,
    pub values: Result<Arc<Values>, DataError>,
}

#[derive(Clone, Debug)]
pub struct Column {
    pub name: String,
    pub values: Arc<Values>,
}

#[derive(Clone, Debug)]
pub enum Values {
    Numeric(Vec<f64>),
    /// Each code is the index of a level; levels are in alphabetical order.
    Categorical {
        codes: Vec<u32>,
        levels: Vec<String>,
    },
}

impl Frame {
    pub fn column(&self, name: &str) -> Result<&RawColumn, DataError> {
        self.columns.iter().find(|column| column.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
            let nearest = crate::text::nearest(name, &names).map(|name| format!("did you mean `{name}`? "));
            let remedy = format!("{}the columns are: {}", nearest.unwrap_or_default(), names.join(", "));
            DataError::new(&self.origin, format!("there is no column `{name}`"), remedy)
        })
    }
}

impl Values {
    pub fn rows(&self) -> usize {
        match self {
            Values::Numeric(numbers) => numbers.len(),
            Values::Categorical { codes, .. } => codes.len(),
        }
    }
}

/// Collects texts into values: numeric while every text is a number, categorical otherwise.
///
/// Texts come in parts, so that only those of one part are in memory.
pub enum TextColumn {
    Numbers(Vec<f64>),
    Categories(Categories),
    /// A part that is not all numbers followed parts that were: their texts are needed again.
    Mistaken,
}

/// Codes number the levels in the order of their appearance.
#[derive(Default)]
pub struct Categories {
    codes: Vec<u32>,
    levels: Vec<Level>,
    found: HashMap<String, u32>,
}

struct Level {
    text: String,
    rows: usize,
    first_row: usize,
}

impl Default for TextColumn {
    fn default() -> Self {
        TextColumn::Numbers(Vec::new())
    }
}

impl TextColumn {
    /// Adds the next texts; `None` is a missing text.
    pub fn add(&mut self, texts: &[Option<&str>]) {
        if let TextColumn::Numbers(numbers) = self {
            let before = numbers.len();
            numbers.extend(texts.iter().map_while(|text| parse_number((*text)?)));
            if numbers.len() == before + texts.len() {
                return;
            }
            *self = if before == 0 { TextColumn::Categories(Categories::default()) } else { TextColumn::Mistaken };
        }
        if let TextColumn::Categories(categories) = self {
            categories.add(texts);
        }
    }

    /// Whether all texts must be added again, from the first on.
    pub fn begins_again(&mut self) -> bool {
        let is_mistaken = matches!(self, TextColumn::Mistaken);
        if is_mistaken {
            *self = TextColumn::Categories(Categories::default());
        }
        is_mistaken
    }

    /// The values of the column. Texts among many distinct values that are mostly numbers are a mistake in the file.
    /// `location` names the position of a row in it.
    pub fn values(self, origin: &str, column: &str, location: impl Fn(usize) -> String) -> Result<Values, DataError> {
        let categories = match self {
            TextColumn::Numbers(numbers) => return Ok(Values::Numeric(numbers)),
            TextColumn::Categories(categories) => categories,
            // `begins_again` has replaced this variant.
            TextColumn::Mistaken => Categories::default(),
        };
        let levels = &categories.levels;
        let numbers: usize =
            levels.iter().filter(|level| parse_number(&level.text).is_some()).map(|level| level.rows).sum();
        // Levels are in the order of their first rows.
        let not_finite = levels.iter().find(|level| parse(&level.text).is_some_and(|number| !number.is_finite()));
        let odd = not_finite.or_else(|| levels.iter().find(|level| parse_number(&level.text).is_none()));
        let mostly_numbers = 2 * numbers > categories.codes.len();
        // A category may be called like a finite number, but not like infinity or NaN.
        let is_mistake = mostly_numbers && (levels.len() > MOST_MIXED_LEVELS || not_finite.is_some());
        let Some(odd) = odd.filter(|_| is_mistake) else { return Ok(categories.in_order()) };
        let found = if odd.text == EMPTY { "nothing".to_string() } else { format!("`{}`", odd.text) };
        let location = location(odd.first_row);
        Err(DataError::new(
            origin,
            format!("{location}: column `{column}` holds {found}, but most rows hold finite numbers"),
            format!("correct or drop that row, or add `{column}` to `features.exclude`"),
        ))
    }
}

impl Categories {
    /// Missing texts are a category of their own.
    fn add(&mut self, texts: &[Option<&str>]) {
        self.codes.reserve(texts.len());
        for text in texts {
            let text = text.unwrap_or(EMPTY);
            let code = match self.found.get(text) {
                Some(code) => *code,
                None => {
                    let code = self.levels.len() as u32;
                    self.found.insert(text.to_string(), code);
                    self.levels.push(Level { text: text.to_string(), rows: 0, first_row: self.codes.len() });
                    code
                }
            };
            self.levels[code as usize].rows += 1;
            self.codes.push(code);
        }
    }

    /// The values with levels in alphabetical order.
    fn in_order(mut self) -> Values {
        let mut order: Vec<usize> = (0..self.levels.len()).collect();
        order.sort_unstable_by(|a, b| self.levels[*a].text.cmp(&self.levels[*b].text));
        let mut ranks = vec![0; order.len()];
        order.iter().enumerate().for_each(|(rank, level)| ranks[*level] = rank as u32);
        self.codes.iter_mut().for_each(|code| *code = ranks[*code as usize]);
        let levels = order.into_iter().map(|level| std::mem::take(&mut self.levels[level].text)).collect();
        Values::Categorical { codes: self.codes, levels }
    }
}

fn parse_number(text: &str) -> Option<f64> {
    parse(text).filter(|number| number.is_finite())
}

fn parse(text: &str) -> Option<f64> {
    // Few texts have blanks around them, so trim only if needed.
    text.parse().or_else(|_| text.trim().parse()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(texts: &[&str]) -> Result<Values, DataError> {
        let texts: Vec<_> = texts.iter().map(|text| (!text.is_empty()).then_some(*text)).collect();
        let read = |part: usize| {
            let mut column = TextColumn::default();
            texts.chunks(part).for_each(|part| column.add(part));
            if column.begins_again() {
                texts.chunks(part).for_each(|part| column.add(part));
            }
            column.values("people.csv", "age", |row| format!("line {}", row + 2))
        };
        let whole = read(texts.len());
        // The column does not depend on the division into parts.
        (1..texts.len()).for_each(|part| assert_eq!(format!("{:?}", read(part)), format!("{whole:?}")));
        whole
    }

    #[test]
    fn all_numbers_are_numeric_and_anything_else_is_categories() {
        assert!(matches!(values(&["1", " 2.5", "-3e2"]).unwrap(), Values::Numeric(n) if n == [1.0, 2.5, -300.0]));
        let Values::Categorical { codes, levels } = values(&["b", "a", "", "b"]).unwrap() else { panic!() };
        assert_eq!(levels, ["(empty)", "a", "b"]);
        assert_eq!(codes, [2, 1, 0, 2]);
    }

    #[test]
    fn a_stray_text_among_many_numbers_is_named_with_its_line() {
        let mut texts: Vec<String> = (0..100).map(|n| n.to_string()).collect();
        texts[15] = "inf".to_string();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let error = values(&texts).unwrap_err();
        assert!(error.problem.contains("line 17: column `age` holds `inf`"), "{error}");
        // Among few values, a text is a category, but a number that is not finite is an error.
        assert!(matches!(values(&["1", "2", "2", "3+"]), Ok(Values::Categorical { .. })));
        for infinite in ["-inf", "NaN", "1e999"] {
            let error = values(&["1", "2", "2", infinite]).unwrap_err();
            assert!(error.problem.contains(&format!("line 5: column `age` holds `{infinite}`")), "{error}");
        }
    }
}
