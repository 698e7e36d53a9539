use super::*;
use crate::math::matrix::dot;
use crate::math::risk::{Costs, Network, ReducedRisk};
use crate::sample::{Stream, stream};
use rand::RngExt;

const COSTS: [Costs; 3] = [
    Costs::UNIT,
    Costs { false_negative: 1.0, false_positive: 100.0 },
    Costs { false_negative: 3.0, false_positive: 0.5 },
];

/// `rows` rows of three numeric columns, shifted by `shift`, from the test's own stream.
fn cloud(name: &str, rows: usize, shift: f64) -> Design {
    let mut random = stream(&["signed risk test", name]);
    let rows: Vec<Vec<f64>> =
        (0..rows).map(|_| (0..3).map(|_| shift + 2.0 * random.random::<f64>() - 1.0).collect()).collect();
    Design::dense(vec!["a".into(), "b".into(), "c".into()], &rows)
}

fn samples() -> [Design; 3] {
    [cloud("interest", 40, 0.3), cloud("unlabeled", 90, 0.0), cloud("loyal", 15, 0.6)]
}

fn terms([interest, unlabeled, loyal]: &[Design; 3], costs: Costs, beta: f64, gamma: f64) -> Vec<Term<'_>> {
    let Costs { false_negative: c_fn, false_positive: c_fp } = costs;
    let term = |sample, design, positive, negative, in_crowd| Term {
        rows: Rows::all(sample, design),
        positive,
        negative,
        in_crowd,
    };
    vec![
        term("D_Y", interest, c_fn * beta, -c_fp * beta, true),
        term("D_U", unlabeled, 0.0, c_fp, true),
        term("D_L", loyal, -c_fn * gamma, c_fp * gamma, false),
    ]
}

fn at(risk: &impl Objective, w: &[f64]) -> (f64, Vec<f64>) {
    let mut gradient = vec![0.0; w.len()];
    let value = risk.value_and_gradient(w, &mut gradient);
    (value, gradient)
}

fn assert_gradient(risk: &impl Objective, w: &[f64], what: &str) {
    let h = 1e-6;
    let gradient = at(risk, w).1;
    let size = gradient.iter().fold(1.0, |size: f64, g| size.max(g.abs()));
    for i in 0..w.len() {
        let (mut up, mut down) = (w.to_vec(), w.to_vec());
        up[i] += h;
        down[i] -= h;
        let difference = (at(risk, &up).0 - at(risk, &down).0) / (2.0 * h);
        assert!((difference - gradient[i]).abs() < 1e-6 * size, "{what}, weight {i}: {difference} {}", gradient[i]);
    }
}

/// Weights at which the parts lie on both sides of zero and within the rounding of the clamps.
fn weights(dimension: usize, random: &mut Stream) -> Vec<f64> {
    let size = [0.3, 1.0, 4.0][random.random_range(0..3)];
    (0..dimension).map(|_| size * (2.0 * random.random::<f64>() - 1.0)).collect()
}

/// Radial basis functions of the rows.
fn bumps(design: &Design) -> Design {
    let centers = [[0.0, 0.0, 0.0], [0.5, -0.5, 0.2], [-0.4, 0.3, 0.9], [1.0, 1.0, 1.0]];
    let bump = |row: &[f64], center: &[f64; 3]| {
        let squares: f64 = row.iter().zip(center).map(|(x, c)| (x - c) * (x - c)).sum();
        libm::exp(-0.5 * squares)
    };
    let rows: Vec<Vec<f64>> =
        design.to_dense().chunks(3).map(|row| centers.iter().map(|center| bump(row, center)).collect()).collect();
    Design::dense((0..4).map(|i| format!("near {i}")).collect(), &rows)
}

#[test]
fn gradients_match_central_differences_for_every_loss_correction_model_and_cost() {
    let samples = samples();
    let mapped = [0, 1, 2].map(|sample: usize| bumps(&samples[sample]));
    let mut random = stream(&["gradient test"]);
    let (mut clamped, mut open) = ([0, 0], 0);
    for loss in Loss::ALL {
        for correction in Correction::ALL {
            for costs in COSTS {
                // The second priors are far too large, so that parts become negative.
                for (beta, gamma) in [(0.45, 0.2), (1.6, 2.4), (0.45, 0.2), (1.6, 2.4)] {
                    let terms = || terms(&samples, costs, beta, gamma);
                    let what = format!("{loss:?} {correction:?} {costs}");
                    let linear = SignedRisk::new(Linear { width: 3 }, loss, correction, 0.05, terms()).unwrap();
                    let w = weights(4, &mut random);
                    assert_gradient(&linear, &w, &format!("linear {what}"));
                    let parts = linear.parts(&linear.margins(&w), |z| loss.value(z));
                    clamped[0] += u32::from(parts.crowd < 0.0);
                    clamped[1] += u32::from(parts.missed < 0.0);
                    open += u32::from(parts.crowd > 0.0 && parts.missed > 0.0);
                    let on_bumps = self::terms(&mapped, costs, beta, gamma);
                    let rbf = SignedRisk::new(Linear { width: 4 }, loss, correction, 0.05, on_bumps).unwrap();
                    assert_gradient(&rbf, &weights(5, &mut random), &format!("rbf {what}"));
                    let network = Network { width: 3, hidden: 5 };
                    let network = SignedRisk::new(network, loss, correction, 0.05, terms()).unwrap();
                    let w = weights(network.dimension(), &mut random);
                    assert_gradient(&network, &w, &format!("network {what}"));
                }
            }
        }
    }
    assert!(clamped.iter().all(|count| *count > 20) && open > 20, "all sides are tried: {clamped:?} and {open}");
}

#[test]
fn curvature_matches_central_differences_of_the_gradient() {
    let samples = samples();
    let (h, w) = (1e-6, [0.4, -0.7, 0.2, 0.1]);
    for loss in Loss::ALL {
        for costs in COSTS {
            let terms = terms(&samples, costs, 0.45, 0.2);
            let risk = SignedRisk::new(Linear { width: 3 }, loss, Correction::None, 0.05, terms).unwrap();
            let hessian = risk.curvature(&w).hessian();
            let bound = risk.largest_curvature();
            for i in 0..4 {
                assert!(hessian.at(i, i).abs() <= bound[i]);
                let (mut up, mut down) = (w, w);
                up[i] += h;
                down[i] -= h;
                let (up, down) = (at(&risk, &up).1, at(&risk, &down).1);
                for j in 0..4 {
                    let bend = (up[j] - down[j]) / (2.0 * h);
                    // The curvature of rounded kinks jumps; a difference quotient smears the jump over rows close to
                    // it.
                    let scale = bound[i].max(bound[j]);
                    assert!((bend - hessian.at(i, j)).abs() < 1e-6 * scale, "{loss:?} {costs} ({i}, {j})");
                }
            }
        }
    }
}

#[test]
fn every_correction_is_the_formula_of_the_paper() {
    let samples = samples();
    let mut random = stream(&["formula test"]);
    let (c_fn, c_fp) = (3.0, 0.5);
    let costs = Costs { false_negative: c_fn, false_positive: c_fp };
    let mut negative = [0, 0];
    // The second priors are far too large, so that parts become negative.
    for (beta, gamma) in [(0.45, 0.2), (1.6, 2.4)].into_iter().cycle().take(50) {
        let w = weights(4, &mut random);
        let mean = |design: &Design, sign: f64| -> f64 {
            let losses = design.margins(&w).into_iter().map(|g| libm::log(1.0 + libm::exp(-sign * g)));
            losses.sum::<f64>() / design.rows() as f64
        };
        let [y, u, l] = &samples;
        let missed = c_fn * (beta * mean(y, 1.0) - gamma * mean(l, 1.0));
        let crowd = c_fp * (mean(u, -1.0) - beta * mean(y, -1.0));
        let loyal = c_fp * gamma * mean(l, -1.0);
        let penalty = 0.1 * w[..3].iter().map(|w| w * w).sum::<f64>();
        for (correction, expected) in [
            (Correction::None, missed + crowd + loyal),
            (Correction::Paper, missed + crowd.max(0.0) + loyal),
            (Correction::TwoPart, missed.max(0.0) + crowd.max(0.0) + loyal),
            (Correction::Kiryo, missed.max(0.0) + crowd.max(0.0) + loyal),
        ] {
            let terms = terms(&samples, costs, beta, gamma);
            let risk = SignedRisk::new(Linear { width: 3 }, Loss::Logistic, correction, 0.1, terms).unwrap();
            // Within its rounding, a clamp may be a quarter of the half width too high.
            let [missed_width, crowd_width] = risk.clamps().map(Option::unwrap_or_default);
            let rounds = missed.abs() < missed_width || crowd.abs() < crowd_width;
            let allowed = if rounds { (missed_width + crowd_width) / 4.0 } else { 1e-12 };
            assert!((at(&risk, &w).0 - expected - penalty).abs() <= allowed, "{correction:?}");
        }
        negative[0] += u32::from(missed < 0.0);
        negative[1] += u32::from(crowd < 0.0);
    }
    assert!(negative.iter().all(|count| *count > 5), "{negative:?}");
}

#[test]
fn kiryo_climbs_whatever_part_is_negative_and_reports_the_clamped_objective() {
    let samples = samples();
    let mut random = stream(&["kiryo test"]);
    let ridge = 0.05;
    let mut seen = [[0; 2]; 2];
    for (beta, gamma) in [(0.45, 0.2), (1.6, 2.4), (1.6, 0.2), (0.1, 2.4)].into_iter().cycle().take(80) {
        let w = weights(4, &mut random);
        let whole = terms(&samples, Costs::UNIT, beta, gamma);
        let risk = |correction, ridge, terms: Vec<Term<'static>>| {
            SignedRisk::new(Linear { width: 3 }, Loss::Logistic, correction, ridge, terms).unwrap()
        };
        let owned = |keep: &dyn Fn(&Term) -> (f64, f64)| -> Vec<Term<'static>> {
            let term = |term: &Term| {
                let (positive, negative) = keep(term);
                let all = (0..term.rows.count()).collect();
                let rows = Rows::some(term.rows.sample, &term.rows.design, all);
                Term { rows, positive, negative, in_crowd: term.in_crowd }
            };
            whole.iter().map(term).collect()
        };
        let everything: &dyn Fn(&Term) -> (f64, f64) = &|term| (term.positive, term.negative);
        let kiryo = risk(Correction::Kiryo, ridge, owned(everything));
        assert_eq!(at(&kiryo, &w).0, at(&risk(Correction::TwoPart, ridge, owned(everything)), &w).0);

        let missed = risk(Correction::None, 0.0, owned(&|term| (term.positive, 0.0)));
        let crowd = risk(Correction::None, 0.0, owned(&|term| (0.0, if term.in_crowd { term.negative } else { 0.0 })));
        let ((missed, missed_slope), (crowd, crowd_slope)) = (at(&missed, &w), at(&crowd, &w));
        let plain = at(&risk(Correction::None, 0.0, owned(everything)), &w).1;
        let mut direction = vec![0.0; 4];
        kiryo.direction(&w, &mut direction);
        for i in 0..4 {
            let of_ridge = if i < 3 { 2.0 * ridge * w[i] } else { 0.0 };
            let expected = match (missed < 0.0, crowd < 0.0) {
                (false, false) => plain[i],
                (true, false) => -missed_slope[i],
                (false, true) => -crowd_slope[i],
                (true, true) => -missed_slope[i] - crowd_slope[i],
            };
            assert!((direction[i] - expected - of_ridge).abs() < 1e-12);
        }
        seen[usize::from(missed < 0.0)][usize::from(crowd < 0.0)] += 1;
    }
    assert!(seen.iter().flatten().all(|count| *count > 3), "every case occurs: {seen:?}");
}

/// Kinds of people: probability, Y, Z and x.
const POPULATION: [(f64, bool, bool, [f64; 3]); 5] = [
    (0.15, true, false, [0.8, 0.1, -0.4]),
    (0.10, true, false, [-0.3, 0.9, 0.2]),
    (0.20, true, true, [0.5, 0.7, 0.9]),
    (0.35, false, false, [-0.9, -0.2, 0.1]),
    (0.20, false, true, [0.1, -0.8, -0.6]),
];

fn draw(random: &mut Stream, rows: usize, wanted: impl Fn(bool, bool) -> bool) -> Design {
    let all: f64 = POPULATION.iter().filter(|kind| wanted(kind.1, kind.2)).map(|kind| kind.0).sum();
    let person = |_| {
        let mut left = random.random::<f64>() * all;
        let mut kinds = POPULATION.iter().filter(|kind| wanted(kind.1, kind.2));
        let kind = kinds.find(|kind| {
            left -= kind.0;
            left < 0.0
        });
        kind.unwrap_or(&POPULATION[2]).3.to_vec()
    };
    let rows: Vec<Vec<f64>> = (0..rows).map(person).collect();
    Design::dense(vec!["a".into(), "b".into(), "c".into()], &rows)
}

#[test]
fn over_many_samples_the_signed_risk_is_the_supervised_one_for_every_loss_and_cost() {
    const REPEATS: usize = 4000;
    let (beta, gamma, w) = (0.45, 0.2, [1.5, -0.7, 0.8, 0.3]);
    let mut random = stream(&["unbiasedness test"]);
    for costs in [Costs::UNIT, Costs { false_negative: 1.0, false_positive: 100.0 }] {
        let draws: Vec<[Design; 3]> = (0..REPEATS)
            .map(|_| {
                [
                    draw(&mut random, 12, |y, _| y),
                    draw(&mut random, 20, |_, _| true),
                    draw(&mut random, 6, |y, z| y && z),
                ]
            })
            .collect();
        for loss in Loss::ALL {
            let margin = |x: &[f64; 3]| x.iter().zip(&w).map(|(x, w)| x * w).sum::<f64>() + w[3];
            let supervised: f64 = POPULATION
                .iter()
                .map(|(chance, y, z, x)| match (y, z) {
                    (true, false) => chance * costs.false_negative * loss.value(margin(x)),
                    _ => chance * costs.false_positive * loss.value(-margin(x)),
                })
                .sum();
            let values: Vec<f64> = draws
                .iter()
                .map(|samples| {
                    let terms = terms(samples, costs, beta, gamma);
                    let linear = Linear { width: 3 };
                    SignedRisk::new(linear, loss, Correction::None, 0.0, terms).unwrap().plain_value(&w)
                })
                .collect();
            let mean = values.iter().sum::<f64>() / REPEATS as f64;
            let variance = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / (REPEATS - 1) as f64;
            let error = (variance / REPEATS as f64).sqrt();
            assert!((mean - supervised).abs() < 4.0 * error, "{loss:?} {costs}: {mean} {supervised} {error}");
            assert!(error < 0.02 * supervised, "the test is precise enough");
        }
    }
}

#[test]
fn a_batch_of_all_rows_is_the_whole_risk() {
    let samples = samples();
    let terms = terms(&samples, Costs::UNIT, 0.45, 0.2);
    let risk = SignedRisk::new(Linear { width: 3 }, Loss::Logistic, Correction::Paper, 0.1, terms).unwrap();
    let all: Vec<Vec<usize>> = samples.iter().map(|sample| (0..sample.rows()).collect()).collect();
    let all: Vec<&[usize]> = all.iter().map(Vec::as_slice).collect();
    let w = [0.4, -0.7, 0.2, 0.1];
    assert_eq!(at(&risk.over(&all), &w), at(&risk, &w));
}

#[test]
fn a_mean_over_no_rows_is_refused_unless_its_coefficient_is_zero() {
    let samples = [cloud("some", 5, 0.0), cloud("some", 5, 0.0), cloud("none", 0, 0.0)];
    let risk = |gamma| {
        let terms = terms(&samples, Costs::UNIT, 0.4, gamma);
        SignedRisk::new(Linear { width: 3 }, Loss::Logistic, Correction::None, 0.1, terms)
    };
    assert_eq!(risk(0.2).unwrap_err(), EmptySample { sample: "D_L" });
    assert!(risk(0.0).is_ok());
}

#[test]
fn a_reduced_risk_is_the_same_function() {
    let samples = samples();
    let mut random = stream(&["reduced test"]);
    let mut reduced_ones = 0;
    for loss in Loss::ALL {
        for costs in COSTS {
            let terms = terms(&samples, costs, 0.45, 0.2);
            let risk = SignedRisk::new(Linear { width: 3 }, loss, Correction::None, 0.05, terms).unwrap();
            let Some(reduced) = ReducedRisk::of(&risk) else { continue };
            reduced_ones += 1;
            let size = risk.value_size();
            for w in [vec![0.0; 4], weights(4, &mut random), weights(4, &mut random)] {
                let ((value, gradient), (expected, expected_gradient)) = (at(&reduced, &w), at(&risk, &w));
                assert!((value - expected).abs() < 1e-13 * size * 30.0, "{loss:?} {costs}: {value} and {expected}");
                for (ours, expected) in gradient.iter().zip(expected_gradient) {
                    assert!((ours - expected).abs() < 1e-13 * size * 30.0, "{loss:?} {costs}: {ours} and {expected}");
                }
            }
            assert!((reduced.scale() - risk.scale()).abs() < 1e-12 * size);
            // In any direction d, the metric is the mean curvature times the mean square of d.x, and the ridge.
            let metric = reduced.mean_hessian();
            for _ in 0..20 {
                let d = weights(4, &mut random);
                let mean_square = |design: &Design| {
                    design.margins(&d).iter().map(|margin| margin * margin).sum::<f64>() / design.rows() as f64
                };
                let square = |term: &Term| (term.positive + term.negative) * mean_square(&term.rows.design);
                let bends: f64 = loss.mean_curvature() * risk.terms.iter().map(square).sum::<f64>();
                let expected = bends + 2.0 * 0.05 * dot(&d[..3], &d[..3]);
                assert!((dot(&metric.times(&d), &d) - expected).abs() < 1e-9 * size, "{loss:?} {costs}");
                if loss == Loss::Squared {
                    let hessian = risk.curvature(&d).hessian();
                    assert!((dot(&hessian.times(&d), &d) - expected).abs() < 1e-9 * size, "{costs}");
                }
            }
        }
    }
    assert_eq!(reduced_ones, 4 * COSTS.len());
}
