//! From scores to the probability that a person is a potential customer.

use crate::math::risk::{Costs, Loss, probabilities};

/// How the scores of a method become `p(w = +1 | x)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Link {
    /// The score is the probability, clamped to [0, 1].
    Probability,
    /// The score minimises the mean of a loss, at these costs.
    Margin { loss: Loss, costs: Costs },
}

impl Link {
    /// `None` for losses whose minimum shows on which side of the threshold the probability is, but not its value.
    pub fn of_margin(loss: Loss, costs: Costs) -> Option<Self> {
        match loss {
            Loss::Logistic | Loss::Log | Loss::Squared => Some(Link::Margin { loss, costs }),
            Loss::Hinge | Loss::DoubleHinge | Loss::Sigmoid => None,
        }
    }

    /// At the minimum of the mean loss `c_FN p l(g) + c_FP (1 - p) l(-g)`, the odds that `g` represents are those of
    /// `p` times `c_FN / c_FP`; this removes that factor.
    pub fn probabilities(self, scores: &[f64]) -> Vec<f64> {
        let mut scores = scores.to_vec();
        match self {
            Link::Probability => scores.iter_mut().for_each(|score| *score = score.clamp(0.0, 1.0)),
            Link::Margin { loss: Loss::Squared, costs } => {
                for score in &mut scores {
                    let for_it = costs.false_positive * ((1.0 + *score) / 2.0).clamp(0.0, 1.0);
                    let against_it = costs.false_negative * ((1.0 - *score) / 2.0).clamp(0.0, 1.0);
                    *score = for_it / (for_it + against_it);
                }
            }
            Link::Margin { costs, .. } => probabilities(&mut scores, costs.false_positive, costs.false_negative),
        }
        scores
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn probability(link: Link, score: f64) -> f64 {
        link.probabilities(&[score])[0]
    }

    /// The minimum of a convex function, by ternary search.
    fn lowest(value: impl Fn(f64) -> f64) -> f64 {
        let (mut low, mut high) = (-30.0, 30.0);
        for _ in 0..200 {
            let third = (high - low) / 3.0;
            if value(low + third) < value(high - third) { high -= third } else { low += third }
        }
        (low + high) / 2.0
    }

    #[test]
    fn the_probability_comes_back_from_where_the_mean_loss_is_lowest() {
        for loss in [Loss::Logistic, Loss::Log, Loss::Squared] {
            for costs in [Costs::UNIT, Costs { false_negative: 1.0, false_positive: 100.0 }] {
                let link = Link::of_margin(loss, costs).unwrap();
                for p in [0.03, 0.3, 0.5, 0.9] {
                    let mean_loss = |g: f64| {
                        costs.false_negative * p * loss.value(g) + costs.false_positive * (1.0 - p) * loss.value(-g)
                    };
                    let found = probability(link, lowest(mean_loss));
                    assert!((found - p).abs() < 1e-5, "{}, {costs}: {found} is not {p}", loss.name());
                }
            }
        }
        assert_eq!(Link::of_margin(Loss::Hinge, Costs::UNIT), None);
    }

    #[test]
    fn a_probability_is_within_its_bounds_for_any_score() {
        let costs = Costs { false_negative: 1e-9, false_positive: 1e9 };
        let links = [Loss::Logistic, Loss::Squared].map(|loss| Link::of_margin(loss, costs).unwrap());
        for link in links.into_iter().chain([Link::Probability]) {
            for score in [-1e300, -800.0, -1.0, 0.0, 1.0, 800.0, 1e300] {
                assert!((0.0..=1.0).contains(&probability(link, score)), "{link:?} {score}");
            }
        }
    }
}
