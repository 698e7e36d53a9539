//! Every file that people read, into a run folder.

use crate::report::plot::{self, Drawing};
use crate::report::{
    Comparisons, Results, cells_csv, history_csv, latex, markdown, page, scatter_csv, summary_csv, timings_csv,
};
use crate::run::{Manifest, Scatter, StoreError, write_atomically};
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
    #[error("old plots cannot be removed: {0}")]
    Io(#[from] io::Error),
}

/// Writes tables, plots and the page; what an earlier spec left in the folder and this one does not make is removed.
///
/// All is made before the first file is written. `command` is what a reader runs to get the same.
pub fn write(
    folder: &Path,
    results: &Results,
    manifest: &Manifest,
    scatters: &[Scatter],
    command: &str,
) -> Result<(), ReportError> {
    let drawings = plot::draw_all(results, scatters)?;
    let mut files = vec![
        ("cells.csv", cells_csv(results)?),
        ("timings.csv", timings_csv(results)?),
        ("summary.csv", summary_csv(results)?),
        ("summary.md", markdown(results).into_bytes()),
        ("summary.tex", latex(results).into_bytes()),
        ("report.html", page(results, manifest, &drawings, command)?.into_bytes()),
    ];
    if scatters.is_empty() {
        remove_if_there(&folder.join("scatter.csv"))?;
    } else {
        files.push(("scatter.csv", scatter_csv(results.experiment, scatters)?));
    }
    if results.has_history() {
        files.push(("history.csv", history_csv(results)?));
    } else {
        remove_if_there(&folder.join("history.csv"))?;
    }
    if let Some(comparisons) = Comparisons::of(results) {
        files.push(("comparisons.csv", comparisons.csv()?));
        files.push(("comparisons.md", comparisons.table().markdown().into_bytes()));
    } else {
        remove_if_there(&folder.join("comparisons.csv"))?;
        remove_if_there(&folder.join("comparisons.md"))?;
    }
    manifest.write(folder)?;
    for (name, bytes) in files {
        write_atomically(&folder.join(name), &bytes)?;
    }
    let plots = folder.join("plots");
    std::fs::create_dir_all(&plots)?;
    for drawing in &drawings {
        write_atomically(&plots.join(format!("{}.svg", drawing.name)), drawing.svg.as_bytes())?;
        write_atomically(&plots.join(format!("{}.png", drawing.name)), &drawing.png)?;
    }
    Ok(remove_other_plots(&plots, &drawings)?)
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Plots of an earlier spec would pass for those of this one.
fn remove_other_plots(folder: &Path, drawings: &[Drawing]) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let is_plot = path.extension().is_some_and(|ending| ending == "svg" || ending == "png");
        if is_plot && !drawings.iter().any(|drawing| path.file_stem().is_some_and(|name| name == &*drawing.name)) {
            std::fs::remove_file(path)?;
        }
    }
    Ok(())
}
