//! Files that are no specs: mostly the user's data. Their contents do not belong in a message.

use crate::mistake::Mistake;
use crate::spec::yaml::{Node, Value};
use std::path::Path;

const DATA: [&str; 10] = ["csv", "tsv", "tab", "parquet", "pq", "gz", "zst", "xlsx", "xls", "arrow"];
/// A spec has most of these keys.
const KEYS: [&str; 5] = ["experiment", "dataset", "sampling", "seeds", "methods"];

/// Whether the name of a file is that of data.
pub fn is_data(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    DATA.contains(&&*extension.to_lowercase())
}

fn is_yaml(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("yaml") || extension.eq_ignore_ascii_case("yml"))
}

/// The tree of a spec, or its mistake, unless the text is something else altogether.
pub fn refuse(file: &str, text: &str, parsed: Result<Node, Mistake>) -> Result<Node, Mistake> {
    let is_map = matches!(&parsed, Ok(Node { value: Value::Map(_), .. }));
    let (path, is_blank) = (Path::new(file), text.trim().is_empty());
    if is_yaml(path) || has_key(text) || is_blank || (is_map && !is_data(path)) {
        return parsed;
    }
    Err(mistake(file))
}

/// Whether a line begins with a key of a spec, in whatever style of YAML.
fn has_key(text: &str) -> bool {
    let parts = text.split(['\n', ',', '{']).map(|part| part.trim_start().trim_start_matches(['"', '\'']));
    let is_key = |part: &str, key: &str| {
        part.strip_prefix(key).is_some_and(|rest| rest.trim_start_matches(['"', '\'', ' ']).starts_with(':'))
    };
    parts.into_iter().any(|part| KEYS.iter().any(|key| is_key(part, key)))
}

pub fn mistake(file: &str) -> Mistake {
    let path = Path::new(file);
    if !is_data(path) {
        let remedy = "give the path of a spec, which is a YAML file, for instance experiments/smoke.yaml; a data file \
                      belongs under `dataset.source` of a spec";
        return Mistake::in_file(file, "is not an experiment spec", remedy);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split('.').next().unwrap_or_default();
    let remedy = format!(
        "write a spec beside it, for instance {stem}.yaml, and give that:\n\n\
         experiment: my-experiment\ndataset:\n  source: ./{name}\n\
         \x20 interest: {{ column: COLUMN, positive: VALUE }}    # Y = +1\n\
         \x20 loyalty: {{ column: COLUMN, positive: VALUE }}     # Z = +1\n\
         sampling: {{ scheme: pools }}\nseeds: 50\nmethods: [double_pu, naive_pu, oracle_logistic, random]"
    );
    Mistake::in_file(file, "is a data file and not an experiment spec", remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_in_any_style_and_not_in_data() {
        for text in ["experiment: x", "\"seeds\" : 3", "{ experiment: x, methods: [random] }", "  dataset:\n"] {
            assert!(has_key(text), "{text}");
        }
        for text in ["age,income\n3,4\n", "PAR1", "experiment,seeds\n1,2\n", "name: x", ""] {
            assert!(!has_key(text), "{text}");
        }
        assert!(is_data(Path::new("a/People.CSV")) && is_data(Path::new("x.csv.gz")) && !is_data(Path::new("x.yaml")));
    }
}
