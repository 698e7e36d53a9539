//! What it costs to keep results: 10,000 cells of the `random` method.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use doublepu::analysis::Results;
use doublepu::harness::{RunOptions, compute};
use doublepu::report::cells_csv;
use doublepu::run::{Contents, Data, Outcome, Start, Store, environment, threads};
use doublepu::spec::{self, Cell};
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;

const SPEC: &str = "experiment: store
dataset:
  source: simulation
  groups:
    interested: { count: 20, mean: [-2, 2] }
    loyal: { count: 20, mean: [2, 2] }
    others: { count: 20, mean: [-2, -2] }
sampling: { scheme: censoring }
seeds: 10000
methods: [random]
";

fn store(criterion: &mut Criterion) {
    let experiment = spec::parse("store.yaml", SPEC, Path::new("."), &[]).expect("the spec is valid");
    let data = Data::load(&experiment).expect("a simulation has no file");
    let plan = data.plan(&experiment);
    let cells: Vec<&Cell> = plan.cells.iter().collect();
    let pool = threads(2).expect("threads can be started");
    let folder = || tempfile::tempdir().expect("there is room for a folder");
    let run = |folder: tempfile::TempDir| {
        let options = RunOptions {
            folder: folder.path().to_path_buf(),
            shard: None,
            start: Start::Resume,
            command: String::new(),
        };
        let never = AtomicBool::new(false);
        let computed = pool.install(|| compute(&experiment, &options, &never, &|_| {})).expect("the disk is not full");
        (folder, computed.store)
    };
    let (kept, store) = run(folder());
    let journal = std::fs::read(kept.path().join("journal.jsonl")).expect("it was just written");
    let outcomes: Vec<Outcome> = cells.iter().filter_map(|cell| store.outcome(&cell.id).cloned()).collect();

    let mut group = criterion.benchmark_group("10,000 cells");
    group.sample_size(10);
    group.bench_function("plan", |bencher| bencher.iter(|| data.plan(black_box(&experiment))));
    group.bench_function("run and store, 2 jobs", |bencher| bencher.iter_batched(folder, run, BatchSize::PerIteration));
    for batch in [10, 1000] {
        let open = || {
            let folder = folder();
            let store = Store::open(folder.path(), Start::Resume).expect("the folder is new");
            let boxed = |batch: &[Outcome]| batch.iter().cloned().map(Box::new).collect();
            (folder, store, outcomes.chunks(batch).map(boxed).collect())
        };
        group.bench_function(format!("store, {batch} to a sync"), |bencher| {
            let append = |(folder, mut store, batches): (tempfile::TempDir, Store, Vec<Vec<Box<Outcome>>>)| {
                let environment = environment();
                batches.into_iter().for_each(|batch| store.append(&environment, batch).expect("there is room"));
                (folder, store)
            };
            bencher.iter_batched(open, append, BatchSize::PerIteration);
        });
    }
    group.bench_function("read the journal", |bencher| bencher.iter(|| Contents::parse(black_box(&journal))));
    group.bench_function("cells.csv", |bencher| {
        let results = Results::gather(&experiment, &plan, |id| store.outcome(id));
        bencher.iter(|| cells_csv(black_box(&results)));
    });
    let spec = kept.path().join("store.yaml");
    std::fs::write(&spec, SPEC).expect("there is room");
    let again = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_doublepu"));
        command.arg("run").arg(&spec).arg("--out").arg(kept.path()).output().expect("the program starts")
    };
    drop(store);
    assert!(again().status.success(), "the report is written the first time");
    group.bench_function("the whole program, when all is done", |bencher| bencher.iter(again));
    group.bench_function("report", |bencher| {
        bencher.iter(|| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_doublepu"));
            command.arg("report").arg(kept.path()).output().expect("the program starts")
        });
    });
    group.finish();
}

criterion_group!(benches, store);
criterion_main!(benches);
