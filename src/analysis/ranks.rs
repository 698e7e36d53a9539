//! Methods by their average rank over settings (Demšar, 2006).

use crate::analysis::Results;
use crate::math::metric::Metric;
use crate::math::stats::{RankComparison, mid_ranks};
use serde::Serialize;

/// The methods that have a result in every setting, the best average rank first.
pub struct Ranks<'a> {
    pub settings: usize,
    /// Methods without a result in some setting.
    pub left_out: Vec<&'a str>,
    /// The prior that methods are taken with, where there are several.
    pub prior: Option<&'a str>,
    pub methods: Vec<RankedMethod<'a>>,
    /// Two methods whose average ranks differ by more than this differ by Nemenyi's test at 5%.
    pub critical_difference: f64,
    /// The p-value of Friedman's test that all methods are alike.
    pub friedman: f64,
    /// The first and the last index of each group of methods that cannot be told apart.
    pub groups: Vec<(usize, usize)>,
}

#[derive(Serialize)]
pub struct RankedMethod<'a> {
    #[serde(rename = "method")]
    pub label: &'a str,
    /// The index in the experiment's methods.
    #[serde(skip)]
    pub method: usize,
    #[serde(rename = "average_rank")]
    pub average: f64,
    /// In each setting; 1 is the highest mean ROC-AUC.
    pub ranks: Vec<f64>,
}

impl<'a> Ranks<'a> {
    /// `None` unless there are several settings with several methods. A method that uses priors is taken with its first.
    pub fn of(results: &'a Results<'a>) -> Option<Self> {
        let experiment = results.experiment;
        let settings = experiment.settings.len();
        let mean = |method: usize, setting: usize| {
            let mut lines = results.lines.iter().filter(|line| (line.method, line.setting) == (method, setting));
            let summary = lines.find(|line| line.is_of_first_prior())?.summary(Metric::RocAuc)?;
            // Means of the same values in another order have the same rank.
            Some((summary.mean * 1e12).round() / 1e12)
        };
        let means = |method: usize| (0..settings).map(|setting| mean(method, setting)).collect::<Option<Vec<f64>>>();
        let (mut complete, mut left_out) = (Vec::new(), Vec::new());
        for (method, labelled) in experiment.methods.iter().enumerate() {
            match means(method) {
                Some(means) => complete.push((method, means)),
                None => left_out.push(labelled.label.as_str()),
            }
        }
        let blocks: Vec<Vec<f64>> =
            (0..settings).map(|setting| complete.iter().map(|(_, means)| means[setting]).collect()).collect();
        let comparison = RankComparison::of(&blocks)?;
        let ranks: Vec<Vec<f64>> = blocks.iter().map(|block| mid_ranks(block)).collect();
        let ranked = |(index, (method, _)): (usize, &(usize, _))| RankedMethod {
            label: &experiment.methods[*method].label,
            method: *method,
            average: comparison.average[index],
            ranks: ranks.iter().map(|ranks| ranks[index]).collect(),
        };
        let mut methods: Vec<RankedMethod> = complete.iter().enumerate().map(ranked).collect();
        methods.sort_by(|a, b| a.average.total_cmp(&b.average));
        let ends = |group: Vec<usize>| {
            let position = |index: &usize| methods.iter().position(|method| method.method == complete[*index].0);
            Some((position(group.first()?)?, position(group.last()?)?))
        };
        Some(Ranks {
            settings,
            left_out,
            prior: (experiment.priors.len() > 1).then(|| experiment.priors[0].name.as_str()),
            critical_difference: comparison.critical_difference,
            friedman: comparison.friedman,
            groups: comparison.groups().into_iter().filter_map(ends).collect(),
            methods,
        })
    }

    /// Whether ranks can differ by more than the critical difference.
    pub fn can_tell_apart(&self) -> bool {
        self.critical_difference <= self.methods.len() as f64 - 1.0
    }
}
