//! The method that a spec names under `compare`, compared with every other method over the same seeds.

use crate::analysis::paired::{Standing, paired_difference, pairs, test_to_train};
use crate::analysis::{Line, Results};
use crate::math::metric::Metric;
use crate::math::stats::{PairedDifference, holm_of_tested, seeds_to_see};
use crate::run::Scored;
use crate::spec::Experiment;
use rayon::prelude::*;
use serde::Serialize;

/// All comparisons of an experiment, setting by setting and the largest lead in ROC-AUC first.
pub struct Comparisons<'a> {
    pub experiment: &'a Experiment,
    /// The compared method, as in the tables.
    pub label: &'a str,
    pub comparisons: Vec<Comparison<'a>>,
}

/// The compared method and another one, in the same setting and with the same prior.
pub struct Comparison<'a> {
    pub compared: &'a Line<'a>,
    pub other: &'a Line<'a>,
    /// In ROC-AUC.
    pub auc: Tested,
    /// In the experiment's other metrics; `None` for a metric that no seed has for both.
    others: Vec<Option<Tested>>,
    /// The number of seeds that would show the difference that the spec asks for; `None` if no number would.
    pub seeds_to_see: Option<u32>,
}

/// The kind of method that the compared one is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rival {
    /// It sees no true label.
    Blind,
    Oracle,
    /// Its scores are random.
    Random,
}

/// A difference with its p-values adjusted after Holm over all comparisons of the same metric.
#[derive(Clone, Debug, Serialize)]
pub struct Tested {
    /// Compared minus other.
    #[serde(flatten)]
    pub difference: PairedDifference,
    #[serde(rename = "p_holm")]
    pub adjusted: Option<f64>,
    #[serde(rename = "wilcoxon_p_holm")]
    pub adjusted_wilcoxon: Option<f64>,
}

impl<'a> Comparisons<'a> {
    /// `None` if the spec names no method to compare, or no other method has results.
    pub fn of(results: &'a Results<'a>) -> Option<Self> {
        let experiment = results.experiment;
        let method = experiment.compare?;
        let is_other = |compared: &Line, other: &Line| {
            let given = |line: &Line| (line.method, line.prior);
            other.method != method
                && other.setting == compared.setting
                && experiment.are_told_the_same(given(compared), given(other))
        };
        let compared = results.lines.iter().filter(|line| line.method == method);
        let pairs = compared.flat_map(|line| results.lines.iter().map(move |other| (line, other)));
        let pairs: Vec<_> = pairs.filter(|(line, other)| is_other(line, other)).collect();
        let mut comparisons: Vec<Comparison> =
            pairs.into_par_iter().filter_map(|(line, other)| Comparison::of(experiment, line, other)).collect();
        adjust(comparisons.iter_mut().map(|comparison| &mut comparison.auc).collect());
        for metric in 1..experiment.metrics.len() {
            adjust(comparisons.iter_mut().filter_map(|comparison| comparison.others[metric - 1].as_mut()).collect());
        }
        let lead = |comparison: &Comparison| comparison.auc.difference.mean;
        comparisons.sort_by(|a, b| a.compared.setting.cmp(&b.compared.setting).then(lead(b).total_cmp(&lead(a))));
        let label = &experiment.methods[method].label;
        (!comparisons.is_empty()).then_some(Comparisons { experiment, label, comparisons })
    }

    /// The kind of the other method of a comparison.
    pub fn rival(&self, comparison: &Comparison) -> Rival {
        match comparison.other {
            line if self.experiment.methods[line.method].method.is_random() => Rival::Random,
            line if line.is_oracle => Rival::Oracle,
            _ => Rival::Blind,
        }
    }
}

/// Adjusts the p-values of one metric over all comparisons.
fn adjust(tested: Vec<&mut Tested>) {
    let adjusted = |p: fn(&PairedDifference) -> Option<f64>| {
        holm_of_tested(&tested.iter().map(|tested| p(&tested.difference)).collect::<Vec<_>>())
    };
    let (student, ranks) = (adjusted(|difference| difference.p_value), adjusted(|difference| difference.wilcoxon));
    for (tested, p_values) in tested.into_iter().zip(student.into_iter().zip(ranks)) {
        (tested.adjusted, tested.adjusted_wilcoxon) = p_values;
    }
}

impl<'a> Comparison<'a> {
    /// `None` if no seed has a result for both.
    fn of(experiment: &Experiment, compared: &'a Line<'a>, other: &'a Line<'a>) -> Option<Self> {
        let tested = |metric: &Metric| {
            let difference = paired_difference(experiment, compared, other, *metric)?;
            Some(Tested { difference, adjusted: None, adjusted_wilcoxon: None })
        };
        let auc = tested(&Metric::RocAuc)?;
        let ratio = test_to_train(experiment, compared)?;
        let deviation = auc.difference.deviation;
        let seeds_to_see = deviation.and_then(|deviation| seeds_to_see(experiment.difference, deviation, ratio));
        let others = experiment.metrics[1..].iter().map(tested).collect();
        Some(Comparison { compared, other, auc, others, seeds_to_see })
    }

    /// In the order of the experiment's metrics, of which ROC-AUC is the first.
    pub fn differences(&self) -> impl Iterator<Item = Option<&Tested>> {
        std::iter::once(Some(&self.auc)).chain(self.others.iter().map(Option::as_ref))
    }

    /// The difference in ROC-AUC of every seed.
    pub fn values(&self) -> Vec<f64> {
        let difference = |(a, b): (&Scored, &Scored)| Some(a.metric(Metric::RocAuc)? - b.metric(Metric::RocAuc)?);
        pairs(self.compared, self.other).into_iter().filter_map(difference).collect()
    }

    /// By the adjusted p-value of ROC-AUC.
    pub fn standing(&self) -> Standing {
        Standing::of(&self.auc.difference, self.auc.adjusted, Metric::RocAuc)
    }

    /// The name of the prior of the method that uses more of it.
    pub fn prior_name(&self) -> &'a str {
        let more = if self.other.prior_use > self.compared.prior_use { self.other } else { self.compared };
        more.prior_name
    }
}
