//! Every file that people read, into a run folder.

use crate::dataset::sha256;
use crate::report::plot;
use crate::report::{
    Comparisons, Results, cells_csv, history_csv, latex, markdown, page, scatter_csv, summary_csv, timings_csv,
};
use crate::run::{Manifest, Scatter, StoreError, remove_if_there, write_together};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// Why a report is not there.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Plot(#[from] plot::Error),
    #[error("a table cannot be written: {0}")]
    Csv(#[from] csv::Error),
    #[error("the page cannot be made: {0}")]
    Page(#[from] minijinja::Error),
}

/// Files of which a report has some or not, as the spec will have it.
const SOMETIMES: [&str; 4] = ["scatter.csv", "history.csv", "comparisons.csv", "comparisons.md"];

/// Whether a folder already has the report that would be written.
pub fn is_written(folder: &Path, manifest: &Manifest, scatters: &[Scatter]) -> bool {
    Manifest::read(folder).is_ok_and(|written| {
        // Without the data at hand, as after a merge elsewhere, the plots of people are missing.
        !written.files.is_empty()
            && written.files.contains_key("scatter.csv") != scatters.is_empty()
            && written.describes_the_same(manifest)
            && written.changed_file(folder).is_none()
    })
}

/// Writes tables, plots and the page; what an earlier spec left in the folder and this one does not make is removed.
///
/// All is made before the first file is written, and the manifest, which lists the files, is written last.
pub fn write(
    folder: &Path,
    results: &Results,
    mut manifest: Manifest,
    scatters: &[Scatter],
) -> Result<(), ReportError> {
    let files = make(results, &manifest, scatters)?;
    write_together(folder, &files)?;
    for name in SOMETIMES.into_iter().filter(|name| !files.contains_key(*name)) {
        let path = folder.join(name);
        remove_if_there(&path).map_err(StoreError::writing(&path))?;
    }
    let plots = folder.join("plots");
    remove_other_plots(&plots, &files).map_err(StoreError::writing(&plots))?;
    manifest.files = files.iter().map(|(name, bytes)| (name.clone(), sha256(bytes))).collect();
    Ok(manifest.write(folder)?)
}

/// The files of a report, by their names within the folder.
fn make(
    results: &Results,
    manifest: &Manifest,
    scatters: &[Scatter],
) -> Result<BTreeMap<String, Vec<u8>>, ReportError> {
    let drawings = plot::draw_all(results, scatters)?;
    let mut files = vec![
        ("cells.csv", cells_csv(results)?),
        ("timings.csv", timings_csv(results)?),
        ("summary.csv", summary_csv(results)?),
        ("summary.md", markdown(results).into_bytes()),
        ("summary.tex", latex(results).into_bytes()),
        ("report.html", page(results, manifest, &drawings)?.into_bytes()),
    ];
    if !scatters.is_empty() {
        files.push(("scatter.csv", scatter_csv(results.experiment, scatters)?));
    }
    if results.has_history() {
        files.push(("history.csv", history_csv(results)?));
    }
    if let Some(comparisons) = Comparisons::of(results) {
        files.push(("comparisons.csv", comparisons.csv()?));
        files.push(("comparisons.md", comparisons.table().markdown().into_bytes()));
    }
    let mut files: BTreeMap<String, Vec<u8>> =
        files.into_iter().map(|(name, bytes)| (name.to_string(), bytes)).collect();
    for drawing in drawings {
        files.insert(format!("plots/{}.svg", drawing.name), drawing.svg.into_bytes());
        files.insert(format!("plots/{}.png", drawing.name), drawing.png);
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
