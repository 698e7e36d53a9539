//! Tables: frames with label columns for Y and Z, and feature columns.

use crate::data::{Column, DataError, EMPTY, Frame, RawColumn, Values};
use crate::math::bounds::Scalar;
use schemars::JsonSchema;
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize};

/// Which rows are positive: those whose column has this value. The column is not a feature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LabelRule {
    /// The name of the column, which must have a value in every row.
    pub column: String,
    /// The value of positive rows. All other values are negative.
    #[serde(deserialize_with = "text_of_scalar")]
    #[schemars(extend("type" = ["string", "number", "boolean"]))]
    pub positive: String,
}

/// Reads a scalar as text: files hold texts, but YAML may read the value as a number or a boolean.
fn text_of_scalar<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match Scalar::deserialize(deserializer)? {
        Scalar::Text(text) => Ok(text),
        Scalar::Bool(value) => Ok(value.to_string()),
        Scalar::Integer(value) => Ok(value.to_string()),
        Scalar::Number(value) => Ok(value.to_string()),
        _ => Err(D::Error::invalid_type(Unexpected::Other("another value"), &"a string, a number or a boolean")),
    }
}

/// Features with the true labels of every row.
#[derive(Clone, Debug)]
pub struct Table {
    pub features: Vec<Column>,
    /// Y = +1
    pub interest: Vec<bool>,
    /// Z = +1
    pub loyalty: Vec<bool>,
    /// The first row of a test set that was drawn separately, as in a simulation; the rows before it are the training
    /// set.
    pub test_starts_at: Option<usize>,
}

impl Table {
    /// All columns become features, except the label columns and the excluded ones.
    pub fn new(
        frame: &Frame,
        interest: &LabelRule,
        loyalty: &LabelRule,
        exclude: &[String],
    ) -> Result<Self, DataError> {
        for name in exclude {
            frame.column(name)?;
        }
        let is_feature = |column: &&RawColumn| {
            column.name != interest.column && column.name != loyalty.column && !exclude.contains(&column.name)
        };
        let feature = |column: &RawColumn| -> Result<Column, DataError> {
            Ok(Column { name: column.name.clone(), values: column.values.clone()? })
        };
        let features: Vec<Column> = frame.columns.iter().filter(is_feature).map(feature).collect::<Result<_, _>>()?;
        if features.is_empty() {
            let remedy = "exclude fewer columns, or give a file with more of them";
            return Err(DataError::new(&frame.origin, "no column is left as a feature", remedy));
        }
        Ok(Table { features, interest: interest.apply(frame)?, loyalty: loyalty.apply(frame)?, test_starts_at: None })
    }

    pub fn rows(&self) -> usize {
        self.interest.len()
    }

    /// W = +1: interested and not loyal.
    pub fn is_potential_customer(&self, row: usize) -> bool {
        self.interest[row] && !self.loyalty[row]
    }

    /// (Y, Z) = (+1, +1)
    pub fn is_loyal_buyer(&self, row: usize) -> bool {
        self.interest[row] && self.loyalty[row]
    }
}

impl LabelRule {
    fn apply(&self, frame: &Frame) -> Result<Vec<bool>, DataError> {
        let values = frame.column(&self.column)?.values.as_ref().map_err(Clone::clone)?;
        let labels: Vec<bool> = match &**values {
            Values::Numeric(numbers) => {
                let positive: Option<f64> = self.positive.trim().parse().ok();
                numbers.iter().map(|number| Some(*number) == positive).collect()
            }
            Values::Categorical { codes, levels } => {
                if levels.iter().any(|level| level == EMPTY) {
                    let problem = format!("the label column `{}` is empty in some rows", self.column);
                    return Err(DataError::new(&frame.origin, problem, "fill or drop those rows"));
                }
                let positive = levels.iter().position(|level| *level == self.positive);
                codes.iter().map(|code| Some(*code as usize) == positive).collect()
            }
        };
        if labels.contains(&true) {
            return Ok(labels);
        }
        Err(DataError::new(
            &frame.origin,
            format!("no row of column `{}` holds the positive value `{}`", self.column, self.positive),
            format!("set `positive` to one of its values: {}", some_of(values)),
        ))
    }
}

/// The first ten distinct values.
fn some_of(values: &Values) -> String {
    let mut texts: Vec<String> = match values {
        Values::Numeric(numbers) => {
            let mut numbers = numbers.clone();
            numbers.sort_by(f64::total_cmp);
            numbers.dedup();
            numbers.iter().take(11).map(f64::to_string).collect()
        }
        Values::Categorical { levels, .. } => levels.iter().take(11).cloned().collect(),
    };
    if texts.len() > 10 {
        texts[10] = "...".to_string();
    }
    texts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::read_bytes;

    fn rule(column: &str, positive: &str) -> LabelRule {
        LabelRule { column: column.into(), positive: positive.into() }
    }

    fn frame() -> Frame {
        read_bytes("people.csv", b"age,buys,member,city\n1,yes,1,x\n2,no,0,y\n3,yes,0.0,x\n").unwrap()
    }

    #[test]
    fn labels_may_be_words_or_numbers_and_are_left_out_of_the_features() {
        let table = Table::new(&frame(), &rule("buys", "yes"), &rule("member", "1"), &["city".into()]).unwrap();
        assert_eq!(table.interest, [true, false, true]);
        assert_eq!(table.loyalty, [true, false, false]);
        let names: Vec<&str> = table.features.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["age"]);
        assert!(table.is_potential_customer(2) && table.is_loyal_buyer(0));
    }

    #[test]
    fn a_column_that_makes_no_sense_is_a_mistake_only_where_it_is_used() {
        let mut csv = "age,buys,member\n".to_string();
        for row in 0..200 {
            let age = if row == 60 { "abc".to_string() } else { row.to_string() };
            csv += &format!("{age},{},{}\n", row % 2, row % 3);
        }
        let frame = read_bytes("people.csv", csv.as_bytes()).unwrap();
        let table = |exclude: &[String]| Table::new(&frame, &rule("buys", "1"), &rule("member", "1"), exclude);
        assert!(table(&[]).unwrap_err().problem.starts_with("line 62: column `age` holds `abc`"));
        // Without it no feature is left, which is another mistake.
        assert!(table(&["age".into()]).unwrap_err().problem.contains("no column is left"));
    }

    #[test]
    fn an_empty_label_is_not_taken_for_a_negative_one() {
        let frame = read_bytes("people.csv", b"age,buys,member\n1,yes,a\n2,,b\n").unwrap();
        let error = Table::new(&frame, &rule("buys", "yes"), &rule("member", "a"), &[]).unwrap_err();
        assert!(error.problem.contains("`buys` is empty in some rows"), "{error}");
    }

    #[test]
    fn a_missing_column_and_a_missing_value_say_what_there_is() {
        let missing = Table::new(&frame(), &rule("buy", "yes"), &rule("member", "1"), &[]).unwrap_err();
        assert_eq!(
            missing.to_string(),
            "people.csv: there is no column `buy`\n  \
             help: did you mean `buys`? the columns are: age, buys, member, city"
        );
        let value = Table::new(&frame(), &rule("buys", "Yes"), &rule("member", "1"), &[]).unwrap_err();
        assert!(value.to_string().ends_with("set `positive` to one of its values: no, yes"), "{value}");
    }
}
