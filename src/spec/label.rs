//! Short labels: of several things described by keys and values, say only what differs.

/// For each description, the `key=value` pairs whose values are not the same in all of them.
pub fn differences(descriptions: &[Vec<(&'static str, String)>]) -> Vec<String> {
    let value = |description: &[(&str, String)], key: &str| {
        description.iter().find(|(name, _)| *name == key).map(|(_, value)| value.clone())
    };
    let differs = |key: &str| {
        let mut values = descriptions.iter().map(|description| value(description, key));
        let first = values.next();
        values.any(|value| Some(value) != first)
    };
    descriptions
        .iter()
        .map(|description| {
            let pairs = description.iter().filter(|(key, _)| differs(key)).map(|(key, value)| format!("{key}={value}"));
            pairs.collect::<Vec<_>>().join(" ")
        })
        .collect()
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
        assert_eq!(differences(&[of("1", "1:1"), other]), ["costs=1:1", ""]);
    }
}
