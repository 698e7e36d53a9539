//! People ordered by score, best first, in groups of equal score.

/// A stored ROC curve has this many points, at evenly spaced false positive rates from 0 to 1.
pub const CURVE_POINTS: usize = 101;

/// How many positives and negatives share one score.
#[derive(Clone, Copy, Debug, Default)]
struct Tie {
    positives: f64,
    negatives: f64,
}

/// A test part ordered by score: all that the metrics need to know.
#[derive(Clone, Debug)]
pub struct Ranking {
    ties: Vec<Tie>,
    positives: f64,
    negatives: f64,
}

/// Why scores cannot be ranked against the truth.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RankingError {
    #[error("the test part holds {rows} rows, all of them {class}: an AUC needs both classes")]
    SingleClass { rows: usize, class: &'static str },
    #[error("the score of test row {row} is {score}, which cannot be ranked")]
    NotFinite { row: usize, score: f64 },
}

/// People ordered by score, before anybody says who is positive: one sort serves every ranking.
#[derive(Clone, Debug)]
pub struct Order {
    /// For each person a number that rises as the score falls, and equal scores share; with the person's row.
    people: Vec<(u64, u32)>,
}

impl Order {
    pub fn new(scores: &[f64]) -> Result<Self, RankingError> {
        if let Some(row) = scores.iter().position(|score| !score.is_finite()) {
            return Err(RankingError::NotFinite { row, score: scores[row] });
        }
        let people = scores.iter().map(|score| fallen(*score)).zip(0..).collect();
        Ok(Order { people: sorted(people) })
    }

    /// Against the truth about everybody.
    pub fn ranking(&self, truth: &[bool]) -> Result<Ranking, RankingError> {
        self.ranking_of(truth, |_| true)
    }

    /// Against the truth about some people, as if there were no others.
    pub fn ranking_of(&self, truth: &[bool], is_one: impl Fn(usize) -> bool) -> Result<Ranking, RankingError> {
        assert_eq!(self.people.len(), truth.len());
        let mut ties: Vec<Tie> = Vec::with_capacity(self.people.len());
        let mut tie = Tie::default();
        let mut last = None;
        for (key, row) in self.people.iter().filter(|(_, row)| is_one(*row as usize)) {
            if last.replace(*key).is_some_and(|last| last != *key) {
                ties.push(std::mem::take(&mut tie));
            }
            let is_positive = f64::from(u8::from(truth[*row as usize]));
            tie.positives += is_positive;
            tie.negatives += 1.0 - is_positive;
        }
        ties.push(tie);
        let positives: f64 = ties.iter().map(|tie| tie.positives).sum();
        let negatives: f64 = ties.iter().map(|tie| tie.negatives).sum();
        if positives == 0.0 || negatives == 0.0 {
            let class = if positives == 0.0 { "W = -1" } else { "W = +1" };
            return Err(RankingError::SingleClass { rows: (positives + negatives) as usize, class });
        }
        Ok(Ranking { ties, positives, negatives })
    }
}

/// A whole number that rises as the score falls.
fn fallen(score: f64) -> u64 {
    // Not -0.0: it is one score with 0.0.
    let bits = (score + 0.0).to_bits();
    if bits >> 63 == 0 { !(bits | 1 << 63) } else { bits }
}

/// Sorted by key, digit by digit: 2,232 people take a third of the time that comparing them takes. The last digits of keys
/// hardly ever matter, so these are left to comparing.
fn sorted(mut people: Vec<(u64, u32)>) -> Vec<(u64, u32)> {
    const BITS: u32 = 11;
    const DIGITS: usize = 1 << BITS;
    let mut other = vec![(0, 0); people.len()];
    for shift in [20, 31, 42, 53] {
        let digit = |key: u64| (key >> shift) as usize % DIGITS;
        let mut places = [0u32; DIGITS];
        people.iter().for_each(|(key, _)| places[digit(*key)] += 1);
        let mut next = 0;
        for place in &mut places {
            next += std::mem::replace(place, next);
        }
        for person in &people {
            let place = &mut places[digit(person.0)];
            other[*place as usize] = *person;
            *place += 1;
        }
        std::mem::swap(&mut people, &mut other);
    }
    if !people.is_sorted_by_key(|(key, _)| *key) {
        people.sort_by_key(|(key, _)| *key);
    }
    people
}

impl Ranking {
    pub fn new(scores: &[f64], truth: &[bool]) -> Result<Self, RankingError> {
        Order::new(scores)?.ranking(truth)
    }

    /// The area under the ROC curve, by counting the pairs that stand in the right order.
    pub fn roc_auc(&self) -> f64 {
        let (mut above, mut pairs) = (0.0, 0.0);
        for tie in &self.ties {
            pairs += tie.negatives * (above + tie.positives / 2.0);
            above += tie.positives;
        }
        pairs / (self.positives * self.negatives)
    }

    /// The sum over scores of (recall gained) x (precision down to there).
    pub fn average_precision(&self) -> f64 {
        let (mut positives, mut taken, mut sum) = (0.0, 0.0, 0.0);
        for tie in &self.ties {
            positives += tie.positives;
            taken += tie.positives + tie.negatives;
            if tie.positives > 0.0 {
                sum += tie.positives * positives / taken;
            }
        }
        sum / self.positives
    }

    /// The share of positives among the best `share` of people.
    ///
    /// Where the cut falls inside a tie, the tie counts in proportion.
    pub fn precision(&self, share: f64) -> f64 {
        let wanted = share * (self.positives + self.negatives);
        let (mut found, mut taken) = (0.0, 0.0);
        for tie in &self.ties {
            if taken >= wanted {
                break;
            }
            let people = tie.positives + tie.negatives;
            let part = if taken + people <= wanted { 1.0 } else { (wanted - taken) / people };
            found += part * tie.positives;
            taken += part * people;
        }
        found / wanted
    }

    /// The precision among the best `share` of people, relative to that among all.
    pub fn lift(&self, share: f64) -> f64 {
        self.precision(share) / (self.positives / (self.positives + self.negatives))
    }

    /// The true positive rate at [`CURVE_POINTS`] false positive rates, rounded to 1/10,000: enough for a picture.
    pub fn roc_curve(&self) -> Vec<u16> {
        let mut curve = Vec::with_capacity(CURVE_POINTS);
        let mut ties = self.ties.iter();
        let (mut below, mut above) = (Tie::default(), Tie::default());
        for point in 0..CURVE_POINTS {
            let wanted = self.negatives * point as f64 / (CURVE_POINTS - 1) as f64;
            // The last corner at this false positive rate, so that a vertical rise counts.
            while above.negatives <= wanted {
                let Some(tie) = ties.next() else { break };
                below = above;
                above.positives += tie.positives;
                above.negatives += tie.negatives;
            }
            let run = above.negatives - below.negatives;
            let part = if run > 0.0 { ((wanted - below.negatives) / run).min(1.0) } else { 1.0 };
            let positives = below.positives + part * (above.positives - below.positives);
            curve.push((10_000.0 * positives / self.positives).round() as u16);
        }
        curve
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn by_counting_pairs(scores: &[f64], truth: &[bool]) -> f64 {
        let (mut right, mut pairs) = (0.0, 0.0);
        for (i, _) in truth.iter().enumerate().filter(|(_, w)| **w) {
            for (j, _) in truth.iter().enumerate().filter(|(_, w)| !**w) {
                pairs += 1.0;
                if scores[i] > scores[j] {
                    right += 1.0;
                } else if scores[i] == scores[j] {
                    right += 0.5;
                }
            }
        }
        right / pairs
    }

    #[test]
    fn scores_that_differ_in_their_last_digits_are_told_apart() {
        let scores: Vec<f64> = (0..300).map(|i| 1.0 + f64::from(i * 7 % 300) * f64::EPSILON).collect();
        let truth: Vec<bool> = (0..300).map(|i| i * 7 % 300 >= 150).collect();
        assert_eq!(Ranking::new(&scores, &truth).unwrap().roc_auc(), 1.0);
        let order = Order::new(&[0.5, -2.0, 1e300, -1e300, 0.0, -0.0, 3.0]).unwrap();
        assert_eq!(order.people.iter().map(|(_, row)| *row).collect::<Vec<_>>(), [2, 6, 0, 4, 5, 1, 3]);
    }

    proptest! {
        #[test]
        fn auc_equals_counted_pairs(people in prop::collection::vec((-3i32..4, any::<bool>()), 2..60)) {
            let scores: Vec<f64> = people.iter().map(|(score, _)| f64::from(*score) / 2.0).collect();
            let truth: Vec<bool> = people.iter().map(|(_, w)| *w).collect();
            if let Ok(ranking) = Ranking::new(&scores, &truth) {
                prop_assert!((ranking.roc_auc() - by_counting_pairs(&scores, &truth)).abs() < 1e-12);
            }
        }

        #[test]
        fn the_curve_rises_to_one_and_its_area_is_near_the_auc(
            people in prop::collection::vec((0i32..1000, any::<bool>()), 200..400)
        ) {
            let scores: Vec<f64> = people.iter().map(|(score, _)| f64::from(*score)).collect();
            let truth: Vec<bool> = people.iter().map(|(_, w)| *w).collect();
            if let Ok(ranking) = Ranking::new(&scores, &truth) {
                let curve = ranking.roc_curve();
                prop_assert!(curve.is_sorted());
                prop_assert_eq!(*curve.last().unwrap(), 10_000);
                let area: f64 = curve.windows(2).map(|pair| f64::from(pair[0] + pair[1]) / 2e4).sum::<f64>() / 100.0;
                prop_assert!((area - ranking.roc_auc()).abs() < 0.01);
            }
        }
    }

    #[test]
    fn the_curve_passes_through_the_corners_worked_out_by_hand() {
        // Best first: two positives, then a tie of one positive and two negatives, then two negatives.
        let scores = [5.0, 4.0, 3.0, 3.0, 3.0, 2.0, 1.0];
        let truth = [true, true, true, false, false, false, false];
        let curve = Ranking::new(&scores, &truth).unwrap().roc_curve();
        // It starts at 2/3, climbs evenly to 1 at a false positive rate of 1/2, and stays there.
        assert_eq!((curve[0], curve[50], curve[51], curve[100]), (6667, 10_000, 10_000, 10_000));
        assert_eq!(curve[25], 8333);
        assert_eq!(curve[10], 7333);
    }

    #[test]
    fn auc_agrees_with_smartcore() {
        let scores = vec![0.1, 0.4, 0.35, 0.8, 0.4, 0.0, 0.0, 0.65];
        let truth = [false, true, false, true, false, false, true, true];
        let numbers: Vec<f64> = truth.iter().map(|w| f64::from(u8::from(*w))).collect();
        let expected = smartcore::metrics::roc_auc_score(&numbers, &scores);
        assert!((Ranking::new(&scores, &truth).unwrap().roc_auc() - expected).abs() < 1e-12);
    }

    #[test]
    fn a_perfect_a_reversed_and_a_constant_ranking() {
        let truth = [true, true, false, false];
        let auc = |scores: [f64; 4]| Ranking::new(&scores, &truth).unwrap().roc_auc();
        assert_eq!(auc([4.0, 3.0, 2.0, 1.0]), 1.0);
        assert_eq!(auc([1.0, 2.0, 3.0, 4.0]), 0.0);
        assert_eq!(auc([0.0, -0.0, 0.0, -0.0]), 0.5);
    }

    #[test]
    fn average_precision_and_lift_match_values_worked_out_by_hand() {
        // Ranking + - + - -: precisions 1/1 and 2/3; the best fifth is one positive where 2 of 5 are.
        let ranking = Ranking::new(&[5.0, 4.0, 3.0, 2.0, 1.0], &[true, false, true, false, false]).unwrap();
        assert!((ranking.average_precision() - (1.0 + 2.0 / 3.0) / 2.0).abs() < 1e-12);
        assert!((ranking.lift(0.2) - 2.5).abs() < 1e-12);
        // All tied: no better than chance.
        let tied = Ranking::new(&[1.0; 5], &[true, false, true, false, false]).unwrap();
        assert!((tied.average_precision() - 0.4).abs() < 1e-12);
        assert!((tied.lift(0.1) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_single_class_and_a_score_that_is_not_finite_are_refused() {
        let single = Ranking::new(&[1.0, 2.0], &[true, true]).unwrap_err();
        assert_eq!(single, RankingError::SingleClass { rows: 2, class: "W = +1" });
        let nan = Ranking::new(&[1.0, f64::NAN], &[true, false]).unwrap_err();
        assert!(matches!(nan, RankingError::NotFinite { row: 1, .. }));
    }
}
