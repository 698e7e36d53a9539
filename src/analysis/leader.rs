//! Which method comes first among those that see no true label, and by how much.

use crate::analysis::{Line, Results, paired_difference};
use crate::math::metric::Metric;
use crate::math::stats::{PairedDifference, Summary};
use std::collections::BTreeMap;

/// The best method of a setting among those that see no true label; of those that use a prior, with the first one.
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
    /// Times the number of rivals: which of them is next was found in the same seeds, so each of them counts.
    pub p_value: Option<f64>,
}

impl<'a> Leader<'a> {
    /// `None` if no cell of the setting gave a result without true labels.
    pub fn of(results: &'a Results<'a>, setting: usize) -> Option<Self> {
        let mut blind = ranked(results, setting, false);
        let line = blind.next()?;
        let oracle = ranked(results, setting, true).next();
        Some(Leader {
            line,
            summary: line.summary(Metric::RocAuc)?,
            lead: blind.next().and_then(|next| Lead::of(results, line, next, 1 + blind.count())),
            oracle: oracle.and_then(|line| Some((line, line.summary(Metric::RocAuc)?.mean))),
        })
    }
}

impl<'a> Lead<'a> {
    fn of(results: &Results, line: &Line, next: &'a Line<'a>, rivals: usize) -> Option<Self> {
        let difference = paired_difference(results.experiment, line, next, Metric::RocAuc)?;
        let p_value = difference.p_value.map(|p| (p * rivals as f64).min(1.0));
        Some(Lead { next, rivals, difference, p_value })
    }
}

/// In how many settings each method has the highest mean among those that see no true label, the most first; methods
/// that are level have both won.
pub fn wins(results: &Results) -> Vec<(usize, usize)> {
    let mean = |line: &Line| line.summary(Metric::RocAuc).map_or(f64::NEG_INFINITY, |summary| summary.mean);
    let mut won: BTreeMap<usize, usize> = BTreeMap::new();
    for setting in 0..results.experiment.settings.len() {
        let highest = ranked(results, setting, false).map(mean).fold(f64::NEG_INFINITY, f64::max);
        for line in ranked(results, setting, false).filter(|line| mean(line) > highest - 1e-12) {
            *won.entry(line.method).or_default() += 1;
        }
    }
    let mut won: Vec<(usize, usize)> = won.into_iter().collect();
    won.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    won
}

/// The lines of a setting that have a value, the best first, all with the same prior.
fn ranked<'a>(results: &'a Results<'a>, setting: usize, oracle: bool) -> impl Iterator<Item = &'a Line<'a>> {
    let lines = results.lines.iter().filter(move |line| line.setting == setting && line.is_oracle == oracle);
    lines.filter(|line| line.is_of_first_prior() && line.summary(Metric::RocAuc).is_some())
}
