//! Specs: from YAML to a checked [`Experiment`].
//!
//! `yaml` parses the text to a tree with spans, `--set` edits the tree, `expand` turns lists into concrete values,
//! `decode` turns those into types that check their bounds, and `check` builds an [`Experiment`] from them or returns a
//! [`Mistake`] with its span.

mod check;
mod csv_names;
mod decode;
mod expand;
mod experiment;
mod foreign;
mod gate;
mod label;
mod plan;
mod schema;
mod swept;
mod written;
mod yaml;

use crate::data::line_of;
use crate::mistake::Mistake;
use std::path::Path;

pub use csv_names::LINE_KEYS;
pub use experiment::{
    Dataset, Experiment, Frequencies, LabelledMethod, Limits, NamedPrior, PaperValue, PriorBase, PriorSource, Setting,
    Source,
};
pub use gate::{Demands, Gate, MethodGate, Order};
pub use plan::{Cell, LinePlace, Plan, RESULTS_VERSION, line_sha256};
pub use swept::SweptKey;

/// The largest spec file. Specs are small; a larger file is not a spec.
const MAX_SPEC_BYTES: u64 = 1 << 20;

/// Reads a spec, applies overrides and checks it.
pub fn read(path: &Path, overrides: &[String]) -> Result<Experiment, Mistake> {
    let file = path.display().to_string();
    let text = read_text(path).map_err(|problem| {
        if foreign::is_data(path) && path.is_file() {
            return foreign::mistake(&file);
        }
        Mistake::in_file(&file, problem, "give the path of an experiment spec, for instance experiments/smoke.yaml")
    })?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    parse(&file, &text, folder, overrides)
}

fn read_text(path: &Path) -> Result<String, String> {
    let cannot = |error: std::io::Error| format!("cannot be read: {error}");
    let metadata = std::fs::metadata(path).map_err(cannot)?;
    if !metadata.is_file() {
        return Err("is not a file".to_string());
    }
    if metadata.len() > MAX_SPEC_BYTES {
        return Err(format!("has {} bytes, but a spec may have at most {MAX_SPEC_BYTES}", metadata.len()));
    }
    String::from_utf8(std::fs::read(path).map_err(cannot)?).map_err(|error| {
        let line = line_of(error.as_bytes(), error.utf8_error().valid_up_to());
        format!("line {line} is not UTF-8 text")
    })
}

/// The same for a text in memory; data paths are relative to `folder`.
pub fn parse(file: &str, text: &str, folder: &Path, overrides: &[String]) -> Result<Experiment, Mistake> {
    let mut root = foreign::refuse(file, text, yaml::Node::parse(file, text))?;
    for assignment in overrides {
        root.set(assignment)?;
    }
    check::check(&root, folder)
}

/// The JSON Schema of a spec, for editors.
pub fn schema() -> schemars::Schema {
    schemars::schema_for!(written::Spec)
}
