//! Two lines over the same seeds: by how much they differ, and whether that is more than chance.

use crate::analysis::Line;
use crate::math::metric::Metric;
use crate::math::stats::{FEWEST_PAIRS, LEVEL, PairedDifference};
use crate::run::{Outcome, Scored};
use crate::spec::{Dataset, Experiment};
use strum::{Display, IntoStaticStr};

/// By how much a line is above another one in a metric; `None` if no seed has a value for both.
///
/// A line is ahead in a seed where its value is better, which for some metrics means lower.
pub fn paired_difference(
    experiment: &Experiment,
    compared: &Line,
    other: &Line,
    metric: Metric,
) -> Option<PairedDifference> {
    let values = |(a, b): (&Scored, &Scored)| a.metric(metric).zip(b.metric(metric));
    let pairs: Vec<_> = pairs(compared, other).into_iter().filter_map(values).collect();
    let difference = PairedDifference::of(&pairs, test_to_train(experiment, compared)?)?;
    let PairedDifference { ahead, behind, .. } = difference;
    let (ahead, behind) = if metric.higher_is_better() { (ahead, behind) } else { (behind, ahead) };
    Some(PairedDifference { ahead, behind, ..difference })
}

/// The size of the test set divided by that of the training set where seeds share rows; 0 where they do not.
pub fn test_to_train(experiment: &Experiment, line: &Line) -> Option<f64> {
    match experiment.settings[line.setting].dataset {
        // Every seed samples new people.
        Dataset::Simulation(_) => Some(0.0),
        // Every seed splits the file into parts of the same sizes.
        Dataset::Table { .. } => {
            let sizes = line.cells.iter().find_map(|(_, outcome)| outcome.sizes)?;
            Some(sizes.test as f64 / sizes.train as f64)
        }
    }
}

/// The results of the seeds that both lines have.
pub fn pairs<'a>(a: &Line<'a>, b: &Line<'a>) -> Vec<(&'a Scored, &'a Scored)> {
    let scored = |outcome: &'a Outcome| outcome.result.as_ref().ok();
    let twin = |seed: u32| b.outcome(seed).and_then(scored);
    a.cells.iter().filter_map(|(cell, outcome)| Some((scored(outcome)?, twin(cell.seed)?))).collect()
}

/// How one line compares with another, by the p-value of their difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Standing {
    /// Better.
    Ahead,
    /// Worse.
    Behind,
    /// Equal in every seed.
    #[strum(to_string = "the same")]
    Same,
    #[strum(to_string = "cannot tell")]
    CannotTell,
}

impl Standing {
    /// Fewer than [`FEWEST_PAIRS`] pairs give no verdict.
    pub fn of(difference: &PairedDifference, p: Option<f64>, metric: Metric) -> Self {
        let is_better = (difference.mean > 0.0) == metric.higher_is_better();
        match p {
            Some(_) if difference.level == difference.pairs => Standing::Same,
            _ if difference.pairs < FEWEST_PAIRS => Standing::CannotTell,
            Some(p) if p < LEVEL && is_better => Standing::Ahead,
            Some(p) if p < LEVEL => Standing::Behind,
            _ => Standing::CannotTell,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ahead_is_the_better_one_whichever_way_a_metric_counts() {
        let said = |pairs: &[(f64, f64)], metric: Metric| {
            let difference = PairedDifference::of(pairs, 0.0).unwrap();
            Standing::of(&difference, difference.p_value, metric).to_string()
        };
        let higher = [(0.9, 0.5), (0.8, 0.5), (0.9, 0.4), (0.9, 0.5), (0.8, 0.4)];
        let lower = higher.map(|(a, b)| (b, a));
        assert_eq!([said(&higher, Metric::RocAuc), said(&lower, Metric::RocAuc)], ["ahead", "behind"]);
        assert_eq!([said(&higher, Metric::BrierScore), said(&lower, Metric::BrierScore)], ["behind", "ahead"]);
        assert_eq!(said(&[(0.5, 0.5); 5], Metric::BrierScore), "the same");
        // Alike by chance, as a lift in a few people can be, is not certain.
        assert_eq!(said(&[(2.0, 1.0); 4], Metric::LiftAt5), "cannot tell");
        assert_eq!(said(&[(0.9, 0.1), (0.1, 0.9), (0.9, 0.1), (0.1, 0.9), (0.5, 0.5)], Metric::RocAuc), "cannot tell");
    }
}
