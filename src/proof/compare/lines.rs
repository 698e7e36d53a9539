//! The results of a line in both runs, seed by seed.

use crate::analysis::{Line, Standing, paired_difference};
use crate::math::metric::Metric;
use crate::math::stats::PairedDifference;
use crate::proof::compare::made::{self, Differing};
use crate::proof::{Difference, difference};
use crate::run::{Manifest, Outcome};
use crate::spec::Cell;
use serde::{Serialize, Serializer};

/// One setting, method and prior, over the seeds that both runs have.
#[derive(Serialize)]
pub struct LineDifference {
    #[serde(skip)]
    pub name: String,
    pub setting: String,
    pub method: String,
    /// `None` for a method that uses none.
    pub prior: Option<String>,
    /// In the spec and data of this line.
    #[serde(rename = "differs")]
    pub made: Vec<Differing>,
    pub cells: LineCells,
    pub first_difference: Difference,
    /// Every metric that both runs store.
    #[serde(serialize_with = "by_name")]
    pub metrics: Vec<MetricDifference>,
}

/// How many seeds of a line are in the runs.
#[derive(Serialize)]
pub struct LineCells {
    pub in_both: usize,
    /// The seeds in both runs with the same bits.
    pub same: usize,
    /// The seeds in both runs that failed in the first.
    pub failed_in_first: usize,
    pub failed_in_second: usize,
}

pub struct MetricDifference {
    pub metric: Metric,
    /// Whether it is the same, to the bit, in every seed that both runs have.
    pub is_same: bool,
    /// Second minus first; `None` if no seed has a value in both.
    pub difference: Option<PairedDifference>,
}

impl MetricDifference {
    /// How the second run compares with the first.
    pub fn standing(&self) -> Standing {
        let standing = |found: &PairedDifference| Standing::of(found, found.p_value, self.metric);
        self.difference.as_ref().map_or(Standing::CannotTell, standing)
    }
}

/// A map from the name of a metric; null where no seed has a value in both runs.
fn by_name<S: Serializer>(metrics: &[MetricDifference], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Entry<'a> {
        higher_is_better: bool,
        same: bool,
        second_is: String,
        #[serde(flatten)]
        difference: &'a PairedDifference,
    }
    serializer.collect_map(metrics.iter().map(|found| {
        let entry = |difference| Entry {
            higher_is_better: found.metric.higher_is_better(),
            same: found.is_same,
            second_is: found.standing().to_string(),
            difference,
        };
        (found.metric.name(), found.difference.as_ref().map(entry))
    }))
}

/// A line with its twin: the cells of the seeds that both have, with both outcomes.
pub struct Pair<'a> {
    line: &'a Line<'a>,
    twin: &'a Line<'a>,
    pub seeds: Vec<(&'a Cell, &'a Outcome, &'a Outcome)>,
}

impl<'a> Pair<'a> {
    pub fn new((line, twin): (&'a Line<'a>, &'a Line<'a>)) -> Self {
        let both = |(cell, outcome): &(&'a Cell, &'a Outcome)| Some((*cell, *outcome, twin.outcome(cell.seed)?));
        Pair { line, twin, seeds: line.cells.iter().filter_map(both).collect() }
    }

    /// `None` if all cells are the same.
    pub fn difference(&self, first: &Manifest, second: &Manifest) -> Option<LineDifference> {
        let Pair { line, twin, seeds } = self;
        let found = |(cell, outcome, other): &(&Cell, &Outcome, &Outcome)| {
            // With another spec a cell has another id, though its outcome may be the same.
            let other = Outcome { id: outcome.id.clone(), ..(*other).clone() };
            difference(&first.experiment, cell, outcome, &other)
        };
        let differences: Vec<Difference> = seeds.iter().filter_map(found).collect();
        Some(LineDifference {
            name: line.name().to_string(),
            setting: line.setting_label.to_string(),
            method: line.label.to_string(),
            prior: line.prior.map(|_| line.prior_name.to_string()),
            made: made::of_lines(first, line, second, twin),
            cells: LineCells {
                in_both: seeds.len(),
                same: seeds.len() - differences.len(),
                failed_in_first: seeds.iter().filter(|(_, outcome, _)| outcome.result.is_err()).count(),
                failed_in_second: seeds.iter().filter(|(_, _, other)| other.result.is_err()).count(),
            },
            first_difference: differences.into_iter().next()?,
            metrics: Metric::ALL.into_iter().filter_map(|metric| self.metric(second, metric)).collect(),
        })
    }

    /// `None` if one of the runs does not store the metric; earlier versions did not store all of them.
    fn metric(&self, second: &Manifest, metric: Metric) -> Option<MetricDifference> {
        let is_stored = |line: &Line| line.scored().all(|scored| scored.metrics.contains_key(&metric));
        if !is_stored(self.line) || !is_stored(self.twin) {
            return None;
        }
        let bits = |outcome: &Outcome| outcome.result.as_ref().ok()?.metric(metric).map(f64::to_bits);
        Some(MetricDifference {
            metric,
            is_same: self.seeds.iter().all(|(_, outcome, other)| bits(outcome) == bits(other)),
            difference: paired_difference(&second.experiment, self.twin, self.line, metric),
        })
    }
}
