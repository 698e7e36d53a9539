//! What the JSON Schema of a spec says, in the words of a reference page.

use serde_json::Value;

/// The schema of a spec, with its definitions.
pub struct Schema {
    pub root: Value,
}

impl Schema {
    pub fn of_a_spec() -> Self {
        Schema { root: doublepu::spec::schema().to_value() }
    }

    pub fn definition(&self, name: &str) -> &Value {
        let definition = &self.root["$defs"][name];
        assert!(definition.is_object(), "the schema has no definition {name}");
        definition
    }

    /// The schema that a reference points to.
    pub fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        match schema["$ref"].as_str() {
            Some(reference) => self.root.pointer(reference.trim_start_matches('#')).expect("a definition"),
            None => schema,
        }
    }

    /// One value of a schema that may also be a list, `{ tune: [..] }` or nothing.
    pub fn single<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let schema = self.resolved(schema);
        let is_single = |value: &&Value| value["type"] != "null" && !is_list_of_alternatives(value) && !is_tune(value);
        let mut single = schema["anyOf"].as_array().into_iter().flatten().filter(is_single);
        match (single.next(), single.next()) {
            (Some(only), None) => self.single(only),
            _ => schema,
        }
    }

    /// The description of a property, or else of its type.
    pub fn description(&self, schema: &Value) -> String {
        let of = |schema: &Value| schema["description"].as_str().map(str::to_string);
        of(schema).or_else(|| of(self.resolved(schema))).unwrap_or_default()
    }

    /// What a value may be.
    pub fn values(&self, schema: &Value) -> String {
        let schema = self.single(schema);
        if let Some(alternatives) = schema["anyOf"].as_array() {
            let single = alternatives.iter().filter(|value| !is_list_of_alternatives(value) && !is_tune(value));
            let words: Vec<String> = single.map(|value| self.values(value)).collect();
            return words.join(", or ");
        }
        let names = self.names(schema);
        if !names.is_empty() {
            return names.join(", ");
        }
        let kinds: Vec<&str> = match &schema["type"] {
            Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).filter(|kind| *kind != "null").collect(),
            kind => kind.as_str().into_iter().collect(),
        };
        let words: Vec<&str> = kinds.into_iter().map(|kind| kind_in_words(kind, schema)).collect();
        format!("{}{}", words.join(", "), bounds(schema))
    }

    /// The names of an enumeration.
    pub fn names(&self, schema: &Value) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (name, _) in self.alternatives(schema) {
            // YAML reads `true` as a boolean, and the schema allows the text, too.
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The names of an enumeration, each with its description.
    pub fn alternatives(&self, schema: &Value) -> Vec<(String, String)> {
        let word = |value: &Value| value.as_str().map_or(value.to_string(), str::to_string);
        let mut alternatives = Vec::new();
        for value in schema["enum"].as_array().into_iter().flatten() {
            alternatives.push((format!("`{}`", word(value)), String::new()));
        }
        for variant in schema["oneOf"].as_array().into_iter().flatten() {
            let description = self.description(variant);
            let constant = variant["const"].as_str().map(|name| format!("`{name}`"));
            let listed = variant["enum"].as_array().into_iter().flatten().map(|name| format!("`{}`", word(name)));
            let with_options = variant["required"][0].as_str().map(|name| format!("`{name}: {{ .. }}`"));
            let names = constant.into_iter().chain(listed).chain(with_options);
            alternatives.extend(names.map(|name| (name, description.clone())));
        }
        alternatives
    }
}

/// A list whose entries are tried one after the other.
fn is_list_of_alternatives(schema: &Value) -> bool {
    schema["type"] == "array" && schema["minItems"] == 1
}

fn is_tune(schema: &Value) -> bool {
    !schema["properties"]["tune"].is_null()
}

/// Whether a list as the value compares its entries.
pub fn may_be_swept(schema: &Value) -> bool {
    schema["anyOf"].as_array().is_some_and(|values| values.iter().any(is_list_of_alternatives))
}

fn kind_in_words(kind: &str, schema: &Value) -> &'static str {
    match kind {
        "integer" => "whole number",
        "number" => "number",
        "string" => "text",
        "boolean" => "`true`, `false`",
        "array" if schema["maxItems"] == 2 => "list of two numbers",
        "array" => "list",
        "object" => "map",
        other => panic!("no words for the type {other}"),
    }
}

fn bounds(schema: &Value) -> String {
    let bound = |key: &str, words: &str| {
        schema[key].as_f64().map(|bound| match bound == 0.0 || (1e-3..1e6).contains(&bound) {
            true => format!(" {words} {bound}"),
            false => format!(" {words} {bound:e}"),
        })
    };
    let bounds = [
        bound("minimum", "from"),
        bound("exclusiveMinimum", "above"),
        bound("maximum", "to"),
        bound("exclusiveMaximum", "and below"),
    ];
    bounds.into_iter().flatten().collect()
}

/// The default of a property, as it is written in a spec; what is required has none.
pub fn default(key: &str, property: &Value, of: &Value) -> String {
    let is_required = of["required"].as_array().is_some_and(|required| required.iter().any(|name| name == key));
    match &property["default"] {
        _ if is_required => "required".to_string(),
        Value::Null => "optional".to_string(),
        default => format!("`{}`", yaml(default)),
    }
}

/// A value in one line of YAML.
fn yaml(value: &Value) -> String {
    match value {
        Value::String(word) => word.clone(),
        Value::Array(items) => format!("[{}]", items.iter().map(yaml).collect::<Vec<_>>().join(", ")),
        Value::Object(entries) if entries.is_empty() => "{}".to_string(),
        Value::Object(entries) => {
            let entries = entries.iter().map(|(key, value)| format!("{key}: {}", yaml(value)));
            format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
        }
        Value::Number(number) => number.as_f64().map_or(number.to_string(), |number| number.to_string()),
        other => other.to_string(),
    }
}

/// In a cell of a table: one line, without characters that would end the cell.
pub fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

/// A row of a table.
pub fn row(cells: &[String]) -> String {
    format!("| {} |\n", cells.iter().map(|text| cell(text)).collect::<Vec<_>>().join(" | "))
}
