//! What a run says, in sentences: what was compared, who wins, by how much, and how sure that is.

use crate::metric::Metric;
use crate::report::comparison::{Comparisons, LEVEL, p_text, paired_difference, signed};
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

/// The best line of a setting, among oracles or among the others.
fn best<'a>(results: &'a Results<'a>, setting: usize, oracle: bool) -> Option<&'a Line<'a>> {
    let mut lines = results.lines.iter().filter(|line| line.setting == setting && line.is_oracle == oracle);
    lines.find(|line| line.summary(Metric::RocAuc).is_some())
}

fn winner(results: &Results, setting: usize) -> String {
    let Some((line, summary)) =
        best(results, setting, false).and_then(|line| Some((line, line.summary(Metric::RocAuc)?)))
    else {
        return "No cell gave a result without true labels.".to_string();
    };
    let interval = summary.interval.map(|interval| interval_text(interval, Metric::RocAuc));
    let prior = if line.prior.is_some() { format!(" with prior {}", line.prior_name) } else { String::new() };
    let oracle = best(results, setting, true).and_then(|line| Some((line.label, line.summary(Metric::RocAuc)?.mean)));
    let oracle = oracle.map(|(label, mean)| {
        format!(" The best oracle, {label}, which sees true labels of training rows, gets {mean:.4}.")
    });
    format!(
        "Among what sees no true label of W, {}{prior} has the highest mean ROC-AUC: {:.4}{}.{}{}",
        line.label,
        summary.mean,
        interval.map_or(String::new(), |interval| format!(" (95% interval {interval})")),
        lead(results, line).unwrap_or_default(),
        oracle.unwrap_or_default()
    )
}

/// By how much the best line is ahead of the next method, and whether that is more than chance.
fn lead(results: &Results, line: &Line) -> Option<String> {
    let is_rival = |other: &&Line| {
        other.setting == line.setting
            && other.method != line.method
            && !other.is_oracle
            && !other.values(Metric::RocAuc).is_empty()
    };
    let next = results.lines.iter().find(is_rival)?;
    let difference = paired_difference(results.experiment, line, next, Metric::RocAuc)?;
    let of = |count: usize| format!("{count} of {} seeds", difference.pairs);
    let (Some((low, high)), Some(p)) = (difference.interval, difference.p_value) else {
        return Some(format!(
            " The next, {}, is behind by {:.4}, with too few seeds to say more.",
            next.label, difference.mean
        ));
    };
    if difference.level == difference.pairs {
        return Some(format!(" The next, {}, is level in every seed.", next.label));
    }
    let sure = if p < LEVEL { "more than chance would give" } else { "which may be chance" };
    Some(format!(
        " The next, {}, is behind by {:.4} on average and in {}, {sure} (95% interval of the difference {} to \
         {}, p {}).",
        next.label,
        difference.mean,
        of(difference.ahead),
        signed(low),
        signed(high),
        if p < 0.0001 { p_text(p) } else { format!("= {}", p_text(p)) },
    ))
}

/// How often each method has the highest mean of a setting.
fn winners(results: &Results) -> String {
    let settings = results.experiment.settings.len();
    let mut won: BTreeMap<usize, usize> = BTreeMap::new();
    for line in (0..settings).filter_map(|setting| best(results, setting, false)) {
        *won.entry(line.method).or_default() += 1;
    }
    let mut won: Vec<(usize, usize)> = won.into_iter().collect();
    won.sort_by(|a, b| b.1.cmp(&a.1));
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
        "Over {settings} settings, the highest mean ROC-AUC among what sees no true label of W is that of {}{others}.",
        told.join(", ")
    )
}

/// How the compared method does, over all its comparisons.
fn of_the_compared(comparisons: &Comparisons) -> String {
    let all = &comparisons.comparisons;
    let is_one_setting = all.windows(2).all(|pair| pair[0].compared.setting == pair[1].compared.setting);
    let part = |verdict: &str, words: &str| {
        let others: Vec<&str> = all.iter().filter(|one| one.verdict() == verdict).map(|one| one.other.label).collect();
        // Where a label stands for several settings, it may be on both sides.
        let labels = if is_one_setting { format!(" ({})", others.join(", ")) } else { String::new() };
        (!others.is_empty()).then(|| format!("{words} {}{labels}", others.len()))
    };
    let parts = [
        part("ahead", "ahead in"),
        part("behind", "behind in"),
        part("the same", "the same in"),
        part("cannot tell", "not to be told apart in"),
    ];
    format!(
        "Held against the other methods seed by seed, in {} comparisons with an allowance for their number, {} is {}.",
        all.len(),
        comparisons.label,
        parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
    )
}
