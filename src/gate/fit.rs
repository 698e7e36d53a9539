//! Whether a baseline is one for this run, and which of its lines are which of the run's.

use crate::gate::snapshot::{Snapshot, SnapshotCell, SnapshotLine};
use crate::math::metric::Metric;
use crate::spec::Gate;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// More names than this are counted and not listed.
const MOST_NAMES: usize = 5;

const REMEDY: &str = "if this is meant, accept the run: doublepu accept RUN --baseline FILE";

/// Why a baseline is not one for a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Misfit {
    OtherExperiment {
        baseline: String,
        run: String,
    },
    /// Names and first digits of the sha256.
    OtherData {
        baseline: Vec<String>,
        run: Vec<String>,
    },
    /// Lines of the baseline that the run lacks.
    MissingMethods {
        lines: Vec<String>,
    },
    /// Lines of the run that the baseline lacks.
    ExtraMethods {
        lines: Vec<String>,
    },
    OtherSeeds {
        baseline: usize,
        run: usize,
    },
    /// Lines of the same name that are not made in the same way.
    OtherSpec {
        lines: Vec<String>,
    },
    /// The gate judges by a metric that the baseline lacks.
    NoMetric {
        metric: Metric,
    },
}

impl Misfit {
    pub fn name(&self) -> &'static str {
        match self {
            Misfit::OtherExperiment { .. } => "other_experiment",
            Misfit::OtherData { .. } => "other_data",
            Misfit::MissingMethods { .. } => "missing_methods",
            Misfit::ExtraMethods { .. } => "extra_methods",
            Misfit::OtherSeeds { .. } => "other_seeds",
            Misfit::OtherSpec { .. } => "other_spec",
            Misfit::NoMetric { .. } => "no_metric",
        }
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Misfit::OtherExperiment { baseline, run } => {
                write!(
                    f,
                    "this is a baseline of the experiment `{baseline}`, and the run is of `{run}`\n  help: give the \
                           baseline of `{run}`"
                )
            }
            Misfit::OtherData { baseline, run } => {
                let (baseline, run) = (baseline.join(", "), run.join(", "));
                write!(
                    f,
                    "this is a baseline for other data: it has {baseline}, the run has {run}\n  help: restore the \
                           data; {REMEDY}"
                )
            }
            Misfit::MissingMethods { lines } => {
                write!(f, "the run lacks what this baseline has: {}\n  help: {REMEDY}", listed(lines))
            }
            Misfit::ExtraMethods { lines } => {
                write!(f, "this baseline lacks what the run has: {}\n  help: {REMEDY}", listed(lines))
            }
            Misfit::OtherSeeds { baseline, run } => {
                write!(f, "this is a baseline of {baseline} seeds, and the run has {run}\n  help: {REMEDY}")
            }
            Misfit::OtherSpec { lines } => {
                write!(
                    f,
                    "this is a baseline for another spec: the options, sampling, features or priors are others for \
                           {}\n  help: restore the spec; {REMEDY}",
                    listed(lines)
                )
            }
            Misfit::NoMetric { metric } => {
                write!(f, "the gate judges by {}, which this baseline lacks\n  help: {REMEDY}", metric.name())
            }
        }
    }
}

fn listed(names: &[String]) -> String {
    let more = names.len().saturating_sub(MOST_NAMES);
    let shown = names.iter().take(MOST_NAMES).cloned().collect::<Vec<_>>().join("; ");
    if more > 0 { format!("{shown}; and {more} more") } else { shown }
}

/// A baseline is one for a run of the same lines and seeds on the same data, whatever program made it.
pub fn fit(baseline: &Snapshot, run: &Snapshot, gate: &Gate) -> Result<(), Misfit> {
    let other_spec = other_spec(baseline, run);
    if other_spec.is_some() && baseline.experiment != run.experiment {
        return Err(other_experiment(baseline, run));
    }
    let hashes = |snapshot: &Snapshot| snapshot.data.iter().map(|data| data.sha256.clone()).collect::<BTreeSet<_>>();
    if hashes(baseline) != hashes(run) {
        let [baseline, run] = [baseline, run].map(data_names);
        return Err(Misfit::OtherData { baseline, run });
    }
    if let Some(misfit) = other_spec {
        return Err(misfit);
    }
    match gate.margins.iter().find(|(metric, _)| baseline.place(*metric).is_none()) {
        Some((metric, _)) => Err(Misfit::NoMetric { metric: *metric }),
        None => Ok(()),
    }
}

pub fn other_experiment(baseline: &Snapshot, run: &Snapshot) -> Misfit {
    Misfit::OtherExperiment { baseline: baseline.experiment.clone(), run: run.experiment.clone() }
}

fn data_names(snapshot: &Snapshot) -> Vec<String> {
    if snapshot.data.is_empty() {
        return vec!["a simulation".to_string()];
    }
    let digits = |sha256: &str| sha256.chars().take(12).collect::<String>();
    snapshot.data.iter().map(|data| format!("{} (sha256 {}...)", data.name, digits(&data.sha256))).collect()
}

/// What makes two specs differ, the plainest first; `None` if nothing does.
fn other_spec(baseline: &Snapshot, run: &Snapshot) -> Option<Misfit> {
    let twins = twins(&baseline.lines, &run.lines);
    let names = |lines: Vec<&SnapshotLine>| lines.into_iter().map(|line| line.label.to_string()).collect::<Vec<_>>();
    let missing = without_twin(&baseline.lines, &twins);
    if !missing.is_empty() {
        return Some(Misfit::MissingMethods { lines: names(missing) });
    }
    let pairs = || run.lines.iter().zip(&twins);
    let extra: Vec<&SnapshotLine> = pairs().filter(|(_, twin)| twin.is_none()).map(|(line, _)| line).collect();
    if !extra.is_empty() {
        return Some(Misfit::ExtraMethods { lines: names(extra) });
    }
    let seeds = |line: &SnapshotLine| line.cells.iter().map(|cell| cell.seed).collect::<Vec<_>>();
    let twin = |twin: &Option<usize>| twin.map(|twin| &baseline.lines[twin]);
    if pairs().any(|(line, place)| twin(place).is_some_and(|twin| seeds(twin) != seeds(line))) {
        return Some(Misfit::OtherSeeds { baseline: baseline.seeds(), run: run.seeds() });
    }
    let differs =
        |(line, place): &(&SnapshotLine, &Option<usize>)| twin(place).is_some_and(|twin| twin.key != line.key);
    let lines = names(pairs().filter(differs).map(|(line, _)| line).collect());
    if lines.is_empty() { None } else { Some(Misfit::OtherSpec { lines }) }
}

/// The lines of a baseline that no line of a run is.
pub fn without_twin<'a>(baseline: &'a [SnapshotLine], twins: &[Option<usize>]) -> Vec<&'a SnapshotLine> {
    let with_twin: BTreeSet<usize> = twins.iter().flatten().copied().collect();
    baseline.iter().enumerate().filter(|(place, _)| !with_twin.contains(place)).map(|(_, line)| line).collect()
}

/// For every line of a run its place in the baseline: the same one, or one made in the same way, or else of the same name.
pub fn twins(baseline: &[SnapshotLine], run: &[SnapshotLine]) -> Vec<Option<usize>> {
    let mut twins: Vec<Option<usize>> = vec![None; run.len()];
    let mut free: BTreeSet<usize> = (0..baseline.len()).collect();
    let identities: [fn(&SnapshotLine) -> String; 3] =
        [|line| format!("{} {}", line.key, line.label), |line| line.key.clone(), |line| line.label.to_string()];
    for identity in identities {
        let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        free.iter().rev().for_each(|place| places.entry(identity(&baseline[*place])).or_default().push(*place));
        for (line, twin) in run.iter().zip(&mut twins).filter(|(_, twin)| twin.is_none()) {
            *twin = places.get_mut(&identity(line)).and_then(Vec::pop);
            if let Some(place) = twin {
                free.remove(place);
            }
        }
    }
    twins
}

/// How many cells of a run have the same values as in the baseline, in the metrics that both have.
pub fn same_cells(baseline: &Snapshot, run: &Snapshot, twins: &[Option<usize>]) -> usize {
    let shared: Vec<(usize, usize)> =
        run.metrics.iter().enumerate().filter_map(|(place, metric)| Some((place, baseline.place(*metric)?))).collect();
    let reduced = |cell: &SnapshotCell, place: fn(&(usize, usize)) -> usize| SnapshotCell {
        values: shared.iter().map(|places| cell.values[place(places)]).collect(),
        ..cell.clone()
    };
    let same = |line: &SnapshotLine, twin: &SnapshotLine| {
        let agrees = |cell: &&SnapshotCell| {
            let other = twin.cells.binary_search_by_key(&cell.seed, |cell| cell.seed).ok();
            other.is_some_and(|other| {
                reduced(cell, |(run, _)| *run).agrees(&reduced(&twin.cells[other], |(_, baseline)| *baseline))
            })
        };
        line.cells.iter().filter(agrees).count()
    };
    run.lines.iter().zip(twins).filter_map(|(line, twin)| Some(same(line, &baseline.lines[(*twin)?]))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::snapshot::{DataHash, LineLabel};

    /// Lines by key and method, over so many seeds.
    fn snapshot(lines: &[(&str, &str)], seeds: u32) -> Snapshot {
        let line = |(key, method): &(&str, &str)| SnapshotLine {
            label: LineLabel { setting: String::new(), method: method.to_string(), prior: String::new() },
            key: key.to_string(),
            cells: (1..=seeds)
                .map(|seed| SnapshotCell { seed, status: "ok".into(), values: vec![Some(f64::from(seed))] })
                .collect(),
        };
        Snapshot {
            experiment: "tiny".into(),
            spec_sha256: format!("{lines:?} {seeds}"),
            data: vec![DataHash { name: "a.csv".into(), sha256: "abcdef0123456789".into() }],
            metrics: vec![Metric::RocAuc],
            lines: lines.iter().map(line).collect(),
            ..Snapshot::empty()
        }
    }

    fn misfit(baseline: &Snapshot, run: &Snapshot) -> String {
        fit(baseline, run, &Gate::default()).unwrap_err().to_string()
    }

    #[test]
    fn what_keeps_a_baseline_from_a_run_is_said_the_plainest_first() {
        let run = snapshot(&[("1", "a"), ("2", "b")], 3);
        assert_eq!(fit(&run, &run, &Gate::default()), Ok(()));
        assert!(misfit(&snapshot(&[("1", "a")], 3), &run).starts_with("this baseline lacks what the run has: b\n"));
        assert!(misfit(&run, &snapshot(&[("1", "a")], 3)).starts_with("the run lacks what this baseline has: b\n"));
        assert!(misfit(&snapshot(&[("1", "a"), ("2", "b")], 4), &run).contains("of 4 seeds, and the run has 3"));
        let other = misfit(&snapshot(&[("1", "a"), ("3", "b")], 3), &run);
        assert!(other.contains("another spec") && other.contains("others for b\n"), "{other}");
        let data = Snapshot { data: Vec::new(), ..run.clone() };
        assert!(misfit(&data, &run).contains("it has a simulation, the run has a.csv (sha256 abcdef012345...)"));
        let elsewhere = Snapshot { experiment: "huge".into(), ..snapshot(&[("1", "a")], 3) };
        assert!(misfit(&elsewhere, &run).contains("the experiment `huge`, and the run is of `tiny`"));
        let gate = Gate { margins: vec![(Metric::RocAuc, 0.1), (Metric::F1, 0.1)], ..Gate::default() };
        assert_eq!(fit(&run, &run, &gate), Err(Misfit::NoMetric { metric: Metric::F1 }));
    }

    #[test]
    fn an_experiment_that_is_only_called_otherwise_is_the_same() {
        let run = snapshot(&[("1", "a")], 3);
        assert_eq!(fit(&Snapshot { experiment: "other".into(), ..run.clone() }, &run, &Gate::default()), Ok(()));
    }

    #[test]
    fn a_line_is_found_again_by_what_it_is_before_what_it_is_called() {
        let before = snapshot(&[("1", "a"), ("2", "b"), ("3", "c")], 1);
        // `a` is now called `a ridge=1`; the new `a` is another one; `b` has other options; `c` is gone.
        let after = snapshot(&[("1", "a ridge=1"), ("9", "a"), ("8", "b")], 1);
        assert_eq!(twins(&before.lines, &after.lines), [Some(0), None, Some(1)]);
        // Lines made in the same way on different data are told apart by their names.
        let same = snapshot(&[("1", "a"), ("1", "b")], 1);
        let turned = snapshot(&[("1", "b"), ("1", "a")], 1);
        assert_eq!(twins(&same.lines, &turned.lines), [Some(1), Some(0)]);
    }

    #[test]
    fn cells_are_the_same_to_the_bit_in_the_metrics_that_both_have() {
        let run = snapshot(&[("1", "a"), ("2", "b")], 3);
        let mut before = run.clone();
        before.metrics.push(Metric::F1);
        before.lines.iter_mut().flat_map(|line| &mut line.cells).for_each(|cell| cell.values.push(Some(0.5)));
        let twins = twins(&before.lines, &run.lines);
        assert_eq!(same_cells(&before, &run, &twins), 6);
        before.lines[1].cells[0].values[0] = Some(1.0 + f64::EPSILON);
        before.lines[1].cells[1].status = "unbounded".into();
        assert_eq!(same_cells(&before, &run, &twins), 4);
    }
}
