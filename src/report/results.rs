//! The outcomes of an experiment, gathered into the lines of its tables.

use crate::learn::{Fit, PriorUse};
use crate::metric::Metric;
use crate::optim::Ending;
use crate::run::{Outcome, Scored};
use crate::spec::{Cell, Experiment, PaperValue, Plan};
use crate::stats::Summary;

/// An experiment with the outcomes of its cells: setting by setting, the best line first.
pub struct Results<'a> {
    pub experiment: &'a Experiment,
    /// Every cell of the plan that has an outcome, in the plan's order.
    pub cells: Vec<(&'a Cell, &'a Outcome)>,
    pub lines: Vec<Line<'a>>,
}

/// One setting, method and prior, over all seeds.
#[derive(Clone)]
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
}

impl<'a> Results<'a> {
    pub fn gather(experiment: &'a Experiment, plan: &'a Plan, outcome: impl Fn(&str) -> Option<&'a Outcome>) -> Self {
        let shown = |cell: &'a Cell| {
            let outcome = outcome(&cell.id).filter(|outcome| outcome.can_be_shown(&experiment.metrics))?;
            Some((cell, outcome))
        };
        let cells: Vec<_> = plan.cells.iter().filter_map(shown).collect();
        let mut lines: Vec<Line> = cells
            .chunk_by(|(a, _), (b, _)| a.line() == b.line())
            .map(|cells| {
                let cell = cells[0].0;
                Line {
                    setting: cell.setting,
                    method: cell.method,
                    prior: cell.prior,
                    prior_name: cell.prior.map_or("-", |prior| &experiment.priors[prior].name),
                    prior_use: experiment.methods[cell.method].method.prior_use(),
                    is_oracle: experiment.methods[cell.method].method.is_oracle(),
                    label: &experiment.methods[cell.method].label,
                    setting_label: &experiment.settings[cell.setting].label,
                    cells: cells.to_vec(),
                    name: experiment.line_name(cell),
                }
            })
            .collect();
        // Settings are not rivals. Lines without any value stand last; equals keep the spec's order.
        let mean = |line: &Line| line.summary(Metric::RocAuc).map_or(f64::NEG_INFINITY, |summary| summary.mean);
        lines.sort_by(|a, b| a.setting.cmp(&b.setting).then_with(|| mean(b).total_cmp(&mean(a))));
        Results { experiment, cells, lines }
    }

    /// Every failed cell, with its reason.
    pub fn failures(&self) -> Vec<String> {
        let mut failures = Vec::new();
        for line in &self.lines {
            for (cell, outcome) in &line.cells {
                if let Err(failure) = &outcome.result {
                    failures.push(format!("{}, seed {}: {failure}", line.name(), cell.seed));
                }
            }
        }
        failures
    }

    /// What a reader should know of the fits before trusting the numbers.
    pub fn notes(&self) -> Vec<String> {
        let fits: Vec<&Fit> = self.lines.iter().flat_map(Line::scored).map(|scored| &scored.fit).collect();
        let count = |is: &dyn Fn(&Fit) -> bool| fits.iter().filter(|fit| is(fit)).count();
        let stopped = count(&|fit| matches!(fit.ending, Ending::IterationLimit | Ending::Stalled));
        let not_convex = count(&|fit| fit.convex == Some(false));
        let searched = count(&|fit| fit.starts.is_some());
        let apart = count(&|fit| fit.starts.is_some_and(|starts| starts.end_apart()));
        let stepped = count(&|fit| fit.ending == Ending::EpochsDone);
        let all = fits.len();
        let mut notes = self.experiment.left_out();
        if stopped > 0 {
            notes.push(format!("{stopped} of {all} fits stopped before they had converged (`ending` in cells.csv)."));
        }
        if not_convex > 0 {
            let mut note = format!(
                "{not_convex} of {all} fits minimise a risk that is not known to be convex (`convex` in cells.csv)."
            );
            if searched > 0 {
                note += &format!(
                    " Of the {searched} that were searched from several starts, {apart} had starts that ended \
                     apart, by more than a millionth (`lowest_objective` and `highest_objective`); the lowest counts."
                );
            }
            notes.push(note);
        }
        if stepped > 0 {
            notes.push(format!(
                "{stepped} of {all} fits followed a first-order method for a given number of epochs, without a rule for \
                 convergence."
            ));
        }
        notes
    }

    pub fn has_failures(&self) -> bool {
        self.lines.iter().any(|line| line.failed() > 0)
    }

    /// Whether a network was trained.
    pub fn has_history(&self) -> bool {
        self.lines.iter().flat_map(Line::scored).any(|scored| !scored.history.is_empty())
    }

    pub fn has_settings(&self) -> bool {
        self.experiment.settings.len() > 1
    }

    /// The paper's value for a line, if it prints one for this metric.
    pub fn paper_value(&self, line: &Line, metric: Metric) -> Option<&'a PaperValue> {
        let name = self.experiment.methods[line.method].method.name();
        self.experiment.paper.iter().find(|paper| {
            paper.metric == metric
                && (paper.method == line.label || paper.method == name)
                && paper.prior.as_ref().is_none_or(|prior| prior == line.prior_name)
        })
    }
}

impl<'a> Line<'a> {
    pub fn scored(&self) -> impl Iterator<Item = &'a Scored> {
        self.cells.iter().filter_map(|(_, outcome)| outcome.result.as_ref().ok())
    }

    /// The values of a metric, in the order of the seeds.
    pub fn values(&self, metric: Metric) -> Vec<f64> {
        self.scored().map(|scored| scored.metrics[&metric]).collect()
    }

    pub fn summary(&self, metric: Metric) -> Option<Summary> {
        Summary::of(&self.values(metric))
    }

    pub fn failed(&self) -> usize {
        self.cells.iter().filter(|(_, outcome)| outcome.result.is_err()).count()
    }

    /// See [`Experiment::line_name`].
    pub fn name(&self) -> &str {
        &self.name
    }
}
