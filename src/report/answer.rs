//! The result of a run in sentences: what was compared, which method is best, by how much, and how sure that is.

use crate::analysis::{Comparison, Comparisons, Findings, Lead, Leader, Results, Rival, Standing, wins};
use crate::math::metric::Metric;
use crate::math::stats::{FEWEST_PAIRS, LEVEL, PairedDifference};
use crate::report::table::interval_text;
use crate::spec::Dataset;
use crate::text::{counted, p_phrase, signed};
use serde::Serialize;

/// With more settings than this, one sentence counts the settings in which each method is best.
const MOST_SETTINGS: usize = 4;

const NO_RESULT: &str = "No cell gave a result without true labels.";

/// An answer and its setting, which is empty for an answer about all settings.
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
    let several = |start: &str, count: usize, what: &str| {
        if count > 1 { format!(" {start} {count} {what}") } else { String::new() }
    };
    format!(
        "{} on {}{}{}, over {}: how well does each rank people who are interested but not loyal (W = +1), by ROC-AUC on \
         the test set?",
        counted(experiment.methods.len(), "method"),
        sources.join(" and "),
        several("in", experiment.settings.len(), "settings"),
        several("with", experiment.priors.len(), "priors"),
        counted(experiment.seeds as usize, "seed"),
    )
}

/// Which method is best among those that see no true W, by how much, and what the best oracle gets.
pub fn answers(findings: &Findings) -> Vec<Answer> {
    let results = findings.results;
    let settings = &results.experiment.settings;
    let of_all = |sentence: String| Answer { setting: String::new(), sentence };
    let mut answers: Vec<Answer> = if settings.len() > MOST_SETTINGS {
        vec![of_all(winners(results))]
    } else {
        let labels = settings.iter().map(|setting| setting.label.clone()).enumerate();
        labels.map(|(index, setting)| Answer { setting, sentence: winner(results, index) }).collect()
    };
    answers.extend(findings.comparisons.as_ref().map(|comparisons| of_all(of_the_compared(comparisons))));
    answers
}

fn winner(results: &Results, setting: usize) -> String {
    let Some(Leader { line, summary, lead, oracle }) = Leader::of(results, setting) else {
        return NO_RESULT.to_string();
    };
    let interval = summary.interval.map(|bounds| format!(" (95% interval {})", interval_text(bounds, Metric::RocAuc)));
    let oracle = oracle.map(|(line, mean)| {
        format!(" The best oracle, {}, which sees true labels of training rows, has {mean:.4}.", line.label)
    });
    let prior = match &*results.experiment.priors {
        [first, _, ..] => format!(", with prior {} where they use one", first.name),
        _ => String::new(),
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
        return format!("{start} has the same value in every seed.");
    }
    if mean <= 0.0 {
        return format!("{start} is not behind over the {pairs} seeds that both have.");
    }
    let (Some((low, high)), Some(p), true) = (interval, p_value, pairs >= FEWEST_PAIRS) else {
        return format!("{start} is behind by {mean:.4}, with too few seeds for a test.");
    };
    let verdict = if p < LEVEL { "more than chance would give" } else { "which may be chance" };
    let adjustment = if rivals > 1 { format!(", adjusted for {rivals} rivals") } else { String::new() };
    format!(
        "{start} is behind by {mean:.4} on average and in {ahead} of {pairs} seeds, {verdict} (95% interval of the \
         difference {} to {}; {}{adjustment}).",
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
    let label = |method: usize| &results.experiment.methods[method].label;
    let mut counts: Vec<String> =
        won.iter().take(MOST_SETTINGS).map(|(method, count)| format!("{} in {count}", label(*method))).collect();
    if won.len() > MOST_SETTINGS {
        counts.push(format!("{} in the others", counted(won.len() - MOST_SETTINGS, "more method")));
    }
    format!(
        "Highest mean ROC-AUC over {} settings, among methods that see only D_Y, D_U and D_L: {}.",
        results.experiment.settings.len(),
        counts.join(", ")
    )
}

/// How the compared method does over all its comparisons.
fn of_the_compared(comparisons: &Comparisons) -> String {
    const KINDS: [(Rival, &str); 3] = [
        (Rival::Blind, "other methods without true labels"),
        (Rival::Oracle, "oracles"),
        (Rival::Random, "random scores"),
    ];
    const STANDINGS: [(Standing, &str); 4] = [
        (Standing::Ahead, "ahead"),
        (Standing::Behind, "behind"),
        (Standing::Same, "the same"),
        (Standing::CannotTell, "undecided"),
    ];
    let of_kind = |(kind, words): (Rival, &str)| {
        let of_kind = comparisons.comparisons.iter().filter(|one| comparisons.rival(one) == kind);
        let found: Vec<Standing> = of_kind.map(Comparison::standing).collect();
        let counts = STANDINGS.map(|(standing, words)| (found.iter().filter(|one| **one == standing).count(), words));
        let counts = counts.iter().filter(|(count, _)| *count > 0).map(|(count, words)| format!("{words} in {count}"));
        let counts = counts.collect::<Vec<_>>().join(", ");
        (!found.is_empty()).then(|| format!("{counts} of {} with {words}", counted(found.len(), "comparison")))
    };
    let parts: Vec<String> = KINDS.into_iter().filter_map(of_kind).collect();
    format!("Paired by seed and adjusted for the number of comparisons, {} is {}.", comparisons.label, parts.join("; "))
}
