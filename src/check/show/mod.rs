//! A check as people and pipelines read it: a table, Markdown, JSON, JUnit, and GitHub's annotations.

mod github;
mod json;
mod junit;
mod markdown;

use crate::check::{Checked, Demand, Finding, Verdict};
use crate::report::{TextTable, p_text, signed};

pub use github::{annotation, annotations};
pub use json::{json, json_of_error};
pub use junit::{junit, junit_of_error};
pub use markdown::{markdown, markdown_of_error};

/// What is demanded, in a few words.
pub fn demand(finding: &Finding) -> String {
    let title = finding.metric.title();
    match &finding.demand {
        Demand::NotWorse { margin } => format!("{title}, loss below {margin}"),
        Demand::AtLeast { floor } => format!("{title} at least {floor}"),
        Demand::Reach { other, allowance } if *allowance == 0.0 => format!("{title} >= {}", other.method),
        Demand::Reach { other, allowance } => {
            let sign = if *allowance > 0.0 { '-' } else { '+' };
            format!("{title} >= {} {sign} {}", other.method, allowance.abs())
        }
    }
}

/// The verdict, with what else there is to know in a word.
pub fn verdict(finding: &Finding) -> String {
    let more = if !finding.lost.is_empty() {
        format!(", {} seeds without a value", finding.lost.len())
    } else if finding.is_unchanged {
        ", unchanged".to_string()
    } else if finding.is_better() {
        ", better".to_string()
    } else if finding.verdict == Verdict::Passed && finding.is_worse() {
        ", lower".to_string()
    } else {
        String::new()
    };
    format!("{}{more}", finding.verdict.words())
}

/// What came of a demand, in a sentence.
pub fn sentence(finding: &Finding) -> String {
    let Finding { line, metric, before, after, lost, .. } = finding;
    let title = metric.title();
    let number = |value: &Option<f64>| value.map_or("no value".to_string(), |value| format!("{value:.4}"));
    let (before, after) = (number(before), number(after));
    let what = match &finding.demand {
        _ if !lost.is_empty() => {
            let seeds = lost.iter().take(5).map(u32::to_string).collect::<Vec<_>>().join(", ");
            let more = if lost.len() > 5 { ", ..." } else { "" };
            format!("{} seeds have no {title} ({seeds}{more})", lost.len())
        }
        Demand::NotWorse { margin } => {
            format!("mean {title} went from {before} to {after}, where a loss of {margin} may be")
        }
        Demand::AtLeast { floor } => format!("mean {title} is {after}, where {floor} is demanded"),
        Demand::Reach { other, .. } => {
            format!("mean {title} is {after}, that of {} {before}, where {} is demanded", other.method, demand(finding))
        }
    };
    let gain = finding.interval().zip(finding.test.as_ref()).filter(|_| lost.is_empty()).map(|((low, high), test)| {
        format!("; by {} ({} to {}) over {} seeds", signed(test.mean), signed(low), signed(high), test.count)
    });
    let seeds = match (finding.verdict, finding.seeds_to_decide) {
        (Verdict::CannotTell, Some(seeds)) => format!("; {seeds} seeds would decide"),
        (Verdict::CannotTell, None) => "; no number of seeds is sure to decide".to_string(),
        _ => String::new(),
    };
    format!("{line}: {what}{}{seeds}.", gain.unwrap_or_default())
}

/// All demands but those that are met because nothing changed, the worst first.
pub fn table(checked: &Checked) -> TextTable {
    let mut shown: Vec<&Finding> = checked.findings.iter().filter(|finding| !finding.is_unchanged).collect();
    shown.sort_by_key(|finding| std::cmp::Reverse(finding.verdict));
    findings_table(&shown)
}

fn findings_table(findings: &[&Finding]) -> TextTable {
    let header = ["line", "demand", "verdict", "before", "after", "gain", "90% interval", "p regressed", "seeds"];
    let row = |finding: &&Finding| {
        let number = |value: Option<f64>| value.map_or("-".to_string(), |value| format!("{value:.4}"));
        let before = if let Demand::AtLeast { .. } = finding.demand { None } else { finding.before };
        let interval = finding.interval().map(|(low, high)| format!("{} to {}", signed(low), signed(high)));
        vec![
            finding.line.to_string(),
            demand(finding),
            verdict(finding),
            number(before),
            number(finding.after),
            finding.test.as_ref().map_or("-".to_string(), |test| signed(test.mean)),
            interval.unwrap_or("-".to_string()),
            finding.p_regressed.map_or("-".to_string(), p_text),
            finding.test.as_ref().map_or("-".to_string(), |test| test.count.to_string()),
        ]
    };
    TextTable { header: header.map(String::from).to_vec(), rows: findings.iter().map(row).collect(), words: 3 }
}

/// The outcome in a line.
pub fn headline(checked: &Checked) -> String {
    let Checked { experiment, cells, same, findings, .. } = checked;
    let bits = if same == cells {
        format!("all {cells} cells are the same, to the bit")
    } else {
        format!("{same} of {cells} cells are the same, to the bit")
    };
    let counts = [Verdict::Regressed, Verdict::CannotTell, Verdict::Passed]
        .map(|verdict| (checked.count(verdict), verdict.words()))
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, words)| format!("{count} {words}"));
    let counts = counts.collect::<Vec<_>>().join(", ");
    format!("{experiment}: {}. Of {} demands: {counts}; {bits}.", checked.verdict().words(), findings.len())
}

/// The programs and machines behind both sides.
pub fn computed_by(checked: &Checked) -> String {
    let [baseline, run] = checked.computed_by.each_ref().map(|by| by.join("; "));
    if baseline == run {
        return format!("Both were computed by {run}.");
    }
    format!("The baseline was computed by {baseline}.\nThe run was computed by {run}.")
}

/// What to do where it cannot be told.
pub fn advice(checked: &Checked) -> String {
    let seeds = checked.findings.iter().filter_map(|finding| finding.seeds_to_decide).max();
    let seeds = seeds.map_or("more seeds".to_string(), |seeds| format!("`seeds: {seeds}`"));
    format!(
        "help: these seeds spread too much to decide. With {seeds} in the spec, run the version that the baseline is of, \
         accept that, then run and check this one again; or allow a larger margin"
    )
}
