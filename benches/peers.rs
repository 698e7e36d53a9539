//! Our side of `benches/peers/compare.py`: single fits on the split of seed 1 with nothing computed before, as JSON.

use doublepu::learn::Training;
use doublepu::math::metric::Ranking;
use doublepu::run::{Data, SplitSamples};
use doublepu::spec;
use serde_json::json;
use std::path::Path;
use std::time::Instant;

const FITS: usize = 51;

fn main() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers/fits.yaml");
    let experiment = spec::read(&path, &[]).expect("the spec is valid");
    let data = Data::load(&experiment).expect("the data is built in");
    let table = data.table(0, 1);
    let mut report = serde_json::Map::new();
    for cell in data.plan(&experiment).cells {
        let method = &experiment.methods[cell.method].method;
        // What a design knows of itself is part of the fit, so each fit gets samples of its own.
        let draw = || {
            let samples = SplitSamples::draw(&experiment.settings[0], &table, 1).expect("the split has rows");
            let _ = (&samples.oracle.train.truth, &samples.oracle.unlabeled.truth);
            samples
        };
        let fit = |samples: &SplitSamples| {
            let prior = samples.prior(&experiment, &cell).expect("the file has both labels");
            let training = Training::new(&samples.observed, prior);
            let scored = method.fit_and_score(&training, &samples.oracle, &[]).expect("the risk has a minimum");
            scored.trained.expect("it runs in this process")
        };
        let timed_fit = || {
            let (others, samples) = (draw(), draw());
            // The peers' fits come one after the other, too, and not each after a draw.
            fit(&others);
            let start = Instant::now();
            let trained = fit(&samples);
            let seconds = start.elapsed().as_secs_f64();
            let ranking = Ranking::new(&trained.predict(&samples.test), &samples.test_truth);
            (seconds, trained.fit, ranking.expect("the test set has both classes").roc_auc())
        };
        let mut fits: Vec<_> = (0..FITS).map(|_| timed_fit()).collect();
        fits.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (seconds, fit, auc) = &fits[FITS / 2];
        let entry = json!({ "seconds": seconds, "gradient": fit.gradient_norm, "auc": auc });
        report.insert(method.name().to_string(), entry);
    }
    println!("{}", serde_json::Value::Object(report));
}
