//! A check for a pull-request comment or the summary of a job.

use crate::check::show::{computed_by, findings_table, headline, sentence};
use crate::check::{CheckError, Checked, Finding, Verdict};

/// More rows than this are counted and not shown: a comment has its limits.
const MOST_ROWS: usize = 100;

pub fn markdown(checked: &Checked) -> String {
    let mut text = format!("## doublepu check: {}\n\n{}\n", checked.verdict().words(), headline(checked));
    let needs_eyes =
        |finding: &&Finding| finding.verdict != Verdict::Passed || finding.is_better() || finding.is_worse();
    let (mut first, rest): (Vec<&Finding>, Vec<&Finding>) = checked.findings.iter().partition(needs_eyes);
    first.sort_by_key(|finding| std::cmp::Reverse(finding.verdict));
    for finding in first.iter().filter(|finding| finding.verdict != Verdict::Passed).take(MOST_ROWS) {
        text += &format!("\n- **{}**: {}", finding.verdict.words(), escaped(&sentence(finding)));
    }
    if !first.is_empty() {
        text += &format!("\n\n{}", rows(&first));
    }
    if !rest.is_empty() {
        let summary = format!("{} demands that passed", rest.len());
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
