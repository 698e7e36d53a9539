//! Checks the keys `dataset` and `features`, and combines them with `sampling` to settings.

use crate::data::{BUILT_IN, BuiltIn, Features, Fillings, ScalarText};
use crate::mistake::{Mistake, Span};
use crate::sample::{Group, Simulation};
use crate::spec::check::sampling::schemes;
use crate::spec::decode::decode;
use crate::spec::expand::{items, refuse_too_many, sweep, with_defaults};
use crate::spec::experiment::{Dataset, Setting, Source};
use crate::spec::label::differences;
use crate::spec::written;
use crate::spec::yaml::{Key, Node, Value};
use crate::text::nearest;
use std::collections::BTreeSet;

/// The settings of a spec, which must have the keys `dataset` and `sampling`.
pub fn settings(root: &Node) -> Result<Vec<Setting>, Mistake> {
    let span = root.span_of(&["dataset"]);
    let features = features(root.get("features"), &root.span)?;
    let excludes = features.iter().any(|features| features.named_columns().next().is_some());
    let mut settings: Vec<Setting> = Vec::new();
    for node in items(root.get("dataset").unwrap_or(root))? {
        let dataset = dataset(node, excludes)?;
        for sampling in items(root.get("sampling").unwrap_or(root))? {
            for sampling in schemes(sampling, matches!(dataset, Dataset::Simulation(_)))? {
                for features in &features {
                    refuse_too_many(settings.len(), "settings", span)?;
                    let (dataset, features, sampling) = (dataset.clone(), features.clone(), sampling.clone());
                    settings.push(Setting { label: String::new(), dataset, features, sampling });
                }
            }
        }
    }
    let descriptions: Vec<_> = settings.iter().map(Setting::description).collect();
    let mut seen = BTreeSet::new();
    if !descriptions.iter().all(|description| seen.insert(format!("{description:?}"))) {
        let remedy = "remove what is listed twice under dataset, features or sampling";
        return Err(span.mistake("two settings are the same", remedy));
    }
    for (setting, label) in settings.iter_mut().zip(differences(&descriptions)) {
        setting.label = label;
    }
    Ok(settings)
}

fn features(node: Option<&Node>, span: &Span) -> Result<Vec<Features>, Mistake> {
    let span = node.map_or(span, |node| &node.span);
    let mut defaults = serde_json::to_value(Features::default()).unwrap_or_default();
    // These are not stored unless they are given.
    defaults["types"] = serde_json::json!({});
    defaults["missing"] = serde_json::json!(Fillings::default());
    let options = with_defaults(node, &defaults, span)?;
    let one = |options: Vec<(Key, Node)>| {
        let mut features: Features = decode(&Node { value: Value::Map(options), span: span.clone() })?;
        // Neither order nor repetition of excluded columns makes a difference.
        features.exclude = BTreeSet::from_iter(features.exclude).into_iter().collect();
        for (name, declared) in &features.types {
            if let Some(problem) = declared.problem() {
                let span = node.map_or(span, |node| node.span_of(&["types", name]));
                return Err(span.mistake(problem, "give for instance `date: { format: \"%d/%m/%Y\", parts: [days] }`"));
            }
        }
        Ok(features)
    };
    sweep(&options, &["exclude", "types"], span)?.into_iter().map(one).collect()
}

fn dataset(node: &Node, excludes: bool) -> Result<Dataset, Mistake> {
    let written: written::Dataset = decode(node)?;
    if written.source == "simulation" {
        return simulation(&written, node, excludes).map(Dataset::Simulation);
    }
    if let Some(groups) = node.get("groups") {
        return Err(groups.span.mistake("`groups` is for a simulation", "remove it, or set `source: simulation`"));
    }
    let missing = |what: &str| {
        let remedy = format!("add `{what}: {{ column: NAME, positive: VALUE }}`");
        node.span.mistake(format!("the key `{what}` is missing"), remedy)
    };
    let interest = written.interest.clone().ok_or_else(|| missing("interest"))?;
    let loyalty = written.loyalty.clone().ok_or_else(|| missing("loyalty"))?;
    if interest.column == loyalty.column {
        let problem = format!("interest and loyalty both name the column `{}`", interest.column);
        return Err(node.span.mistake(problem, "name two different columns"));
    }
    let missing = written.missing.iter().map(|ScalarText(text)| text.clone()).collect();
    Ok(Dataset::Table { source: table_source(&written, node)?, interest, loyalty, missing })
}

/// A built-in name, or else a path, which must contain a dot or a slash.
fn table_source(written: &written::Dataset, node: &Node) -> Result<Source, Mistake> {
    let written::Dataset { source, sha256, .. } = written;
    let (source_span, sha256_span) = (node.span_of(&["source"]), node.span_of(&["sha256"]));
    if BuiltIn::named(source).is_some() {
        return match sha256 {
            Some(_) => Err(sha256_span.mistake("built-in data has its own checksum", "remove this key")),
            None => Ok(Source::BuiltIn(source.clone())),
        };
    }
    if !source.contains(['.', '/', '\\']) {
        let mut names: Vec<&str> = BUILT_IN.iter().map(|data| data.name).collect();
        names.push("simulation");
        let near = nearest(source, &names).map(|name| format!("did you mean `{name}`? "));
        let remedy = format!(
            "{}give {}, or the path of a CSV or Parquet file such as `./people.csv`",
            near.unwrap_or_default(),
            names.join(", ")
        );
        return Err(source_span.mistake(format!("there is no built-in data set `{source}`"), remedy));
    }
    let is_hash =
        |hash: &String| hash.len() == 64 && hash.chars().all(|c| c.is_ascii_digit() || ('a'..='f').contains(&c));
    if sha256.as_ref().is_some_and(|hash| !is_hash(hash)) {
        return Err(sha256_span.mistake("this is not a sha256", "give its 64 hexadecimal digits in lower case"));
    }
    Ok(Source::File { path: source.into(), sha256: sha256.clone() })
}

fn simulation(written: &written::Dataset, node: &Node, excludes: bool) -> Result<Simulation, Mistake> {
    if let Some(surplus) = ["interest", "loyalty", "sha256", "missing"].iter().find_map(|key| node.get(key)) {
        return Err(surplus.span.mistake("a simulation has no columns to name and no file", "remove this key"));
    }
    let source = node.span_of(&["source"]);
    if excludes {
        return Err(
            source.mistake("a simulation has no columns to name", "remove `features.exclude`, `types` and `missing`")
        );
    }
    let Some(simulation) = written.groups else {
        let remedy = "add `groups: { interested: { count: 500, mean: [-2, 2] }, loyal: ..., others: ... }`";
        return Err(source.mistake("a simulation needs the key `groups`", remedy));
    };
    let Simulation { interested, loyal, others } = simulation;
    for (name, Group { count, mean }) in [("interested", interested), ("loyal", loyal), ("others", others)] {
        if !(1..=1_000_000).contains(&count) || !mean.iter().all(|mean| mean.is_finite()) {
            let problem = format!("the group `{name}` has count {count} and mean {mean:?}");
            let span = node.span_of(&["groups"]);
            return Err(span.mistake(problem, "give a count from 1 to 1000000 and two finite numbers"));
        }
    }
    Ok(simulation)
}
