//! Words in messages: suggestions, quoting, counts.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// The candidate most similar to a misspelt word, if any is similar enough.
pub fn nearest<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    // One slip of the keyboard is similar enough, even in a word so short that a third of it differs.
    let is_slip = |candidate: &str| word.chars().count() > 1 && strsim::osa_distance(word, candidate) == 1;
    let similarity = |candidate: &str| {
        let similarity = strsim::jaro_winkler(word, candidate);
        if is_slip(candidate) { similarity.max(0.76) } else { similarity }
    };
    candidates
        .iter()
        .copied()
        .max_by(|a, b| similarity(a).total_cmp(&similarity(b)))
        .filter(|candidate| similarity(candidate) > 0.75)
}

/// The text that differs from the wanted one only in case, in blanks around it, or in how a number is written: YAML reads
/// `1.50` and `True` without quotes as a number and a truth value.
pub fn alike<'a>(wanted: &str, mut texts: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    texts.find(|text| {
        let is_same_number = number(wanted).is_some() && number(wanted) == number(text);
        text.trim().eq_ignore_ascii_case(wanted.trim()) || is_same_number
    })
}

/// Quoted so that a shell reads it as one word.
pub fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_string();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// The same text for the rest of the process. Only names in a spec are interned, so they are few.
pub fn interned(text: &str) -> &'static str {
    static TEXTS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = texts.get(text) {
        return known;
    }
    let new: &'static str = Box::leak(text.into());
    texts.insert(new);
    new
}

/// A count with its noun: "1 seed", "3 seeds".
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::{alike, nearest};

    #[test]
    fn what_yaml_reads_as_something_else_is_found_as_the_file_has_it() {
        let texts = ["False", "True", "1.50", "007", " yes"];
        for (wanted, found) in [("true", "True"), ("1.5", "1.50"), ("7", "007"), ("yes", " yes")] {
            assert_eq!(alike(wanted, texts.into_iter()), Some(found));
        }
        assert_eq!(alike("no", texts.into_iter()), None);
    }

    #[test]
    fn a_misspelt_word_has_a_suggestion_and_another_word_has_none() {
        let verbs = ["run", "plan", "validate", "report", "merge", "check", "verify", "data"];
        for (word, meant) in [
            ("rnu", "run"),
            ("rn", "run"),
            ("urn", "run"),
            ("rum", "run"),
            ("paln", "plan"),
            ("chekc", "check"),
            ("verfy", "verify"),
            ("valdiate", "validate"),
        ] {
            assert_eq!(nearest(word, &verbs), Some(meant), "{word}");
        }
        for word in ["x", "fit", "predict", "score", ""] {
            assert_eq!(nearest(word, &verbs), None, "{word}");
        }
    }
}
