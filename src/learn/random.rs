//! Scores that know nothing: the AUC must come out at one half.

use crate::learn::{Model, Trained};
use crate::math::matrix::Design;
use crate::sample::Stream;
use rand::RngExt;
use serde::{Deserialize, Serialize};

/// Uniform scores from the seed's own stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RandomScores {}

struct RandomModel {
    stream: Stream,
}

impl RandomScores {
    pub fn fit(&self, stream: Stream) -> Trained {
        Trained::direct(Box::new(RandomModel { stream }), None)
    }
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
