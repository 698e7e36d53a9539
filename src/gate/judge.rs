//! Every demand of a gate, judged over seeds.

use crate::gate::snapshot::{LineLabel, Snapshot, SnapshotLine};
use crate::math::metric::Metric;
use crate::math::stats::{FEWEST_PAIRS, LEVEL, MarginTest, Summary, holm_of_tested, seeds_to_decide};
use crate::spec::{Demands, Experiment, LinePlace, Plan};
use serde::Serialize;
use std::collections::BTreeMap;

/// Whether a demand is met, from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "lowercase")]
pub enum Verdict {
    Passed,
    #[strum(to_string = "cannot tell")]
    CannotTell,
    /// Better than can be believed.
    Suspicious,
    Regressed,
}

/// What is demanded of the mean of a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Demand {
    /// To be worse than in the baseline by less than the margin, and not to be better by more than the rise.
    NotWorse {
        margin: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        rise: Option<f64>,
    },
    /// To reach a floor.
    AtLeast(f64),
    /// To stay below a ceiling.
    AtMost(f64),
    /// To reach the mean of another method, less an allowance.
    Reach { method: String, allowance: f64 },
}

impl Demand {
    /// The largest loss that still passes.
    fn margin(&self) -> f64 {
        match self {
            Demand::NotWorse { margin, .. } => *margin,
            Demand::AtLeast(_) | Demand::AtMost(_) => 0.0,
            Demand::Reach { allowance, .. } => *allowance,
        }
    }

    /// The gain beyond which a result is suspicious, if any is.
    fn rise(&self) -> Option<f64> {
        match self {
            Demand::NotWorse { rise, .. } => *rise,
            Demand::AtMost(_) => Some(0.0),
            Demand::AtLeast(_) | Demand::Reach { .. } => None,
        }
    }
}

/// The evidence for judging a demand: the gain of every seed, where more is better.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    pub gains: Vec<f64>,
    /// Seeds that should have a value and have none.
    pub lost: Vec<u32>,
    /// The number of seeds with a value that had none in the baseline.
    pub gained: usize,
    /// Whether there are seeds with both values, and each has the same value as in the baseline.
    pub is_unchanged: bool,
    /// What the mean is compared with: the mean in the baseline over the same seeds, a floor or ceiling, or the mean of
    /// another line.
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
            is_unchanged: !pairs.is_empty() && pairs.iter().all(|(before, after)| before.to_bits() == after.to_bits()),
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

    /// A line and a number that its mean must not exceed. What has no value does not exceed it.
    pub fn of_ceiling(line: &SnapshotLine, ceiling: f64) -> Self {
        Evidence { lost: Vec::new(), ..Evidence::of_floor(line, ceiling) }
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

/// A demand of a line and its result.
#[derive(Clone, Debug)]
pub struct Finding {
    pub line: LineLabel,
    pub metric: Metric,
    pub demand: Demand,
    pub evidence: Evidence,
    /// Of the gains against the margin; `None` where no seed has both values.
    pub test: Option<MarginTest>,
    /// The p-value of a mean as low as this at the margin, adjusted by Holm's method over all demands that are tested.
    pub p_regressed: Option<f64>,
    /// The p-value of a mean as high as this at the largest rise, or at the ceiling, adjusted likewise over all demands
    /// that limit one.
    pub p_suspicious: Option<f64>,
    /// The p-value of a mean as high as this if nothing had changed since the baseline, adjusted likewise.
    pub p_better: Option<f64>,
    /// The same for a mean as low as this.
    pub p_worse: Option<f64>,
    pub verdict: Verdict,
    /// For an undecided demand: the number of seeds that decides it in four of five runs, if the mean stays the same.
    pub seeds_to_decide: Option<u32>,
}

impl Finding {
    /// With p-values that are not adjusted yet, and not judged.
    fn new(line: &SnapshotLine, metric: Metric, demand: Demand, evidence: Evidence) -> Self {
        let test = MarginTest::of(&evidence.gains, demand.margin());
        let has_seeds = test.as_ref().is_some_and(|test| test.count >= FEWEST_PAIRS);
        let is_tested = has_seeds && !evidence.is_unchanged && evidence.lost.is_empty();
        let at_rise = demand.rise().filter(|_| is_tested).and_then(|rise| MarginTest::of(&evidence.gains, -rise));
        let mut finding = Finding {
            line: line.label.clone(),
            metric,
            demand,
            p_regressed: None,
            p_suspicious: at_rise.map(|test| test.p_above),
            test,
            evidence,
            p_better: None,
            p_worse: None,
            verdict: Verdict::CannotTell,
            seeds_to_decide: None,
        };
        if is_tested && !finding.is_ceiling() {
            finding.p_regressed = finding.test.as_ref().map(|test| test.p_below);
        }
        if is_tested && finding.is_of_baseline() {
            let change = MarginTest::of(&finding.evidence.gains, 0.0);
            (finding.p_better, finding.p_worse) = change.map(|change| (change.p_above, change.p_below)).unzip();
        }
        finding
    }

    pub fn is_of_baseline(&self) -> bool {
        matches!(self.demand, Demand::NotWorse { .. })
    }

    /// Whether the demand limits the mean from above alone.
    pub fn is_ceiling(&self) -> bool {
        matches!(self.demand, Demand::AtMost(_))
    }

    /// The p-value of a mean as good as this at the margin, the floor or the ceiling.
    pub fn p_passed(&self) -> Option<f64> {
        self.test.as_ref().map(|test| if self.is_ceiling() { test.p_below } else { test.p_above })
    }

    /// Whether it is significantly better than in the baseline.
    pub fn is_better(&self) -> bool {
        self.p_better.is_some_and(|p| p < LEVEL)
    }

    /// Whether it is significantly worse than in the baseline, even within the margin, or has lost seeds.
    pub fn is_worse(&self) -> bool {
        self.is_of_baseline() && (!self.evidence.lost.is_empty() || self.p_worse.is_some_and(|p| p < LEVEL))
    }

    /// Whether no seed has a value, in the baseline as well, so that there is nothing to compare.
    pub fn has_no_values(&self) -> bool {
        let Evidence { gains, lost, gained, .. } = &self.evidence;
        gains.is_empty() && lost.is_empty() && *gained == 0
    }

    /// Whether the only values are those of seeds that had none in the baseline.
    fn has_only_new_values(&self) -> bool {
        let Evidence { gains, lost, gained, .. } = &self.evidence;
        gains.is_empty() && lost.is_empty() && *gained > 0
    }

    /// `tests` is the number of demands that are tested for the same claim.
    fn judge(&mut self, tests: usize) {
        let is_shown = |p: Option<f64>| p.is_some_and(|p| p < LEVEL);
        let is_tested = self.p_regressed.or(self.p_suspicious).is_some();
        self.verdict = match () {
            () if !self.evidence.lost.is_empty() => Verdict::Regressed,
            () if self.evidence.is_unchanged || self.has_only_new_values() => Verdict::Passed,
            () if is_shown(self.p_regressed) => Verdict::Regressed,
            () if is_shown(self.p_suspicious) => Verdict::Suspicious,
            () if is_tested && is_shown(self.p_passed()) => Verdict::Passed,
            () => Verdict::CannotTell,
        };
        if self.verdict == Verdict::CannotTell {
            self.seeds_to_decide = self.test.as_ref().and_then(|test| {
                let above = test.mean + self.demand.margin();
                let distance = if self.is_ceiling() { -above } else { above };
                let level = if distance < 0.0 { LEVEL / tests.max(1) as f64 } else { LEVEL };
                Some(seeds_to_decide(distance, test.deviation?, level)?.max(FEWEST_PAIRS as u32))
            });
        }
    }
}

/// The findings of a run against a baseline; `twins` has the index in the baseline of each of its lines.
pub fn findings(experiment: &Experiment, baseline: &Snapshot, run: &Snapshot, twins: &[Option<usize>]) -> Vec<Finding> {
    let gate = &experiment.gate;
    let lines: Vec<(LinePlace, &SnapshotLine)> = Plan::lines(experiment).into_iter().zip(&run.lines).collect();
    let mut findings = Vec::new();
    for ((identity, line), twin) in lines.iter().zip(twins) {
        let method = identity.1;
        let twin = twin.map(|twin| &baseline.lines[twin]);
        let Demands { margins, rise, at_least, at_most, reach } = gate.demands_on(method);
        for (metric, margin) in margins {
            let rise = Some(rise).filter(|_| metric == Metric::RocAuc);
            let evidence = twin.and_then(|twin| Evidence::of_baseline(metric, (twin, baseline), (line, run)));
            let demand = Demand::NotWorse { margin, rise };
            findings.extend(evidence.map(|evidence| Finding::new(line, metric, demand, evidence)));
        }
        let of_auc = |demand, evidence| Finding::new(line, Metric::RocAuc, demand, evidence);
        findings.extend(at_least.map(|floor| of_auc(Demand::AtLeast(floor), Evidence::of_floor(line, floor))));
        findings.extend(at_most.map(|ceiling| of_auc(Demand::AtMost(ceiling), Evidence::of_ceiling(line, ceiling))));
        for (lower, allowance) in reach {
            let others = lines.iter().filter(|(other, _)| is_lower(experiment, lower, *identity, *other));
            findings.extend(others.map(|(_, other)| {
                let demand = Demand::Reach { method: other.label.method.clone(), allowance };
                of_auc(demand, Evidence::of_other(line, other))
            }));
        }
    }
    judge(&mut findings);
    findings
}

/// Whether a line is the one of a method that another line must reach.
fn is_lower(experiment: &Experiment, method: usize, higher: LinePlace, lower: LinePlace) -> bool {
    let given = |(_, method, prior): LinePlace| (method, prior);
    method == lower.1 && higher.0 == lower.0 && experiment.are_told_the_same(given(higher), given(lower))
}

/// A regression is claimed if any test shows one, so these tests are adjusted for their number by Holm's method, and so are
/// those for a suspicious rise. A pass is claimed only if every test shows it, which needs no adjustment (Berger,
/// *Multiparameter Hypothesis Testing and Acceptance Sampling*, Technometrics 24, 1982).
fn judge(findings: &mut [Finding]) {
    let adjusted = |p: fn(&Finding) -> Option<f64>| holm_of_tested(&findings.iter().map(p).collect::<Vec<_>>());
    let p_regressed = adjusted(|finding| finding.p_regressed);
    let p_suspicious = adjusted(|finding| finding.p_suspicious);
    let (p_better, p_worse) = (adjusted(|finding| finding.p_better), adjusted(|finding| finding.p_worse));
    let [losses, rises] = [&p_regressed, &p_suspicious].map(|p| p.iter().flatten().count());
    for (index, finding) in findings.iter_mut().enumerate() {
        (finding.p_regressed, finding.p_suspicious) = (p_regressed[index], p_suspicious[index]);
        (finding.p_better, finding.p_worse) = (p_better[index], p_worse[index]);
        finding.judge(if finding.p_regressed.is_some() { losses } else { rises });
    }
}

#[cfg(test)]
mod tests;
