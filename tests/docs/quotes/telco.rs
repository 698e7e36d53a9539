//! The second file, on which loyalty is frequent.

use super::{FINDINGS, Quote, README, claim, fixed, grouped, quote};
use crate::reference::{having, mean, mean_auc, only, rows};
use doublepu::data::TELCO;
use std::collections::BTreeMap;

fn difference(other: &str) -> BTreeMap<String, String> {
    only(rows("telco/comparisons.md"), &[("double_pu against", other)])
}

pub fn telco() -> Vec<Quote> {
    let bytes = TELCO.bytes().unwrap();
    let people: Vec<BTreeMap<String, String>> =
        csv::Reader::from_reader(&*bytes).deserialize().map(Result::unwrap).collect();
    let interested = || people.iter().filter(|person| person["streaming_tv"] == "Yes");
    let loyal = interested().filter(|person| person["contract"] != "Month-to-month").count();
    let lead = |other: &str| mean_auc("telco", "", "double_pu") - mean_auc("telco", "", other);
    let given = |label: &str| fixed(mean("telco", "", label, "roc_auc_given_interest"), 2);
    let is = |other: &str, verdict: &str| difference(other)["verdict"] == verdict;
    let seeds = only(rows("telco/summary.md"), &[("method", "random")])["seeds"].clone();
    let in_each = |other: &str| difference(other)["ahead, level, behind"] == format!("{seeds}, 0, 0");
    let (two_stage, biased) = (fixed(-lead("two_stage"), 3), fixed(-lead("biased_pn_loyal"), 3));
    assert_eq!(having(rows("telco/comparisons.md"), &[]).len(), 8);
    vec![
        quote(FINDINGS, "has {} customers of a fictional telephone company", [grouped(people.len())]),
        quote(FINDINGS, "{} of the {} interested people are loyal", [grouped(loyal), grouped(interested().count())]),
        quote(
            FINDINGS,
            "that ignore D_L by {} (`naive_pu`) and {} (`biased_pn`), in each of {} splits",
            [fixed(lead("naive_pu"), 3), fixed(lead("biased_pn"), 3), seeds.clone()],
        ),
        claim(
            FINDINGS,
            "Double PU learning is ahead of the methods that ignore D_L",
            in_each("naive_pu") && in_each("biased_pn"),
        ),
        quote(
            FINDINGS,
            "they get {} and {}, where chance has one half and double PU learning {}",
            [given("naive_pu"), given("biased_pn"), given("double_pu")],
        ),
        quote(FINDINGS, "are both ahead of it by {}, more than chance", [two_stage.clone()]),
        claim(FINDINGS, "are both ahead of it by", two_stage == biased),
        claim(
            FINDINGS,
            "more than chance would give, and the logistic",
            is("two_stage", "behind") && is("biased_pn_loyal", "behind"),
        ),
        quote(FINDINGS, "and the logistic oracle by {}", [fixed(-lead("oracle_logistic"), 3)]),
        quote(
            README,
            "ignoring loyalty costs {} to {} on a second file",
            [fixed(lead("biased_pn"), 2), fixed(lead("naive_pu"), 2)],
        ),
        quote(README, "are ahead of double PU learning by {}", [fixed(-lead("biased_pn_loyal"), 2)]),
        claim(
            README,
            "are ahead of double PU learning by",
            fixed(-lead("two_stage"), 2) == fixed(-lead("biased_pn_loyal"), 2),
        ),
    ]
}
