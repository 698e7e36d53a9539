//! Which method comes first among those that see no true label, and by how much.

use crate::analysis::{Line, Results, paired_difference};
use crate::math::metric::Metric;
use crate::math::stats::{PairedDifference, Summary};
use std::collections::BTreeMap;

/// The best method of a setting among those that see no true label. A method that uses a prior is taken with the first.
pub struct Leader<'a> {
    pub line: &'a Line<'a>,
    pub summary: &'a Summary,
    /// Over the next method; `None` if there is no other, or no seed that both have.
    pub lead: Option<Lead<'a>>,
    /// The best oracle, with its mean.
    pub oracle: Option<(&'a Line<'a>, f64)>,
}

/// By how much the best line is ahead of the next.
pub struct Lead<'a> {
    pub next: &'a Line<'a>,
    /// How many methods could have been the next.
    pub rivals: usize,
    pub difference: PairedDifference,
    /// Multiplied by the number of rivals, because the next method was selected on the same seeds.
    pub p_value: Option<f64>,
}

impl<'a> Leader<'a> {
    /// `None` if no cell of the setting gave a result without true labels.
    pub fn of(results: &'a Results<'a>, setting: usize) -> Option<Self> {
        let mut blind = ranked(results, setting, false);
        let (line, summary) = blind.next()?;
        let lead = blind.next().and_then(|(next, _)| {
            let rivals = 1 + blind.count();
            let difference = paired_difference(results.experiment, line, next, Metric::RocAuc)?;
            let p_value = difference.p_value.map(|p| (p * rivals as f64).min(1.0));
            Some(Lead { next, rivals, difference, p_value })
        });
        let oracle = ranked(results, setting, true).next().map(|(line, summary)| (line, summary.mean));
        Some(Leader { line, summary, lead, oracle })
    }
}

/// For each method, in how many settings it has the highest mean among those that see no true label; the most first.
/// Methods with equal means have all won.
pub fn wins(results: &Results) -> Vec<(usize, usize)> {
    let mut won: BTreeMap<usize, usize> = BTreeMap::new();
    for setting in 0..results.experiment.settings.len() {
        let means = || ranked(results, setting, false).map(|(line, summary)| (line.method, summary.mean));
        let highest = means().map(|(_, mean)| mean).fold(f64::NEG_INFINITY, f64::max);
        for (method, _) in means().filter(|(_, mean)| *mean > highest - 1e-12) {
            *won.entry(method).or_default() += 1;
        }
    }
    let mut won: Vec<(usize, usize)> = won.into_iter().collect();
    won.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    won
}

/// The lines of a setting that have a value, the best first, with the first prior where they use one.
fn ranked<'a>(
    results: &'a Results<'a>,
    setting: usize,
    oracle: bool,
) -> impl Iterator<Item = (&'a Line<'a>, &'a Summary)> {
    let lines = results.lines.iter().filter(move |line| line.setting == setting && line.is_oracle == oracle);
    lines.filter(|line| line.is_of_first_prior()).filter_map(|line| Some((line, line.summary(Metric::RocAuc)?)))
}
