//! The reference page of the keys of a spec, with examples that are checked.

use crate::NOTE;
use crate::examples::EXAMPLES;
use crate::schema::{Schema, default, may_be_swept, row};
use serde_json::Value;
use std::path::Path;

pub fn page(schema: &Schema) -> String {
    let root = &schema.root;
    let mut page = format!(
        "{NOTE}\n# Keys of a spec\n\n*Which keys may a spec have, what does each mean, and what is its default?*\n\n\
         [Writing a spec](../writing-a-spec.md) introduces specs by example. `doublepu validate SPEC` checks one, and \
         `doublepu schema` prints this page as a JSON Schema for editors. Where the column *values* says \"or a list\", each \
         entry of a list makes a setting, prior or method of its own, and all combinations are run.\n\n"
    );
    page += TABLE;
    for (key, property) in properties(root) {
        let name = if has_section(key) { format!("[`{key}`](#{key})") } else { format!("`{key}`") };
        page += &key_row(schema, name, key, property, root);
    }
    for (key, property) in properties(root).filter(|(key, _)| has_section(key)) {
        page += &format!("\n## {key}\n\n{}\n", schema.description(property));
        for example in examples(key) {
            page += &format!("\n```yaml\n{example}```\n");
        }
        page += &section(schema, key, property);
    }
    page
}

const TABLE: &str = "| key | meaning | values | default |\n|---|---|---|---|\n";

/// Everything else about these keys is in the first table.
fn has_section(key: &str) -> bool {
    !["experiment", "seeds", "compare", "difference"].contains(&key)
}

fn examples(key: &str) -> &'static [&'static str] {
    EXAMPLES.iter().find(|(name, _)| *name == key).unwrap_or_else(|| panic!("give an example of the key {key}")).1
}

fn section(schema: &Schema, key: &str, property: &Value) -> String {
    match key {
        "sampling" => schemes(schema, property),
        "priors" => {
            let entry = schema.definition("PriorPair");
            format!(
                "\nAn entry is `true`, `train`, or a name with a map of `beta` and `gamma`. The first two count both priors: over \
                 all rows, and over the training rows of each split.\n{}",
                keys(schema, entry)
            )
        }
        "methods" => "\n[Methods](methods.md) lists the methods with their options.\n".to_string(),
        "metrics" => {
            let names = schema.alternatives(schema.definition("Metric"));
            let rows: String = names.into_iter().map(|(name, meaning)| row(&[name, meaning])).collect();
            format!(
                "\n[Reading the numbers](../reading-the-numbers.md#metrics) has the formulas.\n\n| metric | meaning |\n|---|---|\n{rows}"
            )
        }
        "paper" => format!("\nThe keys of an entry:\n{}", keys(schema, schema.definition("Paper"))),
        _ => keys(schema, schema.single(property)),
    }
}

fn schemes(schema: &Schema, property: &Value) -> String {
    let mut text = String::new();
    for scheme in schema.single(property)["oneOf"].as_array().into_iter().flatten() {
        let name = scheme["properties"]["scheme"]["const"].as_str().expect("its name");
        text += &format!("\n### scheme: {name}\n\n{}\n{}", schema.description(scheme), keys(schema, scheme));
    }
    text
}

/// The keys of a map and of the maps in it, and below them what the names among their values mean.
fn keys(schema: &Schema, map: &Value) -> String {
    let (mut table, mut names) = (format!("\n{TABLE}"), String::new());
    add_keys(schema, "", map, &mut table, &mut names);
    format!("{table}{names}")
}

fn add_keys(schema: &Schema, prefix: &str, map: &Value, table: &mut String, names: &mut String) {
    for (key, property) in properties(map).filter(|(_, property)| !property["const"].is_string()) {
        let path = format!("{prefix}{key}");
        *table += &key_row(schema, format!("`{path}`"), key, property, map);
        let single = schema.single(property);
        add_keys(schema, &format!("{path}."), single, table, names);
        let keyed = schema.resolved(&single["additionalProperties"]);
        add_keys(schema, &format!("{path}.<name>."), keyed, table, names);
        for value in single["anyOf"].as_array().into_iter().flatten() {
            add_keys(schema, &format!("{path}."), schema.resolved(value), table, names);
        }
        let meanings: Vec<(String, String)> =
            schema.alternatives(single).into_iter().filter(|(_, meaning)| !meaning.is_empty()).collect();
        // A metric is a value of several keys, and has a section.
        if !meanings.is_empty() && key != "metric" {
            *names += &format!("\n| `{path}` | meaning |\n|---|---|\n");
            meanings.into_iter().for_each(|(name, meaning)| *names += &row(&[name, meaning]));
        }
    }
}

fn key_row(schema: &Schema, name: String, key: &str, property: &Value, of: &Value) -> String {
    let mut values = match key {
        "metric" => "a [metric](#metrics)".to_string(),
        "sampling" => "map".to_string(),
        _ => schema.values(property),
    };
    if may_be_swept(property) {
        values += "; or a list";
    }
    row(&[name, schema.description(property), values, default(key, property, of)])
}

fn properties(map: &Value) -> impl Iterator<Item = (&String, &Value)> {
    map["properties"].as_object().into_iter().flatten()
}

pub fn parse(text: &str) -> Result<doublepu::spec::Experiment, String> {
    doublepu::spec::parse("example.yaml", text, Path::new("."), &[]).map_err(|mistake| mistake.to_string())
}
