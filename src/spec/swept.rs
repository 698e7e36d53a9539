//! The keys in which the settings of an experiment differ.

use crate::spec::Experiment;

/// A key of `dataset`, `features` or `sampling` with several values.
#[derive(Clone, Debug, PartialEq)]
pub struct SweptKey {
    pub key: &'static str,
    /// By setting; `None` for a setting without this key.
    pub values: Vec<Option<String>>,
}

impl SweptKey {
    /// The distinct values: by size if all of them are numbers, otherwise in the order of the spec.
    pub fn levels(&self) -> Vec<&str> {
        let mut levels: Vec<&str> = Vec::new();
        for value in self.values.iter().flatten() {
            if !levels.contains(&value.as_str()) {
                levels.push(value);
            }
        }
        if let Some(mut numbers) = numbers(&levels) {
            numbers.sort_by(|a, b| a.0.total_cmp(&b.0));
            return numbers.into_iter().map(|(_, level)| level).collect();
        }
        levels
    }

    pub fn is_numeric(&self) -> bool {
        numbers(&self.levels()).is_some()
    }
}

/// Levels with their numbers; `None` if one is no number.
fn numbers<'a>(levels: &[&'a str]) -> Option<Vec<(f64, &'a str)>> {
    let number = |level: &&'a str| Some((level.parse().ok().filter(|number: &f64| number.is_finite())?, *level));
    levels.iter().map(number).collect()
}

impl Experiment {
    /// In the order in which settings describe themselves.
    pub fn swept_keys(&self) -> Vec<SweptKey> {
        let descriptions: Vec<_> = self.settings.iter().map(|setting| setting.description()).collect();
        let mut keys: Vec<&'static str> = Vec::new();
        for (key, _) in descriptions.iter().flatten() {
            if !keys.contains(key) {
                keys.push(key);
            }
        }
        let value = |description: &Vec<(&'static str, String)>, key: &str| {
            description.iter().find(|(other, _)| *other == key).map(|(_, value)| value.clone())
        };
        let swept = |key: &'static str| SweptKey {
            key,
            values: descriptions.iter().map(|description| value(description, key)).collect(),
        };
        let differs = |swept: &SweptKey| swept.values.iter().any(|value| *value != swept.values[0]);
        keys.into_iter().map(swept).filter(differs).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn a_key_is_swept_if_settings_differ_in_it() {
        let spec = "experiment: two
dataset:
  source: bank-marketing
  interest: { column: deposit, positive: \"yes\" }
  loyalty: { column: housing, positive: \"yes\" }
features: { numeric: [standardize, raw] }
sampling: [{ scheme: pools, loyal: 0.4, unlabeled: [0.3, 0.05, 0.1] }, { scheme: censoring }]
seeds: 1
methods: [random]
";
        let swept = crate::spec::parse("spec.yaml", spec, Path::new("."), &[]).unwrap().swept_keys();
        let of = |key: &str| swept.iter().find(|swept| swept.key == key).unwrap();
        assert_eq!(of("numeric").levels(), ["standardize", "raw"]);
        assert_eq!(of("scheme").levels(), ["pools", "censoring"]);
        assert!(!swept.iter().any(|swept| ["dataset", "categorical", "test"].contains(&swept.key)));
        assert!(of("interest").values.iter().any(Option::is_none), "a key of one scheme only");
        let numbers = SweptKey { key: "unlabeled", values: ["0.3", "0.05", "0.1"].map(|x| Some(x.into())).to_vec() };
        assert!(numbers.is_numeric() && !of("scheme").is_numeric());
        assert_eq!(numbers.levels(), ["0.05", "0.1", "0.3"]);
    }
}
