//! The method that a spec names under `compare`, held against every other over the same seeds.

use crate::analysis::paired::{Standing, paired_difference, pairs, test_to_train};
use crate::analysis::{Line, Results};
use crate::math::metric::Metric;
use crate::math::stats::{PairedDifference, holm_of_tested, seeds_to_see};
use crate::methods::Method;
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

    /// The difference in ROC-AUC of every seed.
    pub fn values(&self) -> Vec<f64> {
        let difference = |(a, b): (&Scored, &Scored)| Some(a.metric(Metric::RocAuc)? - b.metric(Metric::RocAuc)?);
        pairs(self.compared, self.other).into_iter().filter_map(difference).collect()
    }

    fn lead(&self) -> f64 {
        self.first().map_or(f64::NEG_INFINITY, |tested| tested.difference.mean)
    }

    /// By the adjusted p-value of ROC-AUC.
    pub fn standing(&self) -> Standing {
        let Some(Tested { difference, adjusted, .. }) = self.first() else { return Standing::CannotTell };
        Standing::of(difference, *adjusted, Metric::RocAuc)
    }

    /// What both were told: the name of the prior of that one which uses more of it.
    pub fn prior_name(&self) -> &'a str {
        let more = if self.other.prior_use > self.compared.prior_use { self.other } else { self.compared };
        more.prior_name
    }
}
