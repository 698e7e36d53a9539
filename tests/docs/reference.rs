//! Reads what `results/reference` holds.

use crate::text;
use std::collections::BTreeMap;

/// One row of a table, by column.
pub type Row = BTreeMap<String, String>;

/// The rows of a CSV file or a Markdown table below `results/reference`.
pub fn rows(path: &str) -> Vec<Row> {
    let text = text(&format!("results/reference/{path}"));
    if path.ends_with(".csv") {
        return csv::Reader::from_reader(text.as_bytes()).deserialize().map(Result::unwrap).collect();
    }
    let cells =
        |line: &str| -> Vec<String> { line.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect() };
    let mut lines = text.lines();
    let header = cells(lines.next().unwrap());
    lines.skip(1).map(|line| header.iter().cloned().zip(cells(line)).collect()).collect()
}

/// The rows that have these values.
pub fn having(rows: Vec<Row>, wanted: &[(&str, &str)]) -> Vec<Row> {
    rows.into_iter().filter(|row| wanted.iter().all(|(column, value)| row[*column] == *value)).collect()
}

/// The one row that has these values.
pub fn only(rows: Vec<Row>, wanted: &[(&str, &str)]) -> Row {
    let mut found = having(rows, wanted);
    assert_eq!(found.len(), 1, "rows with {wanted:?}");
    found.remove(0)
}

pub fn number(row: &Row, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column} is `{}`", row[column]))
}

/// A mean of `summary.csv`; the setting is empty where there is only one.
pub fn mean(experiment: &str, setting: &str, method: &str, metric: &str) -> f64 {
    let setting = if setting.is_empty() { "only" } else { setting };
    let wanted = [("setting", setting), ("label", method), ("metric", metric)];
    number(&only(rows(&format!("{experiment}/summary.csv")), &wanted), "mean")
}

/// The mean ROC-AUC of a method, setting and prior.
pub fn mean_auc(experiment: &str, setting: &str, method: &str) -> f64 {
    mean(experiment, setting, method, "roc_auc")
}

/// The mean ROC-AUC with a prior of `bank-priors`.
pub fn auc_with_prior(method: &str, prior: &str) -> f64 {
    let prior = if prior == "true" { "prior=true" } else { prior };
    let wanted = [("label", method), ("prior", prior), ("metric", "roc_auc")];
    number(&only(rows("bank-priors/summary.csv"), &wanted), "mean")
}
