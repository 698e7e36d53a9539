//! The rooms of the sources: what each owns, and which other rooms it may use. A folder of `src` is a room, and so is a file
//! beside `lib.rs`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A room with what it owns and the rooms that it uses.
struct Room(&'static str, &'static str, &'static [&'static str]);

/// From the bottom up: a room uses only rooms that stand above it in this list.
const ROOMS: &[Room] = &[
    Room("text", "how words, numbers and tables are written", &[]),
    Room("caught", "panics of foreign code as errors", &[]),
    Room("registry", "the macro that declares options", &[]),
    Room("mistake", "what is wrong with a user's input: problem, remedy, location", &["text"]),
    Room("math", "matrices, risks, optimisers, metrics, statistics; no files, no specs", &["mistake"]),
    Room("data", "files and built-in data, tables, encoders", &["caught", "math", "mistake", "text"]),
    Room("external", "methods in programs of their own: the protocol, workers, the sandbox", &["data", "text"]),
    Room("sample", "sampling schemes, the simulation, random streams", &["data", "math", "mistake", "registry"]),
    Room(
        "learn",
        "what a method is: training samples, fitting, tuning, models",
        &["math", "mistake", "registry", "sample"],
    ),
    Room(
        "methods",
        "one file for each method, and their list",
        &["external", "learn", "math", "mistake", "registry", "sample", "text"],
    ),
    Room(
        "spec",
        "from YAML to an experiment and its cells; reads no data and fits nothing",
        &["data", "external", "learn", "math", "methods", "mistake", "sample", "text"],
    ),
    Room(
        "run",
        "computing cells, the journal, run folders, shards",
        &["caught", "data", "external", "learn", "math", "methods", "sample", "spec", "text"],
    ),
    Room(
        "analysis",
        "from outcomes to findings: lines, comparisons, ranks, the verdict on a paper",
        &["learn", "math", "run", "sample", "spec"],
    ),
    Room(
        "report",
        "from findings to tables, plots and a page",
        &["analysis", "data", "learn", "math", "run", "spec", "text"],
    ),
    Room("gate", "a run against a baseline", &["data", "math", "run", "spec", "text"]),
    Room(
        "proof",
        "whether results are the same bits, and what differs",
        &["analysis", "data", "external", "learn", "math", "report", "run", "sample", "spec", "text"],
    ),
    Room(
        "export",
        "one cell with everything needed to compute it elsewhere",
        &["external", "learn", "math", "run", "spec", "text"],
    ),
    Room("harness", "whole commands as functions", &["analysis", "external", "report", "run", "spec"]),
    Room(
        "cli",
        "verbs, exit codes, printing",
        &[
            "analysis", "caught", "data", "export", "external", "gate", "harness", "learn", "math", "methods",
            "mistake", "proof", "report", "run", "spec", "text",
        ],
    ),
];

/// Macros stand at the root of the crate, wherever they are defined.
const MACROS: &[(&str, &str)] = &[("options", "registry"), ("risk_method", "learn")];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// The room of a source file; `None` for `lib.rs` and `main.rs`.
fn room_of(path: &Path, src: &Path) -> Option<String> {
    let first = path.strip_prefix(src).unwrap().components().next().unwrap();
    let name = first.as_os_str().to_str().unwrap().trim_end_matches(".rs").to_string();
    (name != "lib" && name != "main").then_some(name)
}

/// The rooms that the code of a file names, tests and comments apart.
fn uses(text: &str) -> BTreeSet<String> {
    let code = text.lines().take_while(|line| !line.contains("#[cfg(test)]"));
    let code = code.filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let mut found = BTreeSet::new();
    for (start, _) in code.match_indices("crate::") {
        // A macro's own paths belong to whoever calls it.
        if code[..start].ends_with('$') {
            continue;
        }
        let rest = &code[start + "crate::".len()..];
        let name: String = rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
        assert!(!name.is_empty(), "name one room in a `use`: crate::{}", &rest[..rest.len().min(20)]);
        let room = MACROS.iter().find(|(other, _)| *other == name).map_or(name.as_str(), |(_, room)| room);
        found.insert(room.to_string());
    }
    found
}

#[test]
fn every_room_is_listed_and_uses_only_rooms_that_it_may_use() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    let mut used: BTreeSet<(String, String)> = BTreeSet::new();
    for path in sources(&src) {
        let Some(room) = room_of(&path, &src) else { continue };
        // Compiled for tests alone.
        if path.ends_with("tests.rs") || path.ends_with("methods/ulsif.rs") || path.ends_with("sample/buyers_list.rs") {
            continue;
        }
        let Some(Room(_, what, allowed)) = ROOMS.iter().find(|Room(name, ..)| *name == room) else {
            wrong.push(format!("{room} is not in the list of rooms ({})", path.display()));
            continue;
        };
        for other in uses(&std::fs::read_to_string(&path).unwrap()).into_iter().filter(|other| *other != room) {
            if !allowed.contains(&&*other) {
                wrong.push(format!("{}: {room} ({what}) may not use {other}", path.display()));
            }
            used.insert((room.clone(), other));
        }
    }
    for Room(room, _, allowed) in ROOMS {
        for other in allowed.iter().filter(|other| !used.contains(&(room.to_string(), other.to_string()))) {
            wrong.push(format!("{room} does not use {other} any more: take it out of the list"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn no_arrow_leads_up() {
    for (index, Room(room, _, allowed)) in ROOMS.iter().enumerate() {
        for other in *allowed {
            let place = ROOMS.iter().position(|Room(name, ..)| name == other).expect("a room of the list");
            assert!(place < index, "{room} uses {other}, which stands below it");
        }
    }
}

#[test]
fn what_is_not_allowed_is_noticed() {
    let code = "use crate::report::Page;\n// crate::gate\nlet x = $crate::cli::y;\ncrate::options! {}\n#[cfg(test)]\nuse crate::proof;";
    assert_eq!(uses(code).into_iter().collect::<Vec<_>>(), ["registry", "report"]);
}
