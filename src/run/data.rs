//! The tables of an experiment's settings, each file read once.

use crate::dataset::{DataError, Frame, Table};
use crate::sample::Simulation;
use crate::spec::{Dataset, Experiment, Source};
use std::borrow::Cow;

/// What the settings draw from.
pub struct Data {
    settings: Vec<Origin>,
    files: Vec<DataFile>,
}

enum Origin {
    Table(Table),
    Simulation(Simulation),
}

/// A file that was read, as the manifest records it.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct DataFile {
    pub name: String,
    pub sha256: String,
    pub rows: usize,
}

impl Data {
    pub fn load(experiment: &Experiment) -> Result<Self, DataError> {
        let mut frames: Vec<(&Source, Frame)> = Vec::new();
        let mut settings = Vec::new();
        for setting in &experiment.settings {
            settings.push(match &setting.dataset {
                Dataset::Simulation(simulation) => Origin::Simulation(*simulation),
                Dataset::Table { source, interest, loyalty } => {
                    if !frames.iter().any(|(read, _)| *read == source) {
                        frames.push((source, source.read()?));
                    }
                    let (_, frame) = &frames[frames.iter().position(|(read, _)| *read == source).unwrap_or_default()];
                    Origin::Table(Table::new(frame, interest, loyalty, &setting.features.exclude)?)
                }
            });
        }
        let file =
            |(_, frame): (&Source, Frame)| DataFile { name: frame.origin, sha256: frame.sha256, rows: frame.rows };
        Ok(Data { settings, files: frames.into_iter().map(file).collect() })
    }

    /// The table of a setting; a simulation draws a new one for every seed.
    pub fn table(&self, setting: usize, seed: u32) -> Cow<'_, Table> {
        match &self.settings[setting] {
            Origin::Table(table) => Cow::Borrowed(table),
            Origin::Simulation(simulation) => Cow::Owned(simulation.draw(seed)),
        }
    }

    pub fn files(&self) -> &[DataFile] {
        &self.files
    }

    /// The sha256 behind each setting; a simulation has none.
    pub fn hashes(&self, experiment: &Experiment) -> Vec<Option<String>> {
        let hash = |dataset: &Dataset| match dataset {
            Dataset::Simulation(_) => None,
            Dataset::Table { source, .. } => {
                self.files.iter().find(|file| file.name == source.name()).map(|file| file.sha256.clone())
            }
        };
        experiment.settings.iter().map(|setting| hash(&setting.dataset)).collect()
    }
}
