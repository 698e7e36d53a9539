//! The outcomes of an experiment, collected into the rows of its tables.

use crate::learn::{Failure, PriorUse};
use crate::math::metric::{CalibrationBin, Metric};
use crate::math::stats::{Summary, bootstrap_interval};
use crate::run::{Outcome, Scored};
use crate::sample::stream;
use crate::spec::{Cell, Experiment, PaperValue, Plan};
use rayon::prelude::*;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// An experiment with the outcomes of its cells: setting by setting, the best line first.
pub struct Results<'a> {
    pub experiment: &'a Experiment,
    /// Every cell of the plan that has an outcome, in the plan's order.
    pub cells: Vec<(&'a Cell, &'a Outcome)>,
    pub lines: Vec<Line<'a>>,
}

/// One setting, method and prior, over all seeds.
pub struct Line<'a> {
    pub setting: usize,
    pub method: usize,
    pub prior: Option<usize>,
    /// The prior's name; a dash for a method that uses none.
    pub prior_name: &'a str,
    pub prior_use: PriorUse,
    pub is_oracle: bool,
    pub label: &'a str,
    pub setting_label: &'a str,
    pub cells: Vec<(&'a Cell, &'a Outcome)>,
    name: String,
    /// By metric; without those that have no value in any seed.
    summaries: BTreeMap<Metric, Summary>,
    /// Computed on first use, because it takes many random numbers.
    bootstraps: OnceLock<BTreeMap<Metric, Option<(f64, f64)>>>,
}

/// Cells of one line that failed for the same reason.
#[derive(Serialize)]
pub struct FailureGroup<'a> {
    /// The line's name.
    pub line: &'a str,
    #[serde(flatten, serialize_with = "summarized")]
    pub failure: &'a Failure,
    pub seeds: Vec<u32>,
}

impl FailureGroup<'_> {
    fn is_like(&self, failure: &Failure) -> bool {
        (self.failure.kind, self.failure.summary()) == (failure.kind, failure.summary())
    }
}

/// Without what differs from run to run.
fn summarized<S: Serializer>(failure: &&Failure, serializer: S) -> Result<S::Ok, S::Error> {
    Failure { kind: failure.kind, reason: failure.summary().to_string() }.serialize(serializer)
}

impl<'a> Results<'a> {
    pub fn gather(experiment: &'a Experiment, plan: &'a Plan, outcome: impl Fn(&str) -> Option<&'a Outcome>) -> Self {
        let shown = |cell: &'a Cell| {
            let outcome = outcome(&cell.id).filter(|outcome| outcome.can_be_shown(&experiment.metrics))?;
            Some((cell, outcome))
        };
        let cells: Vec<_> = plan.cells.iter().filter_map(shown).collect();
        let of_lines: Vec<_> = cells.chunk_by(|(a, _), (b, _)| a.line() == b.line()).collect();
        let mut lines: Vec<Line> = of_lines.into_par_iter().map(|cells| Line::of(experiment, cells)).collect();
        // Lines without any value come last; equals keep the order of the spec.
        let mean = |line: &Line| line.summary(Metric::RocAuc).map_or(f64::NEG_INFINITY, |summary| summary.mean);
        lines.sort_by(|a, b| a.setting.cmp(&b.setting).then_with(|| mean(b).total_cmp(&mean(a))));
        Results { experiment, cells, lines }
    }

    /// All failed cells, grouped by line and reason.
    pub fn failures(&self) -> Vec<FailureGroup<'_>> {
        let mut groups = Vec::new();
        for line in &self.lines {
            let mut of_line: Vec<FailureGroup> = Vec::new();
            for (cell, outcome) in &line.cells {
                let Err(failure) = &outcome.result else { continue };
                match of_line.iter_mut().find(|group| group.is_like(failure)) {
                    Some(group) => group.seeds.push(cell.seed),
                    None => of_line.push(FailureGroup { line: line.name(), failure, seeds: vec![cell.seed] }),
                }
            }
            groups.extend(of_line);
        }
        groups
    }

    /// How many cells have no result.
    pub fn failed(&self) -> usize {
        self.lines.iter().map(Line::failed).sum()
    }

    pub fn has_settings(&self) -> bool {
        self.experiment.settings.len() > 1
    }

    /// The first value that the paper prints for a line and a metric.
    pub fn paper_value(&self, line: &Line, metric: Metric) -> Option<&'a PaperValue> {
        self.experiment.paper.iter().find(|paper| paper.metric == metric && self.is_printed_for(paper, line))
    }

    /// Whether a line has the method and the prior that a value is printed for.
    ///
    /// A line of a method that uses no prior, or beta alone, counts for every prior that makes no difference to it.
    pub fn is_printed_for(&self, paper: &PaperValue, line: &Line) -> bool {
        let is_method =
            paper.method == line.label || paper.method == self.experiment.methods[line.method].method.name();
        let named = |name: &String| self.experiment.priors.iter().find(|prior| prior.name == *name);
        let is_prior = |name: &String| match (line.prior.map(|prior| &self.experiment.priors[prior]), line.prior_use) {
            (None, _) => true,
            (Some(prior), PriorUse::Beta) => named(name).is_some_and(|other| other.beta == prior.beta),
            (Some(prior), _) => prior.name == *name,
        };
        is_method && paper.prior.as_ref().is_none_or(is_prior)
    }
}

impl<'a> Line<'a> {
    fn of(experiment: &'a Experiment, cells: &[(&'a Cell, &'a Outcome)]) -> Self {
        let cell = cells[0].0;
        let (method, setting) = (&experiment.methods[cell.method], &experiment.settings[cell.setting]);
        let mut line = Line {
            setting: cell.setting,
            method: cell.method,
            prior: cell.prior,
            prior_name: cell.prior.map_or("-", |prior| &experiment.priors[prior].name),
            prior_use: method.method.prior_use(),
            is_oracle: method.method.is_oracle(),
            label: &method.label,
            setting_label: &setting.label,
            cells: cells.to_vec(),
            name: experiment.line_name(cell),
            summaries: BTreeMap::new(),
            bootstraps: OnceLock::new(),
        };
        let summary = |metric: &Metric| Some((*metric, Summary::of(&line.values(*metric))?));
        line.summaries = experiment.metrics.iter().filter_map(summary).collect();
        line
    }

    pub fn scored(&self) -> impl Iterator<Item = &'a Scored> {
        self.cells.iter().filter_map(|(_, outcome)| outcome.result.as_ref().ok())
    }

    /// The outcome of a seed, if it was run.
    pub fn outcome(&self, seed: u32) -> Option<&'a Outcome> {
        // Cells are in the order of their seeds.
        let index = self.cells.binary_search_by_key(&seed, |(cell, _)| cell.seed).ok()?;
        Some(self.cells[index].1)
    }

    /// The values of a metric, in the order of the seeds that have one.
    pub fn values(&self, metric: Metric) -> Vec<f64> {
        self.scored().filter_map(|scored| scored.metric(metric)).collect()
    }

    /// `None` if no seed has a value, or if the experiment does not ask for the metric.
    pub fn summary(&self, metric: Metric) -> Option<&Summary> {
        self.summaries.get(&metric)
    }

    /// The 95% interval of the mean by bootstrap; `None` for a single seed.
    pub fn bootstrap(&self, metric: Metric) -> Option<(f64, f64)> {
        let interval = |metric: &Metric| {
            let mut random = stream(&["bootstrap", &self.name, metric.name()]);
            (*metric, bootstrap_interval(&self.values(*metric), &mut random))
        };
        let bootstraps = self.bootstraps.get_or_init(|| self.summaries.keys().map(interval).collect());
        bootstraps.get(&metric).copied().flatten()
    }

    /// The people of all seeds in bins by their predicted probability; `None` if the method predicts none.
    pub fn calibration(&self) -> Option<Vec<CalibrationBin>> {
        let mut sums: Option<Vec<CalibrationBin>> = None;
        for bins in self.scored().filter_map(|scored| scored.calibration.as_ref()) {
            let sums = sums.get_or_insert_with(|| vec![CalibrationBin::default(); bins.len()]);
            for (sum, bin) in sums.iter_mut().zip(bins) {
                sum.people = sum.people.saturating_add(bin.people);
                sum.expected += bin.expected;
                sum.found = sum.found.saturating_add(bin.found);
            }
        }
        sums
    }

    /// Whether it has the first prior or none; each method has one such line in a setting.
    pub fn is_of_first_prior(&self) -> bool {
        self.prior.is_none_or(|prior| prior == 0)
    }

    pub fn failed(&self) -> usize {
        self.cells.iter().filter(|(_, outcome)| outcome.result.is_err()).count()
    }

    /// See [`Experiment::line_name`].
    pub fn name(&self) -> &str {
        &self.name
    }
}
