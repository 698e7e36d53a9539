//! The reference pages of the book come from the doc comments of the sources, and are up to date.
//!
//! `DOUBLEPU_WRITE_REFERENCE=1 cargo test --test reference` writes them again.

use doublepu::learn::SampleNeed;
use doublepu::methods::METHODS;
use serde_json::Value;
use std::path::Path;

const NOTE: &str = "<!-- Written from doc comments by `DOUBLEPU_WRITE_REFERENCE=1 cargo test --test reference`. -->";

fn schema() -> Value {
    doublepu::spec::schema().to_value()
}

/// The part of a schema that a reference leads to.
fn resolved<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(reference) => root.pointer(reference.trim_start_matches('#')).expect("a definition"),
        None => schema,
    }
}

/// In a table cell: one line, without what would end the cell.
fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

fn description(schema: &Value) -> String {
    schema["description"].as_str().unwrap_or_default().to_string()
}

/// What a value may be, in words.
fn values(schema: &Value, root: &Value) -> String {
    if let Some(alternatives) = schema["anyOf"].as_array() {
        let is_sweep = |value: &&Value| value["properties"]["tune"].is_null() && value["minItems"].is_null();
        let words: Vec<String> = alternatives.iter().filter(is_sweep).map(|value| values(value, root)).collect();
        return words.iter().filter(|words| !words.is_empty()).cloned().collect::<Vec<_>>().join("; ");
    }
    let name = schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()).unwrap_or_default();
    let schema = resolved(schema, root);
    if let Some(variants) = schema["oneOf"].as_array() {
        let names = variants.iter().flat_map(|variant| {
            let constant = variant["const"].as_str().map(str::to_string);
            let listed = variant["enum"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_string);
            let key = variant["required"][0].as_str().filter(|key| *key != "scheme");
            let key = key.map(|key| format!("{key}: {{ .. }}"));
            constant.into_iter().chain(listed).chain(key).collect::<Vec<_>>()
        });
        return names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    }
    if let Some(words) = schema["enum"].as_array() {
        return words
            .iter()
            .map(|word| format!("`{}`", word.as_str().map_or(word.to_string(), str::to_string)))
            .collect::<Vec<_>>()
            .join(", ");
    }
    let bound = |key: &str, words: &str| {
        schema[key].as_f64().map(|bound| match bound >= 1e6 {
            true => format!(" {words} {bound:e}"),
            false => format!(" {words} {bound}"),
        })
    };
    let bounds: String = [
        bound("minimum", "from"),
        bound("exclusiveMinimum", "above"),
        bound("maximum", "to"),
        bound("exclusiveMaximum", "below"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let kind = match schema["type"].as_str().or(schema["type"][0].as_str()) {
        Some("integer") => "a whole number",
        Some("number") => "a number",
        Some("string") => "a text",
        Some("boolean") => "`true`, `false`",
        Some("array") => "a list",
        Some("object") if !name.is_empty() => return format!("a map, see [{name}](#{})", name.to_lowercase()),
        Some("object") => "a map",
        _ => "",
    };
    format!("{kind}{bounds}")
}

fn default(property: &Value) -> String {
    match &property["default"] {
        Value::Null => "".to_string(),
        Value::String(word) => format!("`{word}`"),
        other => format!("`{other}`"),
    }
}

/// The keys of a map as a table.
fn keys(schema: &Value, root: &Value) -> String {
    let mut table = "| key | what it is | values | default |\n|---|---|---|---|\n".to_string();
    for (key, property) in schema["properties"].as_object().into_iter().flatten() {
        if property["const"].is_string() {
            continue;
        }
        let what = if description(property).is_empty() {
            description(resolved(property, root))
        } else {
            description(property)
        };
        let row = [format!("`{key}`"), cell(&what), cell(&values(property, root)), default(property)];
        table += &format!("| {} |\n", row.join(" | "));
    }
    table
}

fn methods_page() -> String {
    let root = schema();
    let variants = root["$defs"]["Method"]["oneOf"].as_array().expect("the methods");
    let mut page = format!(
        "{NOTE}\n# Methods\n\nWhat does each method do, what does it learn from, and which options does it take?\n\n\
         D_Y are interested people, D_L loyal ones among them, D_U is the unlabelled sample; beta = p(y = +1) and \
         gamma = p(y = +1, z = +1). A list as an option's value compares several; `{{ tune: [..] }}` chooses one for every \
         split, without true labels.\n"
    );
    for entry in METHODS {
        let card = &entry.card;
        let variant = variants.iter().find(|variant| variant["required"][0] == card.name).expect("its schema");
        let options = &variant["properties"][card.name];
        page += &format!("\n## {}\n\n{}.\n\n{}\n\n", card.name, sentence(card.what), description(options));
        page += &format!("- Samples: {}\n- Priors: {}\n- Source: {}\n", card.samples, card.prior.words(), card.source);
        if card.needs != SampleNeed::Any {
            page += &format!("- Needs: {}\n", card.needs.remedy().trim_start_matches("it needs "));
        }
        if options["properties"].as_object().is_some_and(|options| !options.is_empty()) {
            page += &format!("\n{}", keys(options, &root));
        }
    }
    page + "\n"
        + &definitions(&root, &["Costs", "Loss", "Correction", "ModelKind", "Rbf", "NetworkOptions", "Optimizer"])
}

fn sentence(text: &str) -> String {
    // Names of methods stay as they are.
    if text.split(' ').next().is_some_and(|word| word.contains('_')) {
        return text.to_string();
    }
    let mut characters = text.chars();
    characters.next().map_or(String::new(), |first| first.to_uppercase().chain(characters).collect())
}

/// Types that the tables name, each with what it may be.
fn definitions(root: &Value, names: &[&str]) -> String {
    let mut text = String::new();
    for name in names {
        let definition = &root["$defs"][*name];
        text += &format!("## {name}\n\n{}\n\n", description(definition));
        if definition["properties"].is_object() {
            text += &format!("{}\n", keys(definition, root));
        }
        for variant in definition["oneOf"].as_array().into_iter().flatten() {
            let name = variant["const"].as_str().or(variant["required"][0].as_str());
            let listed = variant["enum"].as_array().into_iter().flatten().filter_map(Value::as_str);
            for name in name.into_iter().chain(listed) {
                text += &format!("- `{name}`: {}\n", cell(&description(variant)));
            }
        }
        text = text.trim_end().to_string() + "\n\n";
    }
    text.trim_end().to_string() + "\n"
}

fn spec_page() -> String {
    let root = schema();
    let mut page = format!(
        "{NOTE}\n# Keys of a spec\n\nWhich keys may a spec have, and what does each mean?\n\n{}\n",
        keys(&root, &root)
    );
    page += &format!("\n## features\n\n{}", keys(&root["properties"]["features"], &root));
    for scheme in root["properties"]["sampling"]["anyOf"][0]["oneOf"].as_array().into_iter().flatten() {
        let name = scheme["properties"]["scheme"]["const"].as_str().expect("its name");
        page += &format!("\n## sampling with `scheme: {name}`\n\n{}\n\n{}", description(scheme), keys(scheme, &root));
    }
    page + "\n"
        + &definitions(
            &root,
            &[
                "Dataset",
                "LabelRule",
                "Simulation",
                "Group",
                "NumericScaling",
                "CategoryEncoding",
                "LoyaltyBase",
                "Unlabeled",
                "PriorPair",
                "Multiple",
                "Paper",
                "Gate",
                "MethodGate",
                "Metric",
            ],
        )
}

#[test]
fn the_reference_pages_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference");
    for (name, page) in [("methods.md", methods_page()), ("spec.md", spec_page())] {
        let path = folder.join(name);
        if std::env::var_os("DOUBLEPU_WRITE_REFERENCE").is_some() {
            std::fs::write(&path, &page).unwrap();
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            written == page,
            "docs/reference/{name} is out of date: DOUBLEPU_WRITE_REFERENCE=1 cargo test --test reference writes it again"
        );
    }
}

#[test]
fn every_option_of_every_method_is_described() {
    let root = schema();
    for variant in
        root["$defs"]["Method"]["oneOf"].as_array().unwrap().iter().filter(|variant| variant["required"].is_array())
    {
        let name = variant["required"][0].as_str().unwrap();
        let options = &variant["properties"][name];
        assert!(!description(options).is_empty(), "{name}");
        for (key, property) in options["properties"].as_object().into_iter().flatten() {
            assert!(!description(property).is_empty() && !property["default"].is_null(), "{name}: {key}");
        }
    }
}

#[test]
fn the_examples_of_the_contributing_guide_are_the_files_that_are_tested() {
    let guide = include_str!("../CONTRIBUTING.md");
    for example in [include_str!("../src/methods/ulsif.rs"), include_str!("../src/sample/buyers_list.rs")] {
        assert!(
            guide.contains(&format!("```rust\n{example}```")),
            "CONTRIBUTING.md shows another text than {}",
            &example[..80]
        );
    }
}
