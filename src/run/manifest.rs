//! What is needed to judge a result later: the spec as understood, the data, the program and the machine.

use crate::data::sha256;
use crate::run::data::DataFile;
use crate::run::store::OWN_FILES;
use crate::run::{Contents, RunError, Shard, read_bounded, write_atomically};
use crate::spec::{Experiment, Plan, RESULTS_VERSION};
use crate::text::presentable;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Component, Path, PathBuf};

const FILE: &str = "manifest.json";
const MAX_BYTES: u64 = 64 << 20;

/// As written to `manifest.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The command that gives the same results.
    pub command: String,
    /// If only a part of the cells was requested.
    pub shard: Option<Shard>,
    /// Of the experiment as understood: comments, layout and location of the YAML file do not count.
    pub spec_sha256: String,
    pub data: Vec<DataFile>,
    /// The program that wrote the report, and the machine.
    pub written_by: Environment,
    /// The programs and machines that computed the cells, each once.
    pub computed_by: Vec<Environment>,
    pub experiment: Experiment,
    /// The base of relative paths of data files.
    pub folder: PathBuf,
    /// Of the stored records of all cells, in the order of the plan.
    pub records_sha256: String,
    /// The sha256 of every file of the report; empty if there is no report.
    pub files: BTreeMap<String, String>,
}

/// The program and the machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Environment {
    pub version: String,
    pub results_version: u32,
    pub commit: String,
    /// Whether the program was built from that commit without changes.
    pub clean: bool,
    /// A hash of the sources, the built-in data and the versions of all dependencies; empty if an earlier version did not
    /// record it.
    #[serde(default)]
    pub sources: String,
    pub compiler: String,
    pub target: String,
    pub system: String,
    pub cpu: String,
}

impl Environment {
    /// Whether both are programs of the same sources and compiler, on whatever machine.
    pub fn is_same_build(&self, other: &Environment) -> bool {
        let build = |of: &Environment| (of.sources.clone(), of.compiler.clone(), of.target.clone());
        !self.sources.is_empty() && build(self) == build(other)
    }
}

/// On one line.
impl fmt::Display for Environment {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Environment { version, results_version, commit, clean, sources, compiler, target, system, cpu } = self;
        let changes = if *clean { String::new() } else { format!(" with changes (sources {sources})") };
        write!(f, "doublepu {version}, commit {commit}{changes}, results version {results_version}, {compiler}, ")?;
        write!(f, "{target}, {system}, {cpu}")
    }
}

pub fn environment() -> Environment {
    Environment {
        version: env!("CARGO_PKG_VERSION").to_string(),
        results_version: RESULTS_VERSION,
        commit: env!("DOUBLEPU_COMMIT").to_string(),
        clean: env!("DOUBLEPU_CLEAN") == "true",
        sources: env!("DOUBLEPU_SOURCES").to_string(),
        compiler: env!("DOUBLEPU_COMPILER").to_string(),
        target: env!("DOUBLEPU_TARGET").to_string(),
        system: system_value("/etc/os-release", "PRETTY_NAME", '='),
        cpu: system_value("/proc/cpuinfo", "model name", ':'),
    }
}

/// The value of a key in a file that Linux has; other systems may not.
fn system_value(path: &str, key: &str, separator: char) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let value = text.lines().find_map(|line| Some(line.strip_prefix(key)?.split_once(separator)?.1));
    value.map_or("unknown".to_string(), |value| value.trim().trim_matches('"').to_string())
}

impl Manifest {
    /// For the outcomes of a plan, without a report.
    pub fn new(
        experiment: &Experiment,
        plan: &Plan,
        data: &[DataFile],
        contents: &Contents,
        command: &str,
    ) -> Result<Self, RunError> {
        Ok(Manifest {
            command: command.to_string(),
            shard: None,
            spec_sha256: spec_sha256(experiment)?,
            data: data.to_vec(),
            written_by: environment(),
            computed_by: computed_by(plan, contents),
            experiment: experiment.clone(),
            folder: std::path::absolute(&experiment.folder).map_err(RunError::reading(&experiment.folder))?,
            records_sha256: records_sha256(plan, contents),
            files: BTreeMap::new(),
        })
    }

    /// Reads the manifest of a run folder.
    pub fn read(run: &Path) -> Result<Self, RunError> {
        let path = run.join(FILE);
        if !path.exists() {
            return Err(RunError::at(
                run,
                "has no manifest.json",
                "give the folder of a run, such as results/runs/smoke",
            ));
        }
        let damaged = |problem: String| RunError::at(&path, problem, "restore the file, or run again");
        let json = read_bounded(&path, MAX_BYTES)?;
        let manifest: Manifest =
            serde_json::from_slice(&json).map_err(|error| damaged(format!("it cannot be understood: {error}")))?;
        if let Some(problem) = manifest.experiment.problem() {
            return Err(damaged(format!("its experiment is invalid: {problem}")));
        }
        if manifest.spec_sha256 != spec_sha256(&manifest.experiment)? {
            return Err(damaged("its experiment is not the one that was run: the sha256 does not match".to_string()));
        }
        let is_within = |name: &str| Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if let Some(name) = manifest.files.keys().find(|name| !is_within(name)) {
            return Err(damaged(format!("it lists a file outside its folder: {}", presentable(name))));
        }
        let experiment = manifest.experiment.in_folder(&manifest.folder);
        Ok(Manifest { experiment, ..manifest })
    }

    /// Writes it unless the folder has a report, so that a run that never ends is described as well. Returns its sha256 if
    /// it is written.
    pub fn write_ahead(&self, run: &Path) -> Result<Option<String>, RunError> {
        let is_there = match Manifest::read(run) {
            Ok(stored) => !stored.files.is_empty() || stored.start().describes_the_same(&self.start()),
            // An unreadable one may still belong to a report.
            Err(_) => run.join(FILE).exists() && run.join("cells.csv").exists(),
        };
        if is_there { Ok(None) } else { self.write(run).map(Some) }
    }

    /// Without what has been computed since the start.
    fn start(&self) -> Manifest {
        Manifest { computed_by: Vec::new(), records_sha256: String::new(), ..self.clone() }
    }

    /// Returns the sha256 of the file.
    pub fn write(&self, run: &Path) -> Result<String, RunError> {
        let path = run.join(FILE);
        let mut json = serde_json::to_vec_pretty(self).map_err(|error| RunError::writing(&path)(error.into()))?;
        json.push(b'\n');
        write_atomically(&path, &json)?;
        Ok(sha256(&json))
    }

    /// The sha256 of the file in a run folder.
    pub fn stored_sha256(run: &Path) -> Result<String, RunError> {
        read_bounded(&run.join(FILE), MAX_BYTES).map(|json| sha256(&json))
    }

    /// The known files of a run folder.
    pub fn own_files(run: &Path) -> Vec<PathBuf> {
        let report = Manifest::read(run).map(|manifest| manifest.files).unwrap_or_default();
        let own = OWN_FILES.into_iter().chain([FILE]).map(String::from);
        let names = own.chain(report.into_keys());
        names.map(|name| run.join(name)).collect()
    }

    /// Whether both are equal except for the files of the report.
    pub fn describes_the_same(&self, other: &Manifest) -> bool {
        let without_files =
            |manifest: &Manifest| serde_json::to_string(&Manifest { files: BTreeMap::new(), ..manifest.clone() }).ok();
        without_files(self).is_some_and(|text| without_files(other) == Some(text))
    }

    /// The files of the report that are missing or changed.
    pub fn changed_files(&self, run: &Path) -> Vec<&str> {
        let is_changed = |(name, hash): &(&String, &String)| {
            let path = run.join(name);
            // The manifest may have been edited to name a pipe, and reading one would wait forever.
            !(path.is_file() && std::fs::read(path).is_ok_and(|bytes| sha256(&bytes) == **hash))
        };
        self.files.iter().filter(is_changed).map(|(name, _)| name.as_str()).collect()
    }
}

/// The programs and machines that computed the cells of a plan, each once.
pub fn computed_by(plan: &Plan, contents: &Contents) -> Vec<Environment> {
    let kept = plan.cells.iter().filter_map(|cell| contents.kept.get(&cell.id));
    let indices: BTreeSet<usize> = kept.filter_map(|kept| kept.environment).collect();
    let mut environments: Vec<Environment> = Vec::new();
    for environment in indices.into_iter().map(|index| &contents.environments[index]) {
        if !environments.contains(environment) {
            environments.push(environment.clone());
        }
    }
    environments
}

/// Of the stored records of the cells of a plan.
pub fn records_sha256(plan: &Plan, contents: &Contents) -> String {
    let kept = plan.cells.iter().filter_map(|cell| contents.kept.get(&cell.id));
    sha256(kept.map(|kept| kept.checksum.as_str()).collect::<String>().as_bytes())
}

pub fn spec_sha256(experiment: &Experiment) -> Result<String, RunError> {
    let json = serde_json::to_vec(experiment).map_err(|error| RunError::writing(Path::new(FILE))(error.into()))?;
    Ok(sha256(&json))
}
