//! What a cell is made of, on the paper's split: from the file to the AUC.

use criterion::{Criterion, criterion_group, criterion_main};
use doublepu::learn::{Failure, Learner, Prior, Shared, SignedMethod, Training};
use doublepu::math::metric::Ranking;
use doublepu::math::optim::Objective;
use doublepu::math::risk::{Correction, Linear, Loss, ReducedRisk, SignedRisk};
use doublepu::methods::DoublePu;
use doublepu::run::{Data, SplitSamples, by_split, run_group};
use doublepu::spec::{self, Cell, Experiment};
use std::hint::black_box;
use std::path::Path;

const SPEC: &str = "experiment: bench
dataset:
  source: bank-marketing
  interest: { column: deposit, positive: \"yes\" }
  loyalty: { column: default, positive: \"yes\" }
sampling: { scheme: pools, test: 0.2, interest: 0.1, unlabeled: 0.1, loyal: 0.8 }
priors: [true]
seeds: 1
methods:
  - double_pu
  - double_pu: { loss: [squared, double_hinge, hinge, sigmoid] }
  - double_pu: { correction: [paper, two_part, kiryo] }
  - double_pu: { costs: { false_negative: 1, false_positive: 100 } }
  - naive_pu
  - naive_nnpu
  - alpha_pu
  - biased_pn
  - biased_pn_loyal
  - bagging_pu
  - two_stage
  - oracle_logistic
  - oracle_logistic_matched
  - oracle_forest: { trees: 10 }
  - random
";

fn experiment() -> (Experiment, Data) {
    let experiment = spec::parse("bench.yaml", SPEC, Path::new(""), &[]).expect("the spec is valid");
    let data = Data::load(&experiment).expect("the data is built in");
    (experiment, data)
}

fn steps(criterion: &mut Criterion) {
    let (experiment, data) = experiment();
    let setting = &experiment.settings[0];
    let table = data.table(0, 1);
    let samples = SplitSamples::draw(setting, &table, 1).expect("the split has rows");
    let prior = Prior::new(0.4738, 0.0046).expect("a possible prior");

    let mut group = criterion.benchmark_group("step");
    group.bench_function("load and parse the data", |bencher| bencher.iter(|| Data::load(&experiment)));
    group.bench_function("draw a split", |bencher| bencher.iter(|| setting.sampling.split(&table, black_box(1))));
    group.bench_function("draw a split and encode it", |bencher| {
        bencher.iter(|| SplitSamples::draw(setting, &table, black_box(1)));
    });

    let method = DoublePu::default();
    let terms = method.terms(&samples.observed, Some(prior)).expect("there is a prior");
    let linear = Linear { width: samples.test.width() };
    let risk = SignedRisk::new(linear, Loss::Logistic, Correction::None, 0.01, terms).expect("no sample is empty");
    let reduced = ReducedRisk::of(&risk).expect("a logistic risk without correction");
    let (w, mut gradient) = (vec![0.1; risk.dimension()], vec![0.0; risk.dimension()]);
    group.bench_function("risk and gradient, term by term", |bencher| {
        bencher.iter(|| risk.value_and_gradient(black_box(&w), &mut gradient));
    });
    group.bench_function("risk and gradient, reduced", |bencher| {
        bencher.iter(|| reduced.value_and_gradient(black_box(&w), &mut gradient));
    });
    let crowd = &samples.observed.unlabeled.rows;
    let shares = vec![1.0 / crowd.rows() as f64; crowd.rows()];
    group.bench_function("products of columns", |bencher| bencher.iter(|| crowd.weighted_gram(black_box(&shares))));
    let hessian = reduced.mean_hessian();
    group.bench_function("factorisation", |bencher| bencher.iter(|| black_box(&hessian).cholesky()));

    let trained = method.fit(&Training::new(&samples.observed, Some(prior))).expect("the ridge keeps it bounded");
    group.bench_function("score the test set", |bencher| bencher.iter(|| trained.predict(black_box(&samples.test))));
    let scores = trained.predict(&samples.test);
    group.bench_function("rank the test set and compute the AUC", |bencher| {
        bencher.iter(|| Ranking::new(black_box(&scores), &samples.test_truth).map(|ranking| ranking.roc_auc()));
    });
    group.finish();
}

/// Each method by itself, with nothing shared.
fn fits(criterion: &mut Criterion) {
    let (experiment, data) = experiment();
    let table = data.table(0, 1);
    let samples = SplitSamples::draw(&experiment.settings[0], &table, 1).expect("the split has rows");
    let mut group = criterion.benchmark_group("fit");
    group.sample_size(10);
    for cell in data.plan(&experiment).cells {
        let entry = &experiment.methods[cell.method];
        let prior = samples.prior(&experiment, &cell).expect("the paper's priors");
        group.bench_function(&entry.label, |bencher| {
            let training = Training::new(&samples.observed, prior);
            bencher.iter(|| entry.method.fit_and_score(&training, &samples.oracle, &[]).map(|scored| scored.fit));
        });
    }
    group.finish();
}

/// A cell of each method with its metrics, as a run computes it: what the cells of a split share is at hand.
fn cells(criterion: &mut Criterion) {
    let (experiment, data) = experiment();
    let plan = data.plan(&experiment);
    let table = data.table(0, 1);
    let samples = SplitSamples::draw(&experiment.settings[0], &table, 1).expect("the split has rows");
    let mut group = criterion.benchmark_group("cell");
    group.sample_size(10);
    for name in ["double_pu", "naive_pu", "random"] {
        let is_named = |cell: &&Cell| experiment.methods[cell.method].method.name() == name;
        let cell = plan.cells.iter().find(is_named).expect("the spec has such a cell");
        let prior = samples.prior(&experiment, cell).expect("the paper's priors");
        group.bench_function(format!("{name}, fitted and judged"), |bencher| {
            bencher.iter(|| {
                let fitted = samples.fit(&experiment, cell, prior, &Shared::default())?;
                let judged = fitted.judged(&samples.test_truth);
                Ok::<_, Failure>(judged.metrics(&judged.ranking()?))
            });
        });
    }
    group.finish();

    let spec = SPEC.replace("seeds: 1\n", "seeds: 4\n").replace("  - oracle_forest: { trees: 10 }\n", "");
    let experiment = spec::parse("bench.yaml", &spec, Path::new(""), &[]).expect("the spec is valid");
    let plan = data.plan(&experiment);
    let mut group = criterion.benchmark_group("experiment");
    group.sample_size(10);
    group.bench_function("4 seeds of all but the forest", |bencher| {
        bencher.iter(|| {
            for cells in by_split(plan.cells.iter()) {
                run_group(&experiment, &data, &cells, |_| true, |_, outcome| black_box(outcome).result.is_ok());
            }
        });
    });
    group.finish();
}

criterion_group!(benches, steps, fits, cells);
criterion_main!(benches);
