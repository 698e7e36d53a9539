//! Where samples come from: data, features and sampling.

use crate::data::{BUILT_IN, BuiltIn, Features, LabelRule};
use crate::nearest;
use crate::sample::{Group, Simulation};
use crate::spec::check::sampling::schemes;
use crate::spec::check::{room, values};
use crate::spec::decode::Located;
use crate::spec::experiment::{Dataset, Setting, Source};
use crate::spec::label::differences;
use crate::spec::written;
use crate::spec::yaml::Wrong;
use std::collections::BTreeSet;

pub fn settings(spec: &written::Spec) -> Result<Vec<Setting>, Wrong> {
    let mut settings: Vec<Setting> = Vec::new();
    // Neither order nor repetition makes a difference to what is left.
    let exclude: Vec<String> = BTreeSet::from_iter(spec.features.exclude.iter().cloned()).into_iter().collect();
    for written in &spec.dataset.0 {
        let dataset = dataset(written, &spec.features.exclude)?;
        for sampling in &spec.sampling.0 {
            for sampling in schemes(&sampling.value, matches!(dataset, Dataset::Simulation(_)))? {
                for numeric in values(&spec.features.numeric, Default::default()) {
                    for categorical in values(&spec.features.categorical, Default::default()) {
                        room(settings.len(), "settings", spec.dataset.0[0].place)?;
                        let features = Features { numeric, categorical, exclude: exclude.clone() };
                        let dataset = dataset.clone();
                        settings.push(Setting { label: String::new(), dataset, features, sampling });
                    }
                }
            }
        }
    }
    let descriptions: Vec<_> = settings.iter().map(Setting::description).collect();
    for (setting, label) in settings.iter_mut().zip(differences(&descriptions)) {
        setting.label = label;
    }
    repeated(descriptions.iter().map(|description| format!("{description:?}"))).map_or(Ok(settings), |_| {
        let place = spec.dataset.0[0].place;
        Err(place.wrong("two settings are the same", "remove what is listed twice under dataset, features or sampling"))
    })
}

/// The first that occurs a second time.
fn repeated(items: impl Iterator<Item = String>) -> Option<usize> {
    let mut seen = BTreeSet::new();
    items.enumerate().find(|(_, item)| !seen.insert(item.clone())).map(|(index, _)| index)
}

fn dataset(written: &Located<written::Dataset>, exclude: &[String]) -> Result<Dataset, Wrong> {
    let written::Dataset { source, sha256, interest, loyalty, groups } = &written.value;
    if source.value == "simulation" {
        let surplus = [interest.as_ref().map(|rule| rule.place), loyalty.as_ref().map(|rule| rule.place)];
        if let Some(place) = surplus.into_iter().chain([sha256.as_ref().map(|sha256| sha256.place)]).flatten().next() {
            return Err(place.wrong("a simulation has no columns to name and no file", "remove this key"));
        }
        if !exclude.is_empty() {
            return Err(source.place.wrong("a simulation has no columns to exclude", "remove `features.exclude`"));
        }
        let Some(groups) = groups else {
            let remedy = "add `groups: { interested: { count: 500, mean: [-2, 2] }, loyal: ..., others: ... }`";
            return Err(source.place.wrong("a simulation needs the key `groups`", remedy));
        };
        return simulation(groups).map(Dataset::Simulation);
    }
    if let Some(groups) = groups {
        return Err(groups.place.wrong("`groups` is for a simulation", "remove it, or set `source: simulation`"));
    }
    let rule = |rule: &Option<Located<written::LabelRule>>, what: &str| match rule {
        None => {
            let remedy = format!("add `{what}: {{ column: NAME, positive: VALUE }}`");
            Err(written.place.wrong(format!("the key `{what}` is missing"), remedy))
        }
        Some(Located { value, .. }) => {
            Ok(LabelRule { column: value.column.clone(), positive: value.positive.0.clone() })
        }
    };
    let (interest, loyalty) = (rule(interest, "interest")?, rule(loyalty, "loyalty")?);
    if interest.column == loyalty.column {
        let problem = format!("interest and loyalty are both the column `{}`", interest.column);
        return Err(written.place.wrong(problem, "name two different columns"));
    }
    Ok(Dataset::Table { source: table_source(source, sha256.as_ref())?, interest, loyalty })
}

/// A built-in name, or else a path: something with a dot or a slash in it.
fn table_source(source: &Located<String>, sha256: Option<&Located<String>>) -> Result<Source, Wrong> {
    if BuiltIn::named(&source.value).is_some() {
        return match sha256 {
            Some(sha256) => Err(sha256.place.wrong("built-in data has its own checksum", "remove this key")),
            None => Ok(Source::BuiltIn(source.value.clone())),
        };
    }
    if !source.value.contains(['.', '/', '\\']) {
        let mut names: Vec<&str> = BUILT_IN.iter().map(|data| data.name).collect();
        names.push("simulation");
        let near = nearest(&source.value, &names).map(|name| format!("did you mean `{name}`? "));
        let remedy = format!(
            "{}give {}, or the path of a CSV or Parquet file such as `./people.csv`",
            near.unwrap_or_default(),
            names.join(", ")
        );
        return Err(source.place.wrong(format!("there is no built-in data set `{}`", source.value), remedy));
    }
    if let Some(Located { value, place }) = sha256
        && (value.len() != 64 || !value.chars().all(|c| c.is_ascii_digit() || ('a'..='f').contains(&c)))
    {
        return Err(place.wrong("this is not a sha256", "give its 64 hexadecimal digits in lower case"));
    }
    let sha256 = sha256.map(|sha256| sha256.value.clone());
    Ok(Source::File { path: source.value.clone().into(), sha256 })
}

fn simulation(groups: &Located<Simulation>) -> Result<Simulation, Wrong> {
    let Simulation { interested, loyal, others } = groups.value;
    for (name, Group { count, mean }) in [("interested", interested), ("loyal", loyal), ("others", others)] {
        if !(1..=1_000_000).contains(&count) || !mean.iter().all(|mean| mean.is_finite()) {
            let problem = format!("the group `{name}` has count {count} and mean {mean:?}");
            return Err(groups.place.wrong(problem, "give a count from 1 to 1000000 and two finite numbers"));
        }
    }
    Ok(groups.value)
}
