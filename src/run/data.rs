//! The tables of an experiment's settings; each file is read once.

use crate::data::{BuiltIn, DataError, FileSchema, Frame, Reading, Table, file_bytes, read_file, sha256};
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
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct DataFile {
    pub name: String,
    pub sha256: String,
    pub rows: usize,
    /// What its columns are, once for every way in which settings use them; empty if an earlier version did not record it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub schema: Vec<FileSchema>,
}

/// Two files are the same if their contents are: the schema follows from these and from the spec.
impl PartialEq for DataFile {
    fn eq(&self, other: &DataFile) -> bool {
        let content = |file: &DataFile| (file.name.clone(), file.sha256.clone(), file.rows);
        content(self) == content(other)
    }
}

/// A file that was read, and how.
struct ReadFile<'a> {
    source: &'a Source,
    reading: Reading,
    frame: Frame,
    schema: Vec<FileSchema>,
}

impl Data {
    pub fn load(experiment: &Experiment) -> Result<Self, DataError> {
        let mut read: Vec<ReadFile> = Vec::new();
        let mut settings = Vec::new();
        for setting in &experiment.settings {
            settings.push(match &setting.dataset {
                Dataset::Simulation(simulation) => Origin::Simulation(*simulation),
                Dataset::Table { source, interest, loyalty, .. } => {
                    let reading = reading(experiment, setting);
                    let known = read.iter().position(|file| file.is(source, &reading));
                    if known.is_none() {
                        let frame = read_source(source, experiment, &reading)?;
                        read.push(ReadFile { source, reading, frame, schema: Vec::new() });
                    }
                    let place = known.unwrap_or(read.len() - 1);
                    let ReadFile { frame, schema, .. } = &mut read[place];
                    let table = Table::new(frame, interest, loyalty, &setting.features)?;
                    setting.features.check_width(&frame.origin, &table)?;
                    let labels = [interest.column.as_str(), loyalty.column.as_str()];
                    add_schema(schema, frame.schema(&labels, &setting.features), &setting.label);
                    Origin::Table(table)
                }
            });
        }
        let mut files: Vec<DataFile> = Vec::new();
        for ReadFile { source, frame: Frame { sha256, rows, .. }, schema, .. } in read {
            let file = DataFile { name: source.name(), sha256, rows, schema };
            match files.iter_mut().find(|known| **known == file) {
                Some(known) => known.schema.extend(file.schema),
                None => files.push(file),
            }
        }
        Ok(Data { settings, files })
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

impl ReadFile<'_> {
    fn is(&self, source: &Source, reading: &Reading) -> bool {
        self.source.is_written_like(source) && self.reading == *reading
    }
}

/// How a setting reads its file: columns that no setting of the same file uses are not read.
fn reading(experiment: &Experiment, setting: &Setting) -> Reading {
    let Dataset::Table { source, missing, .. } = &setting.dataset else { return Reading::default() };
    let uses = |column: &String, other: &Setting| match &other.dataset {
        Dataset::Table { source: of, interest, loyalty, .. } if of.is_written_like(source) => {
            !other.features.exclude.contains(column) || [&interest.column, &loyalty.column].contains(&column)
        }
        _ => false,
    };
    let is_unused = |column: &&String| !experiment.settings.iter().any(|other| uses(column, other));
    let unused = setting.features.exclude.iter().filter(is_unused).cloned().collect();
    Reading { missing: missing.clone(), types: setting.features.types.clone(), unused }
}

/// Settings that use a file in the same way share a schema.
fn add_schema(schemas: &mut Vec<FileSchema>, schema: FileSchema, setting: &str) {
    match schemas.iter_mut().find(|known| known.columns == schema.columns) {
        Some(known) => known.settings.push(setting.to_string()),
        None => schemas.push(FileSchema { settings: vec![setting.to_string()], ..schema }),
    }
}

fn read_source(source: &Source, experiment: &Experiment, reading: &Reading) -> Result<Frame, DataError> {
    let (path, expected) = match source {
        Source::BuiltIn(name) => {
            let unknown = || DataError::new(name, "is not built in", "see `doublepu data list`");
            return BuiltIn::named(name).ok_or_else(unknown)?.frame_as(reading);
        }
        Source::File { path, sha256 } => (path, sha256),
    };
    let frame = read_file(&experiment.place_of(path), reading)?;
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
    // A sandbox hides the files where they are now.
    let folder = experiment.folder.clone();
    *experiment = experiment.clone().in_folder(&folder);
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
