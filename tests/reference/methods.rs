//! The reference page of the methods: their cards, formulas and options.

use crate::NOTE;
use crate::schema::{Schema, default, row};
use doublepu::learn::SampleNeed;
use doublepu::methods::{Entry, METHODS, Method};
use serde_json::Value;

/// The method whose options stand for those of all that minimise a signed risk.
const SIGNED: &str = "double_pu";

pub fn page(schema: &Schema) -> String {
    let mut page = format!(
        "{NOTE}\n# Methods\n\n*What does each method compute, from which samples and priors, and which options does it take?*\n\n\
         [How the methods learn](../methods.md) explains the notation, how a risk is minimised, and when it has no minimum. \
         In a spec, a method is `- NAME` or `- NAME: {{ option: value }}`. A list as the value of an option makes a method of \
         each entry. `{{ tune: [..] }}` chooses one of the values for every split, without true labels. `doublepu methods` \
         prints a summary of this page.\n\n"
    );
    page += "| method | what it is | samples | priors |\n|---|---|---|---|\n";
    for Entry { card, .. } in METHODS {
        let name = format!("[`{0}`](#{0})", card.name);
        page += &row(&[name, card.what.to_string(), card.samples.to_string(), card.prior.words().to_string()]);
    }
    METHODS.iter().for_each(|entry| page += &section(schema, entry));
    page + &signed_options(schema)
}

/// A method with everything but the options that it shares.
fn section(schema: &Schema, entry: &Entry) -> String {
    let card = &entry.card;
    let options = options(schema, entry);
    let mut section = format!("\n## {}\n\n{}\n\n", card.name, schema.description(options));
    section += &format!("- Samples: {}\n- Priors: {}\n", card.samples, card.prior.words());
    if card.needs != SampleNeed::Any {
        section += &format!("- Needs {}\n", card.needs.remedy().trim_start_matches("it needs "));
    }
    section += &format!("- Source: {}\n", card.source);
    if is_signed(schema, entry) {
        section += &format!("- Options: those of [signed risks](#options-of-signed-risks){}\n", special(schema, entry));
    } else if keys(options).next().is_none() {
        section += "- Options: none\n";
    } else {
        section += &format!("\n{}", table(schema, options));
    }
    section
}

fn signed_options(schema: &Schema) -> String {
    let mut text = format!(
        "\n## Options of signed risks\n\nThe methods that refer to this section minimise a signed risk and share these \
         options. The defaults are those of `{SIGNED}`.\n\n{}",
        table(schema, common_options(schema))
    );
    for (name, definition) in
        [("loss", "Loss"), ("correction", "Correction"), ("costs", "Costs"), ("model", "ModelKind")]
            .into_iter()
            .chain([("model: rbf", "Rbf"), ("model: network", "NetworkOptions"), ("optimizer", "Optimizer")])
    {
        let definition = schema.definition(definition);
        text += &format!("\n### {name}\n\n{}\n", schema.description(definition));
        if definition["properties"].is_object() {
            text += &format!("\n{}", table(schema, definition));
        }
        let alternatives = schema.alternatives(definition);
        if !alternatives.is_empty() {
            text += "\n| value | meaning |\n|---|---|\n";
            text += &alternatives.into_iter().map(|(name, meaning)| row(&[name, meaning])).collect::<String>();
        }
    }
    text
}

/// Where a method differs from the common options: in a default, or in the corrections that it allows.
fn special(schema: &Schema, entry: &Entry) -> String {
    let (common, own) = (common_options(schema), options(schema, entry));
    let mut special = String::new();
    for (key, property) in keys(own) {
        if property["default"] != common["properties"][key]["default"] {
            special += &format!(", but the default of `{key}` is {}", default(key, property, own));
        }
    }
    let names = schema.alternatives(schema.definition("Correction")).into_iter().map(|(name, _)| name);
    let (allowed, refused): (Vec<String>, Vec<String>) =
        names.partition(|name| allows_correction(entry, name.trim_matches('`')));
    match (allowed.len(), refused.len()) {
        (_, 0) => special,
        (1, _) => special + ", without `correction`",
        _ => special + &format!(", and {} is refused", refused.join(", ")),
    }
}

fn common_options(schema: &Schema) -> &Value {
    options(schema, Entry::named(SIGNED).expect("the method with the common options"))
}

fn allows_correction(entry: &Entry, correction: &str) -> bool {
    let mut method = serde_json::to_value((entry.default)()).expect("a method");
    method[entry.card.name]["correction"] = correction.into();
    serde_json::from_value::<Method>(method).is_ok_and(|method| method.check().is_ok())
}

pub fn options<'a>(schema: &'a Schema, entry: &Entry) -> &'a Value {
    let variants = schema.definition("Method")["oneOf"].as_array().expect("the methods");
    let variant = variants.iter().find(|variant| variant["required"][0] == entry.card.name).expect("its schema");
    &variant["properties"][entry.card.name]
}

pub fn keys(options: &Value) -> impl Iterator<Item = (&String, &Value)> {
    options["properties"].as_object().into_iter().flatten()
}

fn is_signed(schema: &Schema, entry: &Entry) -> bool {
    keys(options(schema, entry)).any(|(key, _)| key == "loss")
}

fn table(schema: &Schema, options: &Value) -> String {
    let mut table = "| option | meaning | values | default |\n|---|---|---|---|\n".to_string();
    for (key, property) in keys(options) {
        let name =
            if METHOD_SECTIONS.contains(&key.as_str()) { format!("[`{key}`](#{key})") } else { format!("`{key}`") };
        let values = schema.values(property);
        table += &row(&[name, schema.description(property), values, default(key, property, options)]);
    }
    table
}

/// Options with a section of their own.
const METHOD_SECTIONS: [&str; 5] = ["loss", "correction", "costs", "model", "optimizer"];
