//! First-order training: of networks, and of risks with the correction `kiryo`, whose steps follow no gradient.

use crate::learn::Failure;
use crate::learn::record::Form;
use crate::learn::solve::{Optimizer, Search, Solved};
use crate::math::optim::{Adam, Boundedness, Ending, Minimum, Objective};
use crate::math::risk::{Growth, Network, Predictor, SignedRisk};
use crate::sample::Stream;
use rand::RngExt;
use rand::seq::SliceRandom;

/// About how many checkpoints of a network's training are kept.
const CHECKPOINTS: u32 = 50;

/// The steps of a first-order method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps {
    pub epochs: u32,
    pub rate: f64,
    pub batches: u32,
}

/// The state of a network during training.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    pub epoch: u32,
    /// The signed risk on the training samples, without correction and ridge.
    pub training_risk: f64,
    pub weights: Vec<f64>,
}

/// Trains a network.
pub fn train(risk: &SignedRisk<Network>, steps: Steps, form: Form, mut random: Stream) -> Result<Solved, Failure> {
    let network = risk.predictor;
    let sizes = risk.weight_sizes();
    let start: Vec<f64> = (0..risk.dimension())
        .map(|i| sizes[i].min(1.0) * network.initial_bound(i) * (2.0 * random.random::<f64>() - 1.0))
        .collect();
    // Zero weights are a saddle point of a network, so the gradient at the start is the scale.
    let scale = Minimum::given(risk, start.clone(), 0, Ending::EpochsDone).gradient_size.max(f64::MIN_POSITIVE);
    let (minimum, history) = first_order(risk, steps, start, &mut random);
    let is_bounded = risk.loss.growth() == Growth::Bounded || risk.has_no_negative_part();
    let boundedness = if is_bounded { Boundedness::Bounded } else { Boundedness::Undecided };
    let optimizer = Optimizer::FirstOrder;
    Search { minimum, scale, optimizer, starts: None, boundedness, form, history }.solved(risk)
}

/// Steps against the risk's direction for a number of epochs, in batches, with a rate that falls linearly to zero.
pub fn first_order<P: Predictor + Clone>(
    risk: &SignedRisk<P>,
    steps: Steps,
    start: Vec<f64>,
    random: &mut Stream,
) -> (Minimum, Vec<Checkpoint>) {
    let smallest = risk.terms.iter().map(|term| term.rows.count()).min().unwrap_or(1);
    let batches = (steps.batches as usize).clamp(1, smallest);
    // Columns with large numbers need small steps.
    let sizes: Vec<f64> = risk.weight_sizes().iter().map(|size| size.min(1.0)).collect();
    let mut adam = Adam::at(start, sizes);
    let mut direction = vec![0.0; risk.dimension()];
    let mut orders: Vec<Vec<usize>> = risk.terms.iter().map(|term| (0..term.rows.count()).collect()).collect();
    let mut history = Vec::new();
    let every = steps.epochs.div_ceil(CHECKPOINTS);
    for epoch in 1..=steps.epochs {
        let rate = steps.rate * (1.0 - f64::from(epoch - 1) / f64::from(steps.epochs));
        if batches == 1 {
            risk.direction(&adam.w, &mut direction);
            adam.step(rate, &direction);
        } else {
            orders.iter_mut().for_each(|order| order.shuffle(random));
            for batch in 0..batches {
                let part = |order: &'_ Vec<usize>| {
                    let at = |batch: usize| batch * order.len() / batches;
                    at(batch)..at(batch + 1)
                };
                let rows: Vec<&[usize]> = orders.iter().map(|order| &order[part(order)]).collect();
                risk.over(&rows).direction(&adam.w, &mut direction);
                adam.step(rate, &direction);
            }
        }
        if epoch == 1 || epoch % every == 0 || epoch == steps.epochs {
            let training_risk = risk.plain_value(&adam.w);
            // If the risk overflows, the fit fails as a whole.
            if training_risk.is_finite() {
                history.push(Checkpoint { epoch, training_risk, weights: adam.w.clone() });
            }
        }
    }
    (Minimum::given(risk, adam.w, steps.epochs, Ending::EpochsDone), history)
}
