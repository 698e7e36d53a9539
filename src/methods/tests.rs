//! Tests that compare methods with each other and with results counted by hand.

use crate::learn::{
    Labelled, Learner, ModelKind, NetworkOptions, Observed, Optimizer, Oracle, OracleLearner, Prior, Rbf, RiskOptions,
    Sample, SignedMethod, Training, Width,
};
use crate::math::bounds::{Count, Rate, Ridge};
use crate::math::matrix::Design;
use crate::math::risk::{Correction, Costs, Linear, Loss, SignedRisk, Term};
use crate::methods::{
    AlphaPu, BaggingPu, BiasedPn, BiasedPnLoyal, DoublePu, ElkanNoto, METHODS, NaiveNnpu, NaivePu, OracleLogistic,
    SetDifferencePu, TwoStage, Ulsif,
};
use crate::sample::stream;
use rand::RngExt;

const COSTS: Costs = Costs { false_negative: 1.0, false_positive: 2.0 };

fn cloud(name: &str, rows: usize, shift: f64) -> Design {
    let mut random = stream(&["method test", name]);
    let rows: Vec<Vec<f64>> =
        (0..rows).map(|_| (0..2).map(|_| shift + 2.0 * random.random::<f64>() - 1.0).collect()).collect();
    Design::dense(vec!["a".into(), "b".into()], &rows)
}

/// D_L consists of the first ten rows of D_Y.
fn nested() -> Observed {
    let mut observed =
        Observed::independent(cloud("interest", 40, 0.4), cloud("unlabeled", 100, 0.0), cloud("none", 0, 0.0));
    observed.loyal = observed.interest.select(&(0..10).collect::<Vec<_>>());
    observed
}

/// Of the 100 rows of D_U, the first 40 are interested, and the first 10 of these are loyal. D_Y and D_L hold all of them.
fn counted() -> Observed {
    let unlabeled = Sample { rows: cloud("counted", 100, 0.0), people: (0..100).collect() };
    let (interest, loyal) = (unlabeled.select(&Vec::from_iter(0..40)), unlabeled.select(&Vec::from_iter(0..10)));
    Observed { interest, unlabeled, loyal }
}

fn prior(beta: f64, gamma: f64) -> Option<Prior> {
    Some(Prior::new(beta, gamma).unwrap())
}

fn weights(method: &impl SignedMethod, observed: &Observed, prior: Option<Prior>) -> Vec<f64> {
    let trained = method.fit(&Training::new(observed, prior)).unwrap();
    trained.model.linear_weights().unwrap().to_vec()
}

#[test]
fn where_all_buyers_are_known_double_pu_is_the_supervised_risk_of_potential_customers() {
    let observed = counted();
    let crowd = &observed.unlabeled.rows;
    let double = DoublePu::new(RiskOptions { costs: COSTS, ..RiskOptions::default() }).unwrap();
    for loss in Loss::ALL {
        for w in [[0.3, -0.8, 0.1], [2.0, 1.0, -1.0]] {
            let of_person = |(person, margin): (usize, f64)| match person {
                10..40 => COSTS.false_negative * loss.value(margin),
                _ => COSTS.false_positive * loss.value(-margin),
            };
            let supervised = crowd.margins(&w).into_iter().enumerate().map(of_person).sum::<f64>() / 100.0;
            let terms = double.terms(&observed, prior(0.4, 0.1)).unwrap();
            let risk = SignedRisk::new(Linear { width: 2 }, loss, Correction::None, 0.0, terms).unwrap();
            let signed = risk.plain_value(&w);
            assert!((signed - supervised).abs() < 1e-12, "{loss:?}: {signed} and {supervised}");
        }
    }
}

#[test]
fn true_labels_change_what_an_oracle_learns_and_nothing_else() {
    let observed = counted();
    let training = Training::new(&observed, prior(0.4, 0.1));
    let labelled = |is_customer: fn(usize) -> bool| Labelled {
        rows: observed.unlabeled.rows.clone(),
        truth: (0..100).map(is_customer).collect(),
    };
    for method in METHODS.iter().map(|entry| (entry.default)()) {
        let scores = |is_customer| {
            let oracle = Oracle::new(|| labelled(is_customer), || labelled(is_customer));
            let rows = &observed.unlabeled.rows;
            method.fit_and_score(&training, &oracle, &[rows]).unwrap().scores.remove(0)
        };
        let (told, told_otherwise) = (scores(|person| (10..40).contains(&person)), scores(|person| person % 2 == 0));
        assert_eq!(told != told_otherwise, method.is_oracle(), "{}", method.name());
    }
}

#[test]
fn without_loyal_buyers_double_pu_is_naive_pu() {
    let observed = nested();
    for loss in Loss::ALL {
        let double = DoublePu::new(RiskOptions { loss, costs: COSTS, ..RiskOptions::default() }).unwrap();
        let naive = NaivePu::new(RiskOptions { loss, costs: COSTS, ..RiskOptions::default() }).unwrap();
        assert_eq!(
            weights(&double, &observed, prior(0.45, 0.0)),
            weights(&naive, &observed, prior(0.45, 0.2)),
            "{loss:?}"
        );
    }
}

#[test]
fn alpha_pu_is_naive_pu_with_another_prior() {
    let observed = nested();
    let alpha = AlphaPu::default();
    let naive = NaivePu::default();
    let told = prior(0.5, 0.25);
    assert_eq!(weights(&alpha, &observed, told), weights(&naive, &observed, prior(0.25, 0.0)));
}

#[test]
fn with_every_loyal_buyer_known_the_set_difference_is_the_false_negative_part() {
    // 10 of the 40 buyers are loyal, so gamma / beta = 10 / 40.
    let observed = nested();
    let told = prior(0.48, 0.12);
    let missed = |terms: Vec<Term>, loss: Loss, w: &[f64]| {
        let terms = terms.into_iter().map(|term| Term { negative: 0.0, ..term }).collect();
        SignedRisk::new(Linear { width: 2 }, loss, Correction::None, 0.0, terms).unwrap().plain_value(w)
    };
    for loss in Loss::ALL {
        for w in [[0.3, -0.8, 0.1], [2.0, 1.0, -1.0]] {
            let difference = SetDifferencePu::default().terms(&observed, told).unwrap();
            let double = DoublePu::default().terms(&observed, told).unwrap();
            let (difference, double) = (missed(difference, loss, &w), missed(double, loss, &w));
            assert!((difference - double).abs() < 1e-14, "{loss:?}: {difference} and {double}");
        }
    }
}

#[test]
fn biased_methods_are_logistic_regression_by_linfa_on_the_same_rows() {
    let observed = nested();
    let all = |samples: &[(&Sample, bool)]| {
        let (mut rows, mut truth) = (Vec::new(), Vec::new());
        for (sample, class) in samples {
            rows.extend(sample.rows.to_dense().chunks(2).map(<[f64]>::to_vec).collect::<Vec<_>>());
            truth.resize(rows.len(), *class);
        }
        Labelled { rows: Design::dense(vec!["a".into(), "b".into()], &rows), truth }
    };
    let Observed { interest, unlabeled, loyal } = &observed;
    let oracle = OracleLogistic::default();
    let by_linfa = |labelled: &Labelled| {
        let again = || Labelled { rows: labelled.rows.clone(), truth: labelled.truth.clone() };
        let trained = oracle.fit(&Oracle::new(again, again), stream(&["method test"])).unwrap();
        trained.model.linear_weights().unwrap().to_vec()
    };
    let plain = by_linfa(&all(&[(interest, true), (unlabeled, false)]));
    let with_loyal = by_linfa(&all(&[(interest, true), (unlabeled, false), (loyal, false)]));
    let ours = weights(&BiasedPn::default(), &observed, None);
    let ours_loyal = weights(&BiasedPnLoyal::default(), &observed, None);
    for (ours, linfa) in ours.iter().zip(&plain).chain(ours_loyal.iter().zip(&with_loyal)) {
        assert!((ours - linfa).abs() < 1e-8, "{ours} and {linfa}");
    }
}

/// Rows of three kinds, one-hot encoded without the first column. Without a ridge, logistic regression on them gives
/// relative frequencies.
fn kinds(counts: [usize; 3]) -> Design {
    let kind = |kind: usize| vec![f64::from(u8::from(kind == 1)), f64::from(u8::from(kind == 2))];
    let rows: Vec<Vec<f64>> = (0..3).flat_map(|k| std::iter::repeat_n(kind(k), counts[k])).collect();
    Design::dense(vec!["one".into(), "two".into()], &rows)
}

#[test]
fn two_stage_multiplies_what_can_be_counted() {
    let observed = Observed::independent(kinds([20, 50, 30]), kinds([60, 25, 15]), kinds([5, 10, 25]));
    let learner = TwoStage { ridge: Ridge::new(0.0).unwrap() };
    let trained = learner.fit(&Training::new(&observed, prior(0.4, 0.1))).unwrap();
    let expected = |interest: f64, crowd: f64, loyal: f64| -> f64 {
        let interested = (0.4 * interest / crowd).clamp(0.0, 1.0);
        interested * (1.0 - 0.25 * loyal / interest).clamp(0.0, 1.0)
    };
    let scores = trained.predict(&kinds([1, 1, 1]));
    let counted = [expected(0.2, 0.6, 5.0 / 40.0), expected(0.5, 0.25, 10.0 / 40.0), expected(0.3, 0.15, 25.0 / 40.0)];
    for (score, counted) in scores.iter().zip(counted) {
        assert!((score - counted).abs() < 1e-6, "{score} and {counted}");
    }
}

#[test]
fn elkan_noto_divides_what_can_be_counted_by_the_share_of_labels() {
    // In each kind, 90% of the buyers keep their label. D_U holds all rows.
    let (interest, everybody) = (kinds([180, 450, 90]), kinds([1000, 600, 400]));
    let starts = [(0, 180, 0), (180, 450, 1000), (630, 90, 1600)];
    let people = starts.iter().flat_map(|(_, count, first)| *first..first + count).collect();
    let observed = Observed {
        interest: Sample { rows: interest, people },
        unlabeled: Sample { rows: everybody, people: (0..2000).collect() },
        loyal: Sample { rows: kinds([0, 0, 0]), people: vec![] },
    };
    let trained = ElkanNoto { ridge: Ridge::new(0.0).unwrap() }.fit(&Training::new(&observed, None)).unwrap();
    let scores = trained.predict(&kinds([1, 1, 1]));
    // Scores are p(labelled | x) / c. Their ratios can be counted, except for the effect of the fifth that is held out.
    let labelled = |labels: f64, all: f64| labels / all;
    let counted = [labelled(180.0, 1000.0), labelled(450.0, 600.0), labelled(90.0, 400.0)];
    for i in 0..3 {
        let (score, counted) = (scores[i] / scores[1], counted[i] / counted[1]);
        assert!((score / counted - 1.0).abs() < 0.1, "{score} and {counted}");
    }
}

#[test]
fn a_bag_of_one_kind_of_people_is_always_the_same() {
    let observed = Observed::independent(kinds([5, 10, 15]), kinds([0, 40, 0]), kinds([0, 0, 0]));
    let bagging = BaggingPu { bags: Count::new(7).unwrap(), ..BaggingPu::default() };
    let bagged = bagging.fit(&Training::new(&observed, None)).unwrap();
    let same = Observed::independent(kinds([5, 10, 15]), kinds([0, 30, 0]), kinds([0, 0, 0]));
    let alone = weights(&BiasedPn::default(), &same, None);
    for (bagged, alone) in bagged.model.linear_weights().unwrap().iter().zip(&alone) {
        assert!((bagged - alone).abs() < 1e-12);
    }
}

#[test]
fn a_correction_changes_nothing_where_no_part_is_negative() {
    let observed = nested();
    let told = prior(0.2, 0.05);
    let free = weights(
        &DoublePu::new(RiskOptions { ridge: Ridge::new(0.5).unwrap(), ..RiskOptions::default() }).unwrap(),
        &observed,
        told,
    );
    for correction in [Correction::Paper, Correction::TwoPart] {
        let learner =
            DoublePu::new(RiskOptions { ridge: Ridge::new(0.5).unwrap(), correction, ..RiskOptions::default() })
                .unwrap();
        for (corrected, free) in weights(&learner, &observed, told).iter().zip(&free) {
            assert!((corrected - free).abs() < 1e-6, "{correction:?}: {corrected} and {free}");
        }
    }
    let kiryo = weights(
        &NaiveNnpu::new(RiskOptions { ridge: Ridge::new(0.5).unwrap(), ..*NaiveNnpu::default().as_ref() }).unwrap(),
        &observed,
        told,
    );
    let free = weights(
        &NaivePu::new(RiskOptions { ridge: Ridge::new(0.5).unwrap(), ..RiskOptions::default() }).unwrap(),
        &observed,
        told,
    );
    for (kiryo, free) in kiryo.iter().zip(&free) {
        assert!((kiryo - free).abs() < 1e-3, "{kiryo} and {free}");
    }
}

#[test]
fn radial_basis_functions_and_networks_learn_what_no_line_can() {
    // Potential customers are in the middle, all others around them.
    let ring = |rows: usize, radius: f64| {
        let angle = move |i: usize| std::f64::consts::TAU * i as f64 / rows as f64;
        let row = |i: usize| vec![radius * libm::cos(angle(i)), radius * libm::sin(angle(i))];
        (0..rows).map(row).collect::<Vec<_>>()
    };
    let design = |rows: &[Vec<f64>]| Design::dense(vec!["a".into(), "b".into()], rows);
    let (inside, outside) = (ring(60, 0.3), ring(140, 2.0));
    let everybody = [inside.clone(), outside.clone()].concat();
    let observed = Observed::independent(design(&inside), design(&everybody), design(&[]));
    let rbf = ModelKind::Rbf(Rbf { centers: Count::constant::<50>(), width: Width::Median });
    let network = ModelKind::Network(NetworkOptions {
        hidden: Count::constant::<16>(),
        epochs: Count::constant::<200>(),
        rate: Rate::new(0.02).unwrap(),
        batches: Count::constant::<2>(),
    });
    for model in [rbf, network] {
        let learner =
            NaivePu::new(RiskOptions { model, ridge: Ridge::new(0.0001).unwrap(), ..RiskOptions::default() }).unwrap();
        let training = Training::new(&observed, prior(0.3, 0.0));
        let trained = learner.fit(&training).unwrap();
        let scores = trained.predict(&design(&everybody));
        let lowest_inside = scores[..60].iter().copied().fold(f64::INFINITY, f64::min);
        let highest_outside = scores[60..].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert!(lowest_inside > highest_outside, "{model}: {lowest_inside} {highest_outside}");
        assert_eq!(learner.fit(&training).unwrap().predict(&design(&everybody)), scores, "{model} repeats itself");
        assert_eq!(trained.history.is_empty(), model == rbf);
    }
}

#[test]
fn impossible_options_are_refused_by_the_check() {
    assert!(Ridge::new(-1.0).is_err() && Ridge::new(f64::NAN).is_err());
    assert!(Count::<10_000>::new(0).is_err());
    let options = RiskOptions::default;
    for options in [
        RiskOptions { costs: Costs { false_negative: 0.0, false_positive: 1.0 }, ..options() },
        RiskOptions { optimizer: Optimizer::ClosedForm, ..options() },
        RiskOptions { correction: Correction::Kiryo, optimizer: Optimizer::Lbfgs, ..options() },
        RiskOptions { correction: Correction::Paper, optimizer: Optimizer::Newton, ..options() },
    ] {
        assert!(DoublePu::new(options).is_err(), "{options:?}");
    }
    assert!(NaivePu::new(RiskOptions { correction: Correction::Paper, ..options() }).is_err());
    assert!(NaiveNnpu::new(RiskOptions { correction: Correction::None, ..options() }).is_err());
}

#[test]
fn methods_are_stored_under_their_names_and_come_back() {
    let mut names = std::collections::BTreeSet::new();
    for entry in METHODS {
        let method = (entry.default)();
        assert!(names.insert(method.name()) && method.name() == entry.card.name);
        let stored = serde_json::to_value(&method).unwrap();
        let keys: Vec<&String> = stored[entry.card.name].as_object().unwrap().keys().collect();
        let options = method.options();
        assert_eq!(keys, options.iter().map(|(key, _)| *key).collect::<Vec<_>>(), "{}", entry.card.name);
        assert_eq!(serde_json::from_value::<crate::methods::Method>(stored).unwrap(), method);
    }
}

/// The worked example of docs/contributing.md has a short file, and its scores are those of another method.
#[test]
fn the_example_method_is_the_squared_risk_of_double_pu() {
    assert!(include_str!("ulsif.rs").lines().count() < 60);
    let observed = nested();
    let training = Training::new(&observed, prior(0.45, 0.2));
    let double = DoublePu::new(RiskOptions { loss: Loss::Squared, ..RiskOptions::default() }).unwrap();
    let people = &observed.unlabeled.rows;
    let ulsif = Ulsif::default().fit(&training).unwrap().predict(people);
    for (ulsif, double) in ulsif.iter().zip(double.fit(&training).unwrap().predict(people)) {
        assert!((ulsif - double).abs() < 1e-12, "{ulsif} and {double}");
    }
}

/// The files of blind methods do not name the types that hold labels.
#[test]
fn no_blind_method_names_a_type_that_holds_labels() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/methods");
    let list = std::fs::read_to_string(folder.join("mod.rs")).unwrap();
    let blind = list.lines().filter_map(|line| line.trim().strip_prefix("blind ")?.split("::").next());
    let mut count = 0;
    for module in blind {
        let text = std::fs::read_to_string(folder.join(format!("{module}.rs"))).unwrap();
        for forbidden in ["Oracle", "Labelled", "truth", "crate::data", "learn::*"] {
            assert!(!text.contains(forbidden), "{module}.rs names {forbidden}");
        }
        count += 1;
    }
    assert_eq!(count, METHODS.len() - 3);
}
