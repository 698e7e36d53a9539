//! Links within the Markdown files lead to files and headings that exist, and the book's summary lists every page.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// Where links are checked: files, and folders of which every Markdown file is.
const CHECKED: [&str; 9] = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs",
    "datasets",
    "results/baselines",
    "results/reference",
    "benches",
    "tests",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every Markdown file at or below a path, by its path from the root.
fn markdown_files(path: &Path, files: &mut BTreeSet<PathBuf>) {
    let full = root().join(path);
    if full.is_dir() {
        for entry in std::fs::read_dir(full).unwrap() {
            markdown_files(&path.join(entry.unwrap().file_name()), files);
        }
    } else if path.extension().is_some_and(|ending| ending == "md") {
        files.insert(path.to_path_buf());
    }
}

fn checked_files() -> BTreeSet<PathBuf> {
    let mut files = BTreeSet::new();
    CHECKED.iter().for_each(|path| markdown_files(Path::new(path), &mut files));
    files
}

/// The lines of a text, with those of code blocks empty.
fn lines_of_prose(text: &str) -> Vec<&str> {
    let mut fence: Option<&str> = None;
    let prose = |line| {
        let marker = ["```", "~~~"].into_iter().find(|marker| str::trim_start(line).starts_with(marker));
        match (fence, marker) {
            (None, None) => return line,
            (None, Some(_)) => fence = marker,
            (Some(open), Some(marker)) if open == marker => fence = None,
            _ => {}
        }
        ""
    };
    text.lines().map(prose).collect()
}

/// The prose with code spans blanked out. Links and code spans may go over the end of a line.
fn prose_without_code(text: &str) -> String {
    let mut is_code = false;
    let shown = |c: char| {
        is_code ^= c == '`';
        if c != '\n' && (is_code || c == '`') { ' ' } else { c }
    };
    lines_of_prose(text).join("\n").chars().map(shown).collect()
}

/// The targets of links and images, with the lines where they stand.
fn targets(text: &str) -> Vec<(usize, String)> {
    let prose = prose_without_code(text);
    let mut targets = Vec::new();
    for (opening, closing) in [("](", ')'), ("src=\"", '"'), ("href=\"", '"')] {
        for (start, _) in prose.match_indices(opening) {
            let rest = &prose[start + opening.len()..];
            let Some(end) = rest.find(closing) else { continue };
            // A title may stand behind the target.
            let target = rest[..end].split_whitespace().next().unwrap_or_default();
            targets.push((1 + prose[..start].matches('\n').count(), target.trim_matches(['<', '>']).to_string()));
        }
    }
    targets.sort();
    targets
}

/// The anchor of a heading, by the rules of GitHub.
fn slug(heading: &str) -> String {
    let mut shown = String::new();
    let mut rest = heading;
    // Of a link only its text is shown.
    while let Some((before, link)) = rest.split_once('[') {
        let Some((text, after)) = link.split_once("](") else { break };
        shown += before;
        shown += text;
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    shown += rest;
    let kept = shown.trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The anchors of a page: those of its headings, of which equal ones are numbered, and those that are written out.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut anchors = BTreeSet::new();
    for line in lines_of_prose(text) {
        let level = line.chars().take_while(|c| *c == '#').count();
        if (1..=6).contains(&level) && line[level..].starts_with(' ') {
            let slug = slug(&line[level..]);
            let count = counts.entry(slug.clone()).or_default();
            anchors.insert(if *count == 0 { slug } else { format!("{slug}-{count}") });
            *count += 1;
        }
        for (start, _) in line.match_indices("id=\"") {
            anchors.extend(line[start + 4..].split('"').next().map(str::to_string));
        }
    }
    anchors
}

/// A path from the root without `.` and `..`; `None` if it leads out of the project.
fn normal(path: &Path) -> Option<PathBuf> {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                if !normal.pop() {
                    return None;
                }
            }
            other => normal.push(other),
        }
    }
    Some(normal)
}

/// Why a link leads nowhere; `None` if it leads somewhere, or out of the project.
fn problem(file: &Path, text: &str, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    let linked = if path.is_empty() { Some(file.to_path_buf()) } else { normal(&file.parent()?.join(path)) };
    let Some(linked) = linked else { return Some("leads out of the project".to_string()) };
    if !root().join(&linked).exists() {
        return Some(format!("there is no {}", linked.display()));
    }
    let anchor = anchor?;
    if linked.extension().is_none_or(|ending| ending != "md") {
        return Some("has an anchor, but is not a Markdown file".to_string());
    }
    let there = if path.is_empty() { text.to_string() } else { std::fs::read_to_string(root().join(&linked)).unwrap() };
    let anchors = anchors(&there);
    let known = || anchors.iter().cloned().collect::<Vec<_>>().join(", ");
    (!anchors.contains(anchor)).then(|| format!("{} has no heading #{anchor}, but: {}", linked.display(), known()))
}

#[test]
fn every_link_leads_somewhere() {
    let mut problems = Vec::new();
    for file in checked_files() {
        let text = std::fs::read_to_string(root().join(&file)).unwrap();
        for (line, target) in targets(&text) {
            if let Some(problem) = problem(&file, &text, &target) {
                problems.push(format!("{}:{line}: ({target}) {problem}", file.display()));
            }
        }
    }
    assert!(problems.is_empty(), "correct these links:\n{}", problems.join("\n"));
}

#[test]
fn the_summary_of_the_book_lists_every_page() {
    let summary = Path::new("docs/SUMMARY.md");
    let text = std::fs::read_to_string(root().join(summary)).expect("docs/SUMMARY.md");
    let listed: BTreeSet<PathBuf> =
        targets(&text).into_iter().filter_map(|(_, target)| normal(&Path::new("docs").join(target))).collect();
    let mut pages = BTreeSet::new();
    markdown_files(Path::new("docs"), &mut pages);
    pages.remove(summary);
    let missing: Vec<&PathBuf> = pages.difference(&listed).collect();
    assert!(missing.is_empty(), "add these pages to docs/SUMMARY.md: {missing:?}");
}

#[test]
fn a_slug_is_that_of_github() {
    for (heading, expected) in [
        ("The verdict on a paper's value", "the-verdict-on-a-papers-value"),
        ("`cells.csv`", "cellscsv"),
        ("model: rbf", "model-rbf"),
        ("naive_nnpu", "naive_nnpu"),
        ("How fast is it?", "how-fast-is-it"),
        ("See [the gate](gate.md), again", "see-the-gate-again"),
        ("A - B", "a---b"),
    ] {
        assert_eq!(slug(heading), expected);
    }
    let text = "# A\n## b\n## b\n```\n# code\n```\n";
    assert_eq!(anchors(text), ["a", "b", "b-1"].map(String::from).into());
}

#[test]
fn links_are_found_outside_of_code_only() {
    let text = "a [b](c.md#d) `[e](f)`\n```\n[g](h)\n```\n![i\nj](k.png \"title\") <img src=\"l.svg\">\n";
    let found: Vec<(usize, String)> = targets(text);
    assert_eq!(found, [(1, "c.md#d".into()), (6, "k.png".into()), (6, "l.svg".into())]);
}
