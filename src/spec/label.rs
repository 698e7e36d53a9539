//! Short labels for things described by keys and values: only the differences.

use std::collections::{BTreeMap, BTreeSet};

/// For each description, the `key=value` pairs whose values differ between the descriptions with that key. If the
/// labels are not distinct, also the pairs whose key some descriptions lack.
pub fn differences(descriptions: &[Vec<(&'static str, String)>]) -> Vec<String> {
    let mut values: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (key, value) in descriptions.iter().flatten() {
        values.entry(key).or_default().insert(value);
        *counts.entry(key).or_default() += 1;
    }
    let labels = |is_shown: &dyn Fn(&str) -> bool| -> Vec<String> {
        let label = |description: &Vec<(&str, String)>| {
            let pairs =
                description.iter().filter(|(key, _)| is_shown(key)).map(|(key, value)| format!("{key}={value}"));
            pairs.collect::<Vec<_>>().join(" ")
        };
        descriptions.iter().map(label).collect()
    };
    let differs = |key: &str| values[key].len() > 1;
    let short = labels(&differs);
    let distinct: BTreeSet<&String> = short.iter().collect();
    if distinct.len() == descriptions.len() {
        return short;
    }
    labels(&|key| differs(key) || counts[key] < descriptions.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_only_what_differs() {
        let of = |ridge: &str, costs: &str| vec![("ridge", ridge.to_string()), ("costs", costs.to_string())];
        assert_eq!(differences(&[of("1", "1:1"), of("1", "1:100")]), ["costs=1:1", "costs=1:100"]);
        assert_eq!(differences(&[of("1", "1:1")]), [""]);
        let other = vec![("ridge", "1".to_string())];
        assert_eq!(differences(&[of("1", "1:1"), other.clone()]), ["costs=1:1", ""]);
        assert_eq!(differences(&[of("2", "1:1"), other]), ["ridge=2", "ridge=1"]);
    }
}
