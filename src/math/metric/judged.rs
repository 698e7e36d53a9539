//! A scored test set: the predictions of a method, and the true labels.

use crate::math::metric::{CalibrationBin, Group, Metric, Ranking, RankingError, brier_score, calibration};
use crate::math::risk::Costs;
use std::collections::BTreeMap;

/// The predictions of a method for people with known labels.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'a> {
    pub scores: &'a [f64],
    /// People with a higher score are predicted to be potential customers.
    pub threshold: f64,
    /// The probabilities of W = +1, if the method predicts them.
    pub probabilities: Option<&'a [f64]>,
    /// The costs of the method's wrong decisions.
    pub costs: Costs,
    pub truth: &'a [Group],
}

impl Judged<'_> {
    pub fn ranking(&self) -> Result<Ranking, RankingError> {
        Ranking::new(self.scores, self.truth)
    }

    /// The value of every metric; `None` for one that is undefined for this test set or this method.
    pub fn metrics(&self, ranking: &Ranking) -> BTreeMap<Metric, Option<f64>> {
        let [found, taken, missed] = self.decisions().map(f64::from);
        let people = self.scores.len() as f64;
        let value = |metric: Metric| match metric {
            Metric::RocAuc => Some(ranking.roc_auc()),
            Metric::RocAucGivenInterest => ranking.roc_auc_given_interest(),
            Metric::RocAucOfInterest => ranking.roc_auc_of_interest(),
            Metric::AveragePrecision => Some(ranking.average_precision()),
            Metric::Accuracy => Some((people - taken - missed) / people),
            // Never 0 / 0, because a ranking has at least one positive.
            Metric::F1 => Some(2.0 * found / (2.0 * found + (taken + missed))),
            Metric::CostWeightedRisk => {
                Some((self.costs.false_negative * missed + self.costs.false_positive * taken) / people)
            }
            Metric::LiftAt5 => Some(ranking.lift(0.05)),
            Metric::LiftAt10 => Some(ranking.lift(0.1)),
            Metric::LiftAt20 => Some(ranking.lift(0.2)),
            Metric::PrecisionAt5 => Some(ranking.precision(0.05)),
            Metric::PrecisionAt10 => Some(ranking.precision(0.1)),
            Metric::PrecisionAt20 => Some(ranking.precision(0.2)),
            Metric::BrierScore => self.probabilities.map(|p| brier_score(p, self.truth)),
        };
        Metric::ALL.into_iter().map(|metric| (metric, value(metric))).collect()
    }

    /// The calibration of the probabilities; `None` if the method predicts none.
    pub fn calibration(&self) -> Option<Vec<CalibrationBin>> {
        self.probabilities.map(|probabilities| calibration(probabilities, self.truth))
    }

    /// The numbers of true positives, false positives and false negatives.
    fn decisions(&self) -> [u32; 3] {
        let [mut found, mut taken, mut missed] = [0; 3];
        for (score, group) in self.scores.iter().zip(self.truth) {
            let (is_chosen, is_positive) = (*score > self.threshold, group.is_potential_customer());
            found += u32::from(is_chosen & is_positive);
            taken += u32::from(is_chosen & !is_positive);
            missed += u32::from(!is_chosen & is_positive);
        }
        [found, taken, missed]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCORES: [f64; 8] = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.2, 0.1];

    fn groups(interested: [bool; 8], potential_customer: [bool; 8]) -> Vec<Group> {
        interested.into_iter().zip(potential_customer).map(|(y, w)| Group::of(y, !w)).collect()
    }

    const INTERESTED: [bool; 8] = [true, true, true, false, true, true, false, false];
    const POTENTIAL_CUSTOMER: [bool; 8] = [true, false, true, false, true, false, false, false];

    fn judged<'a>(truth: &'a [Group], probabilities: Option<&'a [f64]>) -> Judged<'a> {
        let costs = Costs { false_negative: 1.0, false_positive: 100.0 };
        Judged { scores: &SCORES, threshold: 0.5, probabilities, costs, truth }
    }

    fn metrics(judged: Judged) -> BTreeMap<Metric, Option<f64>> {
        judged.metrics(&judged.ranking().unwrap())
    }

    #[test]
    fn every_metric_matches_scikit_learn() {
        // scikit-learn 1.9.1, with s, w and y as above and d = s > 0.5: roc_auc_score(w, s) = 12/15,
        // roc_auc_score(w[y], s[y]) = 4/6, roc_auc_score(y, s) = 13/15, average_precision_score(w, s) = 34/45,
        // accuracy_score(w, d) = 5/8, f1_score(w, d) = 4/7, brier_score_loss(w, s) = 0.195. Lift, precision and costs
        // are counted by hand: one potential customer is missed and two others are taken for one.
        let truth = groups(INTERESTED, POTENTIAL_CUSTOMER);
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
        let all_interested = groups([true; 8], POTENTIAL_CUSTOMER);
        let values = metrics(judged(&all_interested, None));
        assert_eq!(values[&Metric::RocAucOfInterest], None, "everybody is interested");
        assert_eq!(values[&Metric::BrierScore], None);
        assert_eq!(values[&Metric::RocAucGivenInterest], values[&Metric::RocAuc]);
        let no_loyal_buyer = groups(POTENTIAL_CUSTOMER, POTENTIAL_CUSTOMER);
        assert_eq!(metrics(judged(&no_loyal_buyer, None))[&Metric::RocAucGivenInterest], None);
        assert_eq!(judged(&no_loyal_buyer, None).calibration(), None);
    }
}
