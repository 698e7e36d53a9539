//! What a run says, in sentences: what was compared, who wins, by how much, and how sure that is.

use crate::math::metric::Metric;
use crate::math::stats::{FEWEST_PAIRS, LEVEL, PairedDifference};
use crate::report::comparison::{Comparison, Comparisons, Rival, p_phrase, signed};
use crate::report::paired::paired_difference;
use crate::report::{Findings, Line, Results, interval_text};
use crate::spec::Dataset;
use std::collections::BTreeMap;

/// In so many settings the winner of each is told; of more, how often each method wins.
const MOST_SETTINGS: usize = 4;

/// An answer, and the setting that it is for; empty where it is for all.
pub struct Answer {
    pub setting: String,
    pub sentence: String,
}

/// What was compared.
pub fn question(results: &Results) -> String {
    let experiment = results.experiment;
    let mut sources: Vec<String> = Vec::new();
    for setting in &experiment.settings {
        let source = match &setting.dataset {
            Dataset::Simulation(_) => "simulated people".to_string(),
            Dataset::Table { source, .. } => source.name(),
        };
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    let count = |count: usize, what: &str| if count == 1 { format!("one {what}") } else { format!("{count} {what}s") };
    let settings = match experiment.settings.len() {
        1 => String::new(),
        settings => format!(" in {settings} settings"),
    };
    let priors = match experiment.priors.len() {
        1 => String::new(),
        priors => format!(" under {priors} priors"),
    };
    format!(
        "{} on {}{settings}{priors}, over {}: who finds people that are interested but not loyal (W = +1), judged by {} \
         on a test part that no method has seen?",
        capitalised(&count(experiment.methods.len(), "method")),
        sources.join(" and "),
        count(experiment.seeds as usize, "seed"),
        experiment.metrics[0].title(),
    )
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or(String::new(), |first| first.to_uppercase().chain(characters).collect())
}

/// Which method came first among those that see no true W, by how much, and what the best oracle gets.
pub fn answers(findings: &Findings) -> Vec<Answer> {
    let results = findings.results;
    let settings = results.experiment.settings.len();
    let mut answers: Vec<Answer> = if settings > MOST_SETTINGS {
        vec![Answer { setting: String::new(), sentence: winners(results) }]
    } else {
        let answer = |setting: usize| Answer {
            setting: results.experiment.settings[setting].label.clone(),
            sentence: winner(results, setting),
        };
        (0..settings).map(answer).collect()
    };
    let compared = |comparisons| Answer { setting: String::new(), sentence: of_the_compared(comparisons) };
    answers.extend(findings.comparisons.as_ref().map(compared));
    answers
}

/// The lines of a setting that have a value, the best first, all told the same prior.
fn ranked<'a>(results: &'a Results<'a>, setting: usize, oracle: bool) -> impl Iterator<Item = &'a Line<'a>> {
    let lines = results.lines.iter().filter(move |line| line.setting == setting && line.is_oracle == oracle);
    lines.filter(|line| line.is_of_first_prior() && line.summary(Metric::RocAuc).is_some())
}

fn winner(results: &Results, setting: usize) -> String {
    let mut lines = ranked(results, setting, false);
    let Some((line, summary)) = lines.next().and_then(|line| Some((line, line.summary(Metric::RocAuc)?))) else {
        return "No cell gave a result without true labels.".to_string();
    };
    let interval = summary.interval.map(|interval| interval_text(interval, Metric::RocAuc));
    let oracle = ranked(results, setting, true).next();
    let oracle = oracle.and_then(|line| Some((line.label, line.summary(Metric::RocAuc)?.mean))).map(|(label, mean)| {
        format!(" The best oracle, {label}, which sees true labels of training rows, gets {mean:.4}.")
    });
    let priors = &results.experiment.priors;
    let prior = if priors.len() > 1 {
        format!(", with prior {} where they are told one", priors[0].name)
    } else {
        String::new()
    };
    format!(
        "Among methods that see only D_Y, D_U and D_L{prior}, {} has the highest mean ROC-AUC: {:.4}{}.{}{}",
        line.label,
        summary.mean,
        interval.map_or(String::new(), |interval| format!(" (95% interval {interval})")),
        lines.next().and_then(|next| lead(results, line, next, 1 + lines.count())).unwrap_or_default(),
        oracle.unwrap_or_default()
    )
}

/// By how much the best line is ahead of the next of so many rivals, and whether that is more than chance.
fn lead(results: &Results, line: &Line, next: &Line, rivals: usize) -> Option<String> {
    let difference = paired_difference(results.experiment, line, next, Metric::RocAuc)?;
    let PairedDifference { pairs, mean, ahead, level, .. } = difference;
    let start = format!(" The next method, {},", next.label);
    if level == pairs {
        return Some(format!("{start} is level in every seed."));
    }
    if mean <= 0.0 {
        return Some(format!("{start} is not behind in the {pairs} seeds that both have."));
    }
    let (Some((low, high)), Some(p), true) = (difference.interval, difference.p_value, pairs >= FEWEST_PAIRS) else {
        return Some(format!("{start} is behind by {mean:.4}, with too few seeds to say more."));
    };
    // Which rival is next was found in the same seeds, so each of them counts.
    let p = (p * rivals as f64).min(1.0);
    let sure = if p < LEVEL { "more than chance would give" } else { "which may be chance" };
    let allowance = if rivals > 1 { format!(" with an allowance for {rivals} rivals") } else { String::new() };
    Some(format!(
        "{start} is behind by {mean:.4} on average and in {ahead} of {pairs} seeds, {sure} (95% interval of the difference {} \
         to {}; {}{allowance}).",
        signed(low),
        signed(high),
        p_phrase(p),
    ))
}

/// How often each method has the highest mean of a setting.
fn winners(results: &Results) -> String {
    let settings = results.experiment.settings.len();
    let mut won: BTreeMap<usize, usize> = BTreeMap::new();
    for setting in 0..settings {
        let mean = |line: &Line| line.summary(Metric::RocAuc).map_or(f64::NEG_INFINITY, |summary| summary.mean);
        let highest = ranked(results, setting, false).map(mean).fold(f64::NEG_INFINITY, f64::max);
        // Methods that are level have won both.
        for line in ranked(results, setting, false).filter(|line| mean(line) > highest - 1e-12) {
            *won.entry(line.method).or_default() += 1;
        }
    }
    let mut won: Vec<(usize, usize)> = won.into_iter().collect();
    won.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let told: Vec<String> = won
        .iter()
        .take(MOST_SETTINGS)
        .map(|(method, count)| format!("{} in {count}", results.experiment.methods[*method].label))
        .collect();
    let others = won.len().saturating_sub(MOST_SETTINGS);
    let others = if others > 0 { format!(", and {others} other methods in the rest") } else { String::new() };
    if told.is_empty() {
        return "No cell gave a result without true labels.".to_string();
    }
    format!(
        "Over {settings} settings, the highest mean ROC-AUC among methods that see only D_Y, D_U and D_L is that of \
         {}{others}.",
        told.join(", ")
    )
}

/// How the compared method does, over all its comparisons.
fn of_the_compared(comparisons: &Comparisons) -> String {
    let all = &comparisons.comparisons;
    let of = |kind: Rival| -> Vec<&Comparison> { all.iter().filter(|one| comparisons.rival(one) == kind).collect() };
    let counts = |of_kind: &[&Comparison]| {
        let count = |verdict: &str| of_kind.iter().filter(|one| one.verdict() == verdict).count();
        let parts = [
            ("ahead", "ahead in"),
            ("behind", "behind in"),
            ("the same", "the same in"),
            ("cannot tell", "not to be told apart in"),
        ];
        let parts = parts.iter().map(|(verdict, words)| (count(verdict), words)).filter(|(count, _)| *count > 0);
        parts.map(|(count, words)| format!("{words} {count}")).collect::<Vec<_>>().join(", ")
    };
    let kinds =
        [(Rival::Blind, "other methods without true labels"), (Rival::Oracle, "oracles"), (Rival::Random, "chance")];
    let told = kinds.into_iter().map(|(kind, words)| (of(kind), words)).filter(|(of_kind, _)| !of_kind.is_empty());
    let told: Vec<String> =
        told.map(|(of_kind, words)| format!("against {words}, of {} {}", of_kind.len(), counts(&of_kind))).collect();
    format!(
        "Seed by seed and with an allowance for the number of comparisons, {} is: {}.",
        comparisons.label,
        told.join("; ")
    )
}
