//! The names of plot files: what distinguishes them, in characters that every file system has.

use std::collections::BTreeMap;

const LONGEST: usize = 60;

/// A text as a part of a file name.
pub fn slug(text: &str) -> String {
    let is_kept = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let parts: Vec<&str> = text.split(|c| !is_kept(c)).filter(|part| !part.is_empty()).collect();
    let whole = parts.join("-");
    whole.chars().take(LONGEST).collect::<String>().trim_matches(['-', '.']).to_string()
}

/// A slug for each label. Those that would be empty, cut off, or the same on a file system without upper case, end on their
/// number.
pub fn slugs<'a>(labels: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let labels: Vec<&str> = labels.into_iter().collect();
    let slugs: Vec<String> = labels.iter().map(|label| slug(label)).collect();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    slugs.iter().for_each(|slug| *counts.entry(slug.to_lowercase()).or_default() += 1);
    let numbered = |(index, slug): (usize, &String)| {
        let is_cut = slug.len() + 1 >= LONGEST;
        let is_unique = counts[&slug.to_lowercase()] == 1 && !slug.is_empty() && !is_cut;
        if is_unique { slug.clone() } else { format!("{slug}-{}", index + 1).trim_matches('-').to_string() }
    };
    slugs.iter().enumerate().map(numbered).collect()
}

/// What the names of several files of a kind end on; nothing if there is only one.
pub fn suffixes<'a>(labels: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let slugs = slugs(labels);
    if slugs.len() == 1 { vec![String::new()] } else { slugs.iter().map(|slug| format!("_{slug}")).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_say_what_they_show_and_differ() {
        assert_eq!(
            slugs(["Z=housing=yes unlabeled=0.1", "double_pu ridge=tuned"]),
            ["Z-housing-yes-unlabeled-0.1", "double_pu-ridge-tuned"]
        );
        assert_eq!(slugs(["größe=1", "größe-1", "日本"]), ["gr-e-1-1", "gr-e-1-2", "3"]);
        assert_eq!(slugs(["a", "A", "../x"]), ["a-1", "A-2", "x"]);
        let long = "k=v ".repeat(40);
        let names = slugs([&*format!("{long}1"), &*format!("{long}2")]);
        assert!(names[0] != names[1] && names.iter().all(|name| name.len() < 70), "{names:?}");
        assert_eq!(suffixes(["only"]), [""]);
        assert_eq!(suffixes(["a=1", "a=2"]), ["_a-1", "_a-2"]);
    }
}
