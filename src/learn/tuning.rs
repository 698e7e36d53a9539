//! Tuning: choosing options without true labels.
//!
//! Five-fold cross-validation: every candidate is fitted on four fifths of the observed samples and judged on the other
//! fifth, by its own signed risk with the zero-one loss in place of the surrogate. Folds hold out people and not rows:
//! a person in two samples is held out of both.

use crate::learn::{Failure, FailureKind, Observed, Prior, Sample, Scorer, Scores, Training};
use crate::math::matrix::Design;
use crate::math::risk::{Correction, Linear, Loss, SignedRisk, Term};
use rand::seq::SliceRandom;
use std::collections::{BTreeMap, BTreeSet};

const FOLDS: usize = 5;

/// The options of the candidates: a value that all share, or else all values that are tried.
pub fn texts(candidates: &[&dyn Scorer]) -> Vec<(&'static str, String)> {
    let all: Vec<_> = candidates.iter().map(|candidate| candidate.texts()).collect();
    let text = |(index, (key, _)): (usize, &(&'static str, String))| {
        let mut tried: Vec<&str> = Vec::new();
        for value in all.iter().filter_map(|options| options.get(index)).map(|(_, value)| value.as_str()) {
            if !tried.contains(&value) {
                tried.push(value);
            }
        }
        let value = if tried.len() == 1 { tried[0].to_string() } else { format!("tune({})", tried.join(", ")) };
        (*key, value)
    };
    all.first().map_or(Vec::new(), |first| first.iter().enumerate().map(text).collect())
}

/// Fits the candidate with the lowest cross-validated signed zero-one risk, the first of equals, and scores each design.
pub fn tune(candidates: &[&dyn Scorer], training: &Training, rows: &[&Design]) -> Result<Scores, Failure> {
    refuse_small_samples(candidates, training)?;
    let folds = folds(training);
    let mut best: Option<(f64, &dyn Scorer)> = None;
    let mut last_failure = None;
    for &candidate in candidates {
        match held_out_risk(candidate, training, &folds) {
            Ok(risk) if best.is_none_or(|(lowest, _)| risk < lowest) => best = Some((risk, candidate)),
            Ok(_) => {}
            Err(failure) => last_failure = Some(failure),
        }
    }
    let Some((risk, candidate)) = best else {
        let reason = last_failure.map_or(String::new(), |failure| failure.to_string());
        let reason = format!("no candidate could be judged; the last one: {reason}");
        return Err(Failure { kind: FailureKind::NoCandidate, reason });
    };
    let mut scored = candidate.fit_and_score(training, rows)?;
    scored.fit.tuned = Some(format!("{} (risk {risk:.4})", what_is_special(candidate, candidates)));
    Ok(scored)
}

fn refuse_small_samples(candidates: &[&dyn Scorer], training: &Training) -> Result<(), Failure> {
    let terms = judging_terms(candidates.first().copied(), training.observed, training.prior)?;
    let used = terms.iter().filter(|term| term.positive != 0.0 || term.negative != 0.0).map(|term| &term.rows);
    let Some(rows) = used.into_iter().find(|rows| rows.count() < 2 * FOLDS) else { return Ok(()) };
    let (sample, count) = (rows.sample, rows.count());
    let reason = format!("{sample} has {count} rows here, and tuning needs {} to hold some out", 2 * FOLDS);
    Err(Failure { kind: FailureKind::EmptySample, reason })
}

fn judging_terms<'a>(
    candidate: Option<&dyn Scorer>,
    seen: &'a Observed,
    prior: Option<Prior>,
) -> Result<Vec<Term<'a>>, Failure> {
    let unjudged = || Failure { kind: FailureKind::NoCandidate, reason: "no signed risk judges this method".into() };
    candidate.and_then(|candidate| candidate.terms_for_tuning(seen, prior)).unwrap_or_else(|| Err(unjudged()))
}

/// The options in which a candidate differs from the others.
fn what_is_special(candidate: &dyn Scorer, candidates: &[&dyn Scorer]) -> String {
    let options = candidate.texts().into_iter().zip(texts(candidates));
    let special = options.filter(|((_, value), (_, tried))| value != tried);
    special.map(|((key, value), _)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
}

/// The samples to fit to, and those held out.
struct Fold {
    fit: Observed,
    held_out: Observed,
}

fn folds(training: &Training) -> Vec<Fold> {
    let observed = training.observed;
    let samples = [&observed.loyal, &observed.interest, &observed.unlabeled];
    let mut random = training.stream("tuning");
    // Assign the smallest sample first, so that every fold gets its share of each sample.
    let mut fold_of: BTreeMap<usize, usize> = BTreeMap::new();
    let mut next = 0;
    for sample in samples {
        let new: BTreeSet<usize> = sample.people.iter().copied().filter(|p| !fold_of.contains_key(p)).collect();
        let mut new: Vec<usize> = new.into_iter().collect();
        new.shuffle(&mut random);
        for person in new {
            fold_of.insert(person, next % FOLDS);
            next += 1;
        }
    }
    let part = |sample: &Sample, keep: &dyn Fn(usize) -> bool| {
        let rows: Vec<usize> = (0..sample.people.len()).filter(|row| keep(fold_of[&sample.people[*row]])).collect();
        sample.select(&rows)
    };
    let of = |keep: &dyn Fn(usize) -> bool| Observed {
        interest: part(&observed.interest, keep),
        unlabeled: part(&observed.unlabeled, keep),
        loyal: part(&observed.loyal, keep),
    };
    (0..FOLDS).map(|fold| Fold { fit: of(&|f| f != fold), held_out: of(&|f| f == fold) }).collect()
}

/// The mean over folds of the signed zero-one risk on the held-out samples.
fn held_out_risk(candidate: &dyn Scorer, training: &Training, folds: &[Fold]) -> Result<f64, Failure> {
    let mut sum = 0.0;
    for fold in folds {
        // Share nothing: the Hessians of a fold differ from those of the whole samples.
        let on_fold = Training { observed: &fold.fit, shared: None, ..*training };
        let terms = judging_terms(Some(candidate), &fold.held_out, training.prior)?;
        let width = fold.held_out.unlabeled.rows.width();
        let risk = SignedRisk::new(Linear { width }, Loss::Logistic, Correction::None, 0.0, terms)?;
        let rows: Vec<&Design> = risk.terms.iter().map(|term| &*term.rows.design).collect();
        let scored = candidate.fit_and_score(&on_fold, &rows)?;
        let above = |scores: Vec<f64>| scores.into_iter().map(|score| score - scored.threshold).collect();
        let scores: Vec<Vec<f64>> = scored.scores.into_iter().map(above).collect();
        sum += risk.zero_one_value(&scores) / folds.len() as f64;
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{Learner, Prior, RiskOptions, SignedMethod};
    use crate::math::bounds::{Count, Ridge};
    use crate::math::matrix::Design;
    use crate::methods::{BaggingPu, DoublePu, Method, Tuned};
    use crate::sample::stream;
    use rand::RngExt;

    fn cloud(name: &str, rows: usize, shift: f64) -> Design {
        let mut random = stream(&["tuning test", name]);
        let rows: Vec<Vec<f64>> = (0..rows).map(|_| vec![shift + 2.0 * random.random::<f64>() - 1.0]).collect();
        Design::dense(vec!["x".into()], &rows)
    }

    /// Buyers lie to the right. D_L is a subset of D_Y, and D_Y of D_U.
    fn observed() -> Observed {
        let (left, right) = (cloud("left", 150, -1.2), cloud("right", 100, 1.2));
        let rows: Vec<Vec<f64>> = [left.to_dense(), right.to_dense()].concat().into_iter().map(|x| vec![x]).collect();
        let unlabeled = Sample { rows: Design::dense(vec!["x".into()], &rows), people: (0..250).collect() };
        let interest = unlabeled.select(&(150..250).collect::<Vec<_>>());
        let loyal = interest.select(&(0..20).collect::<Vec<_>>());
        Observed { interest, unlabeled, loyal }
    }

    fn double_pu(ridge: f64) -> DoublePu {
        DoublePu::new(RiskOptions { ridge: Ridge::new(ridge).unwrap(), ..RiskOptions::default() }).unwrap()
    }

    #[test]
    fn chooses_what_does_better_on_people_it_did_not_see_whatever_the_order() {
        let observed = observed();
        let training = Training::new(&observed, Some(Prior::new(0.4, 0.08).unwrap()));
        // A huge ridge leaves only the intercept, so that all scores are equal.
        for ridges in [[1e6, 0.01], [0.01, 1e6]] {
            let [first, second] = ridges.map(double_pu);
            let fit = tune(&[&first, &second], &training, &[]).unwrap().fit;
            assert!(fit.tuned.unwrap().starts_with("ridge=0.01 (risk "));
        }
        let candidates: [&dyn Scorer; 2] = [&double_pu(0.1), &double_pu(0.01)];
        let chosen = tune(&candidates, &training, &[]).unwrap();
        assert_eq!(tune(&candidates, &training, &[]).unwrap().fit, chosen.fit, "tuning is deterministic");
        assert_eq!(texts(&candidates)[3], ("ridge", "tune(0.1, 0.01)".to_string()));
    }

    #[test]
    fn nobody_is_fitted_to_and_held_out_at_the_same_time() {
        let observed = observed();
        let folds = folds(&Training::new(&observed, None));
        let people = |seen: &Observed| -> BTreeSet<usize> {
            let all = [&seen.interest, &seen.unlabeled, &seen.loyal];
            all.iter().flat_map(|sample| sample.people.iter().copied()).collect()
        };
        let mut held_out = 0;
        for fold in &folds {
            assert!(people(&fold.fit).is_disjoint(&people(&fold.held_out)));
            assert_eq!(fold.held_out.loyal.people.len(), 4, "every fold gets its share of the smallest sample");
            held_out += fold.held_out.unlabeled.people.len();
        }
        assert_eq!((folds.len(), held_out), (FOLDS, 250));
    }

    #[test]
    fn the_held_out_risk_is_what_counting_gives() {
        let observed = observed();
        let prior = Prior::new(0.4, 0.08).unwrap();
        let training = Training::new(&observed, Some(prior));
        let folds = folds(&training);
        let method = double_pu(0.01);
        let mut counted = 0.0;
        for Fold { fit, held_out } in &folds {
            let model = method.fit(&Training::new(fit, Some(prior))).unwrap();
            let share = |sample: &Sample| {
                let scores = model.predict(&sample.rows);
                scores.iter().filter(|score| **score > 0.0).count() as f64 / scores.len() as f64
            };
            let [y, u, l] = [&held_out.interest, &held_out.unlabeled, &held_out.loyal].map(share);
            counted += 0.4 * (1.0 - y) - 0.08 * (1.0 - l) + u - 0.4 * y + 0.08 * l;
        }
        let risk = held_out_risk(&method, &training, &folds).unwrap();
        assert!((risk - counted / 5.0).abs() < 1e-12, "{risk} and {}", counted / 5.0);
    }

    #[test]
    fn what_no_signed_risk_judges_cannot_be_tuned() {
        let bagging = |bags| Method::BaggingPu(BaggingPu { bags: Count::new(bags).unwrap(), ..BaggingPu::default() });
        assert_eq!(Tuned::among(vec![bagging(10), bagging(20)]), None);
        assert_eq!(Tuned::among(vec![Method::DoublePu(double_pu(1.0))]), None);
    }
}
