//! Every file that people read, into a run folder.

use crate::analysis::Findings;
use crate::data::sha256;
use crate::math::metric::Metric;
use crate::report::table::{Detail, summary_csv, summary_table};
use crate::report::{page, plot, rows, scatter, summary_json};
use crate::run::{Manifest, Scatter, StoreError, remove_if_there, write_together};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// Why a report is not there.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Plot(#[from] plot::PlotError),
    #[error("a table cannot be written: {0}")]
    Csv(#[from] csv::Error),
    #[error("the page cannot be made: {0}")]
    Page(#[from] minijinja::Error),
}

/// Every file that a report may have beside its plots, with what it holds; which of them it has, the spec decides.
const FILES: [(&str, &str); 19] = [
    ("report.html", "this page"),
    ("cells.csv", "one row for each cell, at full precision; the same bytes from run to run"),
    ("timings.csv", "what differs from run to run: how long each cell took"),
    ("summary.csv", "mean, median, deviation and intervals of every metric, at full precision"),
    ("summary.md", "the table of results, for GitHub"),
    ("summary.tex", "the table of results, for LaTeX with booktabs"),
    ("summary.json", "all that this page says, for programs"),
    ("comparisons.csv", "the paired differences in every metric, at full precision"),
    ("comparisons.md", "the paired differences in ROC-AUC, for GitHub"),
    ("comparisons.tex", "the paired differences in ROC-AUC, for LaTeX"),
    ("paper.csv", "where each printed value falls among our seeds"),
    ("paper.md", "the same, for GitHub"),
    ("paper.tex", "the same, for LaTeX"),
    ("ranks.csv", "the rank of every method in every setting"),
    ("ranks.md", "average ranks over settings, for GitHub"),
    ("ranks.tex", "the same, for LaTeX"),
    ("history.csv", "the training risk and the test AUC of every network, epoch by epoch"),
    ("calibration.csv", "how often what was given a probability came true, bin by bin over all seeds"),
    (scatter::FILE, "the points behind the boundary plots"),
];

/// Whether a folder already has the report that would be written.
pub fn is_written(folder: &Path, manifest: &Manifest, scatters: &[Scatter]) -> bool {
    Manifest::read(folder).is_ok_and(|written| {
        // Without the data at hand, as after a merge elsewhere, the plots of people are missing.
        !written.files.is_empty()
            && written.files.contains_key(scatter::FILE) != scatters.is_empty()
            && written.describes_the_same(manifest)
            && written.changed_file(folder).is_none()
    })
}

/// Writes tables, plots and the page; what an earlier spec left in the folder and this one does not make is removed.
///
/// All is made before the first file is written, and the manifest, which lists the files, is written last.
pub fn write(
    folder: &Path,
    findings: &Findings,
    mut manifest: Manifest,
    scatters: &[Scatter],
) -> Result<(), ReportError> {
    let files = make(findings, &manifest, scatters)?;
    // Files are hashed while the disk is at work.
    let hash = || files.par_iter().map(|(name, bytes)| (name.clone(), sha256(bytes))).collect();
    let (written, hashes) = rayon::join(|| write_together(folder, &files), hash);
    written?;
    for (name, _) in FILES.iter().filter(|(name, _)| !files.contains_key(*name)) {
        let path = folder.join(name);
        remove_if_there(&path).map_err(StoreError::writing(&path))?;
    }
    let plots = folder.join("plots");
    remove_other_plots(&plots, &files).map_err(StoreError::writing(&plots))?;
    manifest.files = hashes;
    Ok(manifest.write(folder)?)
}

/// The files of a report, by their names within the folder.
fn make(
    findings: &Findings,
    manifest: &Manifest,
    scatters: &[Scatter],
) -> Result<BTreeMap<String, Vec<u8>>, ReportError> {
    // Every line has random numbers of its own, so they may be drawn at the same time.
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
        tables.push(("paper", readings.csv()?, readings.table()));
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
    let mut add = |name: &str, bytes: Vec<u8>| files.insert(name.to_string(), bytes);
    add("cells.csv", rows::cells_csv(results)?);
    add("timings.csv", rows::timings_csv(results)?);
    add("summary.json", format!("{:#}\n", summary_json(findings)).into_bytes());
    if results.has_history() {
        add("history.csv", rows::history_csv(results)?);
    }
    if results.has_calibration() {
        add("calibration.csv", rows::calibration_csv(results)?);
    }
    if !scatters.is_empty() {
        add(scatter::FILE, scatter::scatter_csv(results.experiment, scatters)?);
    }
    Ok(files)
}

/// Plots of an earlier spec would pass for those of this one.
fn remove_other_plots(folder: &Path, files: &BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_plot = name.ends_with(".svg") || name.ends_with(".png");
        if is_plot && !files.contains_key(&format!("plots/{name}")) {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
