//! The method that a spec names under `compare`, held against every other over the same seeds.

use crate::learn::PriorUse;
use crate::metric::Metric;
use crate::report::rows::text;
use crate::report::text_table::TextTable;
use crate::report::{Line, Results};
use crate::run::csv_bytes;
use crate::run::{Outcome, Scored};
use crate::spec::{Dataset, Experiment};
use crate::stats::PairedDifference;
use csv::Writer;

/// All comparisons of an experiment, the largest lead in ROC-AUC first.
pub struct Comparisons<'a> {
    experiment: &'a Experiment,
    /// The compared method, as in the tables.
    label: &'a str,
    comparisons: Vec<Comparison<'a>>,
}

/// The compared method and another one, in the same setting and told the same prior.
struct Comparison<'a> {
    compared: &'a Line<'a>,
    other: &'a Line<'a>,
    /// Compared minus other, in the order of the experiment's metrics.
    differences: Vec<PairedDifference>,
}

impl<'a> Comparisons<'a> {
    /// `None` if the spec names no method to compare.
    pub fn of(results: &'a Results<'a>) -> Option<Self> {
        let experiment = results.experiment;
        let method = experiment.compare?;
        let mut comparisons = Vec::new();
        for compared in results.lines.iter().filter(|line| line.method == method) {
            let others = results.lines.iter().filter(|line| line.method != method && line.setting == compared.setting);
            let others = others.filter(|other| are_told_the_same(experiment, compared, other));
            comparisons.extend(others.filter_map(|other| Comparison::of(experiment, compared, other)));
        }
        let lead = |comparison: &Comparison| comparison.differences[0].mean;
        comparisons
            .sort_by(|a, b| a.compared.setting.cmp(&b.compared.setting).then_with(|| lead(b).total_cmp(&lead(a))));
        Some(Comparisons { experiment, label: &experiment.methods[method].label, comparisons })
    }

    /// What the table shows, in a sentence.
    pub fn heading(&self) -> String {
        format!(
            "{} minus each other method in {}, seed by seed; the 95% interval of the mean difference is by Student's t, \
             widened where seeds share the rows of one file (Nadeau and Bengio, 2003).",
            self.label,
            self.experiment.metrics[0].title()
        )
    }

    /// The first metric's.
    pub fn table(&self) -> TextTable {
        let settings = self.experiment.settings.len() > 1;
        let mut header = vec![format!("{} against", self.label)];
        if settings {
            header.push("setting".into());
        }
        header.extend(["prior", "verdict"].map(String::from));
        let words = header.len();
        header.extend(["mean difference", "95% interval", "seeds ahead"].map(String::from));
        let row = |comparison: &Comparison| {
            let difference = &comparison.differences[0];
            let mut row = vec![comparison.other.label.to_string()];
            if settings {
                row.push(comparison.other.setting_label.to_string());
            }
            row.push(comparison.prior_name().to_string());
            row.push(verdict(difference.interval).to_string());
            row.push(format!("{:+.4}", difference.mean));
            row.push(difference.interval.map_or("-".into(), |(low, high)| format!("{low:+.4} to {high:+.4}")));
            row.push(format!("{} of {}", difference.ahead, difference.pairs));
            row
        };
        TextTable { header, rows: self.comparisons.iter().map(row).collect(), words }
    }

    /// Every metric at full precision.
    pub fn csv(&self) -> csv::Result<Vec<u8>> {
        let mut writer = Writer::from_writer(Vec::new());
        let header =
            "setting,method,prior,other,other_prior,metric,mean_difference,interval_low,interval_high,ahead,pairs";
        writer.write_record(header.split(','))?;
        for Comparison { compared, other, differences } in &self.comparisons {
            for (metric, difference) in self.experiment.metrics.iter().zip(differences) {
                writer.write_record([
                    compared.setting_label,
                    compared.label,
                    compared.prior_name,
                    other.label,
                    other.prior_name,
                    metric.name(),
                    &difference.mean.to_string(),
                    &text(difference.interval.map(|(low, _)| low)),
                    &text(difference.interval.map(|(_, high)| high)),
                    &difference.ahead.to_string(),
                    &difference.pairs.to_string(),
                ])?;
            }
        }
        csv_bytes(writer)
    }
}

impl<'a> Comparison<'a> {
    /// `None` if no seed has a result for both.
    fn of(experiment: &Experiment, compared: &'a Line<'a>, other: &'a Line<'a>) -> Option<Self> {
        let difference = |metric: &Metric| paired_difference(experiment, compared, other, *metric);
        let differences = experiment.metrics.iter().map(difference).collect::<Option<Vec<_>>>()?;
        Some(Comparison { compared, other, differences })
    }

    /// What both were told: the name of the prior of that one which uses more of it.
    fn prior_name(&self) -> &'a str {
        let more = if self.other.prior_use > self.compared.prior_use { self.other } else { self.compared };
        more.prior_name
    }
}

/// A line without a prior, or one that ignores gamma, stands for all priors that make no difference to it.
fn are_told_the_same(experiment: &Experiment, a: &Line, b: &Line) -> bool {
    let (Some(prior), Some(other)) = (a.prior, b.prior) else { return true };
    let ignores_gamma = [a, b].iter().any(|line| line.prior_use == PriorUse::Beta);
    prior == other || (ignores_gamma && experiment.priors[prior].beta == experiment.priors[other].beta)
}

/// By how much a line is above another one in a metric; `None` if no seed has a result for both.
pub fn paired_difference(
    experiment: &Experiment,
    compared: &Line,
    other: &Line,
    metric: Metric,
) -> Option<PairedDifference> {
    let test_to_train = match experiment.settings[compared.setting].dataset {
        // Every seed draws new people.
        Dataset::Simulation(_) => 0.0,
        // Every seed cuts the file into parts of the same sizes.
        Dataset::Table { .. } => {
            let sizes = compared.cells.iter().find_map(|(_, outcome)| outcome.sizes)?;
            sizes.test as f64 / sizes.train as f64
        }
    };
    let values = |(a, b): (&Scored, &Scored)| (a.metrics[&metric], b.metrics[&metric]);
    let pairs: Vec<_> = pairs(compared, other).into_iter().map(values).collect();
    PairedDifference::of(&pairs, test_to_train)
}

/// The results of the seeds that have one for both.
fn pairs<'a>(a: &Line<'a>, b: &Line<'a>) -> Vec<(&'a Scored, &'a Scored)> {
    let scored = |outcome: &'a Outcome| outcome.result.as_ref().ok();
    let twin = |seed: u32| {
        // A line's cells stand in the order of their seeds.
        let place = b.cells.binary_search_by_key(&seed, |(cell, _)| cell.seed).ok()?;
        scored(b.cells[place].1)
    };
    a.cells.iter().filter_map(|(cell, outcome)| Some((scored(outcome)?, twin(cell.seed)?))).collect()
}

/// What the interval says, in words: a single pair says nothing.
pub fn verdict(interval: Option<(f64, f64)>) -> &'static str {
    match interval {
        Some((0.0, 0.0)) => "the same",
        Some((low, _)) if low > 0.0 => "ahead",
        Some((_, high)) if high < 0.0 => "behind",
        _ => "cannot tell",
    }
}
