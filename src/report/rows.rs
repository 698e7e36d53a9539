//! `timings.csv`, with a row for every cell in the order of the plan; and the data behind the plots.

use crate::analysis::{Line, Results};
use crate::math::metric::{CALIBRATION_BINS, CalibrationBin};
use crate::report::keys::add_keys;
use crate::spec::{Cell, Experiment, LINE_KEYS};
use crate::text::{Columns, csv_table};

/// What differs from run to run.
pub fn timings_csv(results: &Results) -> csv::Result<Vec<u8>> {
    let seconds = results.cells.iter().map(|(cell, outcome)| (*cell, [format!("{:.6}", outcome.seconds)]));
    with_names(results.experiment, &["seconds"], seconds)
}

/// The training risk and the test AUC of every network, with a row for each recorded epoch; `None` without networks.
pub fn history_csv(results: &Results) -> Option<csv::Result<Vec<u8>>> {
    let moments = results.cells.iter().flat_map(|(cell, outcome)| {
        let history = outcome.result.iter().flat_map(|scored| &scored.history);
        history.map(|moment| {
            let numbers = [moment.epoch.to_string(), moment.training_risk.to_string(), moment.roc_auc.to_string()];
            (*cell, numbers)
        })
    });
    let mut moments = moments.peekable();
    moments.peek()?;
    Some(with_names(results.experiment, &["epoch", "training_risk", "roc_auc"], moments))
}

/// A table whose rows begin with the id, setting, label, prior and seed of a cell.
fn with_names<'a, const N: usize>(
    experiment: &Experiment,
    columns: &[&'static str; N],
    rows: impl Iterator<Item = (&'a Cell, [String; N])>,
) -> csv::Result<Vec<u8>> {
    let row = |(cell, numbers): (&Cell, [String; N])| experiment.csv_cell(cell).into_iter().chain(numbers);
    let header = ["cell"].into_iter().chain(LINE_KEYS).chain(["seed"]).chain(columns.iter().copied());
    csv_table(header, rows.map(row))
}

/// Predicted probabilities and observed shares over all seeds, with a row for each bin that has people; `None` if no method
/// predicts probabilities.
pub fn calibration_csv(results: &Results) -> Option<csv::Result<Vec<u8>>> {
    let bins = |line| Line::calibration(line).unwrap_or_default().into_iter().enumerate().map(move |bin| (line, bin));
    let has_people = |(_, (_, bin)): &(_, (_, CalibrationBin))| bin.people > 0;
    let rows: Vec<(&Line, (usize, CalibrationBin))> = results.lines.iter().flat_map(bins).filter(has_people).collect();
    let edge = |index: usize| Some(index as f64 / CALIBRATION_BINS as f64);
    let mut table = Columns::of(&rows);
    add_keys(&mut table, results.experiment, |(line, _)| line);
    table.numbers("probability_from", |(_, (index, _))| edge(*index));
    table.numbers("probability_to", |(_, (index, _))| edge(index + 1));
    table.numbers("people", |(_, (_, bin))| Some(bin.people));
    table.numbers("mean_probability", |(_, (_, bin))| Some(bin.expected / f64::from(bin.people)));
    table.numbers("share_found", |(_, (_, bin))| Some(f64::from(bin.found) / f64::from(bin.people)));
    (!rows.is_empty()).then(|| table.csv())
}
