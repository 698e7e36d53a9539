//! What a run says, in sentences: what was compared, who wins, by how much, and how sure that is.

use crate::analysis::{Comparison, Comparisons, Findings, Lead, Leader, Results, Rival, Standing, wins};
use crate::math::metric::Metric;
use crate::math::stats::{FEWEST_PAIRS, LEVEL, PairedDifference};
use crate::report::table::interval_text;
use crate::spec::Dataset;
use crate::text::{capitalised, p_phrase, signed};
use serde::Serialize;

/// In so many settings the winner of each is told; of more, how often each method wins.
const MOST_SETTINGS: usize = 4;

const NO_RESULT: &str = "No cell gave a result without true labels.";

/// An answer, and the setting that it is for; empty where it is for all.
#[derive(Serialize)]
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

fn winner(results: &Results, setting: usize) -> String {
    let Some(Leader { line, summary, lead, oracle }) = Leader::of(results, setting) else {
        return NO_RESULT.to_string();
    };
    let interval = summary.interval.map(|bounds| format!(" (95% interval {})", interval_text(bounds, Metric::RocAuc)));
    let oracle = oracle.map(|(line, mean)| {
        format!(" The best oracle, {}, which sees true labels of training rows, gets {mean:.4}.", line.label)
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
        interval.unwrap_or_default(),
        lead.map(lead_sentence).unwrap_or_default(),
        oracle.unwrap_or_default()
    )
}

/// By how much the best line is ahead of the next, and whether that is more than chance.
fn lead_sentence(Lead { next, rivals, difference, p_value }: Lead) -> String {
    let PairedDifference { pairs, mean, ahead, level, interval, .. } = difference;
    let start = format!(" The next method, {},", next.label);
    if level == pairs {
        return format!("{start} is level in every seed.");
    }
    if mean <= 0.0 {
        return format!("{start} is not behind in the {pairs} seeds that both have.");
    }
    let (Some((low, high)), Some(p), true) = (interval, p_value, pairs >= FEWEST_PAIRS) else {
        return format!("{start} is behind by {mean:.4}, with too few seeds to say more.");
    };
    let sure = if p < LEVEL { "more than chance would give" } else { "which may be chance" };
    let allowance = if rivals > 1 { format!(" with an allowance for {rivals} rivals") } else { String::new() };
    format!(
        "{start} is behind by {mean:.4} on average and in {ahead} of {pairs} seeds, {sure} (95% interval of the difference {} \
         to {}; {}{allowance}).",
        signed(low),
        signed(high),
        p_phrase(p),
    )
}

/// How often each method has the highest mean of a setting.
fn winners(results: &Results) -> String {
    let won = wins(results);
    if won.is_empty() {
        return NO_RESULT.to_string();
    }
    let told: Vec<String> = won
        .iter()
        .take(MOST_SETTINGS)
        .map(|(method, count)| format!("{} in {count}", results.experiment.methods[*method].label))
        .collect();
    let others = won.len().saturating_sub(MOST_SETTINGS);
    let others = if others > 0 { format!(", and {others} other methods in the rest") } else { String::new() };
    format!(
        "Over {} settings, the highest mean ROC-AUC among methods that see only D_Y, D_U and D_L is that of {}{others}.",
        results.experiment.settings.len(),
        told.join(", ")
    )
}

/// How the compared method does, over all its comparisons.
fn of_the_compared(comparisons: &Comparisons) -> String {
    let all = &comparisons.comparisons;
    let of = |kind: Rival| -> Vec<&Comparison> { all.iter().filter(|one| comparisons.rival(one) == kind).collect() };
    let counts = |of_kind: &[&Comparison]| {
        let count = |standing: Standing| of_kind.iter().filter(|one| one.standing() == standing).count();
        let parts = [
            (Standing::Ahead, "ahead in"),
            (Standing::Behind, "behind in"),
            (Standing::Same, "the same in"),
            (Standing::CannotTell, "not to be told apart in"),
        ];
        let parts = parts.iter().map(|(standing, words)| (count(*standing), words)).filter(|(count, _)| *count > 0);
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
