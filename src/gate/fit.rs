//! Whether a baseline fits a run, and which of its lines correspond to those of the run.

use crate::gate::snapshot::{Snapshot, SnapshotCell, SnapshotLine};
use crate::gate::{CheckError, Obstacle};
use crate::spec::Gate;
use std::collections::{BTreeMap, BTreeSet};

/// More names than this are counted and not listed.
const MOST_NAMES: usize = 5;

const ACCEPT: &str = "if this is intended, accept the run: doublepu accept RUN --baseline FILE";

fn listed(lines: &[&SnapshotLine]) -> String {
    let more = lines.len().saturating_sub(MOST_NAMES);
    let shown = lines.iter().take(MOST_NAMES).map(|line| line.label.to_string()).collect::<Vec<_>>().join("; ");
    if more > 0 { format!("{shown}; and {more} more") } else { shown }
}

/// A baseline fits a run of the same lines and seeds on the same data, whatever program computed it.
pub fn fit(baseline: &Snapshot, run: &Snapshot, gate: &Gate) -> Result<(), CheckError> {
    let same_spec = same_spec(baseline, run);
    if same_spec.is_err() && baseline.experiment != run.experiment {
        return Err(other_experiment(baseline, run));
    }
    let hashes = |snapshot: &Snapshot| snapshot.data.iter().map(|data| data.sha256.clone()).collect::<BTreeSet<_>>();
    if hashes(baseline) != hashes(run) {
        let [baseline, run] = [baseline, run].map(data_names);
        let problem = format!("this is a baseline for other data: it has {baseline}, the run has {run}");
        return Err(CheckError::new(Obstacle::OtherData, problem, &format!("restore the data; {ACCEPT}")));
    }
    same_spec?;
    match gate.margins.iter().find(|(metric, _)| baseline.index_of(*metric).is_none()) {
        Some((metric, _)) => {
            let problem = format!("the gate judges by {}, which this baseline lacks", metric.name());
            Err(CheckError::new(Obstacle::NoMetric, problem, ACCEPT))
        }
        None => Ok(()),
    }
}

pub fn other_experiment(Snapshot { experiment, .. }: &Snapshot, run: &Snapshot) -> CheckError {
    let own = &run.experiment;
    let problem = format!("this is a baseline of the experiment `{experiment}`, and the run is of `{own}`");
    CheckError::new(Obstacle::OtherExperiment, problem, &format!("give the baseline of `{own}`"))
}

/// The names of data files, with the first digits of their sha256.
fn data_names(snapshot: &Snapshot) -> String {
    let digits = |sha256: &str| sha256.chars().take(12).collect::<String>();
    let names = snapshot.data.iter().map(|data| format!("{} (sha256 {}...)", data.name, digits(&data.sha256)));
    if snapshot.data.is_empty() { "a simulation".to_string() } else { names.collect::<Vec<_>>().join(", ") }
}

/// Refuses a baseline of another spec, with the plainest difference.
fn same_spec(baseline: &Snapshot, run: &Snapshot) -> Result<(), CheckError> {
    let refuse = |obstacle: Obstacle, problem: String| Err(CheckError::new(obstacle, problem, ACCEPT));
    let twins = twins(&baseline.lines, &run.lines);
    let missing = without_twin(&baseline.lines, &twins);
    if !missing.is_empty() {
        let problem = format!("the run lacks what this baseline has: {}", listed(&missing));
        return refuse(Obstacle::MissingMethods, problem);
    }
    let lines = run.lines.iter().zip(&twins);
    let extra: Vec<_> = lines.clone().filter(|(_, twin)| twin.is_none()).map(|(line, _)| line).collect();
    if !extra.is_empty() {
        return refuse(Obstacle::ExtraMethods, format!("this baseline lacks what the run has: {}", listed(&extra)));
    }
    let pairs = || lines.clone().filter_map(|(line, twin)| Some((line, &baseline.lines[(*twin)?])));
    let seeds = |line: &SnapshotLine| line.cells.iter().map(|cell| cell.seed).collect::<Vec<_>>();
    if let Some((line, twin)) = pairs().find(|(line, twin)| seeds(line) != seeds(twin)) {
        let (before, after) = (twin.cells.len(), line.cells.len());
        let problem = format!("this is a baseline of {before} seeds, and the run has {after}");
        return refuse(Obstacle::OtherSeeds, problem);
    }
    let other: Vec<_> = pairs().filter(|(line, twin)| line.key != twin.key).map(|(line, _)| line).collect();
    if other.is_empty() {
        return Ok(());
    }
    let what = "the options, sampling, features or priors";
    let problem = format!("this is a baseline for another spec: {what} differ for {}", listed(&other));
    Err(CheckError::new(Obstacle::OtherSpec, problem, &format!("restore the spec; {ACCEPT}")))
}

/// The lines of a baseline that correspond to no line of a run.
pub fn without_twin<'a>(baseline: &'a [SnapshotLine], twins: &[Option<usize>]) -> Vec<&'a SnapshotLine> {
    baseline.iter().enumerate().filter(|(index, _)| !twins.contains(&Some(*index))).map(|(_, line)| line).collect()
}

/// For every line of a run the index of its twin: with the same key and name, or the same key, or else the same name.
pub fn twins(baseline: &[SnapshotLine], run: &[SnapshotLine]) -> Vec<Option<usize>> {
    let mut twins: Vec<Option<usize>> = vec![None; run.len()];
    let mut free: BTreeSet<usize> = (0..baseline.len()).collect();
    let identities: [fn(&SnapshotLine) -> String; 3] =
        [|line| format!("{} {}", line.key, line.label), |line| line.key.clone(), |line| line.label.to_string()];
    for identity in identities {
        let mut indices: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        free.iter().rev().for_each(|index| indices.entry(identity(&baseline[*index])).or_default().push(*index));
        for (line, twin) in run.iter().zip(&mut twins).filter(|(_, twin)| twin.is_none()) {
            *twin = indices.get_mut(&identity(line)).and_then(Vec::pop);
            if let Some(index) = twin {
                free.remove(index);
            }
        }
    }
    twins
}

/// The number of cells of a run with the same values as in the baseline, in the metrics that both have.
pub fn same_cells(baseline: &Snapshot, run: &Snapshot, twins: &[Option<usize>]) -> usize {
    let metrics = run.metrics.iter().enumerate();
    let shared: Vec<_> = metrics.filter_map(|(own, metric)| Some((own, baseline.index_of(*metric)?))).collect();
    let bits = |cell: &SnapshotCell, index: usize| cell.values[index].map(f64::to_bits);
    let agree = |cell: &SnapshotCell, other: &SnapshotCell| {
        cell.status == other.status && shared.iter().all(|(own, twin)| bits(cell, *own) == bits(other, *twin))
    };
    let same = |line: &SnapshotLine, twin: &SnapshotLine| {
        line.cells.iter().filter(|cell| twin.cell(cell.seed).is_some_and(|other| agree(cell, other))).count()
    };
    run.lines.iter().zip(twins).filter_map(|(line, twin)| Some(same(line, &baseline.lines[(*twin)?]))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::snapshot::{DataHash, LineLabel};
    use crate::math::metric::Metric;

    /// Lines by key and method, over a number of seeds.
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
            ..Snapshot::default()
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
        assert!(other.contains("another spec") && other.contains("differ for b\n"), "{other}");
        let data = Snapshot { data: Vec::new(), ..run.clone() };
        assert!(misfit(&data, &run).contains("it has a simulation, the run has a.csv (sha256 abcdef012345...)"));
        let elsewhere = Snapshot { experiment: "huge".into(), ..snapshot(&[("1", "a")], 3) };
        assert!(misfit(&elsewhere, &run).contains("the experiment `huge`, and the run is of `tiny`"));
        let gate = Gate { margins: vec![(Metric::RocAuc, 0.1), (Metric::F1, 0.1)], ..Gate::default() };
        let error = fit(&run, &run, &gate).unwrap_err();
        assert_eq!(error.obstacle, Obstacle::NoMetric);
        assert!(error.to_string().contains("judges by f1"), "{error}");
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
        // Lines with the same key on different data are identified by their names.
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
