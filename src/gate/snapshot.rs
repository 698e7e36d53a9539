//! What a gate knows of a run: the metrics of every cell, by line and seed, and what they were made of.

use crate::data::sha256;
use crate::gate::CheckError;
use crate::math::metric::Metric;
use crate::run::{DataFile, Manifest, Outcome, StoredRun, computed_by};
use crate::spec::{Cell, Experiment, line_sha256};
use std::collections::BTreeSet;
use std::path::Path;

/// A run as a baseline keeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    pub experiment: String,
    /// Of all that decides results but for the data and the program: every line, and the number of seeds.
    pub spec_sha256: String,
    pub data: Vec<DataHash>,
    /// The programs and machines that computed it, a line of text each.
    pub computed_by: Vec<String>,
    /// ROC-AUC first.
    pub metrics: Vec<Metric>,
    pub lines: Vec<SnapshotLine>,
}

/// A data file by its name in the spec.
#[derive(Clone, Debug, PartialEq)]
pub struct DataHash {
    pub name: String,
    pub sha256: String,
}

/// One setting, method and prior, over all seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct SnapshotLine {
    pub label: LineLabel,
    /// The first digits of a hash of what decides its results, but for the data and the program.
    pub key: String,
    /// In the order of their seeds.
    pub cells: Vec<SnapshotCell>,
}

/// What a line is called.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineLabel {
    pub setting: String,
    pub method: String,
    /// Empty for a method that uses none.
    pub prior: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SnapshotCell {
    pub seed: u32,
    /// `ok`, or the kind of failure.
    pub status: String,
    /// In the order of the snapshot's metrics.
    pub values: Vec<Option<f64>>,
}

/// As in [`Experiment::line_name`].
impl std::fmt::Display for LineLabel {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let prior = if self.prior.is_empty() { String::new() } else { format!("prior {}", self.prior) };
        let parts = [&self.method, &self.setting, &prior].map(String::as_str);
        f.write_str(&parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "))
    }
}

impl SnapshotCell {
    fn of(cell: &Cell, outcome: &Outcome, metrics: &[Metric]) -> Self {
        let scored = outcome.result.as_ref();
        SnapshotCell {
            seed: cell.seed,
            status: scored.err().map_or("ok", |failure| failure.kind.name()).to_string(),
            values: metrics.iter().map(|metric| scored.ok()?.metric(*metric)).collect(),
        }
    }

    /// Whether all values are the same, to the bit.
    pub fn agrees(&self, other: &SnapshotCell) -> bool {
        let bits = |cell: &SnapshotCell| cell.values.iter().map(|value| value.map(f64::to_bits)).collect::<Vec<_>>();
        (self.seed, &self.status, bits(self)) == (other.seed, &other.status, bits(other))
    }
}

impl SnapshotLine {
    /// The values of the metric at a place, by seed; a seed without one is left out.
    pub fn values(&self, place: usize) -> impl Iterator<Item = (u32, f64)> {
        self.cells.iter().filter_map(move |cell| Some((cell.seed, cell.values[place]?)))
    }
}

impl Snapshot {
    /// Of a run that is complete, whatever version made it; the manifest has its experiment.
    pub fn of_run(run: &Path) -> Result<(Manifest, Snapshot), CheckError> {
        let stored = StoredRun::open(run)?;
        let (manifest, experiment, cells) = (&stored.manifest, &stored.manifest.experiment, stored.shown()?);
        if cells.is_empty() {
            return Err(CheckError::NothingRun { run: run.to_path_buf() });
        }
        stored.require_complete()?;
        let line = |cells: &[(&Cell, &Outcome)]| SnapshotLine {
            label: label(experiment, cells[0].0),
            key: line_sha256(experiment, cells[0].0)[..16].to_string(),
            cells: cells.iter().map(|(cell, outcome)| SnapshotCell::of(cell, outcome, &experiment.metrics)).collect(),
        };
        let lines: Vec<&[(&Cell, &Outcome)]> = cells.chunk_by(|(a, _), (b, _)| a.line() == b.line()).collect();
        // In whatever order methods, settings and priors are written.
        let identities: BTreeSet<String> = lines.iter().map(|cells| line_sha256(experiment, cells[0].0)).collect();
        let identity: String = identities.into_iter().collect();
        let snapshot = Snapshot {
            experiment: experiment.name.clone(),
            spec_sha256: sha256(format!("{identity} seeds {}", experiment.seeds).as_bytes()),
            data: manifest.data.iter().map(DataHash::of).collect(),
            computed_by: computed_by(stored.plan(), stored.contents()?).iter().map(ToString::to_string).collect(),
            metrics: experiment.metrics.clone(),
            lines: lines.into_iter().map(line).collect(),
        };
        Ok((stored.manifest, snapshot))
    }

    /// Of nothing.
    pub fn empty() -> Self {
        Snapshot {
            experiment: String::new(),
            spec_sha256: String::new(),
            data: Vec::new(),
            computed_by: Vec::new(),
            metrics: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// Whether both have the same results of the same, to the bit, whoever computed them.
    pub fn says_the_same(&self, other: &Snapshot) -> bool {
        let agree = |(line, other): (&SnapshotLine, &SnapshotLine)| {
            (&line.label, &line.key, line.cells.len()) == (&other.label, &other.key, other.cells.len())
                && line.cells.iter().zip(&other.cells).all(|(cell, other)| cell.agrees(other))
        };
        let made_of = |snapshot: &Snapshot| {
            let Snapshot { experiment, spec_sha256, data, metrics, lines, .. } = snapshot;
            (experiment.clone(), spec_sha256.clone(), data.clone(), metrics.clone(), lines.len())
        };
        made_of(self) == made_of(other) && self.lines.iter().zip(&other.lines).all(agree)
    }

    pub fn cells(&self) -> usize {
        self.lines.iter().map(|line| line.cells.len()).sum()
    }

    /// How many seeds its lines have.
    pub fn seeds(&self) -> usize {
        self.lines.iter().map(|line| line.cells.len()).max().unwrap_or(0)
    }

    /// Where a metric stands among the values of its cells.
    pub fn place(&self, metric: Metric) -> Option<usize> {
        self.metrics.iter().position(|other| *other == metric)
    }

    /// Whether any cell has a value.
    pub fn has_values(&self) -> bool {
        self.lines.iter().any(|line| line.values(0).next().is_some())
    }
}

impl DataHash {
    fn of(file: &DataFile) -> Self {
        DataHash { name: file.name.clone(), sha256: file.sha256.clone() }
    }
}

fn label(experiment: &Experiment, cell: &Cell) -> LineLabel {
    LineLabel {
        setting: one_line(&experiment.settings[cell.setting].label),
        method: one_line(&experiment.methods[cell.method].label),
        prior: cell.prior.map_or(String::new(), |prior| one_line(&experiment.priors[prior].name)),
    }
}

/// Names come from anywhere, and go to files that are read line by line, and to terminals.
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
