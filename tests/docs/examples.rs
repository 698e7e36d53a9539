//! The examples of the book, step by step as a reader follows them.

use crate::{blocks, root, text};
use std::path::Path;
use std::process::{Command, Output};

/// Runs doublepu in a folder; returns exit code, stdout and stderr.
pub fn doublepu(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_doublepu")).current_dir(folder).args(arguments).output().unwrap();
    let Output { status, stdout, stderr } = output;
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

/// The block of a page that has this in it.
fn block(page: &str, language: &str, part: &str) -> String {
    let found = blocks(&text(page), language).into_iter().find(|block| block.contains(part));
    found.unwrap_or_else(|| panic!("{page} has no {language} block with {part}"))
}

/// Every line that a page shows was printed.
fn assert_printed(shown: &str, printed: &str) {
    for line in shown.lines() {
        assert!(printed.lines().any(|other| other == line), "not printed:\n{line}\nbut:\n{printed}");
    }
}

#[test]
#[cfg(unix)]
fn the_first_steps_lead_to_the_results_that_they_show() {
    let page = "docs/first-steps.md";
    let folder = tempfile::tempdir().unwrap();
    let written = Command::new("sh").arg("-c").arg(block(page, "sh", "awk")).current_dir(folder.path()).status();
    assert!(written.unwrap().success());
    let people = std::fs::read_to_string(folder.path().join("people.csv")).unwrap();
    assert!(people.starts_with(&block(page, "text", "customer_id")));

    let spec = block(page, "yaml", "experiment: my-shop");
    std::fs::write(folder.path().join("my-shop.yaml"), &spec).unwrap();
    let (code, printed, problem) = doublepu(folder.path(), &["validate", "--data", "my-shop.yaml"]);
    assert_eq!(code, 0, "{problem}");
    assert_printed(&block(page, "text", "feature columns"), &printed);
    let (code, printed, problem) = doublepu(folder.path(), &["run", "my-shop.yaml"]);
    assert_eq!(code, 0, "{problem}");
    assert_printed(&block(page, "text", "two_stage        true         0."), &printed);
    assert_printed(&block(page, "text", "double_pu against"), &printed);
    assert_eq!(block("README.md", "yaml", "experiment: my-shop"), spec, "README and {page} show two specs");
}

#[test]
fn the_smoke_run_prints_the_table_of_the_first_steps() {
    let folder = tempfile::tempdir().unwrap();
    let spec = root().join("experiments/smoke.yaml");
    let (code, printed, problem) = doublepu(folder.path(), &["run", spec.to_str().unwrap(), "--out", "out"]);
    assert_eq!(code, 0, "{problem}");
    assert_printed(&block("docs/first-steps.md", "text", "oracle_forest"), &printed);
}

#[test]
fn a_misspelt_option_is_shown_as_in_the_book() {
    let page = "docs/writing-a-spec.md";
    let folder = tempfile::tempdir().unwrap();
    let spec = block(page, "yaml", "experiment: my-shop").replacen("ridge: [", "rigde: [", 1);
    std::fs::write(folder.path().join("my-shop.yaml"), spec).unwrap();
    let (code, _, problem) = doublepu(folder.path(), &["validate", "my-shop.yaml"]);
    assert_eq!((code, problem.trim_end()), (2, block(page, "text", "rigde").trim_end()));
}

#[test]
fn the_table_of_exit_codes_is_what_help_prints() {
    let (_, help, _) = doublepu(root(), &["--help"]);
    let codes = help.split_once("Exit codes:\n").expect("the exit codes").1;
    let codes: Vec<(&str, &str)> = codes.lines().filter_map(|line| line.trim().split_once("  ")).collect();
    let page = text("docs/first-steps.md");
    let table = page.split_once("| code | meaning |\n").expect("the table").1.lines().skip(1);
    let rows = table.take_while(|line| line.starts_with('|')).map(|line| line.trim_matches(['|', ' ']));
    let shown: Vec<(&str, &str)> = rows.filter_map(|row| row.split_once(" | ")).collect();
    assert_eq!(shown, codes);
}
