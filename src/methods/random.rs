//! Random scores, whose expected AUC is one half.

use crate::learn::{Card, Failure, Learner, PriorUse, Probabilities, SampleNeed, Trained, Training};
use crate::math::matrix::Design;
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
        let stream = training.stream("random");
        let scores = move |rows: &Design| {
            let mut stream = stream.clone();
            (0..rows.rows()).map(|_| stream.random()).collect()
        };
        Ok(Trained::direct(Box::new(Probabilities(scores)), None))
    }
}
