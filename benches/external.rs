//! What it costs to have a method in another program: a cell of the paper's size, sent to a worker that answers with zeros.
//! It needs `python3` with numpy.

use criterion::{Criterion, criterion_group, criterion_main};
use doublepu::external::Session;
use doublepu::learn::Shared;
use doublepu::run::{Data, SplitSamples};
use doublepu::spec;
use std::path::Path;

const SPEC: &str = r#"experiment: external
dataset:
  source: bank-marketing
  interest: { column: deposit, positive: "yes" }
  loyalty: { column: default, positive: "yes" }
sampling: { scheme: pools, test: 0.2, interest: 0.1, unlabeled: 0.1, loyal: 0.8 }
seeds: 1
methods:
  - random
  - external: { name: trivial, command: [python3, trivial.py], files: [trivial.py] }
"#;

fn cells(criterion: &mut Criterion) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/external");
    let experiment = spec::parse("external.yaml", SPEC, &folder, &[]).expect("the spec is valid");
    let data = Data::load(&experiment).expect("the data is built in");
    let table = data.table(0, 1);
    let samples = SplitSamples::draw(&experiment.settings[0], &table, 1).expect("the split has rows");
    let _workers = Session::begin();
    let mut group = criterion.benchmark_group("a cell");
    for cell in data.plan(&experiment).cells {
        let prior = samples.prior(&experiment, &cell).expect("the file has both labels");
        let fit = || samples.fit(&experiment, &cell, prior, &Shared::default());
        if let Err(failure) = fit() {
            eprintln!("{failure}");
            std::process::exit(1);
        }
        group.bench_function(&experiment.methods[cell.method].label, |bencher| bencher.iter(fit));
    }
    group.finish();
}

criterion_group!(benches, cells);
criterion_main!(benches);
