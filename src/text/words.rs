//! Words in messages: suggestions, quoting, and text that is safe to print.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// The candidate most similar to a misspelt word, if any is similar enough.
pub fn nearest<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let similarity = |candidate: &str| strsim::jaro_winkler(word, candidate);
    candidates
        .iter()
        .copied()
        .max_by(|a, b| similarity(a).total_cmp(&similarity(b)))
        .filter(|candidate| similarity(candidate) > 0.75)
}

/// Quoted so that a shell reads it as one word.
pub fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_string();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// A text for a message: at most about 1000 characters, and without control characters, which a terminal would execute.
///
/// A quoted text may come from an untrusted file.
pub fn presentable(text: &str) -> String {
    const MOST: usize = 1000;
    let shown = |c: char| if c.is_control() && c != '\n' { '\u{fffd}' } else { c };
    let count = text.chars().count();
    if count <= MOST {
        return text.chars().map(shown).collect();
    }
    let ends = text.chars().take(MOST / 2).chain(" ... ".chars()).chain(text.chars().skip(count - MOST / 2));
    ends.map(shown).collect()
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
    use super::presentable;

    #[test]
    fn messages_neither_go_on_for_ever_nor_command_the_terminal() {
        assert_eq!(presentable("größer\n\u{1b}[31m\0"), "größer\n\u{fffd}[31m\u{fffd}");
        let long = presentable(&format!("a{}z", "ß".repeat(100_000)));
        assert_eq!(long.chars().count(), 1005);
        assert!(long.starts_with("aß") && long.contains("ß ... ß") && long.ends_with("ßz"));
    }
}
