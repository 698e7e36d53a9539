//! A check for a pull-request comment or the summary of a job.

use crate::gate::show::{computed_by, findings_table, headline, remarks};
use crate::gate::{CheckError, Checked, Finding, Verdict};
use crate::text::counted;

/// More rows than this are counted and not shown: a comment has its limits.
const MOST_ROWS: usize = 100;

pub fn markdown(checked: &Checked) -> String {
    let mut text = format!("## doublepu check: {}\n\n{}\n", checked.verdict().words(), headline(checked));
    let needs_eyes =
        |finding: &&Finding| finding.verdict != Verdict::Passed || finding.is_better() || finding.is_worse();
    let (mut first, rest): (Vec<&Finding>, Vec<&Finding>) = checked.findings.iter().partition(needs_eyes);
    first.sort_by_key(|finding| std::cmp::Reverse(finding.verdict));
    if !first.is_empty() {
        text += &format!("\n{}", rows(&first));
    }
    let remarks = remarks(checked);
    if !remarks.is_empty() {
        let items: String = remarks.iter().map(|remark| format!("- {}\n", escaped(remark))).collect();
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

pub fn markdown_of_error(error: &CheckError) -> String {
    format!("## doublepu check: nothing was judged\n\n```text\n{}\n```\n", error.to_string().replace("```", "'''"))
}

fn rows(findings: &[&Finding]) -> String {
    let shown = &findings[..findings.len().min(MOST_ROWS)];
    let more = findings.len() - shown.len();
    let note = if more > 0 { format!("\nand {more} more\n") } else { String::new() };
    format!("{}{note}", findings_table(shown).markdown())
}

/// Names come from specs; in a sentence they must not become markup.
fn escaped(text: &str) -> String {
    text.chars().flat_map(|c| "\\`*_[]<>|#".contains(c).then_some('\\').into_iter().chain([c])).collect()
}
