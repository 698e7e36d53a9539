//! The steps of a cell on the paper's split, and the same supervised fit by our Newton and by linfa-logistic.

use criterion::{Criterion, criterion_group, criterion_main};
use doublepu::learn::{BiasedPn, DoublePu, OracleForest, OracleLogistic, Prior, SignedMethod, Training};
use doublepu::matrix::Design;
use doublepu::metric::Ranking;
use doublepu::optim::{Objective, TOLERANCE, newton};
use doublepu::risk::{Correction, Costs, Linear, Loss, Rows, SignedRisk, Term};
use doublepu::run::{Data, SplitSamples};
use doublepu::spec::{self, Experiment};
use std::hint::black_box;
use std::path::Path;

fn bank() -> (Experiment, Data) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/bank_marketing.yaml");
    let experiment = spec::read(&path, &[]).expect("the shipped experiment is valid");
    let data = Data::load(&experiment).expect("the data is built in");
    (experiment, data)
}

fn steps(criterion: &mut Criterion) {
    let (experiment, data) = bank();
    let setting = &experiment.settings[0];
    let table = data.table(0, 1);
    let samples = SplitSamples::draw(setting, &table, 1).expect("the split has rows");
    let prior = Prior::new(0.4738, 0.0046).expect("a possible prior");
    let training = Training::new(&samples.observed, Some(prior));
    let double_pu = |false_positive, loss| {
        let params = DoublePu::params().loss(loss).costs(Costs { false_negative: 1.0, false_positive });
        params.check().expect("possible options")
    };

    criterion.bench_function("load and parse the data", |bencher| bencher.iter(|| Data::load(&experiment)));
    criterion.bench_function("split and encode", |bencher| {
        bencher.iter(|| SplitSamples::draw(setting, &table, black_box(1)));
    });

    let method = double_pu(1.0, Loss::Logistic);
    let terms = method.terms(&samples.observed, Some(prior)).expect("there is a prior");
    let linear = Linear { width: samples.test.width() };
    let risk = SignedRisk::new(linear, Loss::Logistic, Correction::None, 0.01, terms).expect("no sample is empty");
    let (w, mut gradient) = (vec![0.1; risk.dimension()], vec![0.0; risk.dimension()]);
    criterion.bench_function("risk and gradient", |bencher| {
        bencher.iter(|| risk.value_and_gradient(black_box(&w), &mut gradient));
    });

    let trained = method.fit(&training).expect("the ridge keeps it bounded");
    let scores = trained.predict(&samples.test);
    criterion.bench_function("rank the test part and take the AUC", |bencher| {
        bencher.iter(|| {
            Ranking::new(black_box(&scores), &samples.test_truth.potential_customer).map(|ranking| ranking.roc_auc())
        });
    });

    let mut fits = criterion.benchmark_group("fit");
    fits.sample_size(20);
    for (name, method) in [
        ("double_pu 1:1", double_pu(1.0, Loss::Logistic)),
        ("double_pu 1:100", double_pu(100.0, Loss::Logistic)),
        ("double_pu squared", double_pu(1.0, Loss::Squared)),
    ] {
        fits.bench_function(name, |bencher| bencher.iter(|| method.fit(&training).map(|fit| fit.fit)));
    }
    let biased = BiasedPn::params().check().expect("possible options");
    fits.bench_function("biased_pn", |bencher| bencher.iter(|| biased.fit(&training).map(|fit| fit.fit)));
    let forest = OracleForest::params().trees(10).check().expect("possible options");
    fits.bench_function("oracle_forest, 10 trees", |bencher| {
        bencher.iter(|| forest.fit(&samples.oracle.train, 1).map(|fit| fit.fit));
    });
    fits.finish();
}

/// Logistic regression on all 8,930 training rows: the same objective, to about the same gradient.
fn peers(criterion: &mut Criterion) {
    let (experiment, data) = bank();
    let samples = SplitSamples::draw(&experiment.settings[0], &data.table(0, 1), 1).expect("the split has rows");
    let of_class = |class: bool| {
        let labelled = &samples.oracle.train;
        let rows: Vec<usize> = (0..labelled.truth.len()).filter(|row| labelled.truth[*row] == class).collect();
        labelled.rows.select(&rows)
    };
    let (positives, negatives) = (of_class(true), of_class(false));
    let rows = (positives.rows() + negatives.rows()) as f64;
    let share = |design: &Design| design.rows() as f64 / rows;
    let term =
        |design, positive, negative| Term { rows: Rows::all("train", design), positive, negative, in_crowd: true };
    let terms = vec![term(&positives, share(&positives), 0.0), term(&negatives, 0.0, share(&negatives))];
    let linear = Linear { width: positives.width() };
    let risk = SignedRisk::new(linear, Loss::Logistic, Correction::None, 0.01, terms).expect("no sample is empty");
    let target = TOLERANCE * risk.scale();
    let mut group = criterion.benchmark_group("supervised logistic regression");
    group.sample_size(20);
    group.bench_function("ours", |bencher| bencher.iter(|| newton(&risk, vec![0.0; risk.dimension()], target)));
    let linfa = OracleLogistic::params().check().expect("possible options");
    group.bench_function("linfa-logistic, then two Newton steps", |bencher| {
        bencher.iter(|| linfa.fit(&samples.oracle.train).map(|fit| fit.fit));
    });
    group.finish();
}

criterion_group!(benches, steps, peers);
criterion_main!(benches);
