//! The evidence for judging a demand: the gain of every seed, where more is better.

use crate::gate::snapshot::{Snapshot, SnapshotLine};
use crate::math::metric::Metric;
use crate::math::stats::Summary;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
pub struct Evidence {
    pub gains: Vec<f64>,
    /// Seeds that should have a value and have none.
    pub lost: Vec<u32>,
    /// The number of seeds with a value that had none in the baseline.
    pub gained: usize,
    /// Whether every seed with both values has the same value as in the baseline.
    pub is_unchanged: bool,
    /// What the mean is compared with: the mean in the baseline over the same seeds, a floor, or the mean of another line.
    pub against: Option<f64>,
    /// In the run.
    pub mean: Option<f64>,
}

impl Evidence {
    /// A line and its twin in the baseline. `None` for a metric that neither side has or can have.
    pub fn of_baseline(
        metric: Metric,
        (twin, baseline): (&SnapshotLine, &Snapshot),
        (line, run): (&SnapshotLine, &Snapshot),
    ) -> Option<Self> {
        let before: BTreeMap<u32, f64> = twin.values(baseline.index_of(metric)?).collect();
        let after: BTreeMap<u32, f64> = line.values(run.index_of(metric)?).collect();
        // Every method that does not fail has a ROC-AUC; some methods never have other metrics.
        if before.is_empty() && after.is_empty() && metric != Metric::RocAuc {
            return None;
        }
        let pairs: Vec<(f64, f64)> =
            before.iter().filter_map(|(seed, before)| Some((*before, *after.get(seed)?))).collect();
        let sign = if metric.higher_is_better() { 1.0 } else { -1.0 };
        // A seed that the run does not have is not lost.
        let is_lost = |seed: &&u32| !after.contains_key(seed) && line.cell(**seed).is_some();
        Some(Evidence {
            gains: pairs.iter().map(|(before, after)| sign * (after - before)).collect(),
            lost: before.keys().filter(is_lost).copied().collect(),
            gained: after.keys().filter(|seed| !before.contains_key(seed)).count(),
            is_unchanged: pairs.iter().all(|(before, after)| before.to_bits() == after.to_bits()),
            // Without a common seed, each side has the mean of its own.
            against: mean(pairs.iter().map(|pair| pair.0)).or_else(|| mean(before.values().copied())),
            mean: mean(pairs.iter().map(|pair| pair.1)).or_else(|| mean(after.values().copied())),
        })
    }

    /// A line and a number that its mean must reach.
    pub fn of_floor(line: &SnapshotLine, floor: f64) -> Self {
        let pairs = line.values(0).map(|(_, value)| (floor, value)).collect();
        Evidence { against: Some(floor), ..Evidence::of_pairs(line, pairs) }
    }

    /// A line and another line of the same run.
    pub fn of_other(line: &SnapshotLine, other: &SnapshotLine) -> Self {
        let others: BTreeMap<u32, f64> = other.values(0).collect();
        let pair = |(seed, value): (u32, f64)| Some((*others.get(&seed)?, value));
        Evidence::of_pairs(line, line.values(0).filter_map(pair).collect())
    }

    /// If no seed has a value, all of them are lost, because the demand cannot be met.
    fn of_pairs(line: &SnapshotLine, pairs: Vec<(f64, f64)>) -> Self {
        let seeds = line.cells.iter().map(|cell| cell.seed);
        Evidence {
            gains: pairs.iter().map(|(other, value)| value - other).collect(),
            lost: if pairs.is_empty() { seeds.collect() } else { Vec::new() },
            against: mean(pairs.iter().map(|pair| pair.0)),
            mean: mean(pairs.iter().map(|pair| pair.1)),
            ..Evidence::default()
        }
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    Summary::of(&values.collect::<Vec<_>>()).map(|summary| summary.mean)
}
