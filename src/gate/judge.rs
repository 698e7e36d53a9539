//! Every demand of a gate, judged over seeds.

use crate::gate::evidence::Evidence;
use crate::gate::snapshot::{LineLabel, Snapshot, SnapshotLine};
use crate::math::metric::Metric;
use crate::math::stats::{FEWEST_PAIRS, LEVEL, MarginTest, holm_of_tested, seeds_to_decide};
use crate::spec::{Experiment, Gate, LinePlace, Order, Plan};

/// Whether a demand is met; the worst stands last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Passed,
    CannotTell,
    Regressed,
}

impl Verdict {
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Passed => "passed",
            Verdict::CannotTell => "cannot tell",
            Verdict::Regressed => "regressed",
        }
    }
}

/// What is asked of the mean of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Demand {
    /// To be no worse than in the baseline by the margin or more.
    NotWorse { margin: f64 },
    /// To reach this.
    AtLeast { floor: f64 },
    /// To reach the mean of another line, less an allowance.
    Reach { other: LineLabel, allowance: f64 },
}

/// A demand of a line, with what came of it.
#[derive(Clone, Debug)]
pub struct Finding {
    pub line: LineLabel,
    pub metric: Metric,
    pub demand: Demand,
    /// What the mean is held against: that in the baseline, a floor, or that of another line.
    pub against: Option<f64>,
    /// In the run.
    pub mean: Option<f64>,
    /// Seeds that should have a value and have none.
    pub lost: Vec<u32>,
    /// How many seeds have a value that had none in the baseline.
    pub gained: usize,
    /// Whether no seed that has both values has another one than in the baseline.
    pub is_unchanged: bool,
    /// The gains seed by seed, of which more is better, held against the margin; `None` where no seed has both values.
    pub test: Option<MarginTest>,
    /// The p-value of a mean as low as this at the margin, adjusted after Holm over all demands that are tested.
    pub p_regressed: Option<f64>,
    /// Those of a mean as high, and as low, as this if nothing had changed since the baseline, adjusted likewise.
    pub p_better: Option<f64>,
    pub p_worse: Option<f64>,
    pub verdict: Verdict,
    /// Where it cannot be told: how many seeds would decide it in four of five runs, if the mean stays where it is.
    pub seeds_to_decide: Option<u32>,
}

impl Finding {
    /// Not judged yet.
    fn new(line: &SnapshotLine, metric: Metric, demand: Demand, evidence: Evidence) -> Self {
        let Evidence { gains, lost, gained, is_unchanged, against, mean } = evidence;
        let mut finding = Finding {
            line: line.label.clone(),
            metric,
            demand,
            against,
            mean,
            lost,
            gained,
            is_unchanged,
            test: None,
            p_regressed: None,
            p_better: None,
            p_worse: None,
            verdict: Verdict::CannotTell,
            seeds_to_decide: None,
        };
        finding.test = MarginTest::of(&gains, finding.margin());
        if let Some(change) = MarginTest::of(&gains, 0.0).filter(|_| finding.is_tested() && finding.is_of_baseline()) {
            (finding.p_better, finding.p_worse) = (Some(change.p_above), Some(change.p_below));
        }
        finding
    }

    pub fn is_of_baseline(&self) -> bool {
        matches!(self.demand, Demand::NotWorse { .. })
    }

    /// Whether it is better than in the baseline by more than chance.
    pub fn is_better(&self) -> bool {
        self.p_better.is_some_and(|p| p < LEVEL)
    }

    /// Whether it is worse than in the baseline by more than chance, be it within the margin, or has lost seeds.
    pub fn is_worse(&self) -> bool {
        self.is_of_baseline() && (!self.lost.is_empty() || self.p_worse.is_some_and(|p| p < LEVEL))
    }

    pub fn interval(&self) -> Option<(f64, f64)> {
        self.test.as_ref()?.interval
    }

    /// The loss that may be.
    pub fn margin(&self) -> f64 {
        match self.demand {
            Demand::NotWorse { margin } => margin,
            Demand::AtLeast { .. } => 0.0,
            Demand::Reach { allowance, .. } => allowance,
        }
    }

    /// Whether chance has a say in it.
    fn is_tested(&self) -> bool {
        !self.is_unchanged && self.lost.is_empty() && self.test.as_ref().is_some_and(|test| test.count >= FEWEST_PAIRS)
    }

    /// `tests` is how many demands are tested.
    fn judge(&mut self, tests: usize) {
        let p_passed = self.test.as_ref().map(|test| test.p_above);
        self.verdict = match (self.p_regressed, p_passed) {
            _ if !self.lost.is_empty() => Verdict::Regressed,
            _ if self.is_unchanged => Verdict::Passed,
            (Some(p), _) if p < LEVEL => Verdict::Regressed,
            (Some(_), Some(p)) if p < LEVEL => Verdict::Passed,
            _ => Verdict::CannotTell,
        };
        if self.verdict == Verdict::CannotTell {
            self.seeds_to_decide = self.test.as_ref().and_then(|test| {
                let distance = test.mean + self.margin();
                let level = if distance < 0.0 { LEVEL / tests.max(1) as f64 } else { LEVEL };
                Some(seeds_to_decide(distance, test.deviation?, level)?.max(FEWEST_PAIRS as u32))
            });
        }
    }
}

/// The findings of a run against a baseline; `twins` tells which line of the baseline each of its lines is.
pub fn findings(experiment: &Experiment, baseline: &Snapshot, run: &Snapshot, twins: &[Option<usize>]) -> Vec<Finding> {
    let gate = &experiment.gate;
    let lines: Vec<(LinePlace, &SnapshotLine)> = Plan::lines(experiment).into_iter().zip(&run.lines).collect();
    let mut findings = Vec::new();
    for ((place, line), twin) in lines.iter().zip(twins) {
        let method = place.1;
        let twin = twin.map(|twin| &baseline.lines[twin]);
        for (metric, margin) in gate.margins_of(method) {
            let evidence = twin.and_then(|twin| Evidence::of_baseline(metric, (twin, baseline), (line, run)));
            findings.extend(evidence.map(|evidence| Finding::new(line, metric, Demand::NotWorse { margin }, evidence)));
        }
        if let Some(floor) = floor(gate, method) {
            let evidence = Evidence::of_floor(line, floor);
            findings.push(Finding::new(line, Metric::RocAuc, Demand::AtLeast { floor }, evidence));
        }
        for order in gate.order.iter().filter(|order| order.higher == method) {
            let others = lines.iter().filter(|(other, _)| is_lower(experiment, order, *place, *other));
            findings.extend(others.map(|(_, other)| {
                let demand = Demand::Reach { other: other.label.clone(), allowance: order.allowance };
                Finding::new(line, Metric::RocAuc, demand, Evidence::of_other(line, other))
            }));
        }
    }
    judge(&mut findings);
    findings
}

fn floor(gate: &Gate, method: usize) -> Option<f64> {
    gate.methods.iter().find(|gate| gate.method == method)?.at_least
}

/// Whether a line is one that another must reach.
fn is_lower(experiment: &Experiment, order: &Order, higher: LinePlace, lower: LinePlace) -> bool {
    let told = |(_, method, prior): LinePlace| (method, prior);
    order.lower == lower.1 && higher.0 == lower.0 && experiment.are_told_the_same(told(higher), told(lower))
}

/// That something regressed is claimed if any test says so, so these tests are adjusted for their number after Holm. That
/// all passed is claimed only if every test says so, which needs no adjustment (Berger, *Multiparameter Hypothesis
/// Testing and Acceptance Sampling*, Technometrics 24, 1982).
fn judge(findings: &mut [Finding]) {
    let regressed = |finding: &Finding| Some(finding.test.as_ref().filter(|_| finding.is_tested())?.p_below);
    let all = |p: &dyn Fn(&Finding) -> Option<f64>| holm_of_tested(&findings.iter().map(p).collect::<Vec<_>>());
    let p_regressed = all(&regressed);
    let (p_better, p_worse) = (all(&|finding| finding.p_better), all(&|finding| finding.p_worse));
    let tests = p_regressed.iter().flatten().count();
    for (place, finding) in findings.iter_mut().enumerate() {
        finding.p_regressed = p_regressed[place];
        (finding.p_better, finding.p_worse) = (p_better[place], p_worse[place]);
        finding.judge(tests);
    }
}

#[cfg(test)]
mod tests;
