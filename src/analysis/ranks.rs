//! Methods by their average rank over settings (Demšar, 2006).

use crate::analysis::Results;
use crate::math::metric::Metric;
use crate::math::stats::{RankComparison, mid_ranks};

/// The methods that have a result in every setting, the best average rank first.
pub struct Ranks<'a> {
    pub settings: usize,
    /// Methods that have no result in some setting.
    pub left_out: Vec<&'a str>,
    /// The prior that methods are taken with, where there are several.
    pub prior: Option<&'a str>,
    pub methods: Vec<RankedMethod<'a>>,
    /// Average ranks that differ by more can be told apart, by Nemenyi's test at 5%.
    pub critical_difference: f64,
    /// Friedman's: the p-value of all methods being alike.
    pub friedman: f64,
    /// The methods, from one place to another, that cannot be told apart.
    pub groups: Vec<(usize, usize)>,
}

pub struct RankedMethod<'a> {
    pub label: &'a str,
    /// The place in the experiment's methods.
    pub method: usize,
    /// In each setting; 1 is the highest mean ROC-AUC.
    pub ranks: Vec<f64>,
    pub average: f64,
}

impl<'a> Ranks<'a> {
    /// `None` unless there are several settings with several methods. A method that is told priors counts with its first.
    pub fn of(results: &'a Results<'a>) -> Option<Self> {
        let experiment = results.experiment;
        let settings = experiment.settings.len();
        let mean = |method: usize, setting: usize| {
            let mut lines = results.lines.iter().filter(|line| (line.method, line.setting) == (method, setting));
            let summary = lines.find(|line| line.is_of_first_prior())?.summary(Metric::RocAuc)?;
            // Means of the same values in another order are one rank.
            Some((summary.mean * 1e12).round() / 1e12)
        };
        let means = |method: usize| (0..settings).map(|setting| mean(method, setting)).collect::<Option<Vec<f64>>>();
        let complete: Vec<(usize, Vec<f64>)> =
            (0..experiment.methods.len()).filter_map(|method| Some((method, means(method)?))).collect();
        let blocks: Vec<Vec<f64>> =
            (0..settings).map(|setting| complete.iter().map(|(_, means)| means[setting]).collect()).collect();
        let comparison = RankComparison::of(&blocks)?;
        let ranks: Vec<Vec<f64>> = blocks.iter().map(|block| mid_ranks(block)).collect();
        let mut order: Vec<usize> = (0..complete.len()).collect();
        order.sort_by(|a, b| comparison.average[*a].total_cmp(&comparison.average[*b]));
        let ranked = |place: &usize| RankedMethod {
            label: &experiment.methods[complete[*place].0].label,
            method: complete[*place].0,
            ranks: ranks.iter().map(|ranks| ranks[*place]).collect(),
            average: comparison.average[*place],
        };
        let ends = |group: Vec<usize>| {
            let places = group.iter().filter_map(|method| order.iter().position(|other| other == method));
            Some((places.clone().min()?, places.max()?))
        };
        let is_ranked = |method: &usize| complete.iter().any(|(other, _)| other == method);
        let left_out = (0..experiment.methods.len()).filter(|method| !is_ranked(method));
        Some(Ranks {
            settings,
            left_out: left_out.map(|method| experiment.methods[method].label.as_str()).collect(),
            prior: (experiment.priors.len() > 1).then(|| experiment.priors[0].name.as_str()),
            methods: order.iter().map(ranked).collect(),
            critical_difference: comparison.critical_difference,
            friedman: comparison.friedman,
            groups: comparison.groups().into_iter().filter_map(ends).collect(),
        })
    }

    /// Whether ranks could differ by as much as the critical difference.
    pub fn can_tell_apart(&self) -> bool {
        self.critical_difference <= self.methods.len() as f64 - 1.0
    }
}
