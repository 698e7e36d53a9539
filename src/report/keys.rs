//! The columns that name a result row in every CSV file, so that the files can be joined.

use crate::analysis::Line;
use crate::spec::{Experiment, LINE_KEYS};
use crate::text::Columns;

/// Adds the columns `setting`, `label` and `prior`.
pub fn add_keys<'a, T>(table: &mut Columns<T>, experiment: &Experiment, line: impl Fn(&T) -> &'a Line<'a>) {
    for (index, key) in LINE_KEYS.into_iter().enumerate() {
        table.texts(key, |item| {
            let Line { setting, method, prior, .. } = line(item);
            let [setting, label, prior] = experiment.csv_line((*setting, *method, *prior));
            [setting, label, prior].into_iter().nth(index).unwrap_or_default()
        });
    }
}
