//! Label columns: which rows are positive, which are negative, and that no value is left between.

use crate::data::doubt::{case_pair, in_yaml};
use crate::data::infer::short;
use crate::data::{DataError, Frame, LabelValues, RawColumn, Values};
use crate::text::alike;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// Which rows are positive: those whose column has this value. The column is not a feature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LabelRule {
    /// The name of the column, which must have a value in every row.
    pub column: String,
    /// The value of positive rows, or a list of several. All other values of the column are negative; there must be exactly
    /// one, unless this is a list, `negative` is given, or the data is built in.
    pub positive: LabelValues,
    /// The values of negative rows. A row with another value that is not positive either is refused.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "some_values")]
    #[schemars(with = "Option<LabelValues>")]
    pub negative: Option<LabelValues>,
}

fn some_values<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<LabelValues>, D::Error> {
    LabelValues::deserialize(deserializer).map(Some)
}

impl LabelRule {
    /// Positive where the column has the value.
    pub fn new(column: &str, positive: &str) -> Self {
        LabelRule { column: column.to_string(), positive: LabelValues::One(positive.to_string()), negative: None }
    }
}

/// The distinct values of a label column, with the number of rows and the first row of each.
struct Found {
    texts: Vec<String>,
    rows: Vec<usize>,
    first_rows: Vec<usize>,
    /// The value of every row.
    of_row: Vec<u32>,
}

/// More values than these make no label.
const MOST_VALUES: usize = 1000;

impl Found {
    fn of(values: &Values) -> Option<Self> {
        let mut found = Found { texts: Vec::new(), rows: Vec::new(), first_rows: Vec::new(), of_row: Vec::new() };
        match values {
            Values::Categorical { codes, levels } => {
                let mut places = vec![u32::MAX; levels.len()];
                for (row, code) in codes.iter().enumerate() {
                    let place = &mut places[*code as usize];
                    if *place == u32::MAX {
                        *place = found.add(levels[*code as usize].clone(), row)?;
                    }
                    found.count(*place);
                }
            }
            Values::Numeric(numbers) => {
                let mut known: Vec<f64> = Vec::new();
                for (row, number) in numbers.iter().enumerate() {
                    let place = match known.iter().position(|other| other == number) {
                        Some(place) => place as u32,
                        None => {
                            known.push(*number);
                            found.add(number.to_string(), row)?
                        }
                    };
                    found.count(place);
                }
            }
        }
        Some(found)
    }

    fn add(&mut self, text: String, row: usize) -> Option<u32> {
        self.texts.push(text);
        self.rows.push(0);
        self.first_rows.push(row);
        (self.texts.len() <= MOST_VALUES).then_some(self.texts.len() as u32 - 1)
    }

    fn count(&mut self, place: u32) {
        self.rows[place as usize] += 1;
        self.of_row.push(place);
    }

    /// The first ten values, the most frequent first.
    fn shown(&self) -> String {
        let mut order: Vec<usize> = (0..self.texts.len()).collect();
        order.sort_by_key(|index| std::cmp::Reverse(self.rows[*index]));
        let mut texts: Vec<String> = order
            .iter()
            .take(10)
            .map(|index| format!("`{}` ({})", short(&self.texts[*index]), self.rows[*index]))
            .collect();
        if order.len() > 10 {
            texts.push("...".to_string());
        }
        texts.join(", ")
    }
}

impl LabelRule {
    /// Which rows are positive. `key` is `interest` or `loyalty`.
    pub fn apply(&self, frame: &Frame, key: &str) -> Result<Vec<bool>, DataError> {
        let column = frame.column(&self.column)?;
        let values = column.values.as_ref().map_err(Clone::clone)?;
        self.refuse_missing(frame, column)?;
        let error = |problem: String, remedy: String| DataError::new(&frame.origin, problem, remedy);
        let Some(found) = Found::of(values) else {
            let problem = format!("the label column `{}` has more than {MOST_VALUES} values", self.column);
            return Err(error(problem, "name a column with few values".to_string()));
        };
        if let Some(value) = self.positive.texts().iter().find(|value| {
            let one = LabelValues::One((*value).clone());
            !found.texts.iter().any(|text| one.contain(text))
        }) {
            let problem = format!("no row of column `{}` holds the positive value `{value}`", self.column);
            let exactly = alike(value, found.texts.iter().map(String::as_str));
            let exactly = exactly.map_or(String::new(), |text| format!("write `positive: {text:?}`, or "));
            return Err(error(problem, format!("{exactly}set `positive` to one of its values: {}", found.shown())));
        }
        let is_positive: Vec<bool> = found.texts.iter().map(|text| self.positive.contain(text)).collect();
        self.check_negative(frame, key, &found, &is_positive)?;
        Ok(found.of_row.iter().map(|place| is_positive[*place as usize]).collect())
    }

    fn refuse_missing(&self, frame: &Frame, column: &RawColumn) -> Result<(), DataError> {
        let Some(row) = column.first_missing else { return Ok(()) };
        let (place, count) = (frame.places.of(row), column.missing);
        let problem =
            format!("{place}: the label column `{}` has no value, there and in {} other rows", self.column, count - 1);
        Err(DataError::new(&frame.origin, problem, "fill or drop those rows: a missing label is not a negative one"))
    }

    /// Refuses a column whose other values are not certainly negative.
    fn check_negative(&self, frame: &Frame, key: &str, found: &Found, is_positive: &[bool]) -> Result<(), DataError> {
        let column = &self.column;
        let others: Vec<usize> = (0..found.texts.len()).filter(|place| !is_positive[*place]).collect();
        let declared = |negative: &[String]| {
            let list: Vec<String> = negative.iter().map(|text| format!("\"{text}\"")).collect();
            let positive = match &self.positive {
                LabelValues::One(text) => in_yaml(text),
                several => several.to_string(),
            };
            let list = list.join(", ");
            format!("`{key}: {{ column: {}, positive: {positive}, negative: [{list}] }}`", in_yaml(column))
        };
        let texts: Vec<String> = others.iter().map(|place| found.texts[*place].clone()).collect();
        if others.is_empty() {
            let problem = format!("every row of column `{column}` is positive: {}", found.shown());
            return Err(DataError::new(&frame.origin, problem, "give a file with positive and negative rows"));
        }
        if let Some(negative) = &self.negative {
            if let Some(place) =
                (0..found.texts.len()).find(|place| is_positive[*place] && negative.contain(&found.texts[*place]))
            {
                let problem = format!("`{}` is both positive and negative in column `{column}`", found.texts[place]);
                return Err(DataError::new(&frame.origin, problem, "list every value once"));
            }
            let stray = others.iter().find(|place| !negative.contain(&found.texts[**place]));
            let Some(place) = stray else { return Ok(()) };
            let (line, text) = (frame.places.of(found.first_rows[*place]), short(&found.texts[*place]));
            let problem = format!("{line}: column `{column}` holds `{text}`, which is neither positive nor negative");
            return Err(DataError::new(&frame.origin, problem, "add it to `positive` or `negative`, or correct it"));
        }
        let is_list = matches!(self.positive, LabelValues::Several(_));
        if is_list || frame.is_built_in {
            return Ok(());
        }
        if let Some([a, b]) = case_pair(found.texts.iter().map(String::as_str)) {
            let problem = format!("the label column `{column}` holds `{a}` and `{b}`, which differ only in case");
            let remedy = format!(
                "write them alike, or say what each is: {}, or a list of all positive values, as in `positive: [{a}, {b}]`",
                declared(&texts)
            );
            return Err(DataError::new(&frame.origin, problem, remedy));
        }
        if others.len() > 1 {
            let problem = format!("the label column `{column}` has {} values: {}", found.texts.len(), found.shown());
            let shown: Vec<String> = texts.into_iter().take(10).collect();
            let remedy = format!("say which of them are negative: {}; or list all positive ones", declared(&shown));
            return Err(DataError::new(&frame.origin, problem, remedy));
        }
        Ok(())
    }
}
