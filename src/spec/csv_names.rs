//! The names of settings, methods and priors in CSV files: the columns by which the files are joined.

use crate::spec::plan::LinePlace;
use crate::spec::{Cell, Experiment};
use crate::text::csv_name;

/// The columns that name a result row in every file.
pub const LINE_KEYS: [&str; 3] = ["setting", "label", "prior"];
/// The setting of an experiment that has only one.
const ONLY_SETTING: &str = "only";
/// The prior of a method that uses none.
const NO_PRIOR: &str = "-";

impl Experiment {
    pub fn csv_setting(&self, setting: usize) -> String {
        match &*self.settings[setting].label {
            "" => ONLY_SETTING.to_string(),
            label => csv_name("setting", label),
        }
    }

    pub fn csv_label(&self, method: usize) -> String {
        csv_name("label", &self.methods[method].label)
    }

    pub fn csv_prior(&self, prior: Option<usize>) -> String {
        prior.map_or(NO_PRIOR.to_string(), |prior| csv_name("prior", &self.priors[prior].name))
    }

    /// The values of [`LINE_KEYS`].
    pub fn csv_line(&self, (setting, method, prior): LinePlace) -> [String; 3] {
        [self.csv_setting(setting), self.csv_label(method), self.csv_prior(prior)]
    }

    /// The id of a cell, its setting, label and prior, and its seed.
    pub fn csv_cell(&self, cell: &Cell) -> [String; 5] {
        let [setting, label, prior] = self.csv_line(cell.line());
        [cell.id.clone(), setting, label, prior, cell.seed.to_string()]
    }
}
