//! A check as people and pipelines read it: a table, Markdown, JSON, JUnit, and GitHub's annotations.

mod github;
mod json;
mod junit;
mod markdown;

use crate::gate::{Checked, Demand, Finding, Verdict};
use crate::math::metric::Metric;
use crate::math::stats::FEWEST_PAIRS;
use crate::text::{TextTable, counted, p_value, signed};

pub use github::{annotation, annotations};
pub use json::{json, json_of_error};
pub use junit::{junit, junit_of_error};
pub use markdown::{markdown, markdown_of_error};

/// More remarks than this are left to `--format json`.
const MOST_REMARKS: usize = 20;

/// What is demanded, in a few words.
pub fn demand(finding: &Finding) -> String {
    let title = title(finding.metric);
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

fn title(metric: Metric) -> String {
    if metric.higher_is_better() { metric.title().to_string() } else { format!("{} (lower is better)", metric.title()) }
}

/// The verdict, with what else there is to know in a word.
pub fn verdict(finding: &Finding) -> String {
    let more = if !finding.lost.is_empty() {
        format!(", {} without a value", counted(finding.lost.len(), "seed"))
    } else if finding.gained > 0 {
        format!(", {} more than before", counted(finding.gained, "seed"))
    } else if finding.is_unchanged {
        ", unchanged".to_string()
    } else if finding.is_better() {
        ", better".to_string()
    } else if finding.verdict == Verdict::Passed && finding.is_worse() {
        ", but worse".to_string()
    } else {
        String::new()
    };
    format!("{}{more}", finding.verdict.words())
}

/// What came of a demand, in a sentence.
pub fn sentence(finding: &Finding) -> String {
    let Finding { line, metric, against, mean, lost, test, .. } = finding;
    let title = title(*metric);
    match &finding.demand {
        _ if lost.is_empty() => {}
        Demand::Reach { other, .. } => {
            return format!("{line}: no seed has a {title} both of it and of {}.", other.method);
        }
        Demand::NotWorse { .. } | Demand::AtLeast { .. } => {
            let seeds = lost.iter().take(5).map(u32::to_string).collect::<Vec<_>>().join(", ");
            let more = if lost.len() > 5 { ", ..." } else { "" };
            return format!("{line}: {} without a {title}: {seeds}{more}.", counted(lost.len(), "seed"));
        }
    }
    let number = |value: &Option<f64>| value.map_or("nothing".to_string(), |value| format!("{value:.4}"));
    let (against, mean) = (number(against), number(mean));
    let gain = test.as_ref().map_or(String::new(), |test| {
        let interval = test.interval.map(|(low, high)| format!(" (90% interval {} to {})", signed(low), signed(high)));
        format!("{}{} over {}", signed(test.mean), interval.unwrap_or_default(), counted(test.count, "seed"))
    });
    let what = match &finding.demand {
        Demand::NotWorse { margin } => {
            format!("mean {title} went from {against} to {mean}, a gain of {gain}; the loss must stay below {margin}")
        }
        Demand::AtLeast { floor } => format!("mean {title} is {mean}, {gain} from the {floor} that it must reach"),
        Demand::Reach { other, .. } => format!(
            "mean {title} is {mean} and that of {} {against}, a difference of {gain}; demanded is {}",
            other.method,
            demand(finding)
        ),
    };
    let seeds = match (finding.verdict, finding.seeds_to_decide) {
        (Verdict::CannotTell, Some(seeds)) => format!("; about {seeds} seeds would decide"),
        (Verdict::CannotTell, None) if test.as_ref().is_none_or(|test| test.count < FEWEST_PAIRS) => {
            format!("; fewer than {FEWEST_PAIRS} seeds decide nothing")
        }
        (Verdict::CannotTell, None) => "; it is too close for a million seeds to decide".to_string(),
        _ => String::new(),
    };
    format!("{line}: {what}{seeds}.")
}

/// What a table does not say: seeds without a value, and how many would decide.
pub fn remarks(checked: &Checked) -> Vec<String> {
    let has_more = |finding: &&Finding| finding.verdict == Verdict::CannotTell || !finding.lost.is_empty();
    let findings = checked.findings.iter().filter(has_more).take(MOST_REMARKS);
    findings.map(|finding| format!("{}: {}", finding.verdict.words(), sentence(finding))).collect()
}

/// All demands but those that are met because nothing changed, the worst first.
pub fn table(checked: &Checked) -> TextTable {
    let mut shown: Vec<&Finding> = checked.findings.iter().filter(|finding| !finding.is_unchanged).collect();
    shown.sort_by_key(|finding| std::cmp::Reverse(finding.verdict));
    findings_table(&shown)
}

fn findings_table(findings: &[&Finding]) -> TextTable {
    let header = ["line", "demand", "verdict", "against", "mean", "gain", "90% interval", "p regressed", "seeds"];
    let row = |finding: &&Finding| {
        let number = |value: Option<f64>| value.map_or("-".to_string(), |value| format!("{value:.4}"));
        let interval = finding.interval().map(|(low, high)| format!("{} to {}", signed(low), signed(high)));
        vec![
            finding.line.to_string(),
            demand(finding),
            verdict(finding),
            number(finding.against),
            number(finding.mean),
            finding.test.as_ref().map_or("-".to_string(), |test| signed(test.mean)),
            interval.unwrap_or("-".to_string()),
            finding.p_regressed.map_or("-".to_string(), p_value),
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
        "help: it takes {seeds} in the spec. For what is held against the baseline, run the version that the baseline is of \
         with that, accept it, then run and check this one again; or allow a larger margin"
    )
}
