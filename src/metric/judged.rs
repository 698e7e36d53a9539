//! A scored test part: what a method says of it, and what is true.

use crate::metric::{CalibrationBin, Metric, Order, Ranking, RankingError, brier_score, calibration};
use crate::risk::Costs;
use std::collections::BTreeMap;

/// The true labels of people.
#[derive(Clone, Debug, Default)]
pub struct Truth {
    /// Y = +1
    pub interested: Vec<bool>,
    /// W = +1
    pub potential_customer: Vec<bool>,
}

/// What a method says of people whose labels are known.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'a> {
    pub scores: &'a [f64],
    /// Above it a person is taken for a potential customer.
    pub threshold: f64,
    /// Of W = +1, where the method gives them.
    pub probabilities: Option<&'a [f64]>,
    /// Of the method's wrong decisions.
    pub costs: Costs,
    pub truth: &'a Truth,
}

/// The people ordered by score, and that order held against W.
pub struct Ranked {
    order: Order,
    pub ranking: Ranking,
}

impl Judged<'_> {
    pub fn ranked(&self) -> Result<Ranked, RankingError> {
        let order = Order::new(self.scores)?;
        Ok(Ranked { ranking: order.ranking(&self.truth.potential_customer)?, order })
    }

    /// Every metric; `None` for one that this test part or this method has no value of.
    pub fn metrics(&self, Ranked { order, ranking }: &Ranked) -> BTreeMap<Metric, Option<f64>> {
        let Truth { interested, potential_customer } = self.truth;
        let auc = |ranking: Result<Ranking, RankingError>| ranking.ok().map(|ranking| ranking.roc_auc());
        let decisions = self.decisions();
        let value = |metric: Metric| match metric {
            Metric::RocAuc => Some(ranking.roc_auc()),
            Metric::RocAucGivenInterest => auc(order.ranking_of(potential_customer, |row| interested[row])),
            Metric::RocAucOfInterest => auc(order.ranking(interested)),
            Metric::AveragePrecision => Some(ranking.average_precision()),
            Metric::Accuracy => Some(decisions.accuracy()),
            Metric::F1 => Some(decisions.f1()),
            Metric::CostWeightedRisk => Some(decisions.cost(self.costs)),
            Metric::LiftAt5 => Some(ranking.lift(0.05)),
            Metric::LiftAt10 => Some(ranking.lift(0.1)),
            Metric::LiftAt20 => Some(ranking.lift(0.2)),
            Metric::PrecisionAt5 => Some(ranking.precision(0.05)),
            Metric::PrecisionAt10 => Some(ranking.precision(0.1)),
            Metric::PrecisionAt20 => Some(ranking.precision(0.2)),
            Metric::BrierScore => self.probabilities.map(|p| brier_score(p, potential_customer)),
        };
        Metric::ALL.into_iter().map(|metric| (metric, value(metric))).collect()
    }

    /// How often what was given a probability came true; `None` where the method gives none.
    pub fn calibration(&self) -> Option<Vec<CalibrationBin>> {
        self.probabilities.map(|probabilities| calibration(probabilities, &self.truth.potential_customer))
    }

    fn decisions(&self) -> Decisions {
        let mut decisions = Decisions::default();
        for (score, is_potential_customer) in self.scores.iter().zip(&self.truth.potential_customer) {
            let count = match (score > &self.threshold, is_potential_customer) {
                (true, true) => &mut decisions.true_positives,
                (true, false) => &mut decisions.false_positives,
                (false, true) => &mut decisions.false_negatives,
                (false, false) => &mut decisions.true_negatives,
            };
            *count += 1.0;
        }
        decisions
    }
}

/// How many people it was decided of in each way.
#[derive(Debug, Default)]
struct Decisions {
    true_positives: f64,
    false_positives: f64,
    false_negatives: f64,
    true_negatives: f64,
}

impl Decisions {
    fn people(&self) -> f64 {
        self.true_positives + self.false_positives + self.false_negatives + self.true_negatives
    }

    fn accuracy(&self) -> f64 {
        (self.true_positives + self.true_negatives) / self.people()
    }

    /// Some people are positive, so this is never 0 / 0.
    fn f1(&self) -> f64 {
        2.0 * self.true_positives / (2.0 * self.true_positives + self.false_positives + self.false_negatives)
    }

    /// The mean over people.
    fn cost(&self, costs: Costs) -> f64 {
        (costs.false_negative * self.false_negatives + costs.false_positive * self.false_positives) / self.people()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCORES: [f64; 8] = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.2, 0.1];

    fn truth() -> Truth {
        Truth {
            interested: [true, true, true, false, true, true, false, false].to_vec(),
            potential_customer: [true, false, true, false, true, false, false, false].to_vec(),
        }
    }

    fn judged<'a>(truth: &'a Truth, probabilities: Option<&'a [f64]>) -> Judged<'a> {
        let costs = Costs { false_negative: 1.0, false_positive: 100.0 };
        Judged { scores: &SCORES, threshold: 0.5, probabilities, costs, truth }
    }

    fn metrics(judged: Judged) -> BTreeMap<Metric, Option<f64>> {
        judged.metrics(&judged.ranked().unwrap())
    }

    #[test]
    fn every_metric_matches_scikit_learn() {
        // scikit-learn 1.9.1, with s, w and y as above and d = s > 0.5: roc_auc_score(w, s) = 12/15,
        // roc_auc_score(w[y], s[y]) = 4/6, roc_auc_score(y, s) = 13/15, average_precision_score(w, s) = 34/45,
        // accuracy_score(w, d) = 5/8, f1_score(w, d) = 4/7, brier_score_loss(w, s) = 0.195. Lift, precision and costs
        // are counted by hand: one potential customer is missed and two others are taken for one.
        let truth = truth();
        let metrics = metrics(judged(&truth, Some(&SCORES)));
        for (metric, expected) in [
            (Metric::RocAuc, 12.0 / 15.0),
            (Metric::RocAucGivenInterest, 4.0 / 6.0),
            (Metric::RocAucOfInterest, 13.0 / 15.0),
            (Metric::AveragePrecision, 34.0 / 45.0),
            (Metric::Accuracy, 5.0 / 8.0),
            (Metric::F1, 4.0 / 7.0),
            (Metric::CostWeightedRisk, 201.0 / 8.0),
            (Metric::LiftAt5, 8.0 / 3.0),
            (Metric::LiftAt10, 8.0 / 3.0),
            // 1.6 people: one potential customer and 0.6 of another person.
            (Metric::LiftAt20, (1.0 / 1.6) / (3.0 / 8.0)),
            (Metric::PrecisionAt5, 1.0),
            (Metric::PrecisionAt10, 1.0),
            (Metric::PrecisionAt20, 1.0 / 1.6),
            (Metric::BrierScore, 0.195),
        ] {
            let value = metrics[&metric].unwrap();
            assert!((value - expected).abs() < 1e-12, "{}: {value} is not {expected}", metric.name());
        }
        assert_eq!(metrics.len(), Metric::ALL.len());
    }

    #[test]
    fn what_has_no_value_says_so() {
        let all_interested = Truth { interested: vec![true; 8], ..truth() };
        let values = metrics(judged(&all_interested, None));
        assert_eq!(values[&Metric::RocAucOfInterest], None, "nobody is without interest");
        assert_eq!(values[&Metric::BrierScore], None);
        assert_eq!(values[&Metric::RocAucGivenInterest], values[&Metric::RocAuc]);
        let no_loyal_buyer = Truth { interested: truth().potential_customer, ..truth() };
        assert_eq!(metrics(judged(&no_loyal_buyer, None))[&Metric::RocAucGivenInterest], None);
        assert_eq!(judged(&no_loyal_buyer, None).calibration(), None);
    }
}
