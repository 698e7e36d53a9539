//! Random scores, whose expected AUC is one half.

use crate::learn::{Card, Failure, Learner, Model, PriorUse, SampleNeed, Trained, Training};
use crate::math::matrix::Design;
use crate::sample::Stream;
use rand::RngExt;

crate::options! {
    /// Scores are uniform random numbers from a stream of the seed. Their expected ROC-AUC is 0.5, which checks the harness.
    pub struct Random {}
    card: Card {
        name: "random",
        what: "random scores, whose expected ROC-AUC is 0.5",
        samples: "none",
        prior: PriorUse::None,
        needs: SampleNeed::Any,
        source: "a check of the harness",
    }
}

impl Learner for Random {
    fn fit(&self, training: &Training) -> Result<Trained, Failure> {
        Ok(Trained::direct(Box::new(RandomModel { stream: training.stream("random") }), None))
    }
}

struct RandomModel {
    stream: Stream,
}

impl Model for RandomModel {
    fn predict(&self, rows: &Design) -> Vec<f64> {
        let mut stream = self.stream.clone();
        (0..rows.rows()).map(|_| stream.random()).collect()
    }

    fn threshold(&self) -> f64 {
        0.5
    }
}
