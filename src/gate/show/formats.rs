//! The result of [`check`](crate::gate::check) as JSON, JUnit's XML, GitHub's annotations and Markdown.

use crate::gate::show::{computed_by, demand, findings_table, headline, laxer, remarks, sentence};
use crate::gate::{CheckError, Checked, Evidence, Finding, Laxer, LaxerDemand, Verdict};
use crate::text::{counted, presentable, visible};
use quick_junit::{NonSuccessKind, Report, SerializeError, TestCase, TestCaseStatus, TestSuite};
use serde_json::{Value, json};

type Outcome = Result<Checked, CheckError>;

/// GitHub shows ten errors, ten warnings and ten notices of a step.
const MOST_ANNOTATIONS: usize = 10;
/// Rows beyond this number are only counted: a comment has a maximum length.
const MOST_ROWS: usize = 100;

/// At full precision; a missing value is null. `exit_code` is that of the command.
pub fn json(outcome: &Outcome, exit_code: u8) -> Value {
    match outcome {
        Ok(checked) => json!({
            "outcome": checked.verdict(),
            "exit_code": exit_code,
            "experiment": checked.experiment,
            "cells": checked.cells,
            "same_cells": checked.same,
            "same_bits": checked.has_same_bits(),
            "gate": {
                "pinned": checked.is_gate_pinned,
                "laxer": checked.laxer.iter().map(laxer_json).collect::<Vec<_>>(),
            },
            "findings": checked.findings.iter().map(finding_json).collect::<Vec<_>>(),
            "computed_by": { "baseline": checked.computed_by[0], "run": checked.computed_by[1] },
        }),
        // The name distinguishes errors with the same exit code.
        Err(error) => {
            json!({ "outcome": <&str>::from(error.obstacle), "exit_code": exit_code, "message": error.to_string() })
        }
    }
}

fn laxer_json(laxer: &Laxer) -> Value {
    let (demand, of) = match &laxer.demand {
        LaxerDemand::Margin(metric) => ("margin", Some(metric.name())),
        LaxerDemand::Rise => ("rise", None),
        LaxerDemand::AtLeast => ("at_least", None),
        LaxerDemand::AtMost => ("at_most", None),
        LaxerDemand::Reach(other) => ("reach", Some(&**other)),
    };
    json!({ "method": laxer.method, "demand": demand, "of": of, "pinned": laxer.pinned, "now": laxer.now })
}

fn finding_json(finding: &Finding) -> Value {
    let (line, test) = (&finding.line, finding.test.as_ref());
    let Evidence { lost, gained, is_unchanged, against, mean, .. } = &finding.evidence;
    json!({
        "setting": line.setting,
        "method": line.method,
        "prior": Some(&line.prior).filter(|prior| !prior.is_empty()),
        "metric": finding.metric.name(),
        "demand": finding.demand,
        "verdict": finding.verdict,
        "unchanged": is_unchanged,
        "better": finding.is_better(),
        "worse": finding.is_worse(),
        "p_better_holm": finding.p_better,
        "p_worse_holm": finding.p_worse,
        "against": against,
        "mean": mean,
        "gain": test.map(|test| test.mean),
        "deviation": test.and_then(|test| test.deviation),
        "interval": test.and_then(|test| test.interval),
        "p_passed": finding.p_passed(),
        "p_regressed": test.filter(|_| !finding.is_ceiling()).map(|test| test.p_below),
        "p_regressed_holm": finding.p_regressed,
        "p_suspicious_holm": finding.p_suspicious,
        "seeds": test.map_or(0, |test| test.count),
        "seeds_without_a_value": lost,
        "seeds_gained": gained,
        "seeds_to_decide": finding.seeds_to_decide,
    })
}

/// One test case per demand. An undecided demand is a failure, because nothing was shown.
pub fn junit(outcome: &Outcome) -> Result<String, SerializeError> {
    let status = |kind, name: &str, message: &str| {
        let mut status = TestCaseStatus::non_success(kind);
        status.set_type(name).set_message(presentable(message));
        status
    };
    let case = |finding: &Finding| {
        let name = finding.verdict.to_string().replace(' ', "_");
        let status = match finding.verdict {
            Verdict::Passed => TestCaseStatus::success(),
            _ => status(NonSuccessKind::Failure, &name, &sentence(finding)),
        };
        let mut case = TestCase::new(demand(finding), status);
        case.set_classname(finding.line.to_string());
        case
    };
    let laxer_case = |one: &Laxer| {
        let status = status(NonSuccessKind::Failure, "laxer_gate", &laxer(one));
        let mut case = TestCase::new("the gate is as strict as that of the baseline", status);
        case.set_classname(one.method.clone());
        case
    };
    let name = "doublepu check";
    let mut suite = TestSuite::new(outcome.as_ref().map_or(name, |checked| &checked.experiment));
    match outcome {
        Ok(checked) => {
            suite.add_test_cases(checked.findings.iter().map(case));
            suite.add_test_cases(checked.laxer.iter().map(laxer_case))
        }
        Err(error) => suite.add_test_case(TestCase::new(
            "the run can be compared with the baseline",
            status(NonSuccessKind::Error, error.obstacle.into(), &error.to_string()),
        )),
    };
    let mut report = Report::new(name);
    report.add_test_suite(suite);
    report.to_string()
}

/// Workflow commands of GitHub, one line each: laxer gates, regressions, suspicious rises, undecided demands and improvements.
pub fn annotations(outcome: &Outcome) -> Vec<String> {
    let annotation = |level: &str, title: &str, message: &str| {
        let message = message.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
        format!("::{level} title=doublepu check%3A {title}::{message}")
    };
    let checked = match outcome {
        Ok(checked) => checked,
        Err(error) => return vec![annotation("error", "nothing was judged", &error.to_string())],
    };
    let of = |level: &str, title: &str, is: fn(&&Finding) -> bool| -> Vec<String> {
        let findings = checked.findings.iter().filter(is).take(MOST_ANNOTATIONS);
        findings.map(|finding| annotation(level, title, &sentence(finding))).collect()
    };
    let laxer = checked.laxer.iter().take(MOST_ANNOTATIONS).map(|one| annotation("error", "laxer gate", &laxer(one)));
    [
        laxer.collect(),
        of("error", "regressed", |finding| finding.verdict == Verdict::Regressed),
        of("error", "suspicious", |finding| finding.verdict == Verdict::Suspicious),
        of("warning", "cannot tell", |finding| finding.verdict == Verdict::CannotTell),
        of("notice", "better", |finding| finding.verdict == Verdict::Passed && finding.is_better()),
    ]
    .concat()
}

/// For a pull-request comment or a job summary.
pub fn markdown(outcome: &Outcome) -> String {
    let checked = match outcome {
        Ok(checked) => checked,
        Err(error) => {
            let message = error.to_string().replace("```", "'''");
            return format!("## doublepu check: nothing was judged\n\n```text\n{message}\n```\n");
        }
    };
    let mut text = format!("## doublepu check: {}\n\n{}\n", checked.verdict(), headline(checked));
    let is_notable =
        |finding: &&Finding| finding.verdict != Verdict::Passed || finding.is_better() || finding.is_worse();
    let (mut first, rest): (Vec<&Finding>, Vec<&Finding>) = checked.findings.iter().partition(is_notable);
    first.sort_by_key(|finding| std::cmp::Reverse(finding.verdict));
    if !first.is_empty() {
        text += &format!("\n{}", rows(&first));
    }
    let items: String = remarks(checked).iter().map(|remark| format!("- {}\n", escaped(remark))).collect();
    if !items.is_empty() {
        text += &format!("\n{items}");
    }
    if !rest.is_empty() {
        let summary = format!("{} that passed", counted(rest.len(), "demand"));
        text += &format!("\n<details><summary>{summary}</summary>\n\n{}\n</details>\n", rows(&rest));
    }
    if !checked.has_same_bits() {
        text += &format!("\n{}\n", escaped(&computed_by(checked)).replace('\n', "\n\n"));
    }
    text
}

fn rows(findings: &[&Finding]) -> String {
    let shown = &findings[..findings.len().min(MOST_ROWS)];
    let more = findings.len() - shown.len();
    let note = if more > 0 { format!("\nand {more} more\n") } else { String::new() };
    format!("{}{note}", findings_table(shown).markdown())
}

/// Names from a spec must not become markup in a sentence.
fn escaped(text: &str) -> String {
    visible(text).chars().flat_map(|c| "\\`*_[]<>|#".contains(c).then_some('\\').into_iter().chain([c])).collect()
}
