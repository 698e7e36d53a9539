//! Annotations in the format of GitHub's workflow commands.

use crate::gate::show::sentence;
use crate::gate::{Checked, Finding, Verdict};

/// GitHub shows ten errors, ten warnings and ten notices of a step.
const MOST: usize = 10;

/// What regressed, what cannot be told and what is better, a line each.
pub fn annotations(checked: &Checked) -> Vec<String> {
    let of = |level: &str, title: &str, is: &dyn Fn(&&Finding) -> bool| -> Vec<String> {
        let findings = checked.findings.iter().filter(is).take(MOST);
        findings.map(|finding| annotation(level, title, &sentence(finding))).collect()
    };
    [
        of("error", "regressed", &|finding| finding.verdict == Verdict::Regressed),
        of("warning", "cannot tell", &|finding| finding.verdict == Verdict::CannotTell),
        of("notice", "better", &|finding| finding.verdict == Verdict::Passed && finding.is_better()),
    ]
    .concat()
}

/// One annotation; `level` is `error`, `warning` or `notice`.
pub fn annotation(level: &str, title: &str, message: &str) -> String {
    let message = message.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    format!("::{level} title=doublepu check%3A {title}::{message}")
}
