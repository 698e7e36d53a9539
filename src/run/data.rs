//! The tables of an experiment's settings; each file is read once.

use crate::data::{BuiltIn, DataError, Frame, Table, file_bytes, read_file, sha256};
use crate::sample::Simulation;
use crate::spec::{Dataset, Experiment, Plan, RESULTS_VERSION, Setting, Source};
use std::borrow::Cow;
use std::path::PathBuf;

/// The data of an experiment.
pub struct Data {
    settings: Vec<Origin>,
    files: Vec<DataFile>,
}

enum Origin {
    Table(Table),
    Simulation(Simulation),
}

/// A data file as the manifest records it, by its name in the spec.
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
                    let known = frames.iter().position(|(read, _)| read.is_written_like(source));
                    if known.is_none() {
                        frames.push((source, read(source, experiment)?));
                    }
                    let (_, frame) = &frames[known.unwrap_or(frames.len() - 1)];
                    let table = Table::new(frame, interest, loyalty, &setting.features.exclude)?;
                    setting.features.check_width(&frame.origin, &table)?;
                    Origin::Table(table)
                }
            });
        }
        let file =
            |(source, Frame { sha256, rows, .. }): (&Source, Frame)| DataFile { name: source.name(), sha256, rows };
        Ok(Data { settings, files: frames.into_iter().map(file).collect() })
    }

    /// Loads the data of a stored run, which must be unchanged.
    pub fn load_again(experiment: &Experiment, files: &[DataFile]) -> Result<Self, DataError> {
        let remedy = "restore the file at its path during the run; or name it with --data; or run again";
        let data = Data::load(experiment).map_err(|error| error.with_remedy(remedy))?;
        match data.files.iter().find(|file| !files.contains(file)) {
            None => Ok(data),
            Some(DataFile { name, sha256, .. }) => {
                let problem = format!("has changed since the run: its sha256 is now {sha256}");
                Err(DataError::new(name, problem, "restore the file, or run again"))
            }
        }
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

    /// The cells of an experiment on this data.
    pub fn plan(&self, experiment: &Experiment) -> Plan {
        plan(experiment, &self.files, RESULTS_VERSION)
    }
}

fn read(source: &Source, experiment: &Experiment) -> Result<Frame, DataError> {
    let (path, expected) = match source {
        Source::BuiltIn(name) => {
            let unknown = || DataError::new(name, "is not built in", "see `doublepu data list`");
            return BuiltIn::named(name).ok_or_else(unknown)?.frame();
        }
        Source::File { path, sha256 } => (path, sha256),
    };
    let frame = read_file(&experiment.place_of(path))?;
    match expected {
        Some(expected) if *expected != frame.sha256 => Err(DataError::new(
            &frame.origin,
            format!("has the sha256 {}, but the spec requires {expected}", frame.sha256),
            "restore the file, or correct `dataset.sha256`",
        )),
        _ => Ok(frame),
    }
}

/// Names files that are not where the spec says: each is the one whose sha256 the spec or an earlier run requires.
pub fn find_moved(experiment: &mut Experiment, known: &[DataFile], moved: &[PathBuf]) -> Result<(), DataError> {
    let sources = |setting: &Setting| match &setting.dataset {
        Dataset::Table { source: source @ Source::File { sha256, .. }, .. } => {
            let recorded = known.iter().filter(|file| file.name == source.name()).map(|file| file.sha256.clone());
            Some((source.name(), recorded.chain(sha256.clone()).collect()))
        }
        _ => None,
    };
    let sources: Vec<(String, Vec<String>)> = experiment.settings.iter().filter_map(sources).collect();
    for path in moved {
        let hash = sha256(&file_bytes(path)?);
        let names: Vec<&String> =
            sources.iter().filter(|(_, hashes)| hashes.contains(&hash)).map(|(name, _)| name).collect();
        if names.is_empty() {
            let problem =
                format!("is no file of this experiment: neither its spec nor an earlier run has the sha256 {hash}");
            let remedy = "name the file that was used, unchanged; for another one, change `dataset.source` of the spec";
            return Err(DataError::new(&path.display().to_string(), problem, remedy));
        }
        experiment.moved.extend(names.into_iter().map(|name| (name.clone(), path.clone())));
    }
    Ok(())
}

/// The cells of an experiment on given files, run by a program of a given results version.
pub fn plan(experiment: &Experiment, files: &[DataFile], results_version: u32) -> Plan {
    let hash = |dataset: &Dataset| match dataset {
        Dataset::Simulation(_) => None,
        Dataset::Table { source, .. } => {
            files.iter().find(|file| file.name == source.name()).map(|file| file.sha256.clone())
        }
    };
    let hashes: Vec<_> = experiment.settings.iter().map(|setting| hash(&setting.dataset)).collect();
    Plan::new(experiment, &hashes, results_version)
}
