//! Short labels: of several things described by keys and values, say only what differs.

use std::collections::{BTreeMap, BTreeSet};

/// For each description, the `key=value` pairs whose values are not the same in all that have the key; if that does not
/// tell all of them apart, also those that not all have.
pub fn differences(descriptions: &[Vec<(&'static str, String)>]) -> Vec<String> {
    let mut values: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (key, value) in descriptions.iter().flatten() {
        values.entry(key).or_default().insert(value);
        *counts.entry(key).or_default() += 1;
    }
    let labels = |says: &dyn Fn(&str) -> bool| -> Vec<String> {
        let label = |description: &Vec<(&str, String)>| {
            let pairs = description.iter().filter(|(key, _)| says(key)).map(|(key, value)| format!("{key}={value}"));
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
