//! How the samples are drawn.

use crate::sample::{Censoring, Loyal, LoyaltyBase, Pools, Scheme, Unlabeled};
use crate::spec::check::{room, share, unfold, values};
use crate::spec::decode::{Located, Sweep};
use crate::spec::written::{self, LoyalChoice, SchemeName, UnlabeledChoice};
use crate::spec::yaml::{Place, Wrong};

pub fn schemes(written: &written::Sampling, brings_test: bool) -> Result<Vec<Scheme>, Wrong> {
    let tests = match (&written.test, brings_test) {
        (Some(Sweep(tests)), true) => {
            let remedy = "remove `test`: the test part is a second draw of the same groups";
            return Err(tests[0].place.wrong("a simulation draws its own test part", remedy));
        }
        (_, true) => vec![None],
        (test, false) => unfold(test, Some(0.2), |test| share(test, "test", true).map(Some))?,
    };
    let stratify = values(&written.stratify, false);
    match written.scheme.value {
        SchemeName::Pools => pools(written, &tests, &stratify),
        SchemeName::Censoring => censoring(written, &tests, &stratify),
    }
}

/// Keys of the other scheme are mistakes, not noise.
fn refuse(keys: &[(&str, Option<Place>)], scheme: &str) -> Result<(), Wrong> {
    match keys.iter().find_map(|(key, place)| place.map(|place| (key, place))) {
        None => Ok(()),
        Some((key, place)) => {
            let other = if scheme == "pools" { "censoring" } else { "pools" };
            let problem = format!("`{key}` does not belong to the scheme {scheme}");
            Err(place.wrong(problem, format!("remove it, or set `scheme: {other}`")))
        }
    }
}

fn place_of<T>(option: &Option<Sweep<T>>) -> Option<Place> {
    option.as_ref().and_then(|Sweep(values)| values.first()).map(|value| value.place)
}

fn pools(written: &written::Sampling, tests: &[Option<f64>], stratify: &[bool]) -> Result<Vec<Scheme>, Wrong> {
    refuse(
        &[
            ("hide_interest", place_of(&written.hide_interest)),
            ("hide_loyalty", place_of(&written.hide_loyalty)),
            ("hide_loyalty_among", place_of(&written.hide_loyalty_among)),
        ],
        "pools",
    )?;
    let unlabeled = unfold(&written.unlabeled, 0.1, |choice| match choice.value {
        UnlabeledChoice::Share(value) => share(&Located { value, place: choice.place }, "unlabeled", true),
        UnlabeledChoice::Rows(_) => {
            Err(choice.place.wrong("for pools, `unlabeled` is a share", "give a share above 0 and below 1"))
        }
    })?;
    let interest = unfold(&written.interest, 0.1, |value| share(value, "interest", true))?;
    let loyal = unfold(&written.loyal, Loyal::Pool(0.8), |choice| match choice.value {
        LoyalChoice::Share(value) => share(&Located { value, place: choice.place }, "loyal", true).map(Loyal::Pool),
        LoyalChoice::WithinInterest => Ok(Loyal::WithinInterest),
    })?;
    let mut schemes = Vec::new();
    for &test in tests {
        for &interest in &interest {
            for &unlabeled in &unlabeled {
                for &loyal in &loyal {
                    let pool = if let Loyal::Pool(share) = loyal { share } else { 0.0 };
                    let sum = interest + unlabeled + pool;
                    if sum > 1.0 + 1e-9 {
                        let problem = format!("the pools take {sum} of the training part");
                        let remedy = "let `interest`, `unlabeled` and `loyal` add up to 1 at the most";
                        return Err(written.scheme.place.wrong(problem, remedy));
                    }
                    for &stratify in stratify {
                        room(schemes.len(), "settings", written.scheme.place)?;
                        schemes.push(Scheme::Pools(Pools { test, interest, unlabeled, loyal, stratify }));
                    }
                }
            }
        }
    }
    Ok(schemes)
}

fn censoring(written: &written::Sampling, tests: &[Option<f64>], stratify: &[bool]) -> Result<Vec<Scheme>, Wrong> {
    refuse(&[("interest", place_of(&written.interest)), ("loyal", place_of(&written.loyal))], "censoring")?;
    let unlabeled = unfold(&written.unlabeled, Unlabeled::All, |choice| match choice.value {
        UnlabeledChoice::Rows(rows) => Ok(rows),
        UnlabeledChoice::Share(_) => {
            Err(choice.place.wrong("for censoring, `unlabeled` is a kind of rows", "write `all` or `remaining`"))
        }
    })?;
    let hide_interest = unfold(&written.hide_interest, 0.3, |value| share(value, "hide_interest", false))?;
    let hide_loyalty = unfold(&written.hide_loyalty, 0.5, |value| share(value, "hide_loyalty", false))?;
    let mut schemes = Vec::new();
    for &test in tests {
        for &hide_interest in &hide_interest {
            for &hide_loyalty in &hide_loyalty {
                for hide_loyalty_among in values(&written.hide_loyalty_among, LoyaltyBase::Kept) {
                    for &unlabeled in &unlabeled {
                        for &stratify in stratify {
                            let censoring = Censoring {
                                test,
                                hide_interest,
                                hide_loyalty,
                                hide_loyalty_among,
                                unlabeled,
                                stratify,
                            };
                            room(schemes.len(), "settings", written.scheme.place)?;
                            schemes.push(Scheme::Censoring(censoring));
                        }
                    }
                }
            }
        }
    }
    Ok(schemes)
}
