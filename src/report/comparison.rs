//! The method that a spec names under `compare`, held against every other over the same seeds.

use crate::math::metric::Metric;
use crate::math::stats::{LEVEL, PairedDifference, holm_of_tested, seeds_to_see};
use crate::methods::Method;
use crate::report::paired::{paired_difference, pairs, test_to_train, verdict};
use crate::report::rows::text;
use crate::report::text_table::TextTable;
use crate::report::{Line, Results};
use crate::run::{Scored, csv_bytes};
use crate::spec::Experiment;
use csv::Writer;
use rayon::prelude::*;

/// All comparisons of an experiment, setting by setting and the largest lead in ROC-AUC first.
pub struct Comparisons<'a> {
    experiment: &'a Experiment,
    /// The compared method, as in the tables.
    pub label: &'a str,
    pub comparisons: Vec<Comparison<'a>>,
}

/// The compared method and another one, in the same setting and told the same prior.
pub struct Comparison<'a> {
    pub compared: &'a Line<'a>,
    pub other: &'a Line<'a>,
    /// In the order of the experiment's metrics; `None` for one that no seed has for both.
    pub differences: Vec<Option<Tested>>,
    /// How many seeds it would take to see the difference that the spec asks for; `None` if no number would do.
    pub seeds_to_see: Option<u32>,
}

/// What a method is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rival {
    /// One that sees no true label.
    Blind,
    Oracle,
    /// Scores that know nothing.
    Random,
}

/// A difference with its p-values adjusted after Holm over all comparisons of the same metric.
#[derive(Clone, Debug)]
pub struct Tested {
    /// Compared minus other.
    pub difference: PairedDifference,
    pub adjusted: Option<f64>,
    pub adjusted_wilcoxon: Option<f64>,
}

impl<'a> Comparisons<'a> {
    /// `None` if the spec names no method to compare, or there is nothing to compare it with.
    pub fn of(results: &'a Results<'a>) -> Option<Self> {
        let experiment = results.experiment;
        let method = experiment.compare?;
        let mut comparisons = Vec::new();
        for compared in results.lines.iter().filter(|line| line.method == method) {
            let others = results.lines.iter().filter(|line| line.method != method && line.setting == compared.setting);
            let told = |line: &Line| (line.method, line.prior);
            let is_told_the_same = |other: &&Line| experiment.are_told_the_same(told(compared), told(other));
            let others: Vec<&Line> = others.filter(is_told_the_same).collect();
            comparisons.par_extend(others.par_iter().filter_map(|other| Comparison::of(experiment, compared, other)));
        }
        if comparisons.is_empty() {
            return None;
        }
        adjust(&mut comparisons);
        comparisons
            .sort_by(|a, b| a.compared.setting.cmp(&b.compared.setting).then_with(|| b.lead().total_cmp(&a.lead())));
        Some(Comparisons { experiment, label: &experiment.methods[method].label, comparisons })
    }

    /// Whether the prior tells comparisons apart.
    pub fn has_priors(&self) -> bool {
        self.experiment.priors.len() > 1
    }

    /// What the other method of a comparison is.
    pub fn rival(&self, comparison: &Comparison) -> Rival {
        match self.experiment.methods[comparison.other.method].method {
            Method::Random(_) => Rival::Random,
            _ if comparison.other.is_oracle => Rival::Oracle,
            _ => Rival::Blind,
        }
    }

    /// What the table shows, in a sentence.
    pub fn heading(&self) -> String {
        format!(
            "{} minus each other method in {}, seed by seed. The 95% interval and p are those of Student's t, widened \
             where seeds share the rows of one file (Nadeau and Bengio, 2003); Wilcoxon's signed ranks beside it know \
             nothing of shared rows. Both p are adjusted after Holm for the {} comparisons, and the verdict goes by the \
             first at {}%; an interval is that of one comparison by itself, so that one without 0 can go with `cannot \
             tell`.",
            self.label,
            self.experiment.metrics[0].title(),
            self.comparisons.len(),
            100.0 * LEVEL
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
        header.extend(["mean difference", "95% interval", "p", "p by ranks", "ahead, level, behind"].map(String::from));
        header.push(format!("seeds to see {}", self.experiment.difference));
        let row = |comparison: &Comparison| {
            let mut row = vec![comparison.other.label.to_string()];
            if settings {
                row.push(comparison.other.setting_label.to_string());
            }
            row.extend([comparison.prior_name(), comparison.verdict()].map(String::from));
            let Some(Tested { difference, adjusted, adjusted_wilcoxon }) = comparison.first() else {
                row.extend(["-"; 6].map(String::from));
                return row;
            };
            row.push(signed(difference.mean));
            row.push(
                difference.interval.map_or("-".into(), |(low, high)| format!("{} to {}", signed(low), signed(high))),
            );
            row.extend([adjusted, adjusted_wilcoxon].map(|p| p.map_or("-".into(), p_text)));
            row.push(format!("{}, {}, {}", difference.ahead, difference.level, difference.behind));
            row.push(comparison.seeds_to_see_text().unwrap_or("-".into()));
            row
        };
        TextTable { header, rows: self.comparisons.iter().map(row).collect(), words }
    }

    /// Every metric at full precision.
    pub fn csv(&self) -> csv::Result<Vec<u8>> {
        let mut writer = Writer::from_writer(Vec::new());
        let header = "setting,method,prior,other,other_prior,metric,mean_difference,deviation,interval_low,\
                      interval_high,p,p_holm,wilcoxon_p,wilcoxon_p_holm,ahead,level,behind,pairs,seeds_to_see";
        writer.write_record(header.split(','))?;
        for comparison in &self.comparisons {
            let Comparison { compared, other, differences, .. } = comparison;
            for (metric, tested) in self.experiment.metrics.iter().zip(differences) {
                let Some(Tested { difference, adjusted, adjusted_wilcoxon }) = tested else { continue };
                let seeds_to_see = comparison.seeds_to_see_text().filter(|_| *metric == Metric::RocAuc);
                writer.write_record([
                    compared.setting_label,
                    compared.label,
                    compared.prior_name,
                    other.label,
                    other.prior_name,
                    metric.name(),
                    &difference.mean.to_string(),
                    &text(difference.deviation),
                    &text(difference.interval.map(|(low, _)| low)),
                    &text(difference.interval.map(|(_, high)| high)),
                    &text(difference.p_value),
                    &text(*adjusted),
                    &text(difference.wilcoxon),
                    &text(*adjusted_wilcoxon),
                    &difference.ahead.to_string(),
                    &difference.level.to_string(),
                    &difference.behind.to_string(),
                    &difference.pairs.to_string(),
                    &text(seeds_to_see),
                ])?;
            }
        }
        csv_bytes(writer)
    }
}

/// Puts the p-values of each metric after Holm over all comparisons in their places.
fn adjust(comparisons: &mut [Comparison]) {
    let metrics = comparisons.first().map_or(0, |comparison| comparison.differences.len());
    for metric in 0..metrics {
        let mut tested: Vec<&mut Tested> =
            comparisons.iter_mut().filter_map(|comparison| comparison.differences[metric].as_mut()).collect();
        let all = |p: fn(&PairedDifference) -> Option<f64>| {
            holm_of_tested(&tested.iter().map(|tested| p(&tested.difference)).collect::<Vec<_>>())
        };
        let (adjusted, by_ranks) = (all(|difference| difference.p_value), all(|difference| difference.wilcoxon));
        for (tested, (p, by_ranks)) in tested.iter_mut().zip(adjusted.into_iter().zip(by_ranks)) {
            (tested.adjusted, tested.adjusted_wilcoxon) = (p, by_ranks);
        }
    }
}

/// A difference as in tables; what rounds to zero has no sign.
pub fn signed(difference: f64) -> String {
    let text = format!("{difference:+.4}");
    if text[1..] == *"0.0000" { text[1..].to_string() } else { text }
}

/// As in tables.
pub fn p_text(p: f64) -> String {
    if p < 0.0001 { "<0.0001".to_string() } else { format!("{p:.4}") }
}

/// As in sentences.
pub fn p_phrase(p: f64) -> String {
    if p < 0.0001 { "p < 0.0001".to_string() } else { format!("p = {p:.4}") }
}

impl<'a> Comparison<'a> {
    /// `None` if no seed has a result for both.
    fn of(experiment: &Experiment, compared: &'a Line<'a>, other: &'a Line<'a>) -> Option<Self> {
        let tested = |metric: &Metric| {
            let difference = paired_difference(experiment, compared, other, *metric)?;
            Some(Tested { difference, adjusted: None, adjusted_wilcoxon: None })
        };
        let differences: Vec<Option<Tested>> = experiment.metrics.iter().map(tested).collect();
        let deviation = differences.first()?.as_ref()?.difference.deviation;
        let ratio = test_to_train(experiment, compared)?;
        let seeds_to_see = deviation.and_then(|deviation| seeds_to_see(experiment.difference, deviation, ratio));
        Some(Comparison { compared, other, differences, seeds_to_see })
    }

    /// In ROC-AUC.
    pub fn first(&self) -> Option<&Tested> {
        self.differences.first()?.as_ref()
    }

    /// `None` for a single pair, which says nothing of how differences spread.
    fn seeds_to_see_text(&self) -> Option<String> {
        self.first()?.difference.deviation?;
        Some(self.seeds_to_see.map_or("never".to_string(), |seeds| seeds.to_string()))
    }

    /// The difference in ROC-AUC of every seed.
    pub fn values(&self) -> Vec<f64> {
        let difference = |(a, b): (&Scored, &Scored)| Some(a.metric(Metric::RocAuc)? - b.metric(Metric::RocAuc)?);
        pairs(self.compared, self.other).into_iter().filter_map(difference).collect()
    }

    fn lead(&self) -> f64 {
        self.first().map_or(f64::NEG_INFINITY, |tested| tested.difference.mean)
    }

    /// What the adjusted p-value says of ROC-AUC, in words.
    pub fn verdict(&self) -> &'static str {
        let Some(Tested { difference, adjusted, .. }) = self.first() else { return "cannot tell" };
        verdict(difference, *adjusted, Metric::RocAuc)
    }

    /// What both were told: the name of the prior of that one which uses more of it.
    pub fn prior_name(&self) -> &'a str {
        let more = if self.other.prior_use > self.compared.prior_use { self.other } else { self.compared };
        more.prior_name
    }
}
