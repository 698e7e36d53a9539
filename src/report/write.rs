//! Writes all files of a report into a run folder.

use crate::analysis::Findings;
use crate::data::sha256;
use crate::math::metric::Metric;
use crate::report::table::{Detail, summary_csv, summary_table};
use crate::report::{cells, page, plot, rows, scatter, summary_json};
use crate::run::{Manifest, RunError, Scatter, Staged, read_bounded, remove_if_there};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;

/// Why a report cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    #[error(transparent)]
    Store(#[from] RunError),
    #[error(transparent)]
    Plot(#[from] plot::PlotError),
    #[error("a table cannot be written: {0}")]
    Csv(#[from] csv::Error),
    #[error("cells.parquet cannot be written: {0}")]
    Parquet(#[from] polars::error::PolarsError),
    #[error("the page cannot be made: {0}")]
    Page(#[from] minijinja::Error),
}

/// Every file that a report can have beside its plots, with its contents. The spec decides which of them it has.
const FILES: [(&str, &str); 20] = [
    ("report.html", "this page"),
    ("cells.csv", "one row for each cell, at full precision; identical from run to run"),
    ("cells.parquet", "the same, with a type for each column"),
    ("timings.csv", "the time that each cell took, which differs from run to run"),
    ("summary.csv", "mean, median, deviation and intervals of every metric, at full precision"),
    ("summary.md", "the table of results, for GitHub"),
    ("summary.tex", "the table of results, for LaTeX with booktabs"),
    ("summary.json", "the contents of this page, for programs"),
    ("comparisons.csv", "the paired differences in every metric, at full precision"),
    ("comparisons.md", "the paired differences in ROC-AUC, for GitHub"),
    ("comparisons.tex", "the paired differences in ROC-AUC, for LaTeX"),
    ("paper.csv", "where each printed value is among our seeds"),
    ("paper.md", "the same, for GitHub"),
    ("paper.tex", "the same, for LaTeX"),
    ("ranks.csv", "the rank of every method in every setting"),
    ("ranks.md", "average ranks over settings, for GitHub"),
    ("ranks.tex", "the same, for LaTeX"),
    ("history.csv", "the training risk and the test AUC of every network, by epoch"),
    ("calibration.csv", "predicted probabilities and observed shares, by bin over all seeds"),
    (scatter::FILE, "the points behind the boundary plots"),
];

/// Whether a folder already has the report that would be written.
pub fn is_written(folder: &Path, manifest: &Manifest, scatters: &[Scatter]) -> bool {
    Manifest::read(folder).is_ok_and(|written| {
        // Without the data, as after a merge on another machine, the plots of people are missing.
        !written.files.is_empty()
            && written.files.contains_key(scatter::FILE) != scatters.is_empty()
            && written.describes_the_same(manifest)
            && written.changed_files(folder).is_empty()
    })
}

/// Writes tables, plots and the page, and removes those of an earlier spec that this one does not have. Returns the sha256
/// of the manifest.
///
/// Only files that the last manifest lists are replaced or removed. All files are on the disk before the first is
/// replaced, and the manifest lists every file before it is.
pub fn write(
    folder: &Path,
    findings: &Findings,
    mut manifest: Manifest,
    scatters: &[Scatter],
) -> Result<String, ReportError> {
    let files = make(findings, &manifest, scatters)?;
    let listed = Manifest::read(folder).map(|manifest| manifest.files).unwrap_or_default();
    let new = files.iter().filter(|(name, _)| !listed.contains_key(*name));
    new.map(|(name, bytes)| (folder.join(name), bytes)).try_for_each(|(path, bytes)| refuse_foreign(&path, bytes))?;
    // Files are hashed while they are written.
    let hash = || files.par_iter().map(|(name, bytes)| (name.clone(), sha256(bytes))).collect();
    let (staged, hashes) = rayon::join(|| Staged::write(folder, &files), hash);
    let staged = staged?;
    manifest.files = hashes;
    let old: Vec<String> = listed.into_keys().filter(|name| !files.contains_key(name)).collect();
    // A file without a hash is about to be removed.
    let leaving = old.iter().map(|name| (name.clone(), String::new()));
    let all = manifest.files.clone().into_iter().chain(leaving).collect();
    let written = Manifest { files: all, ..manifest.clone() }.write(folder)?;
    staged.put_in_place()?;
    for path in old.iter().map(|name| folder.join(name)) {
        remove_if_there(&path).map_err(RunError::writing(&path))?;
    }
    Ok(if old.is_empty() { written } else { manifest.write(folder)? })
}

/// Refuses to replace a file that is not of the last report, unless it has the same contents.
fn refuse_foreign(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    let is_same = |metadata: std::fs::Metadata| {
        metadata.is_file() && read_bounded(path, bytes.len() as u64).is_ok_and(|found| found == bytes)
    };
    if std::fs::symlink_metadata(path).map_or(true, is_same) {
        return Ok(());
    }
    let problem = "would be replaced, but it is not a file of the last report";
    Err(RunError::at(path, problem, "move it away, or give another folder with --out"))
}

/// The files of a report, by their names within the folder.
pub fn make(
    findings: &Findings,
    manifest: &Manifest,
    scatters: &[Scatter],
) -> Result<BTreeMap<String, Vec<u8>>, ReportError> {
    // Every line has its own random stream, so the bootstraps can run in parallel.
    findings.results.lines.par_iter().for_each(|line| {
        line.bootstrap(Metric::RocAuc);
    });
    let (files, drawings) = rayon::join(|| tables(findings, scatters), || plot::draw_all(findings, scatters));
    let (mut files, drawings) = (files?, drawings?);
    let mut beside: Vec<(&str, &str)> = FILES.into_iter().filter(|(name, _)| files.contains_key(*name)).collect();
    beside.push(("plots/", "every figure of this page, as SVG and PNG"));
    let page = page::page(findings, manifest, &drawings, &beside)?;
    files.insert("report.html".to_string(), page.into_bytes());
    for drawing in drawings {
        files.insert(format!("plots/{}.svg", drawing.name), drawing.svg.into_bytes());
        files.insert(format!("plots/{}.png", drawing.name), drawing.png);
    }
    Ok(files)
}

/// The tables of a report.
fn tables(findings: &Findings, scatters: &[Scatter]) -> Result<BTreeMap<String, Vec<u8>>, ReportError> {
    let Findings { results, comparisons, ranks, readings } = findings;
    let mut tables = vec![("summary", summary_csv(results)?, summary_table(results, Detail::Document))];
    if let Some(comparisons) = comparisons {
        tables.push(("comparisons", comparisons.csv()?, comparisons.table()));
    }
    if let Some(readings) = readings {
        tables.push(("paper", readings.csv(results.experiment)?, readings.table()));
    }
    if let Some(ranks) = ranks {
        tables.push(("ranks", ranks.csv(results)?, ranks.table()));
    }
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for (name, csv, table) in tables {
        files.insert(format!("{name}.csv"), csv);
        files.insert(format!("{name}.md"), table.markdown().into_bytes());
        files.insert(format!("{name}.tex"), table.latex().into_bytes());
    }
    files.insert("cells.parquet".to_string(), cells::cells_parquet(results)?);
    let summary = format!("{:#}\n", summary_json(findings)).into_bytes();
    let scatter = (!scatters.is_empty()).then(|| scatter::scatter_csv(results.experiment, scatters));
    let others = [
        ("cells.csv", Some(cells::cells_csv(results))),
        ("timings.csv", Some(rows::timings_csv(results))),
        ("summary.json", Some(Ok(summary))),
        ("history.csv", rows::history_csv(results)),
        ("calibration.csv", rows::calibration_csv(results)),
        (scatter::FILE, scatter),
    ];
    for (name, bytes) in others.into_iter().filter_map(|(name, bytes)| Some((name, bytes?))) {
        files.insert(name.to_string(), bytes?);
    }
    Ok(files)
}
