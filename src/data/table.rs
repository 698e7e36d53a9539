//! Tables: frames with label columns for Y and Z, and feature columns.

use crate::data::{Column, DataError, EMPTY, Frame, RawColumn, Values};
use crate::math::bounds::Scalar;
use crate::text::alike;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// Which rows are positive: those whose column has this value. The column is not a feature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LabelRule {
    /// The name of the column, which must have a value in every row.
    pub column: String,
    /// The value of positive rows, or a list of their values. All other values are negative.
    pub positive: LabelValues,
}

/// The values of a label column that count as positive: one or more.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelValues(Vec<String>);

impl From<&str> for LabelValues {
    fn from(value: &str) -> Self {
        LabelValues(vec![value.to_string()])
    }
}

/// As in the names of settings.
impl fmt::Display for LabelValues {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0.join(" or "))
    }
}

/// A single value is stored as a text.
impl Serialize for LabelValues {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &*self.0 {
            [value] => serializer.serialize_str(value),
            values => values.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for LabelValues {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneOrSeveral)
    }
}

struct OneOrSeveral;

impl<'de> Visitor<'de> for OneOrSeveral {
    type Value = LabelValues;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a string, a number, a boolean, or a list of them")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<LabelValues, E> {
        Ok(text.into())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<LabelValues, E> {
        Ok((&*value.to_string()).into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<LabelValues, E> {
        Ok((&*value.to_string()).into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<LabelValues, E> {
        Ok((&*value.to_string()).into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<LabelValues, E> {
        Ok((&*value.to_string()).into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<LabelValues, A::Error> {
        let mut values = Vec::new();
        while let Some(item) = items.next_element::<Scalar>()? {
            values.push(text_of_scalar::<A::Error>(item)?);
        }
        if values.is_empty() {
            return Err(A::Error::custom("the list of positive values is empty"));
        }
        Ok(LabelValues(values))
    }
}

impl JsonSchema for LabelValues {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "LabelValues".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let scalar = ["string", "number", "boolean"];
        json_schema!({ "anyOf": [
            { "type": scalar },
            { "type": "array", "minItems": 1, "items": { "type": scalar } },
        ] })
    }
}

/// Reads a scalar as text: files hold texts, but YAML may read the value as a number or a boolean.
fn text_of_scalar<E: Error>(scalar: Scalar) -> Result<String, E> {
    match scalar {
        Scalar::Text(text) => Ok(text),
        Scalar::Bool(value) => Ok(value.to_string()),
        Scalar::Integer(value) => Ok(value.to_string()),
        Scalar::Number(value) => Ok(value.to_string()),
        _ => Err(E::invalid_type(Unexpected::Other("another value"), &"a string, a number or a boolean")),
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
        let of_value = |value: &String| self.rows_with(value, values, &frame.origin);
        let mut labels = vec![false; frame.rows];
        for of_value in self.positive.0.iter().map(of_value) {
            labels.iter_mut().zip(of_value?).for_each(|(label, is_positive)| *label |= is_positive);
        }
        Ok(labels)
    }

    /// The rows that hold one of the positive values; at least one must.
    fn rows_with(&self, positive: &str, values: &Values, origin: &str) -> Result<Vec<bool>, DataError> {
        let labels: Vec<bool> = match values {
            Values::Numeric(numbers) => {
                let positive: Option<f64> = positive.trim().parse().ok();
                numbers.iter().map(|number| Some(*number) == positive).collect()
            }
            Values::Categorical { codes, levels } => {
                if levels.iter().any(|level| level == EMPTY) {
                    let problem = format!("the label column `{}` is empty in some rows", self.column);
                    return Err(DataError::new(origin, problem, "fill or drop those rows"));
                }
                let positive = levels.iter().position(|level| *level == positive);
                codes.iter().map(|code| Some(*code as usize) == positive).collect()
            }
        };
        if labels.contains(&true) {
            return Ok(labels);
        }
        let exactly = match values {
            Values::Categorical { levels, .. } => alike(positive, levels.iter().map(String::as_str)),
            Values::Numeric(_) => None,
        };
        let exactly = exactly.map(|value| format!("write `positive: {value:?}`, or "));
        Err(DataError::new(
            origin,
            format!("no row of column `{}` holds the positive value `{positive}`", self.column),
            format!("{}set `positive` to one of its values: {}", exactly.unwrap_or_default(), some_of(values)),
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
        let remedy = "write `positive: \"yes\"`, or set `positive` to one of its values: no, yes";
        assert!(value.to_string().ends_with(remedy), "{value}");
    }

    #[test]
    fn an_unquoted_value_is_answered_with_the_text_that_the_file_has() {
        let frame = read_bytes("people.csv", b"age,buys,member\n1,True,1.50\n2,False,007\n3,True,x\n").unwrap();
        for (column, wanted, exact) in [("buys", "true", "True"), ("member", "1.5", "1.50"), ("member", "7", "007")] {
            let error = rule(column, wanted).apply(&frame).unwrap_err();
            assert!(error.remedy.starts_with(&format!("write `positive: \"{exact}\"`, or set")), "{error}");
            assert!(rule(column, exact).apply(&frame).is_ok());
        }
    }

    #[test]
    fn several_values_may_be_positive_and_each_must_occur() {
        let frame = read_bytes("people.csv", b"age,plan\n1,month\n2,one year\n3,two years\n4,month\n").unwrap();
        let rule = |values: &[&str]| LabelRule {
            column: "plan".into(),
            positive: LabelValues(values.iter().map(|value| value.to_string()).collect()),
        };
        assert_eq!(rule(&["one year", "two years"]).apply(&frame).unwrap(), [false, true, true, false]);
        let error = rule(&["one year", "ten years"]).apply(&frame).unwrap_err();
        assert!(error.problem.contains("`ten years`"), "{error}");
        let stored = |values: &[&str]| serde_json::to_value(rule(values)).unwrap()["positive"].clone();
        assert_eq!((stored(&["a"]), stored(&["a", "b"])), ("a".into(), serde_json::json!(["a", "b"])));
    }
}
