//! A check as text, and in the formats of other programs.

mod formats;

use crate::gate::{Checked, Demand, Evidence, Finding, Laxer, LaxerDemand, Verdict};
use crate::math::metric::Metric;
use crate::math::stats::FEWEST_PAIRS;
use crate::text::{TextTable, counted, p_value, signed};

pub use formats::{annotations, json, junit, markdown};

/// Remarks beyond this number are only in the JSON.
const MOST_REMARKS: usize = 20;
/// Seeds beyond this number are not listed.
const MOST_SEEDS: usize = 5;

/// What is demanded, in a few words.
pub fn demand(finding: &Finding) -> String {
    let title = title(finding.metric);
    match &finding.demand {
        Demand::NotWorse { margin, .. } => format!("{title}, loss below {margin}"),
        Demand::AtLeast(floor) => format!("{title} at least {floor}"),
        Demand::AtMost(ceiling) => format!("{title} at most {ceiling}"),
        Demand::Reach { method, allowance } if *allowance == 0.0 => format!("{title} >= {method}"),
        Demand::Reach { method, allowance } => {
            let sign = if *allowance > 0.0 { '-' } else { '+' };
            format!("{title} >= {method} {sign} {}", allowance.abs())
        }
    }
}

fn title(metric: Metric) -> String {
    if metric.higher_is_better() { metric.title().to_string() } else { format!("{} (lower is better)", metric.title()) }
}

/// The verdict, with a remark of a few words.
pub fn verdict(finding: &Finding) -> String {
    let Evidence { lost, gained, is_unchanged, .. } = &finding.evidence;
    let remark = match finding.verdict {
        _ if !lost.is_empty() => format!(", {} without a value", counted(lost.len(), "seed")),
        _ if *gained > 0 => format!(", {} more than before", counted(*gained, "seed")),
        _ if *is_unchanged => ", unchanged".to_string(),
        Verdict::Passed | Verdict::CannotTell if finding.is_better() => ", better".to_string(),
        Verdict::Passed if finding.is_worse() => ", but worse".to_string(),
        _ => String::new(),
    };
    format!("{}{remark}", finding.verdict)
}

/// The result of a demand, in a sentence.
pub fn sentence(finding: &Finding) -> String {
    let Finding { line, metric, evidence: Evidence { against, mean, lost, .. }, test, .. } = finding;
    let title = title(*metric);
    let number = |value: &Option<f64>| value.map_or("nothing".to_string(), |value| format!("{value:.4}"));
    let (against, mean) = (number(against), number(mean));
    let gain = test.as_ref().map_or(String::new(), |test| {
        let interval = test.interval.map(|(low, high)| format!(" (90% interval {} to {})", signed(low), signed(high)));
        format!("{}{} over {}", signed(test.mean), interval.unwrap_or_default(), counted(test.count, "seed"))
    });
    let what = match &finding.demand {
        Demand::Reach { method, .. } if !lost.is_empty() => format!("no seed has a {title} for both it and {method}"),
        _ if !lost.is_empty() => {
            let seeds = lost.iter().take(MOST_SEEDS).map(u32::to_string).collect::<Vec<_>>().join(", ");
            let more = if lost.len() > MOST_SEEDS { ", ..." } else { "" };
            format!("{} without a {title}: {seeds}{more}", counted(lost.len(), "seed"))
        }
        _ if finding.has_no_values() => {
            let also = if finding.is_of_baseline() { ", and none had one in the baseline" } else { "" };
            format!("no seed has a {title}{also}")
        }
        Demand::NotWorse { rise: Some(rise), .. } if finding.verdict == Verdict::Suspicious => format!(
            "mean {title} went from {against} to {mean}, a gain of {gain}; a rise above {rise} is suspicious until it is \
             accepted"
        ),
        Demand::NotWorse { margin, .. } => {
            format!("mean {title} went from {against} to {mean}, a gain of {gain}; the loss must stay below {margin}")
        }
        Demand::AtLeast(floor) => format!("mean {title} is {mean}, {gain} from the required {floor}"),
        Demand::AtMost(ceiling) => format!("mean {title} is {mean}, {gain} from the highest expected {ceiling}"),
        Demand::Reach { method, .. } => format!(
            "mean {title} is {mean} and that of {method} is {against}, a difference of {gain}; required is {}",
            demand(finding)
        ),
    };
    let seeds = match (finding.verdict, finding.seeds_to_decide) {
        (Verdict::CannotTell, None) if finding.has_no_values() => "; cells.csv has the reasons".to_string(),
        (Verdict::CannotTell, Some(seeds)) => format!("; about {seeds} seeds would decide"),
        (Verdict::CannotTell, None) if test.as_ref().is_none_or(|test| test.count < FEWEST_PAIRS) => {
            format!("; at least {FEWEST_PAIRS} seeds are needed")
        }
        (Verdict::CannotTell, None) => "; it is too close for a million seeds to decide".to_string(),
        _ => String::new(),
    };
    format!("{line}: {what}{seeds}.")
}

/// What a run's gate demands less of, in a sentence.
pub fn laxer(laxer: &Laxer) -> String {
    let Laxer { method, demand, pinned, now } = laxer;
    let what = match demand {
        LaxerDemand::Margin(metric) => format!("the margin in {}", metric.title()),
        LaxerDemand::Rise => "the largest rise in ROC-AUC".to_string(),
        LaxerDemand::AtLeast => "`at_least`".to_string(),
        LaxerDemand::AtMost => "`at_most`".to_string(),
        LaxerDemand::Reach(other) => format!("the allowance against {other}"),
    };
    let now = now.map_or("is gone".to_string(), |now| format!("is {now}"));
    format!("{method}: {what} {now}; the baseline was accepted with {pinned}.")
}

/// What the table does not show: a laxer gate, seeds without a value, and how many seeds would decide.
pub fn remarks(checked: &Checked) -> Vec<String> {
    let is_remarkable = |finding: &&Finding| {
        matches!(finding.verdict, Verdict::CannotTell | Verdict::Suspicious) || !finding.evidence.lost.is_empty()
    };
    let findings = checked.findings.iter().filter(is_remarkable);
    let findings = findings.map(|finding| format!("{}: {}", finding.verdict, sentence(finding)));
    checked.laxer.iter().map(|one| format!("laxer gate: {}", laxer(one))).chain(findings).take(MOST_REMARKS).collect()
}

/// All demands except those that pass because nothing changed, the worst first.
pub fn table(checked: &Checked) -> TextTable {
    let mut shown: Vec<&Finding> = checked.findings.iter().filter(|finding| !finding.evidence.is_unchanged).collect();
    shown.sort_by_key(|finding| std::cmp::Reverse(finding.verdict));
    findings_table(&shown)
}

fn findings_table(findings: &[&Finding]) -> TextTable {
    let header = ["line", "demand", "verdict", "against", "mean", "gain", "90% interval", "p regressed", "seeds"];
    let row = |finding: &&Finding| {
        let (evidence, test) = (&finding.evidence, finding.test.as_ref());
        let number = |value: Option<f64>| value.map(|value| format!("{value:.4}"));
        let interval = test.and_then(|test| test.interval);
        let numbers = [
            number(evidence.against),
            number(evidence.mean),
            test.map(|test| signed(test.mean)),
            interval.map(|(low, high)| format!("{} to {}", signed(low), signed(high))),
            finding.p_regressed.map(p_value),
            test.map(|test| test.count.to_string()),
        ];
        let words = [finding.line.to_string(), demand(finding), verdict(finding)];
        words.into_iter().chain(numbers.map(|number| number.unwrap_or("-".to_string()))).collect()
    };
    TextTable { header: header.map(String::from).to_vec(), rows: findings.iter().map(row).collect(), words: 3 }
}

/// The outcome in one line.
pub fn headline(checked: &Checked) -> String {
    let Checked { experiment, cells, same, findings, laxer, .. } = checked;
    let same = if same == cells { format!("all {cells}") } else { format!("{same} of {cells}") };
    let counts = [Verdict::Regressed, Verdict::Suspicious, Verdict::CannotTell, Verdict::Passed]
        .map(|verdict| (findings.iter().filter(|finding| finding.verdict == verdict).count(), verdict))
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, verdict)| format!("{count} {verdict}"));
    let (counts, demands) = (counts.collect::<Vec<_>>().join(", "), findings.len());
    let gate = if laxer.is_empty() { "" } else { " the gate is laxer than that of the baseline;" };
    format!(
        "{experiment}: {}. Of {demands} demands: {counts};{gate} {same} cells are the same, to the bit.",
        checked.verdict()
    )
}

/// The programs and machines of both sides.
pub fn computed_by(checked: &Checked) -> String {
    let [baseline, run] = checked.computed_by.each_ref().map(|by| by.join("; "));
    if baseline == run {
        return format!("Both were computed by {run}.");
    }
    format!("The baseline was computed by {baseline}.\nThe run was computed by {run}.")
}

/// What to do about the verdict, one sentence for each cause.
pub fn advice(checked: &Checked) -> Vec<String> {
    let undecided = || checked.findings.iter().filter(|finding| finding.verdict == Verdict::CannotTell);
    let is_undecided = checked.verdict() == Verdict::CannotTell;
    let seeds = undecided().filter_map(|finding| finding.seeds_to_decide).max();
    let seeds = seeds.map_or("more seeds".to_string(), |seeds| format!("`seeds: {seeds}`"));
    let causes = [
        (
            !checked.laxer.is_empty(),
            "restore the gate of the spec; or accept the laxer one: doublepu accept RUN --baseline FILE --allow-worse \
             --because \"...\""
                .to_string(),
        ),
        (
            checked.findings.iter().any(|finding| finding.verdict == Verdict::Suspicious),
            "look for labels that leak into features or samples. If the rise is right, accept it: doublepu accept RUN \
             --baseline FILE --allow-suspicious --because \"...\"; or raise `at_most` in the spec"
                .to_string(),
        ),
        (
            is_undecided && undecided().any(Finding::has_no_values),
            "repair the method whose cells all fail, or remove it from the spec".to_string(),
        ),
        (
            is_undecided && undecided().any(|finding| !finding.has_no_values()),
            format!(
                "set {seeds} in the spec. For comparisons with the baseline, run the version of the baseline with that and \
                 accept it, then run and check this version again; or allow a larger margin"
            ),
        ),
    ];
    let advice = causes.into_iter().filter(|(applies, _)| *applies).map(|(_, advice)| format!("help: {advice}"));
    let pin = "note: this baseline is of an earlier version and pins no gate, so a laxer `gate` in the spec would pass. To pin \
               the gate: doublepu accept RUN --baseline FILE";
    advice.chain((!checked.is_gate_pinned).then(|| pin.to_string())).collect()
}
