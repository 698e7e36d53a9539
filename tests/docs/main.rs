//! README and book: their numbers are those of `results/reference`, and their commands and examples work.

mod commands;
mod examples;
mod quotes;
mod reference;
mod tables;

use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A file of the project, by its path from the root.
fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// README, CONTRIBUTING, every page of the book, and the READMEs of the folders below.
fn pages() -> Vec<String> {
    fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    let mut found = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    for folder in ["docs", "benches", "datasets", "results/baselines", "tests"] {
        collect(&root().join(folder), &mut found);
    }
    found.sort();
    found.iter().map(|path| path.strip_prefix(root()).unwrap().to_str().unwrap().to_string()).collect()
}

/// The code blocks of a page in one language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut block: Option<(bool, String)> = None;
    for line in page.lines() {
        match (line.trim_start().strip_prefix("```"), &mut block) {
            (Some(_), Some(_)) => found.extend(block.take().filter(|(wanted, _)| *wanted).map(|(_, text)| text)),
            (Some(opened), None) => block = Some((opened == language, String::new())),
            (None, Some((_, text))) => *text += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    found
}
