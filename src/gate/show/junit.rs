//! A check as test cases, one a demand, for whatever reads JUnit's XML.

use crate::gate::show::{demand, sentence};
use crate::gate::{CheckError, Checked, Finding, Verdict};
use crate::text::presentable;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

pub fn junit(checked: &Checked) -> Result<String, quick_junit::SerializeError> {
    let mut suite = TestSuite::new(checked.experiment.clone());
    suite.add_test_cases(checked.findings.iter().map(of_finding));
    text(suite)
}

pub fn junit_of_error(error: &CheckError) -> Result<String, quick_junit::SerializeError> {
    let mut suite = TestSuite::new("doublepu check");
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_type(error.name()).set_message(presentable(&error.to_string()));
    suite.add_test_case(TestCase::new("the run can be held against the baseline", status));
    text(suite)
}

fn text(suite: TestSuite) -> Result<String, quick_junit::SerializeError> {
    let mut report = Report::new("doublepu check");
    report.add_test_suite(suite);
    report.to_string()
}

/// What cannot be told is no success: nothing is green that was not shown.
fn of_finding(finding: &Finding) -> TestCase {
    let message = presentable(&sentence(finding));
    let status = match finding.verdict {
        Verdict::Passed => TestCaseStatus::success(),
        Verdict::CannotTell | Verdict::Regressed => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type(finding.verdict.words().replace(' ', "_")).set_message(message);
            status
        }
    };
    let mut case = TestCase::new(demand(finding), status);
    case.set_classname(finding.line.to_string());
    case
}
