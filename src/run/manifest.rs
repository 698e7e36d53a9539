//! What is needed to judge a result later: the spec as understood, the data, the program and the machine.

use crate::dataset::sha256;
use crate::run::data::DataFile;
use crate::run::{Data, StoreError, write_atomically};
use crate::spec::{Experiment, RESULTS_VERSION};
use serde::{Deserialize, Serialize};
use std::path::Path;

const FILE: &str = "manifest.json";

fn manifest_error(error: serde_json::Error) -> StoreError {
    StoreError::Io { path: FILE.into(), source: error.into() }
}

/// As written to `manifest.json`.
#[derive(Clone, Debug, Serialize)]
pub struct Manifest<'a> {
    pub environment: Environment,
    /// Of the experiment as understood: comments and layout of the YAML do not count.
    pub spec_sha256: String,
    pub data: &'a [DataFile],
    pub experiment: &'a Experiment,
}

/// The program and the machine.
#[derive(Clone, Debug, Serialize)]
pub struct Environment {
    pub version: &'static str,
    pub results_version: u32,
    pub commit: &'static str,
    pub compiler: &'static str,
    pub target: &'static str,
    pub cpu: String,
    pub cores: usize,
}

pub fn environment() -> Environment {
    Environment {
        version: env!("CARGO_PKG_VERSION"),
        results_version: RESULTS_VERSION,
        commit: env!("DOUBLEPU_COMMIT"),
        compiler: env!("DOUBLEPU_COMPILER"),
        target: env!("DOUBLEPU_TARGET"),
        cpu: cpu(),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
    }
}

/// The processor's name where the system tells it, as Linux does.
fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map_or("unknown".to_string(), |(_, name)| name.trim().to_string())
}

/// The part of a manifest that a finished run is read back from.
#[derive(Deserialize)]
pub struct FinishedRun {
    pub experiment: Experiment,
    pub data: Vec<DataFile>,
}

/// What a finished run was made of.
pub fn read_run(folder: &Path) -> Result<FinishedRun, StoreError> {
    let path = folder.join(FILE);
    let not_a_run = |reason: String| StoreError::NotARun { path: path.clone(), reason };
    let json = std::fs::read(&path).map_err(|error| not_a_run(error.to_string()))?;
    let manifest: serde_json::Value = serde_json::from_slice(&json).map_err(|error| not_a_run(error.to_string()))?;
    if manifest["environment"]["results_version"] != RESULTS_VERSION {
        return Err(not_a_run(format!("its results version is not {RESULTS_VERSION}, which is this program's")));
    }
    serde_json::from_value(manifest).map_err(|error| not_a_run(error.to_string()))
}

impl<'a> Manifest<'a> {
    pub fn new(experiment: &'a Experiment, data: &'a Data) -> Result<Self, StoreError> {
        let json = serde_json::to_string(experiment).map_err(manifest_error)?;
        let spec_sha256 = sha256(json.as_bytes());
        Ok(Manifest { environment: environment(), spec_sha256, data: data.files(), experiment })
    }

    pub fn write(&self, folder: &Path) -> Result<(), StoreError> {
        let mut json = serde_json::to_vec_pretty(self).map_err(manifest_error)?;
        json.push(b'\n');
        write_atomically(&folder.join(FILE), &json)
    }
}
