//! Scores that know nothing: the AUC must come out at one half.

use crate::learn::{Card, Failure, Learner, Model, PriorUse, SampleNeed, Trained, Training};
use crate::math::matrix::Design;
use crate::sample::Stream;
use rand::RngExt;

crate::options! {
    /// Uniform scores from the seed's own stream.
    pub struct Random {}
    card: Card {
        name: "random",
        what: "scores that know nothing: an AUC of 0.5 must come out",
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
