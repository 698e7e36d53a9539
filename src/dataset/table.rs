//! A frame whose columns have their roles: Y, Z and features.

use crate::dataset::{Column, DataError, Frame, Values};
use serde::Serialize;

/// Which rows are positive: those whose column holds this value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LabelRule {
    pub column: String,
    pub positive: String,
}

/// Features with the true labels of every row.
#[derive(Clone, Debug)]
pub struct Table {
    pub features: Vec<Column>,
    /// Y = +1
    pub interest: Vec<bool>,
    /// Z = +1
    pub loyalty: Vec<bool>,
    /// The first row of a test part that was drawn apart, as a simulation does; the rows before it are for training.
    pub test_starts_at: Option<usize>,
}

impl Table {
    /// The label columns and the excluded ones are left out of the features.
    pub fn new(
        frame: &Frame,
        interest: &LabelRule,
        loyalty: &LabelRule,
        exclude: &[String],
    ) -> Result<Self, DataError> {
        for name in exclude {
            frame.column(name)?;
        }
        let is_feature = |column: &&Column| {
            column.name != interest.column && column.name != loyalty.column && !exclude.contains(&column.name)
        };
        let features: Vec<Column> = frame.columns.iter().filter(is_feature).cloned().collect();
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
        let labels: Vec<bool> = match &frame.column(&self.column)?.values {
            Values::Numeric(numbers) => {
                let positive: Option<f64> = self.positive.trim().parse().ok();
                numbers.iter().map(|number| Some(*number) == positive).collect()
            }
            Values::Categorical { codes, levels } => {
                let positive = levels.iter().position(|level| *level == self.positive);
                codes.iter().map(|code| Some(*code as usize) == positive).collect()
            }
        };
        if labels.contains(&true) {
            return Ok(labels);
        }
        Err(DataError::new(
            &frame.origin,
            format!("no row of column `{}` holds `{}`, the positive value", self.column, self.positive),
            format!("set `positive` to one of its values: {}", self.some_values(frame)?),
        ))
    }

    fn some_values(&self, frame: &Frame) -> Result<String, DataError> {
        let mut values = match &frame.column(&self.column)?.values {
            Values::Numeric(numbers) => {
                let mut numbers = numbers.clone();
                numbers.sort_by(f64::total_cmp);
                numbers.dedup();
                numbers.iter().map(f64::to_string).collect()
            }
            Values::Categorical { levels, .. } => levels.clone(),
        };
        if values.len() > 10 {
            values.truncate(10);
            values.push("...".to_string());
        }
        Ok(values.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::read_bytes;

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
