//! The tables of an exported cell. Numbers have the fewest digits that give back the same bits.

use crate::learn::{Form, RiskRecord};
use crate::matrix::Design;
use crate::run::{SplitSamples, csv_bytes};
use csv::Writer;

type Files = Vec<(String, Vec<u8>)>;

/// Two tables a sample: its features, and what else is known of its rows. The whole training part and the truth of D_U
/// are only there for the methods that see them.
pub fn samples(samples: &SplitSamples, is_oracle: bool, scores: Option<&[f64]>) -> csv::Result<Files> {
    let (split, observed, oracle) = (&samples.split, &samples.observed, &samples.oracle);
    let crowd_truth = is_oracle.then_some(&oracle.unlabeled.truth[..]);
    let mut parts = vec![
        ("D_Y", &split.interest, &observed.interest.rows, None, None),
        ("D_U", &split.unlabeled, &observed.unlabeled.rows, crowd_truth, None),
        ("D_L", &split.loyal, &observed.loyal.rows, None, None),
        ("test", &split.test, &samples.test, Some(&samples.test_truth[..]), scores),
    ];
    if is_oracle {
        parts.push(("train", &split.train, &oracle.train.rows, Some(&oracle.train.truth[..]), None));
    }
    let mut files = Files::new();
    for (name, rows, design, truth, scores) in parts {
        files.push((format!("{name}.csv"), features(design)?));
        files.push((format!("{name}_rows.csv"), known_of_rows(rows, truth, scores)?));
    }
    Ok(files)
}

fn features(design: &Design) -> csv::Result<Vec<u8>> {
    let mut writer = Writer::from_writer(Vec::new());
    writer.write_record(design.names())?;
    let dense = design.to_dense();
    for row in dense.chunks_exact(design.width().max(1)) {
        writer.write_record(row.iter().map(f64::to_string))?;
    }
    csv_bytes(writer)
}

/// Row numbers of the source, the true W and the method's scores.
fn known_of_rows(rows: &[usize], truth: Option<&[bool]>, scores: Option<&[f64]>) -> csv::Result<Vec<u8>> {
    let mut writer = Writer::from_writer(Vec::new());
    let mut header = vec!["row"];
    header.extend(truth.map(|_| "w"));
    header.extend(scores.map(|_| "score"));
    writer.write_record(&header)?;
    for (place, row) in rows.iter().enumerate() {
        let mut record = vec![(row + 1).to_string()];
        record.extend(truth.map(|truth| (if truth[place] { "1" } else { "-1" }).to_string()));
        record.extend(scores.map(|scores| scores[place].to_string()));
        writer.write_record(&record)?;
    }
    csv_bytes(writer)
}

/// One table of weights a risk.
pub fn weights(risks: &[RiskRecord], columns: &[String]) -> csv::Result<Files> {
    let mut files = Vec::new();
    for (index, risk) in risks.iter().enumerate() {
        let mut writer = Writer::from_writer(Vec::new());
        writer.write_record(["weight", "value"])?;
        for (name, value) in weight_names(&risk.form, columns).into_iter().zip(&risk.weights) {
            writer.write_record([name, value.to_string()])?;
        }
        files.push((format!("weights_{}.csv", index + 1), csv_bytes(writer)?));
    }
    Ok(files)
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
