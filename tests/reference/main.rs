//! The pages of the book that come from the sources are up to date: the reference, and the code that docs/contributing.md shows.
//!
//! `DOUBLEPU_WRITE_REFERENCE=1 cargo test --test reference` writes them again.

mod examples;
mod methods;
mod schema;
mod spec;

use doublepu::learn::FailureKind;
use doublepu::methods::METHODS;
use schema::Schema;
use std::path::Path;
use strum::VariantArray;

const NOTE: &str = "<!-- Written from doc comments by `DOUBLEPU_WRITE_REFERENCE=1 cargo test --test reference`. -->";

/// Compares a page with what it must be, or writes it again.
fn compare(page: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
    if std::env::var_os("DOUBLEPU_WRITE_REFERENCE").is_some() {
        std::fs::write(&path, expected).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    let command = "DOUBLEPU_WRITE_REFERENCE=1 cargo test --test reference";
    assert!(written == expected, "{page} is out of date: `{command}` writes it again");
}

#[test]
fn the_reference_pages_are_up_to_date() {
    let schema = Schema::of_a_spec();
    compare("docs/reference/methods.md", &methods::page(&schema));
    compare("docs/reference/spec.md", &spec::page(&schema));
}

/// A comment with the name of a file stands above the block that shows it.
#[test]
fn the_contributing_page_shows_the_files_that_are_tested() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut page = std::fs::read_to_string(folder.join("docs/contributing.md")).unwrap();
    for file in ["src/methods/ulsif.rs", "src/sample/buyers_list.rs"] {
        let opening = format!("<!-- {file} -->\n```rust\n");
        let (before, block) =
            page.split_once(&opening).unwrap_or_else(|| panic!("docs/contributing.md has no block for {file}"));
        let (_, after) = block.split_once("\n```\n").expect("the end of the block");
        let code = std::fs::read_to_string(folder.join(file)).unwrap();
        page = format!("{before}{opening}{code}```\n{after}");
    }
    compare("docs/contributing.md", &page);
}

#[test]
fn the_contributing_page_lists_every_folder_of_the_sources() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(folder.join("docs/contributing.md")).unwrap();
    for entry in std::fs::read_dir(folder.join("src")).unwrap() {
        let entry = entry.unwrap();
        let row = format!("\n| `{}` | ", entry.file_name().to_string_lossy());
        assert!(!entry.path().is_dir() || page.contains(&row), "add a row to docs/contributing.md:{row}");
    }
}

#[test]
fn the_page_of_the_run_folder_lists_every_kind_of_failure() {
    let page = include_str!("../../docs/run-folder.md");
    let (_, section) = page.split_once("### Kinds of failure\n").expect("the section");
    let rows =
        section.lines().skip_while(|line| !line.starts_with("|---")).skip(1).take_while(|line| line.starts_with('|'));
    let listed: Vec<&str> = rows.filter_map(|row| row.split('`').nth(1)).collect();
    let kinds: Vec<&str> = FailureKind::VARIANTS.iter().map(|kind| kind.name()).collect();
    assert_eq!(listed, kinds, "correct the table `Kinds of failure` of docs/run-folder.md");
}

#[test]
fn every_option_of_every_method_is_described() {
    let schema = Schema::of_a_spec();
    for entry in METHODS {
        let (name, options) = (entry.card.name, methods::options(&schema, entry));
        assert!(!schema.description(options).is_empty(), "{name}");
        for (key, property) in methods::keys(options) {
            assert!(!schema.description(property).is_empty() && !property["default"].is_null(), "{name}: {key}");
        }
    }
}

#[test]
fn every_example_of_the_reference_is_a_valid_spec() {
    for text in examples::specs() {
        // A simulation has no column to exclude.
        let text = if text.contains("simulation") { text.replace("  exclude: [customer_id]\n", "") } else { text };
        if let Err(problem) = spec::parse(&text) {
            panic!("{problem}");
        }
    }
}

/// The defaults that are filled in outside of the types.
#[test]
fn a_spec_without_optional_keys_has_the_defaults_of_the_reference() {
    let text = "experiment: small\ndataset: { source: bank-marketing, interest: { column: deposit, positive: a }, \
                loyalty: { column: default, positive: a } }\nsampling: { scheme: pools }\nseeds: 1\nmethods: [random]\n";
    let with = |more: &str| serde_json::to_value(spec::parse(&format!("{text}{more}")).unwrap()).unwrap();
    let schema = Schema::of_a_spec();
    let default = |pointer: &str| &schema.root.pointer(pointer).unwrap()["default"];
    let written = format!(
        "difference: {}\ngate: {{ margin: {} }}\npriors: {}\n",
        default("/properties/difference"),
        default("/$defs/Gate/properties/margin"),
        default("/properties/priors")
    );
    assert_eq!(with(""), with(&written));
    let pair = |key: &str| default(&format!("/$defs/PriorPair/properties/{key}"));
    let prior = format!("priors: [p: {{ beta: {}, gamma: {} }}]\n", pair("beta"), pair("gamma"));
    assert_eq!(with("priors: [p: {}]\n"), with(&prior));
    let rbf = |options: &str| with("").to_string() + &with_method(text, options);
    assert_eq!(rbf(""), rbf(&format!("width: {}", default("/$defs/Rbf/properties/width"))));
}

/// The methods of a spec with radial basis functions.
fn with_method(text: &str, options: &str) -> String {
    let method = format!("methods: [naive_pu: {{ model: {{ rbf: {{ {options} }} }} }}]");
    let experiment = spec::parse(&text.replace("methods: [random]", &method)).unwrap();
    serde_json::to_string(&experiment.methods).unwrap()
}
