//! A run as the gate sees it: the metrics of every cell, by line and seed, and what they were computed from.

use crate::data::sha256;
use crate::gate::{Baseline, Builds, CheckError, Obstacle};
use crate::math::metric::Metric;
use crate::run::{Manifest, Outcome, StoredRun, computed_by};
use crate::spec::{Cell, Experiment, line_sha256};
use crate::text::{quoted, visible_line};
use std::collections::BTreeSet;
use std::path::Path;

/// A run as a baseline stores it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    pub experiment: String,
    /// A hash of what decides results apart from the data and the program: every line, and the number of seeds.
    pub spec_sha256: String,
    pub data: Vec<DataHash>,
    /// The programs and machines that computed it, one line of text each.
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
    /// The first digits of a hash of what decides its results apart from the data and the program.
    pub key: String,
    /// In the order of their seeds.
    pub cells: Vec<SnapshotCell>,
}

/// The names of a line.
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

impl SnapshotLine {
    /// Of a line's cells.
    fn of(experiment: &Experiment, cells: &[(&Cell, &Outcome)]) -> Self {
        let first = cells[0].0;
        let cell = |(cell, outcome): &(&Cell, &Outcome)| {
            let scored = outcome.result.as_ref();
            SnapshotCell {
                seed: cell.seed,
                status: scored.err().map_or("ok", |failure| failure.kind.name()).to_string(),
                values: experiment.metrics.iter().map(|metric| scored.ok()?.metric(*metric)).collect(),
            }
        };
        SnapshotLine {
            label: LineLabel {
                setting: one_line(&experiment.settings[first.setting].label),
                method: one_line(&experiment.methods[first.method].label),
                prior: first.prior.map_or(String::new(), |prior| one_line(&experiment.priors[prior].name)),
            },
            key: line_sha256(experiment, first)[..16].to_string(),
            cells: cells.iter().map(cell).collect(),
        }
    }

    /// The values of the metric at an index, by seed; a seed without a value is left out.
    pub fn values(&self, metric: usize) -> impl Iterator<Item = (u32, f64)> {
        self.cells.iter().filter_map(move |cell| Some((cell.seed, cell.values[metric]?)))
    }

    pub fn cell(&self, seed: u32) -> Option<&SnapshotCell> {
        self.cells.binary_search_by_key(&seed, |cell| cell.seed).ok().map(|index| &self.cells[index])
    }
}

impl Snapshot {
    /// Of a complete run of any version with at least one value; the manifest has its experiment.
    pub fn of_run(run: &Path, builds: Builds) -> Result<(Manifest, Snapshot), CheckError> {
        let nothing = |kind, problem, remedy| CheckError::new(kind, problem, remedy).at(run);
        let stored = StoredRun::open(run)?;
        let (manifest, experiment, cells) = (&stored.manifest, &stored.manifest.experiment, stored.shown());
        if cells.is_empty() {
            let problem = "no cell of it has been run, so there is nothing to judge";
            return Err(nothing(Obstacle::NothingRun, problem, "run it first"));
        }
        stored.require_complete()?;
        refuse_unfinished(&stored)?;
        if builds == Builds::Own {
            refuse_other_builds(&stored)?;
        }
        let lines: Vec<&[(&Cell, &Outcome)]> = cells.chunk_by(|(a, _), (b, _)| a.line() == b.line()).collect();
        // Sorted, so that the order of methods, settings and priors in the spec does not count.
        let identities: BTreeSet<String> = lines.iter().map(|cells| line_sha256(experiment, cells[0].0)).collect();
        let identity: String = identities.into_iter().collect();
        let hash = |file: &crate::run::DataFile| DataHash { name: file.name.clone(), sha256: file.sha256.clone() };
        let snapshot = Snapshot {
            experiment: experiment.name.clone(),
            spec_sha256: sha256(format!("{identity} seeds {}", experiment.seeds).as_bytes()),
            data: manifest.data.iter().map(hash).collect(),
            computed_by: computed_by(&stored.plan, &stored.contents).iter().map(ToString::to_string).collect(),
            metrics: experiment.metrics.clone(),
            lines: lines.into_iter().map(|cells| SnapshotLine::of(experiment, cells)).collect(),
        };
        if snapshot.lines.iter().all(|line| line.values(0).next().is_none()) {
            let problem = "every one of its cells failed, so there is nothing to judge";
            return Err(nothing(Obstacle::AllFailed, problem, "cells.csv has the reasons"));
        }
        Ok((stored.manifest, snapshot))
    }

    /// Whether both have the same results of the same cells, to the bit, whatever computed them.
    pub fn says_the_same(&self, other: &Snapshot) -> bool {
        let text = |snapshot: &Snapshot| {
            let snapshot = Snapshot { computed_by: Vec::new(), ..snapshot.clone() };
            Baseline { snapshot, ..Baseline::default() }.text().ok()
        };
        text(self) == text(other)
    }

    /// The index of a metric among the values of a cell.
    pub fn index_of(&self, metric: Metric) -> Option<usize> {
        self.metrics.iter().position(|other| *other == metric)
    }
}

/// Earlier results must not pass for those of a command that failed.
fn refuse_unfinished(run: &StoredRun) -> Result<(), CheckError> {
    let Some(reason) = run.unfinished() else { return Ok(()) };
    let command = format!("{} --out {}", run.manifest.command, quoted(&run.folder.display().to_string()));
    let problem = format!("its results are not final: {reason}");
    Err(CheckError::new(Obstacle::UnfinishedRun, problem, &format!("complete it: {command}")).at(&run.folder))
}

/// Stored cells of another build say nothing about this one.
fn refuse_other_builds(run: &StoredRun) -> Result<(), CheckError> {
    let others = run.other_builds();
    let Some(first) = others.first() else { return Ok(()) };
    let first = first.map_or("a program whose build is not recorded".to_string(), ToString::to_string);
    let more = if others.len() > 1 { format!(", and by {} others", others.len() - 1) } else { String::new() };
    let problem = format!("another build of doublepu computed cells of this run: {}{more}", one_line(&first));
    let remedy = "run it again with --fresh; or judge it as it is, with --allow-other-build";
    Err(CheckError::new(Obstacle::OtherBuild, problem, remedy).at(&run.folder))
}

/// Names can contain anything, and are written to line-based files and to terminals.
pub fn one_line(text: &str) -> String {
    visible_line(text).into_owned()
}
