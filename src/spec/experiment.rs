//! A checked spec, with all defaults filled in and all lists expanded.

use crate::data::{Features, LabelRule};
use crate::learn::{Prior, PriorError, PriorUse};
use crate::math::bounds::{NumberOrWord, Pause, inline_schema};
use crate::math::metric::Metric;
use crate::methods::{Method, Setup};
use crate::sample::{Scheme, Simulation};
use crate::spec::gate::Gate;
use crate::spec::plan::Cell;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// A sentence names at most so many settings.
const MOST_NAMED: usize = 4;

/// An experiment: every setting x method x prior x seed is to be run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Experiment {
    pub name: String,
    pub settings: Vec<Setting>,
    pub methods: Vec<LabelledMethod>,
    pub priors: Vec<NamedPrior>,
    pub seeds: u32,
    /// ROC-AUC first.
    pub metrics: Vec<Metric>,
    /// The index in `methods` of the method that is compared with every other.
    pub compare: Option<usize>,
    /// The difference in ROC-AUC that comparisons should be able to detect.
    pub difference: f64,
    pub paper: Vec<PaperValue>,
    #[serde(default, skip_serializing_if = "Gate::is_default")]
    pub gate: Gate,
    /// The folder to which the paths of data files are relative. It is not stored: in another folder, the experiment is
    /// the same.
    #[serde(skip)]
    pub folder: PathBuf,
    /// Where data files are that are not at their paths, by their names in the spec. Not stored either.
    #[serde(skip)]
    pub moved: BTreeMap<String, PathBuf>,
}

/// One way of drawing samples: all methods, priors and seeds are tried on each.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Setting {
    /// How this setting differs from the others; empty if it is the only one.
    pub label: String,
    pub dataset: Dataset,
    pub features: Features,
    pub sampling: Scheme,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dataset {
    Table {
        source: Source,
        interest: LabelRule,
        loyalty: LabelRule,
        /// Texts that count as missing, besides the usual ones.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        missing: Vec<String>,
    },
    Simulation(Simulation),
}

impl Dataset {
    /// The path of its file, if it is not built in.
    fn path(&self) -> Option<&Path> {
        match self {
            Dataset::Table { source: Source::File { path, .. }, .. } => Some(path),
            Dataset::Table { source: Source::BuiltIn(_), .. } | Dataset::Simulation(_) => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    BuiltIn(String),
    /// The path as written in the spec.
    File {
        path: PathBuf,
        sha256: Option<String>,
    },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LabelledMethod {
    /// The name, with the options that distinguish it from others of the same name.
    pub label: String,
    pub method: Method,
    /// How an external method is run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
}

/// What an external method may take and read. It does not decide results.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// For one cell, and for starting.
    pub timeout: Pause,
    pub sandbox: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NamedPrior {
    pub name: String,
    pub beta: PriorSource,
    pub gamma: PriorSource,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PriorSource {
    Fixed(f64),
    Multiple { times: f64, of: PriorBase },
}

/// The rows in which a prior is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, strum::Display, strum::EnumString)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum PriorBase {
    /// All rows, test included, as in the paper.
    #[default]
    True,
    /// The training rows.
    Train,
}

/// YAML reads `true` as a boolean.
impl<'de> Deserialize<'de> for PriorBase {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expecting = "`true` or `train`";
        NumberOrWord { expecting, number: |_| Err("`true` or `train`"), word: |word| word.parse().ok(), key: None }
            .deserialize(deserializer)
    }
}

inline_schema!(PriorBase, { "enum": [true, "true", "train"] });

/// A value printed in a paper, for the report's verdict on whether the run reproduces it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Paper")]
pub struct PaperValue {
    /// The method that the value is for: its name for all methods of this name, or its label in the tables for one of them.
    pub method: String,
    /// The name of a prior. If given, only results with this prior are compared with the value.
    pub prior: Option<String>,
    /// The metric of the value, which must be `roc_auc` or listed under `metrics`.
    pub metric: Metric,
    /// The printed value.
    pub value: f64,
    /// The number of digits after the decimal point.
    #[serde(default = "four")]
    #[schemars(range(max = 15))]
    pub printed_digits: u32,
}

fn four() -> u32 {
    4
}

/// The shares of rows with Y = +1 and with (Y, Z) = (+1, +1).
#[derive(Clone, Copy, Debug)]
pub struct Frequencies {
    pub beta: f64,
    pub gamma: f64,
}

impl Experiment {
    /// The experiment with paths relative to a folder.
    pub fn in_folder(mut self, folder: &Path) -> Self {
        self.folder = folder.to_path_buf();
        let data: Vec<PathBuf> =
            self.settings.iter().filter_map(|setting| setting.dataset.path()).map(|path| self.place_of(path)).collect();
        for LabelledMethod { method, limits, .. } in &mut self.methods {
            if let Some(Limits { timeout, sandbox }) = limits {
                let sandbox = sandbox.then(|| data.clone());
                method.set_up(&Setup { folder: folder.to_path_buf(), timeout: timeout.duration(), sandbox });
            }
        }
        self
    }

    /// Where a data file is.
    pub fn place_of(&self, path: &Path) -> PathBuf {
        let moved = self.moved.get(&path.display().to_string());
        let is_beside = self.folder.as_os_str().is_empty() || self.folder == Path::new(".");
        match moved {
            Some(place) => place.clone(),
            // As the user wrote it.
            None if is_beside => path.to_path_buf(),
            None => self.folder.join(path.strip_prefix(".").unwrap_or(path)),
        }
    }

    /// Method, setting and prior of a cell in one text, without empty parts.
    pub fn line_name(&self, cell: &Cell) -> String {
        let prior = cell.prior.map_or(String::new(), |prior| format!("prior {}", self.priors[prior].name));
        let parts = [&self.methods[cell.method].label, &self.settings[cell.setting].label, &prior];
        parts.into_iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join(", ")
    }

    /// Whether two methods, each with its prior, are given equivalent priors: a method without a prior, or one that
    /// ignores gamma, stands for all priors that make no difference to it.
    pub fn are_told_the_same(&self, a: (usize, Option<usize>), b: (usize, Option<usize>)) -> bool {
        let (Some(prior), Some(other)) = (a.1, b.1) else { return true };
        let ignores_gamma = [a.0, b.0].iter().any(|index| self.methods[*index].method.prior_use() == PriorUse::Beta);
        prior == other || (ignores_gamma && self.priors[prior].beta == self.priors[other].beta)
    }

    /// Sentences that state which methods cannot learn from the samples of which settings.
    pub fn left_out(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        for LabelledMethod { label, method, .. } in &self.methods {
            let unsuited = self.settings.iter().filter(|setting| !setting.suits(method));
            let settings: Vec<&str> = unsuited.map(|setting| setting.label.as_str()).collect();
            if !settings.is_empty() {
                let named = &settings[..settings.len().min(MOST_NAMED)];
                let more = settings.len() - named.len();
                let more = if more > 0 { format!(" and {more} other settings") } else { String::new() };
                let (settings, remedy) = (named.join("; ") + &more, method.sample_need().remedy());
                sentences.push(format!("{label} is left out of {settings}: {remedy}."));
            }
        }
        sentences
    }
}

impl Source {
    /// Whether both have the same name and checksum. Two paths to the same file are two sources.
    pub fn is_written_like(&self, other: &Source) -> bool {
        let pin = |source: &Source| match source {
            Source::BuiltIn(_) => None,
            Source::File { sha256, .. } => sha256.clone(),
        };
        (self.name(), pin(self)) == (other.name(), pin(other))
    }

    /// As shown in tables.
    pub fn name(&self) -> String {
        match self {
            Source::BuiltIn(name) => name.clone(),
            Source::File { path, .. } => path.display().to_string(),
        }
    }
}

impl Setting {
    /// Whether a method can learn from the samples of this setting.
    pub fn suits(&self, method: &Method) -> bool {
        self.sampling.meets(method.sample_need())
    }

    /// The description of this setting as keys and values, for labels.
    pub fn description(&self) -> Vec<(&'static str, String)> {
        let mut description = match &self.dataset {
            Dataset::Simulation(simulation) => {
                let groups = [simulation.interested, simulation.loyal, simulation.others];
                vec![
                    ("dataset", "simulation".to_string()),
                    ("counts", format!("{:?}", groups.map(|group| group.count))),
                    ("means", format!("{:?}", groups.map(|group| group.mean))),
                ]
            }
            Dataset::Table { source, interest, loyalty, missing } => {
                let mut parts = vec![
                    ("dataset", source.name()),
                    ("Y", format!("{}={}", interest.column, interest.positive)),
                    ("Z", format!("{}={}", loyalty.column, loyalty.positive)),
                ];
                let negative = [("Y negative", interest), ("Z negative", loyalty)];
                parts.extend(
                    negative.into_iter().filter_map(|(key, rule)| Some((key, rule.negative.as_ref()?.to_string()))),
                );
                if !missing.is_empty() {
                    parts.push(("counted as missing", missing.join(", ")));
                }
                parts
            }
        };
        description.push(("numeric", self.features.numeric.to_string()));
        description.push(("categorical", self.features.categorical.to_string()));
        if !self.features.missing.is_default() {
            description.push(("missing", self.features.missing.to_string()));
        }
        description.push(("scheme", self.sampling.name().to_string()));
        description.extend(self.sampling.texts());
        description
    }
}

impl NamedPrior {
    /// The prior that a method is given; gamma is 0 for a method that does not use it.
    pub fn resolve(&self, used: PriorUse, whole: Frequencies, train: Frequencies) -> Result<Prior, PriorError> {
        let value = |source: PriorSource, of: fn(&Frequencies) -> f64| match source {
            PriorSource::Fixed(value) => value,
            PriorSource::Multiple { times, of: PriorBase::True } => times * of(&whole),
            PriorSource::Multiple { times, of: PriorBase::Train } => times * of(&train),
        };
        let beta = value(self.beta, |frequencies| frequencies.beta);
        let gamma = match used {
            PriorUse::BetaAndGamma => value(self.gamma, |frequencies| frequencies.gamma),
            PriorUse::Beta | PriorUse::None => 0.0,
        };
        Prior::new(beta, gamma)
    }
}

/// As shown in the names of swept priors.
impl fmt::Display for PriorSource {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            PriorSource::Fixed(value) => write!(f, "={value}"),
            PriorSource::Multiple { times, of: PriorBase::True } => write!(f, "×{times}"),
            PriorSource::Multiple { times, of: PriorBase::Train } => write!(f, "×{times} of train"),
        }
    }
}
