//! What there is to judge a demand by: gains seed by seed, of which more is better.

use crate::gate::snapshot::{Snapshot, SnapshotLine};
use crate::math::metric::Metric;
use crate::math::stats::Summary;
use std::collections::BTreeMap;

pub struct Evidence {
    pub gains: Vec<f64>,
    /// Seeds that should have a value and have none.
    pub lost: Vec<u32>,
    /// How many seeds have a value that had none.
    pub gained: usize,
    /// Whether no seed that has both values has another one than before.
    pub is_unchanged: bool,
    /// What the mean is held against: over the same seeds, unless there are none.
    pub against: Option<f64>,
    pub mean: Option<f64>,
}

impl Evidence {
    /// A line and the same one in the baseline. `None` for a metric that neither side has or can have.
    pub fn of_baseline(
        metric: Metric,
        (twin, baseline): (&SnapshotLine, &Snapshot),
        (line, run): (&SnapshotLine, &Snapshot),
    ) -> Option<Self> {
        let before: BTreeMap<u32, f64> = twin.values(baseline.place(metric)?).collect();
        let after: BTreeMap<u32, f64> = line.values(run.place(metric)?).collect();
        // Every method has a ROC-AUC unless it fails; other metrics some methods never have.
        if before.is_empty() && after.is_empty() && metric != Metric::RocAuc {
            return None;
        }
        // A seed that the run was never asked for is not lost.
        let asked = |seed: &u32| line.cells.binary_search_by_key(seed, |cell| cell.seed).is_ok();
        let pairs: Vec<(f64, f64)> =
            before.iter().filter_map(|(seed, before)| Some((*before, *after.get(seed)?))).collect();
        let sign = if metric.higher_is_better() { 1.0 } else { -1.0 };
        let paired = |side: fn(&(f64, f64)) -> f64, alone: &BTreeMap<u32, f64>| {
            mean(pairs.iter().map(side)).or_else(|| mean(alone.values().copied()))
        };
        Some(Evidence {
            gains: pairs.iter().map(|(before, after)| sign * (after - before)).collect(),
            lost: before.keys().filter(|seed| !after.contains_key(seed) && asked(seed)).copied().collect(),
            gained: after.keys().filter(|seed| !before.contains_key(seed)).count(),
            is_unchanged: pairs.iter().all(|(before, after)| before.to_bits() == after.to_bits()),
            against: paired(|(before, _)| *before, &before),
            mean: paired(|(_, after)| *after, &after),
        })
    }

    /// A line and a number that its mean must reach.
    pub fn of_floor(line: &SnapshotLine, floor: f64) -> Self {
        let values: Vec<f64> = line.values(0).map(|(_, value)| value).collect();
        Evidence {
            gains: values.iter().map(|value| value - floor).collect(),
            lost: unless_any(line, &values),
            gained: 0,
            is_unchanged: false,
            against: Some(floor),
            mean: mean(values.iter().copied()),
        }
    }

    /// A line and another one of the same run.
    pub fn of_other(line: &SnapshotLine, other: &SnapshotLine) -> Self {
        let others: BTreeMap<u32, f64> = other.values(0).collect();
        let pairs: Vec<(f64, f64)> =
            line.values(0).filter_map(|(seed, value)| Some((*others.get(&seed)?, value))).collect();
        let gains: Vec<f64> = pairs.iter().map(|(other, value)| value - other).collect();
        Evidence {
            lost: unless_any(line, &gains),
            gains,
            gained: 0,
            is_unchanged: false,
            against: mean(pairs.iter().map(|(other, _)| *other)),
            mean: mean(pairs.iter().map(|(_, value)| *value)),
        }
    }
}

/// What no seed has a value for cannot meet a demand.
fn unless_any(line: &SnapshotLine, values: &[f64]) -> Vec<u32> {
    if values.is_empty() { line.cells.iter().map(|cell| cell.seed).collect() } else { Vec::new() }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    Summary::of(&values.collect::<Vec<_>>()).map(|summary| summary.mean)
}
