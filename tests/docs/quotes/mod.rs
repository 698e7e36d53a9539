//! Numbers in the prose of README and findings: each is computed again from `results/reference`.

mod conditions;
mod methods;
mod paper;
mod telco;

use crate::text;

const README: &str = "README.md";
const FINDINGS: &str = "docs/findings.md";

/// A phrase of a page, with `{}` for each number.
struct Quote {
    page: &'static str,
    phrase: &'static str,
    numbers: Vec<String>,
}

fn quote<const N: usize>(page: &'static str, phrase: &'static str, numbers: [String; N]) -> Quote {
    assert!(phrase.matches('`').count().is_multiple_of(2), "the phrase ends within code: {phrase}");
    Quote { page, phrase, numbers: numbers.to_vec() }
}

/// A phrase that has no number of its own and must be true.
fn claim(page: &'static str, phrase: &'static str, holds: bool) -> Quote {
    assert!(holds, "{page} says what the reference results do not: {phrase}");
    quote(page, phrase, [])
}

impl Quote {
    fn filled(&self) -> String {
        let parts: Vec<&str> = self.phrase.split("{}").collect();
        assert_eq!(parts.len(), self.numbers.len() + 1, "{}", self.phrase);
        let ends = self.numbers.iter().map(String::as_str).chain([""]);
        parts.into_iter().zip(ends).map(|(part, number)| format!("{part}{number}")).collect()
    }
}

fn fixed(value: f64, digits: usize) -> String {
    format!("{value:.digits$}")
}

/// The least number of so many digits that is not below the value.
fn at_most(value: f64, digits: u32) -> String {
    let unit = f64::from(10_u32.pow(digits));
    fixed((value * unit).ceil() / unit, digits as usize)
}

/// 8930 as 8,930.
fn grouped(count: usize) -> String {
    if count < 1000 { count.to_string() } else { format!("{},{:03}", grouped(count / 1000), count % 1000) }
}

fn word(count: usize) -> String {
    ["none", "one", "two", "three", "four", "five", "six"][count].to_string()
}

fn least(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(f64::INFINITY, f64::min)
}

fn most(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(f64::NEG_INFINITY, f64::max)
}

/// A setting of `bank-loyalty`.
const HOUSING: &str = "Z=housing=yes";

/// What has digits and is no result: notation, options, names, and how long commands take.
const NOT_RESULTS: &[(&str, &[&str])] = &[
    (
        README,
        &[
            "= +1",
            "= -1",
            "1:100",
            "Rust 1.95",
            "Figure 5",
            "off by 20%",
            "with 0 if",
            "with 10 for",
            "with 11 if",
            "with 13 if",
            "CC BY 4.0",
            "or Apache-2.0",
        ],
    ),
    (
        FINDINGS,
        &[
            "= +1",
            "= -1",
            "Y=+1",
            "1:100",
            "-99 beta l(-g)",
            "middle 90%",
            "middle 95%",
            "Lift at 10%",
            "lift at 10%",
            "off by 20%",
            "gives 0.25",
            "fixed 0.01",
            "intervals that include 0:",
            "because 0.01 is too large",
            "stays at 0.01",
            "a ridge of 0.01",
            "a difference of 0.01",
            "(2017)",
            "Figure 5",
            "of seed 1",
            "exit code 4",
            "0.5 to 1.5 times",
            "| 1 second |",
            "| 2 seconds |",
            "| 10 seconds |",
            "| 30 seconds |",
            "| 90 seconds |",
            "| 4 minutes |",
        ],
    ),
];

/// A page without what other tests look at: blocks of code, marked tables, figures, and where links lead.
fn prose(page: &str) -> String {
    let (mut kept, mut in_block, mut in_marked_table) = (String::new(), false, false);
    for line in text(page).lines() {
        let is_fence = line.starts_with("```");
        in_block ^= is_fence;
        in_marked_table = line.starts_with("<!-- table:") || (in_marked_table && line.starts_with('|'));
        if !is_fence && !in_block && !in_marked_table && !line.starts_with("![") {
            kept += &format!("{line} ");
        }
    }
    let mut parts = kept.split("](");
    let first = parts.next().unwrap_or_default().to_string();
    let text = parts.fold(first, |text, part| text + "]" + part.split_once(')').expect("the end of a link").1);
    text.replace("**", "").split_whitespace().collect::<Vec<_>>().join(" ") + " "
}

/// The sentence around the first digit.
fn around_a_digit(prose: &str) -> Option<String> {
    let position = prose.chars().position(|c| c.is_ascii_digit())?;
    Some(prose.chars().skip(position.saturating_sub(60)).take(120).collect())
}

/// Outside of `code`.
fn without_code(prose: &str) -> String {
    prose.split('`').step_by(2).collect::<Vec<_>>().join("`")
}

#[test]
fn every_number_in_the_prose_is_that_of_the_reference_results() {
    let quotes = [
        paper::paper(),
        paper::readings(),
        methods::methods(),
        methods::loyalty(),
        telco::telco(),
        conditions::corrections(),
        conditions::priors(),
        conditions::crowd(),
        conditions::simulation(),
        conditions::no_minimum(),
    ];
    let quotes: Vec<Quote> = quotes.into_iter().flatten().collect();
    for (page, others) in NOT_RESULTS {
        let whole = prose(page);
        let mut rest = whole.clone();
        for quote in quotes.iter().filter(|quote| quote.page == *page) {
            let filled = quote.filled();
            assert!(whole.contains(&filled), "{page} should say: {filled}");
            rest = rest.replace(&filled, " ");
        }
        for other in *others {
            assert!(whole.contains(other), "{page} no longer says: {other}");
            rest = rest.replace(other, " ");
        }
        if let Some(sentence) = around_a_digit(&without_code(&rest)) {
            panic!("no test knows this number of {page}; add it to the quotes: ...{sentence}...");
        }
    }
}
