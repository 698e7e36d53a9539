//! Tables and figures.

use crate::{pages, text};

const MARK: &str = "<!-- table: ";

/// A table of a page behind a mark, as `<!-- table: results/reference/bank-marketing/summary.md -->`: the path and the lines.
fn marked_tables(page: &str) -> Vec<(String, Vec<String>)> {
    let marked = page.split(MARK).skip(1);
    marked
        .map(|rest| {
            let (path, rest) = rest.split_once(" -->\n").expect("the mark ends the line");
            (path.to_string(), rest.lines().take_while(|line| line.starts_with('|')).map(str::to_string).collect())
        })
        .collect()
}

/// A table may show some rows of the file; every row that it shows must be there.
#[test]
fn tables_are_those_of_their_files() {
    let mut count = 0;
    for page in pages() {
        for (path, lines) in marked_tables(&text(&page)) {
            let file = text(&path);
            assert!(lines.len() > 2, "{page}: the mark for {path} has no table behind it");
            for line in &lines {
                assert!(
                    file.lines().any(|other| other == line),
                    "{page} shows a row that {path} does not have:\n{line}"
                );
            }
            count += 1;
        }
    }
    assert!(count >= 6, "only {count} tables are marked");
}

/// These tables are shown whole.
#[test]
fn no_row_is_left_out_of_the_main_tables() {
    for (page, path) in [
        ("README.md", "results/reference/bank-marketing/summary.md"),
        ("docs/findings.md", "results/reference/bank-marketing/summary.md"),
        ("docs/findings.md", "results/reference/bank-loyalty/comparisons.md"),
        ("docs/findings.md", "results/reference/telco/summary.md"),
        ("docs/findings.md", "results/reference/corrections/comparisons.md"),
        ("docs/findings.md", "results/reference/simulation/summary.md"),
    ] {
        assert!(text(page).contains(&format!("{MARK}{path} -->\n{}", text(path))), "copy {path} into {page}");
    }
}
