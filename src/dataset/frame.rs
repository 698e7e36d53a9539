//! A file as columns of numbers and categories, before anybody says which column is a label.

use crate::dataset::DataError;
use std::collections::HashMap;

/// A column with this many different texts or fewer is one of categories, even where some of them are numbers.
const MOST_MIXED_LEVELS: usize = 50;

/// The level of a missing text.
pub const EMPTY: &str = "(empty)";

#[derive(Clone, Debug)]
pub struct Frame {
    /// The path or the built-in name.
    pub origin: String,
    /// Of the file's bytes.
    pub sha256: String,
    pub rows: usize,
    pub columns: Vec<RawColumn>,
}

/// A column as read. One that makes no sense is a mistake only if somebody uses it.
#[derive(Clone, Debug)]
pub struct RawColumn {
    pub name: String,
    pub values: Result<Values, DataError>,
}

#[derive(Clone, Debug)]
pub struct Column {
    pub name: String,
    pub values: Values,
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
            let nearest = crate::nearest(name, &names).map(|name| format!("did you mean `{name}`? "));
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

    /// Numbers if every text is one, categories otherwise.
    ///
    /// A column that is mostly numbers but not quite, with many different values, is a mistake in the file. `place`
    /// tells people where a row stands.
    pub fn from_texts(
        origin: &str,
        column: &str,
        texts: &[Option<&str>],
        place: impl Fn(usize) -> String,
    ) -> Result<Self, DataError> {
        let numbers: Vec<Option<f64>> = texts.iter().map(|text| parse_number((*text)?)).collect();
        let Some(odd) = numbers.iter().position(Option::is_none) else {
            return Ok(Values::Numeric(numbers.into_iter().flatten().collect()));
        };
        let (codes, levels) = categories(texts);
        let mostly_numbers = 2 * numbers.iter().flatten().count() > texts.len();
        let not_finite = texts.iter().position(|text| text.is_some_and(is_not_finite));
        // Categories may have numbers for names, but not infinity.
        if mostly_numbers && (levels.len() > MOST_MIXED_LEVELS || not_finite.is_some()) {
            let odd = not_finite.unwrap_or(odd);
            let found = texts[odd].map_or("nothing".to_string(), |text| format!("`{text}`"));
            return Err(DataError::new(
                origin,
                format!("{}: column `{column}` holds {found}, where most rows hold finite numbers", place(odd)),
                format!("correct or drop that row, or add `{column}` to `features.exclude`"),
            ));
        }
        Ok(Values::Categorical { codes, levels })
    }
}

/// Codes and levels. A text that is missing is a category of its own.
fn categories(texts: &[Option<&str>]) -> (Vec<u32>, Vec<String>) {
    // In the order of their first appearance, and then in that of the alphabet.
    let mut found: HashMap<&str, u32> = HashMap::new();
    let mut codes = Vec::with_capacity(texts.len());
    for text in texts {
        let next = found.len() as u32;
        codes.push(*found.entry(text.unwrap_or(EMPTY)).or_insert(next));
    }
    let mut levels: Vec<(&str, u32)> = found.into_iter().collect();
    levels.sort_unstable();
    let mut places = vec![0; levels.len()];
    for (place, (_, first)) in levels.iter().enumerate() {
        places[*first as usize] = place as u32;
    }
    codes.iter_mut().for_each(|code| *code = places[*code as usize]);
    (codes, levels.into_iter().map(|(level, _)| level.to_string()).collect())
}

fn is_not_finite(text: &str) -> bool {
    text.trim().parse().is_ok_and(|number: f64| !number.is_finite())
}

fn parse_number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(texts: &[&str]) -> Result<Values, DataError> {
        let texts: Vec<_> = texts.iter().map(|text| (!text.is_empty()).then_some(*text)).collect();
        Values::from_texts("people.csv", "age", &texts, |row| format!("line {}", row + 2))
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
        // Among few values, an odd one is a category, but what is no finite number is not.
        assert!(matches!(values(&["1", "2", "2", "3+"]), Ok(Values::Categorical { .. })));
        for infinite in ["-inf", "NaN", "1e999"] {
            let error = values(&["1", "2", "2", infinite]).unwrap_err();
            assert!(error.problem.contains(&format!("line 5: column `age` holds `{infinite}`")), "{error}");
        }
    }
}
