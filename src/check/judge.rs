//! Every demand of a gate, judged over seeds.

use crate::check::snapshot::{LineLabel, Snapshot, SnapshotLine};
use crate::metric::Metric;
use crate::spec::{Experiment, Gate, LinePlace, Order, Plan};
use crate::stats::{FEWEST_PAIRS, LEVEL, MarginTest, Summary, holm, seeds_to_decide};
use std::collections::BTreeMap;

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
    /// The mean in the baseline; or what is demanded instead of it.
    pub before: Option<f64>,
    /// The mean in the run.
    pub after: Option<f64>,
    /// Seeds that had a value and have none any more.
    pub lost: Vec<u32>,
    /// Whether every seed has the same value as in the baseline, to the bit.
    pub is_unchanged: bool,
    /// The gains seed by seed, of which more is better, held against the margin; `None` where no seed has both values.
    pub test: Option<MarginTest>,
    /// That of a mean as low as this at the margin, adjusted after Holm over all demands that are tested.
    pub p_regressed: Option<f64>,
    pub verdict: Verdict,
    /// Where it cannot be told: how many seeds would decide it in four of five runs, if the mean stays where it is.
    pub seeds_to_decide: Option<u32>,
}

impl Finding {
    /// Whether it is better by more than chance.
    pub fn is_better(&self) -> bool {
        self.interval().is_some_and(|(low, _)| low > 0.0) && matches!(self.demand, Demand::NotWorse { .. })
    }

    /// Whether it is worse by more than chance, be it within the margin, or has lost seeds.
    pub fn is_worse(&self) -> bool {
        let fell = self.interval().is_some_and(|(_, high)| high < 0.0);
        matches!(self.demand, Demand::NotWorse { .. }) && (fell || !self.lost.is_empty())
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
}

/// What is known of a demand before all of them are judged together.
struct Evidence {
    gains: Vec<f64>,
    lost: Vec<u32>,
    is_unchanged: bool,
    before: Option<f64>,
    after: Option<f64>,
}

/// The findings of a run against a baseline, which stand together in `twins`.
pub fn findings(experiment: &Experiment, baseline: &Snapshot, run: &Snapshot, twins: &[Option<usize>]) -> Vec<Finding> {
    let places = Plan::lines(experiment);
    let mut findings = Vec::new();
    for ((line, twin), (setting, method, prior)) in run.lines.iter().zip(twins).zip(places.iter().copied()) {
        let gate = &experiment.gate;
        let mut add = |metric: Metric, demand: Demand, evidence: Option<Evidence>| {
            findings.extend(evidence.map(|evidence| Finding::new(line, metric, demand, evidence)));
        };
        for (metric, _) in &gate.margins {
            let Some(margin) = gate.margin(*metric, method) else { continue };
            let twin = twin.map(|twin| &baseline.lines[twin]);
            let evidence = twin.and_then(|twin| against_baseline(*metric, (twin, baseline), (line, run)));
            add(*metric, Demand::NotWorse { margin }, evidence);
        }
        if let Some(floor) = floor(gate, method) {
            add(Metric::RocAuc, Demand::AtLeast { floor }, Some(against_floor(line, floor)));
        }
        for order in gate.order.iter().filter(|order| order.higher == method) {
            for (other, _) in run
                .lines
                .iter()
                .zip(&places)
                .filter(|(_, place)| is_lower(experiment, order, (setting, method, prior), **place))
            {
                let demand = Demand::Reach { other: other.label.clone(), allowance: order.allowance };
                add(Metric::RocAuc, demand, Some(against_other(line, other)));
            }
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

/// `None` where neither has a value: there is nothing to hold against anything.
fn against_baseline(
    metric: Metric,
    (twin, baseline): (&SnapshotLine, &Snapshot),
    (line, run): (&SnapshotLine, &Snapshot),
) -> Option<Evidence> {
    let before: BTreeMap<u32, f64> = twin.values(baseline.place(metric)?).collect();
    let after: BTreeMap<u32, f64> = line.values(run.place(metric)?).collect();
    if before.is_empty() && after.is_empty() {
        return None;
    }
    // A seed that the run was never asked for is not lost.
    let asked = |seed: &u32| line.cells.binary_search_by_key(seed, |cell| cell.seed).is_ok();
    let lost = before.keys().filter(|seed| !after.contains_key(seed) && asked(seed)).copied().collect();
    let pairs: Vec<(f64, f64)> =
        before.iter().filter_map(|(seed, before)| Some((*before, *after.get(seed)?))).collect();
    let sign = if metric.higher_is_better() { 1.0 } else { -1.0 };
    Some(Evidence {
        gains: pairs.iter().map(|(before, after)| sign * (after - before)).collect(),
        lost,
        is_unchanged: before.len() == after.len()
            && pairs.len() == before.len()
            && pairs.iter().all(|(before, after)| before.to_bits() == after.to_bits()),
        before: mean(before.values()),
        after: mean(after.values()),
    })
}

fn against_floor(line: &SnapshotLine, floor: f64) -> Evidence {
    let values: Vec<f64> = line.values(0).map(|(_, value)| value).collect();
    Evidence {
        gains: values.iter().map(|value| value - floor).collect(),
        lost: without_any(line, &values),
        is_unchanged: false,
        before: Some(floor),
        after: mean(values.iter()),
    }
}

fn against_other(line: &SnapshotLine, other: &SnapshotLine) -> Evidence {
    let others: BTreeMap<u32, f64> = other.values(0).collect();
    let pairs: Vec<(f64, f64)> =
        line.values(0).filter_map(|(seed, value)| Some((*others.get(&seed)?, value))).collect();
    let gains: Vec<f64> = pairs.iter().map(|(other, value)| value - other).collect();
    Evidence {
        lost: without_any(line, &gains),
        gains,
        is_unchanged: false,
        before: mean(pairs.iter().map(|(other, _)| other)),
        after: mean(pairs.iter().map(|(_, value)| value)),
    }
}

/// What no seed has a value for cannot meet a demand.
fn without_any(line: &SnapshotLine, values: &[f64]) -> Vec<u32> {
    if values.is_empty() { line.cells.iter().map(|cell| cell.seed).collect() } else { Vec::new() }
}

fn mean<'a>(values: impl Iterator<Item = &'a f64>) -> Option<f64> {
    Summary::of(&values.copied().collect::<Vec<_>>()).map(|summary| summary.mean)
}

impl Finding {
    /// Not judged yet.
    fn new(line: &SnapshotLine, metric: Metric, demand: Demand, evidence: Evidence) -> Self {
        let Evidence { gains, lost, is_unchanged, before, after } = evidence;
        let mut finding = Finding {
            line: line.label.clone(),
            metric,
            demand,
            before,
            after,
            lost,
            is_unchanged,
            test: None,
            p_regressed: None,
            verdict: Verdict::CannotTell,
            seeds_to_decide: None,
        };
        finding.test = MarginTest::of(&gains, finding.margin());
        finding
    }

    /// Whether chance has a say in it.
    fn is_tested(&self) -> bool {
        !self.is_unchanged && self.lost.is_empty() && self.test.as_ref().is_some_and(|test| test.count >= FEWEST_PAIRS)
    }

    /// `p_regressed` is there for what is tested, `tests` is how many are.
    fn judge(&mut self, p_regressed: Option<f64>, tests: usize) {
        self.p_regressed = p_regressed;
        let p_passed = self.test.as_ref().map(|test| test.p_above);
        self.verdict = match (p_regressed, p_passed) {
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

/// That something regressed is claimed if any test says so, so these tests are adjusted for their number after Holm. That
/// all passed is claimed only if every test says so, which needs no adjustment (Berger, *Multiparameter Hypothesis
/// Testing and Acceptance Sampling*, Technometrics 24, 1982).
fn judge(findings: &mut [Finding]) {
    let tested = findings.iter().filter(|finding| finding.is_tested());
    let p_values: Vec<f64> = tested.filter_map(|finding| Some(finding.test.as_ref()?.p_below)).collect();
    let mut adjusted = holm(&p_values).into_iter();
    for finding in findings {
        let p_regressed = if finding.is_tested() { adjusted.next() } else { None };
        finding.judge(p_regressed, p_values.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Checked;
    use crate::check::snapshot::SnapshotCell;

    const SPEC: &str = "
experiment: tiny
dataset:
  source: simulation
  groups:
    interested: { count: 5, mean: [-2, 2] }
    loyal: { count: 5, mean: [2, 2] }
    others: { count: 5, mean: [-2, -2] }
sampling: { scheme: censoring }
seeds: 8
methods: [double_pu, naive_pu]
metrics: [brier_score]
";

    const SPREAD: [f64; 8] = [0.0, 0.001, -0.001, 0.002, -0.002, 0.0005, -0.0005, 0.0];

    fn experiment(gate: &str) -> Experiment {
        crate::spec::parse("tiny.yaml", &format!("{SPEC}{gate}"), std::path::Path::new("."), &[]).unwrap()
    }

    /// Both methods, with these means in ROC-AUC and in the Brier score.
    fn snapshot(means: [(f64, f64); 2]) -> Snapshot {
        let line = |(method, (auc, brier)): (&str, (f64, f64))| SnapshotLine {
            label: LineLabel { setting: String::new(), method: method.to_string(), prior: "true".to_string() },
            key: method.to_string(),
            cells: (1..=8)
                .map(|seed| SnapshotCell {
                    seed,
                    status: "ok".to_string(),
                    values: [auc, brier].map(|mean| Some(mean + SPREAD[seed as usize - 1] * mean)).to_vec(),
                })
                .collect(),
        };
        let lines = ["double_pu", "naive_pu"].into_iter().zip(means).map(line).collect();
        Snapshot { metrics: vec![Metric::RocAuc, Metric::BrierScore], lines, ..Snapshot::empty() }
    }

    fn verdicts(gate: &str, before: [(f64, f64); 2], after: [(f64, f64); 2]) -> Vec<Verdict> {
        let checked = Checked::of(&experiment(gate), &snapshot(before), &snapshot(after));
        checked.findings.iter().map(|finding| finding.verdict).collect()
    }

    use Verdict::{CannotTell, Passed, Regressed};

    const BEFORE: [(f64, f64); 2] = [(0.8, 0.2), (0.7, 0.2)];

    #[test]
    fn a_loss_within_the_margin_passes_and_one_beyond_it_does_not() {
        assert_eq!(verdicts("", BEFORE, BEFORE), [Passed, Passed]);
        assert_eq!(verdicts("", BEFORE, [(0.797, 0.2), (0.71, 0.2)]), [Passed, Passed]);
        assert_eq!(verdicts("", BEFORE, [(0.79, 0.2), (0.7, 0.2)]), [Regressed, Passed]);
        assert_eq!(verdicts("gate: { margin: 0.02 }", BEFORE, [(0.79, 0.2), (0.7, 0.2)]), [Passed, Passed]);
        assert_eq!(
            verdicts("gate: { methods: { naive_pu: { margin: 0.02 } } }", BEFORE, [(0.79, 0.2), (0.69, 0.2)]),
            [Regressed, Passed]
        );
    }

    #[test]
    fn where_lower_is_better_a_rise_is_a_loss() {
        let gate = "gate: { metrics: { brier_score: 0.01 } }";
        let worse = [(0.8, 0.25), (0.7, 0.15)];
        assert_eq!(verdicts("", BEFORE, worse), [Passed, Passed], "no margin, no demand");
        assert_eq!(verdicts(gate, BEFORE, worse), [Passed, Regressed, Passed, Passed]);
    }

    #[test]
    fn floors_and_orders_hold_whatever_the_baseline() {
        let gate = "gate: { methods: { double_pu: { at_least: 0.75 } }, order: [double_pu >= naive_pu + 0.05] }";
        assert_eq!(verdicts(gate, BEFORE, BEFORE), [Passed; 4]);
        let low = [(0.74, 0.2), (0.7, 0.2)];
        assert_eq!(verdicts(gate, low, low), [Passed, Regressed, Regressed, Passed]);
        let at_floor = [(0.75, 0.2), (0.65, 0.2)];
        assert_eq!(verdicts(gate, at_floor, at_floor), [Passed, CannotTell, Passed, Passed]);
    }

    #[test]
    fn what_spreads_too_much_cannot_be_told_and_says_how_many_seeds_would_decide() {
        let (before, mut after) = (snapshot(BEFORE), snapshot(BEFORE));
        for (cell, spread) in after.lines[0].cells.iter_mut().zip([0.03, -0.03, 0.02, -0.02, 0.01, -0.01, 0.04, -0.04])
        {
            cell.values[0] = cell.values[0].map(|value| value + spread);
        }
        let checked = Checked::of(&experiment(""), &before, &after);
        let finding = &checked.findings[0];
        assert_eq!((finding.verdict, checked.verdict()), (CannotTell, CannotTell));
        // scipy 1.17.1: s = np.std(spread, ddof=1) = 0.029277; the first k with
        // stats.nct.sf(stats.t.ppf(0.95, k - 1), k - 1, 0.005 / s * np.sqrt(k)) >= 0.8 is 214.
        assert_eq!(finding.seeds_to_decide, Some(214));
        assert!(!finding.is_better() && !finding.is_worse());
    }

    #[test]
    fn fewer_than_five_seeds_decide_nothing_unless_the_bits_are_the_same() {
        let short = |means| {
            let mut snapshot = snapshot(means);
            snapshot.lines.iter_mut().for_each(|line| line.cells.truncate(4));
            snapshot
        };
        let checked = Checked::of(&experiment(""), &short(BEFORE), &short([(0.6, 0.2), BEFORE[1]]));
        assert_eq!([checked.findings[0].verdict, checked.findings[1].verdict], [CannotTell, Passed]);
    }

    #[test]
    fn a_seed_that_lost_its_value_is_a_regression_and_a_new_one_is_none() {
        let (whole, mut part) = (snapshot(BEFORE), snapshot(BEFORE));
        part.lines[1].cells[2] = SnapshotCell { seed: 3, status: "unbounded".to_string(), values: vec![None, None] };
        let lost = Checked::of(&experiment(""), &whole, &part);
        assert_eq!((lost.findings[1].verdict, &lost.findings[1].lost[..]), (Regressed, &[3][..]));
        assert_eq!((lost.same, lost.cells), (15, 16));
        let found = Checked::of(&experiment(""), &part, &whole);
        assert_eq!(found.verdict(), Passed);
        assert!(!found.has_same_bits());
    }

    #[test]
    fn a_regression_among_many_lines_must_stand_out_by_more() {
        // One line alone: p = 0.02 by Student's t, which is a regression; beside five others that are tested, Holm's
        // adjustment makes it 0.12, and nothing is claimed.
        let p_of = |others: usize| {
            let finding = |gains: &[f64]| {
                let evidence = Evidence {
                    gains: gains.to_vec(),
                    lost: Vec::new(),
                    is_unchanged: false,
                    before: Some(0.8),
                    after: Some(0.8),
                };
                Finding::new(&snapshot(BEFORE).lines[0], Metric::RocAuc, Demand::NotWorse { margin: 0.005 }, evidence)
            };
            let mut findings = vec![finding(&[-0.01, -0.02, -0.008, -0.016, -0.006, -0.0055])];
            findings.extend((0..others).map(|_| finding(&SPREAD)));
            judge(&mut findings);
            (findings[0].p_regressed.unwrap(), findings[0].verdict)
        };
        let (alone, among) = (p_of(0), p_of(5));
        assert!(alone.0 > 0.01 && alone.0 < 0.05 && (among.0 - 6.0 * alone.0).abs() < 1e-12, "{alone:?} {among:?}");
        assert_eq!((alone.1, among.1), (Regressed, CannotTell));
    }
}
