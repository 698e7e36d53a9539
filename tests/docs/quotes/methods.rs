//! Every method on the same data, where loyalty is rare and where it is frequent.

use super::{FINDINGS, HOUSING, Quote, README, at_most, claim, fixed, least, most, quote, word};
use crate::reference::{Row, having, mean, mean_auc, only, rows};

const POUTCOME: &str = "Z=poutcome=success";
const POOLS: &str = "scheme=pools unlabeled=0.1";
const CENSORING: &str = "scheme=censoring unlabeled=all";
/// The methods that ignore D_L.
const IGNORANT: [&str; 5] = ["naive_pu", "naive_nnpu", "alpha_pu", "biased_pn", "bagging_pu"];

/// The mean difference between double PU learning and another method of `bank-methods`.
fn lead(setting: &str, other: &str) -> f64 {
    let auc = |method| mean_auc("bank-methods", setting, method);
    auc("double_pu correction=none ridge=0.01") - auc(other)
}

pub fn methods() -> Vec<Quote> {
    let compared = |setting: &str| having(rows("bank-methods/comparisons.md"), &[("setting", setting)]);
    let other = |row: &Row| row["double_pu correction=none ridge=0.01 against"].clone();
    let has_no_labels = |row: &Row| !other(row).starts_with("oracle") && other(row) != "random";
    let peers = having(compared(POOLS), &[]).into_iter().filter(has_no_labels).collect::<Vec<_>>();
    let unbiased = ["naive_pu", "naive_nnpu", "alpha_pu", "set_difference_pu"];
    let behind = ["biased_pn", "two_stage", "bagging_pu", "elkan_noto"];
    let ahead = |names: &[&str]| {
        let verdict =
            |name: &&str| compared(CENSORING).iter().any(|row| other(row) == **name && row["verdict"] == "ahead");
        names.iter().all(verdict)
    };
    let leads = || behind.map(|name| lead(CENSORING, name));
    let tuned = "double_pu correction=none ridge=tuned";
    let crowd =
        only(rows("bank-marketing/cells.csv"), &[("method", "biased_pn"), ("seed", "1")])["rows_unlabeled"].clone();

    let tuning_costs = [
        lead(POOLS, tuned),
        mean_auc("bank-loyalty", POUTCOME, "double_pu ridge=0.01")
            - mean_auc("bank-loyalty", POUTCOME, "double_pu ridge=tuned"),
        mean_auc("bank-loyalty", HOUSING, "double_pu ridge=0.01")
            - mean_auc("bank-loyalty", HOUSING, "double_pu ridge=tuned"),
    ];
    let gain = compared(CENSORING).into_iter().find(|row| other(row) == tuned).unwrap();
    let seeds = gain["ahead, level, behind"].strip_prefix("0, 0, ").expect("a gain in each seed").to_string();
    vec![
        quote(
            FINDINGS,
            "is within {} of double PU learning in mean AUC, with the verdict `cannot tell`",
            [at_most(most(peers.iter().map(|row| lead(POOLS, &other(row)).abs())), 3)],
        ),
        claim(FINDINGS, "with the verdict `cannot tell`", peers.iter().all(|row| row["verdict"] == "cannot tell")),
        quote(
            FINDINGS,
            "with and without D_L, agree to {} and are ahead",
            [fixed(most(unbiased.iter().map(|name| lead(CENSORING, name).abs())), 4)],
        ),
        quote(
            FINDINGS,
            "`biased_pn`, `two_stage`, `bagging_pu` and `elkan_noto` by {} to {}",
            [fixed(least(leads()), 3), fixed(most(leads()), 3)],
        ),
        claim(FINDINGS, "are ahead of `biased_pn`", ahead(&behind)),
        quote(
            FINDINGS,
            "true labels for the {} people of D_U are worth {}",
            [crowd, fixed(-lead(POOLS, "oracle_logistic_matched"), 3)],
        ),
        quote(
            FINDINGS,
            "costs {} to {} in mean AUC against the fixed 0.01",
            [fixed(least(tuning_costs), 3), fixed(most(tuning_costs), 3)],
        ),
        quote(
            FINDINGS,
            "it gains {} on average, and something in each of the {} seeds",
            [fixed(-lead(CENSORING, tuned), 3), seeds],
        ),
        quote(
            FINDINGS,
            "above the logistic oracle ({} against {})",
            [
                fixed(mean_auc("bank-methods", CENSORING, tuned), 4),
                fixed(mean_auc("bank-methods", CENSORING, "oracle_logistic"), 4),
            ],
        ),
    ]
}

pub fn loyalty() -> Vec<Quote> {
    let double = "double_pu ridge=0.01";
    let lead = |setting, other| mean_auc("bank-loyalty", setting, double) - mean_auc("bank-loyalty", setting, other);
    let comparisons = rows("bank-loyalty/comparisons.md");
    let all = || comparisons.len().to_string();
    let leads = || [POUTCOME, HOUSING].into_iter().flat_map(|setting| IGNORANT.map(|other| lead(setting, other)));
    let ahead = |setting: &str| {
        let wanted = [("setting", setting), ("verdict", "ahead")];
        let rows = having(comparisons.clone(), &wanted);
        word(rows.iter().filter(|row| IGNORANT.contains(&&*row["double_pu ridge=0.01 against"])).count())
    };
    let given = |setting, method| mean("bank-loyalty", setting, method, "roc_auc_given_interest");
    let pair = |method| [fixed(given(POUTCOME, method), 2), fixed(given(HOUSING, method), 2)];
    let ignorant = || [POUTCOME, HOUSING].into_iter().flat_map(|setting| IGNORANT.map(|method| given(setting, method)));
    let higher = |metric| {
        let value = |setting, method| mean("bank-loyalty", setting, method, metric);
        [POUTCOME, HOUSING].iter().all(|setting| value(setting, "biased_pn_loyal") > value(setting, double))
    };
    let seeds = only(rows("bank-loyalty/summary.md"), &[("setting", HOUSING), ("method", "random")])["seeds"].clone();
    let range = || [fixed(least(leads()), 2), fixed(most(leads()), 2)];
    vec![
        quote(README, "than every method that ignores D_L, by {} to {}", range()),
        claim(README, "`two_stage` is ahead for one of two Z", lead(HOUSING, "two_stage ridge=0.01") < 0.0),
        quote(FINDINGS, "than every method that ignores D_L, by {} to {}", range()),
        quote(
            FINDINGS,
            "for {} comparisons, that is more than chance against {} of the {} such methods with Z = poutcome and against {} with Z = housing",
            [all(), ahead(POUTCOME), word(IGNORANT.len()), ahead(HOUSING)],
        ),
        quote(FINDINGS, "| `biased_pn_loyal`, trained to rank loyal buyers last | {} | {} |", pair("biased_pn_loyal")),
        quote(FINDINGS, "| `oracle_logistic` | {} | {} |", pair("oracle_logistic")),
        quote(FINDINGS, "| `two_stage` | {} | {} |", pair("two_stage ridge=0.01")),
        quote(FINDINGS, "| `double_pu` | {} | {} |", pair(double)),
        quote(
            FINDINGS,
            "Methods that ignore D_L get between {} and {}",
            [fixed(least(ignorant()), 2), fixed(most(ignorant()), 2)],
        ),
        quote(
            FINDINGS,
            "behind it in AUC of W by {} for one Z and ahead by {} for the other",
            [fixed(lead(POUTCOME, "two_stage ridge=0.01"), 3), fixed(-lead(HOUSING, "two_stage ridge=0.01"), 3)],
        ),
        claim(
            FINDINGS,
            "is lower in AUC but higher in average precision and lift at 10% for both",
            higher("average_precision") && higher("lift_at_10") && !higher("roc_auc"),
        ),
        quote(FINDINGS, "every other method, over {} splits", [seeds]),
        quote(FINDINGS, "p and verdict allow for all {} comparisons", [all()]),
    ]
}
