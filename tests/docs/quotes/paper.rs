//! The paper's experiment and its readings.

use super::{FINDINGS, Quote, README, claim, fixed, grouped, least, most, quote, word};
use crate::reference::{Row, having, mean_auc, number, only, rows};
use crate::text;
use std::collections::BTreeSet;

pub fn paper() -> Vec<Quote> {
    let cells = rows("bank-marketing/cells.csv");
    let seeds = cells.iter().map(|cell| &cell["seed"]).collect::<BTreeSet<_>>().len().to_string();
    let verdict = only(rows("bank-marketing/paper.md"), &[]);
    let printed = || verdict["paper"].clone();
    let below = verdict["seeds below"].split(' ').next().unwrap().to_string();
    let auc = |method| fixed(mean_auc("bank-marketing", "", method), 2);

    // Of the fits at the paper's costs.
    let costly: Vec<&Row> = cells.iter().filter(|cell| cell["options"].contains("costs=1:100")).collect();
    let apart = costly.iter().filter(|cell| {
        let (lowest, highest) = (number(cell, "lowest_objective"), number(cell, "highest_objective"));
        highest - lowest > 1e-6 * lowest.abs()
    });
    assert!(costly.iter().all(|cell| cell["convex"] == "no"));

    let mean_of = |column: &str| {
        let values: Vec<f64> =
            cells.iter().filter(|cell| !cell[column].is_empty()).map(|cell| number(cell, column)).collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    let (buyers, unlabelled, loyal) = (mean_of("rows_interest"), mean_of("rows_unlabeled"), mean_of("rows_loyal"));
    let about = |count: f64| format!("{}", (count / 10.0).round() * 10.0);

    let people: Vec<Row> = csv::Reader::from_reader(text("datasets/bank-marketing/bank.csv").as_bytes())
        .deserialize()
        .map(Result::unwrap)
        .collect();
    let is_loyal = |person: &&Row| person["deposit"] == "yes" && person["default"] == "yes";
    let loyal_people = people.iter().filter(is_loyal).count();
    let potential = people.iter().filter(|person| person["deposit"] == "yes").count() - loyal_people;
    let count = || [loyal_people.to_string(), grouped(people.len())];
    let prior = |column: &str| {
        cells.iter().find_map(|cell| Some(cell[column].clone()).filter(|text| !text.is_empty())).unwrap()
    };

    vec![
        quote(README, "a ROC-AUC of {} on the Kaggle bank-marketing file", [printed()]),
        quote(README, "the same experiment over {} splits", [seeds.clone()]),
        quote(README, "the seeds below {}, for the row", [printed()]),
        quote(README, "only {} of {} people are interested and loyal", count()),
        quote(FINDINGS, "a ROC-AUC of {} on the Kaggle bank-marketing file", [printed()]),
        quote(FINDINGS, "the same experiment over {} splits", [seeds.clone()]),
        quote(FINDINGS, "the paper's beta of {} and gamma of {}", [prior("beta"), prior("gamma")]),
        quote(FINDINGS, "AUC is below {}, for the row", [printed()]),
        quote(FINDINGS, "on this file it cannot exceed {}", [fixed(people.len() as f64 / potential as f64, 2)]),
        quote(FINDINGS, "only {} of {} people are both interested and in default", count()),
        quote(FINDINGS, "(the paper's gamma of {})", [prior("gamma")]),
        quote(
            FINDINGS,
            "gets {} at equal costs and {} at the paper's costs, or {} if the ridge grows",
            [
                auc("double_pu costs=1:1 ridge=0.01"),
                auc("double_pu costs=1:100 ridge=0.01"),
                auc("double_pu costs=1:100 ridge=1"),
            ],
        ),
        quote(
            FINDINGS,
            "In {} of the {} fits at these costs, {} starts",
            [apart.count().to_string(), costly.len().to_string(), word(costly[0]["starts"].parse().unwrap())],
        ),
        quote(
            FINDINGS,
            "the verdict is `not reproduced`: {} is outside the middle 95% of the seeds, though {} of the {} splits is lower",
            [printed(), below, seeds],
        ),
        claim(FINDINGS, "the verdict is `not reproduced`", verdict["verdict"] == "not reproduced"),
        quote(FINDINGS, "the true W of all {} training rows", [grouped(mean_of("rows_train") as usize)]),
        quote(
            FINDINGS,
            "about {} buyers, {} unlabelled people and {} loyal buyers",
            [about(buyers), fixed(unlabelled, 0), fixed(loyal, 0)],
        ),
        quote(FINDINGS, "a fifth of about {} buyers", [about(buyers)]),
    ]
}

pub fn readings() -> Vec<Quote> {
    let readings = rows("bank-marketing-readings/paper.csv");
    let all = readings.len().to_string();
    let with = |verdict| having(readings.clone(), &[("verdict", verdict)]);
    let (compatible, not) = (with("compatible"), with("not reproduced"));
    assert_eq!(compatible.len() + not.len(), readings.len());
    let percentiles = || compatible.iter().map(|row| number(row, "percentile"));
    let in_half = readings.iter().filter(|row| {
        (number(row, "lower_quartile")..=number(row, "upper_quartile")).contains(&number(row, "printed"))
    });
    let cells = rows("bank-marketing-readings/cells.csv");
    let unfinished = cells.iter().filter(|cell| cell["ending"] != "converged").count();
    let printed = || readings[0]["printed"].clone();
    vec![
        quote(
            README,
            "{} is not what a typical split gives under any of {} readings of what the paper leaves open: it is compatible with {} and not reproduced with {} ",
            [printed(), all.clone(), compatible.len().to_string(), not.len().to_string()],
        ),
        quote(FINDINGS, "{} is not what a typical split gives, under any of {} readings", [printed(), all.clone()]),
        quote(FINDINGS, "This command tries {} readings", [all]),
        quote(
            FINDINGS,
            "{} of its {} fits stop before they have converged",
            [unfinished.to_string(), grouped(cells.len())],
        ),
        quote(
            FINDINGS,
            "With {} of the readings {} is `compatible`, at percentile {} to {} of the seeds; with {} it is `not reproduced`; with {} it is in the middle half",
            [
                compatible.len().to_string(),
                printed(),
                fixed(least(percentiles()), 0),
                fixed(most(percentiles()), 0),
                not.len().to_string(),
                word(in_half.count()),
            ],
        ),
    ]
}
