//! Tables: frames with labels for Y and Z, and feature columns.

use crate::data::date::{DatePart, categories, category_of, number_of};
use crate::data::doubt::more_columns;
use crate::data::missing::{Filling, MISSING_LEVEL};
use crate::data::schema::{ColumnType, Kind};
use crate::data::{Column, DataError, Features, Frame, LabelRule, RawColumn, Values};
use std::sync::Arc;

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
    /// All columns become features, except the label columns, the excluded ones and identifiers.
    pub fn new(
        frame: &Frame,
        interest: &LabelRule,
        loyalty: &LabelRule,
        features: &Features,
    ) -> Result<Self, DataError> {
        for name in features.named_columns() {
            frame.column(name)?;
        }
        let used: Vec<&RawColumn> =
            frame.columns.iter().filter(|column| is_feature(column, interest, loyalty, features)).collect();
        refuse_doubt(&used)?;
        let mut columns = Vec::new();
        for column in used {
            columns.extend(features.columns_of(frame, column)?);
        }
        if columns.is_empty() {
            let remedy = "exclude fewer columns, or give a file with more of them";
            return Err(DataError::new(&frame.origin, "no column is left as a feature", remedy));
        }
        let labels = (interest.apply(frame, "interest")?, loyalty.apply(frame, "loyalty")?);
        Ok(Table { features: columns, interest: labels.0, loyalty: labels.1, test_starts_at: None })
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

/// Whether a column becomes features in a setting.
pub fn is_feature(column: &RawColumn, interest: &LabelRule, loyalty: &LabelRule, features: &Features) -> bool {
    let name = &column.name;
    let is_identifier = features.types.get(name) == Some(&ColumnType::Identifier);
    *name != interest.column && *name != loyalty.column && !features.exclude.contains(name) && !is_identifier
}

/// Refuses features that cannot be read or whose kind is not certain; says how many others there are.
fn refuse_doubt(used: &[&RawColumn]) -> Result<(), DataError> {
    if let Some(error) = used.iter().find_map(|column| column.values.as_ref().err()) {
        return Err(error.clone());
    }
    let mut doubts = used.iter().filter_map(|column| column.doubt.as_ref());
    let Some(first) = doubts.next() else { return Ok(()) };
    let mut error = first.clone();
    error.0.remedy += &more_columns(doubts.count());
    Err(error)
}

impl Features {
    /// The feature columns that a column becomes.
    pub fn columns_of(&self, frame: &Frame, column: &RawColumn) -> Result<Vec<Column>, DataError> {
        let values = column.values.as_ref().map_err(Clone::clone)?;
        let (Kind::Date, Values::Numeric(days)) = (column.kind, &**values) else {
            return Ok(vec![self.filled(frame, column, &column.name, values.clone())?]);
        };
        let parts = match self.types.get(&column.name) {
            Some(ColumnType::Date(options)) => &options.parts[..],
            _ => &[DatePart::Days],
        };
        let part = |part: &DatePart| match part {
            DatePart::Days => self.filled(frame, column, &column.name, values.clone()),
            part => self.filled(frame, column, &format!("{} {part}", column.name), Arc::new(part_of(*part, days))),
        };
        parts.iter().map(part).collect()
    }

    /// A feature with what takes the place of its missing values.
    fn filled(&self, frame: &Frame, column: &RawColumn, name: &str, values: Arc<Values>) -> Result<Column, DataError> {
        let Some(row) = column.first_missing else {
            return Ok(Column { name: name.to_string(), values, filling: None });
        };
        let filling = self.missing.of(&column.name);
        let is_number = matches!(&*values, Values::Numeric(_));
        if filling.suits(is_number) {
            return Ok(Column { name: name.to_string(), values, filling: Some(filling) });
        }
        let (own, what) = (crate::data::doubt::in_yaml(&column.name), if is_number { "numbers" } else { "categories" });
        let choices = if is_number { "median (or mean, indicator)" } else { "category" };
        let (place, count) = (frame.places.of(row), column.missing);
        let problem = match filling {
            Filling::Error => {
                format!("{place}: column `{}` has no value; {count} of {} rows have none", column.name, frame.rows)
            }
            other => {
                format!("{place}: column `{}` has no value, and `{other}` is not possible for {what}", column.name)
            }
        };
        let remedy = format!(
            "say what takes its place: `features: {{ missing: {{ {own}: {} }} }}`{}; or correct or drop these rows; or add the \
             column to `features.exclude`",
            choices.split(' ').next().unwrap_or_default(),
            if is_number { ", or mean, or indicator" } else { "" },
        );
        Err(DataError::new(&frame.origin, problem, remedy))
    }
}

/// A part of every date: numbers, or categories in calendar order with missing ones last.
fn part_of(part: DatePart, days: &[f64]) -> Values {
    let Some(mut levels) = categories(part) else {
        return Values::Numeric(days.iter().map(|days| number_of(part, *days)).collect());
    };
    let missing = levels.len() as u32;
    let code = |days: &f64| if days.is_nan() { missing } else { category_of(part, *days) };
    let codes: Vec<u32> = days.iter().map(code).collect();
    if codes.contains(&missing) {
        levels.push(MISSING_LEVEL.to_string());
    }
    Values::Categorical { codes, levels }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::read_bytes;

    fn frame() -> Frame {
        read_bytes("people.csv", b"age,buys,member,city\n1,yes,1,x\n2,no,0,y\n3,yes,0.0,x\n").unwrap()
    }

    fn without(columns: &[&str]) -> Features {
        Features { exclude: columns.iter().map(|name| name.to_string()).collect(), ..Features::default() }
    }

    #[test]
    fn labels_may_be_words_or_numbers_and_are_left_out_of_the_features() {
        let rules = (LabelRule::new("buys", "yes"), LabelRule::new("member", "1"));
        let table = Table::new(&frame(), &rules.0, &rules.1, &without(&["city"])).unwrap();
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
            csv += &format!("{age},{},{}\n", row % 2, row / 2 % 2);
        }
        let frame = read_bytes("people.csv", csv.as_bytes()).unwrap();
        let rules = (LabelRule::new("buys", "1"), LabelRule::new("member", "1"));
        let table = |exclude: &[&str]| Table::new(&frame, &rules.0, &rules.1, &without(exclude));
        let error = table(&[]).unwrap_err();
        assert!(
            error
                .problem
                .starts_with("column `age` is doubtful: texts among values that are mostly numbers: `abc` (line 62)"),
            "{error}"
        );
        // Without it no feature is left, which is another mistake.
        assert!(table(&["age"]).unwrap_err().problem.contains("no column is left"));
    }

    #[test]
    fn a_missing_column_and_a_missing_value_say_what_there_is() {
        let missing =
            Table::new(&frame(), &LabelRule::new("buy", "yes"), &LabelRule::new("member", "1"), &without(&[]));
        assert_eq!(
            missing.unwrap_err().to_string(),
            "people.csv: there is no column `buy`\n  \
             help: did you mean `buys`? the columns are: age, buys, member, city"
        );
        let value = Table::new(&frame(), &LabelRule::new("buys", "Yes"), &LabelRule::new("member", "1"), &without(&[]));
        let value = value.unwrap_err();
        assert!(value.to_string().ends_with("set `positive` to one of its values: `yes` (2), `no` (1)"), "{value}");
    }

    #[test]
    fn a_date_becomes_the_parts_that_are_declared() {
        let csv = b"joined,buys,member\n2024-01-01,1,0\n2024-02-04,0,1\n,1,1\n";
        let frame = read_bytes("people.csv", csv).unwrap();
        let features: Features = serde_json::from_str(
            r#"{ "numeric": "raw", "categorical": "one_hot", "exclude": [],
                 "types": { "joined": { "date": { "parts": ["days", "month", "weekday"] } } }, "missing": "indicator" }"#,
        )
        .unwrap();
        let rules = (LabelRule::new("buys", "1"), LabelRule::new("member", "1"));
        let table = Table::new(&frame, &rules.0, &rules.1, &features).unwrap();
        let names: Vec<&str> = table.features.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["joined", "joined month", "joined weekday"]);
        let Values::Categorical { codes, levels } = &*table.features[2].values else { panic!() };
        assert_eq!((&codes[..], levels.len()), (&[0, 6, 7][..], 8));
    }
}
