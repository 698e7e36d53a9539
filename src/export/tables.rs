//! The tables of an exported cell. Numbers have the fewest digits that give back the same bits.

use crate::learn::{Form, RiskRecord};
use crate::math::matrix::Design;
use crate::math::metric::Group;
use crate::run::{Fitted, SplitSamples};
use crate::text::{csv_name, csv_table};

type Files = Vec<(String, Vec<u8>)>;

/// Two tables per sample, with its features and with everything else about its rows; and the weights of each risk. The
/// training set and the truth of D_U are included only for methods that see them.
pub fn tables(samples: &SplitSamples, is_oracle: bool, fitted: Option<&Fitted>) -> csv::Result<Files> {
    let (split, observed, oracle) = (&samples.split, &samples.observed, &samples.oracle);
    let truth = |truth: &[bool]| truth.iter().map(|is| (if *is { "1" } else { "-1" }).to_string()).collect();
    let numbers = |numbers: &[f64]| numbers.iter().map(f64::to_string).collect();
    let of_test = |is: fn(Group) -> bool| truth(&samples.test_truth.iter().map(|group| is(*group)).collect::<Vec<_>>());
    let mut test = vec![("w", of_test(Group::is_potential_customer)), ("y", of_test(Group::is_interested))];
    test.extend(fitted.map(|fitted| ("score", numbers(&fitted.scores))));
    test.extend(fitted.and_then(|fitted| Some(("probability", numbers(fitted.probabilities.as_ref()?)))));
    let unlabeled = if is_oracle { vec![("w", truth(&oracle.unlabeled.truth))] } else { Vec::new() };
    let mut parts = vec![
        ("D_Y", &split.interest, &observed.interest.rows, Vec::new()),
        ("D_U", &split.unlabeled, &observed.unlabeled.rows, unlabeled),
        ("D_L", &split.loyal, &observed.loyal.rows, Vec::new()),
        ("test", &split.test, &samples.test, test),
    ];
    if is_oracle {
        parts.push(("train", &split.train, &oracle.train.rows, vec![("w", truth(&oracle.train.truth))]));
    }
    let mut files = Files::new();
    for (name, rows, design, known) in parts {
        files.push((format!("{name}.csv"), features(design)?));
        files.push((format!("{name}_rows.csv"), known_of_rows(rows, &known)?));
    }
    let trained = fitted.and_then(|fitted| fitted.trained.as_ref());
    for (number, risk) in (1..).zip(trained.map_or(&[][..], |trained| &trained.risks)) {
        files.push((format!("weights_{number}.csv"), weights(risk, samples.test.names())?));
    }
    Ok(files)
}

fn features(design: &Design) -> csv::Result<Vec<u8>> {
    let dense = design.to_dense();
    let rows = dense.chunks_exact(design.width().max(1)).map(|row| row.iter().map(f64::to_string));
    csv_table(design.names().iter().map(|name| csv_name("column", name)), rows)
}

/// Row numbers of the source, and further columns.
fn known_of_rows(rows: &[usize], known: &[(&str, Vec<String>)]) -> csv::Result<Vec<u8>> {
    let row = |(index, row): (usize, &usize)| {
        std::iter::once((row + 1).to_string()).chain(known.iter().map(move |(_, column)| column[index].clone()))
    };
    csv_table(std::iter::once("row").chain(known.iter().map(|(name, _)| *name)), rows.iter().enumerate().map(row))
}

fn weights(risk: &RiskRecord, columns: &[String]) -> csv::Result<Vec<u8>> {
    let names = weight_names(&risk.form, columns);
    let rows = names.iter().zip(&risk.weights).map(|(name, value)| [csv_name("column", name), value.to_string()]);
    csv_table(["weight", "value"], rows)
}

/// In the order of the weights.
fn weight_names(form: &Form, columns: &[String]) -> Vec<String> {
    let mut names: Vec<String> = match form {
        Form::Linear => columns.to_vec(),
        Form::Rbf { centers, .. } => centers.iter().map(|(sample, row)| format!("near {sample} {row}")).collect(),
        Form::Network { hidden } => {
            let units = |name: String| (0..*hidden).map(move |unit| format!("{name} {unit}"));
            let ins = columns.iter().flat_map(|column| units(format!("in {column}")));
            ins.chain(units("shift".into())).chain(units("out".into())).collect()
        }
    };
    names.push("intercept".to_string());
    names
}
