//! Whether a paper's printed value is one that our seeds would give.

use crate::analysis::{Line, Results};
use crate::spec::PaperValue;
use serde::Serialize;
use strum::{AsRefStr, Display, VariantArray};

/// With fewer seeds than this, a new seed is outside the range of all of them in more than one case of twenty.
pub const FEWEST_SEEDS: usize = 40;

/// Whether our seeds agree with a printed value. A paper's value is one draw, so it is compared with the seeds themselves
/// and not with their mean: more seeds narrow the interval of the mean, but not the spread of single splits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, AsRefStr, Display, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "lowercase")]
pub enum Verdict {
    /// It is within the middle half of our seeds: a typical split gives it.
    Reproduced,
    /// It is within their middle 95% but not within the middle half: a split can give it.
    Compatible,
    /// It is outside their middle 95%.
    #[strum(to_string = "not reproduced")]
    NotReproduced,
    /// There are too few seeds to tell, or most of them gave no result.
    #[strum(to_string = "not comparable")]
    NotComparable,
}

/// How the seeds of a line are spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    pub lowest: f64,
    /// The lower end of the middle 95%.
    pub low: f64,
    pub lower_quartile: f64,
    pub median: f64,
    pub upper_quartile: f64,
    /// The upper end of the middle 95%.
    pub high: f64,
    pub highest: f64,
}

impl Spread {
    /// `None` for no values.
    ///
    /// A new value from the same distribution as n others is below the k-th of them with probability k / (n + 1). The
    /// middle 95%, which contain it with that probability, are those from position 0.025 (n + 1) to position
    /// 0.975 (n + 1).
    fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (lowest, highest) = (*sorted.first()?, *sorted.last()?);
        let at = |share: f64| {
            let position = (share * (sorted.len() + 1) as f64 - 1.0).clamp(0.0, (sorted.len() - 1) as f64);
            let (below, above) = (sorted[position.floor() as usize], sorted[position.ceil() as usize]);
            below + position.fract() * (above - below)
        };
        Some(Spread {
            lowest,
            low: at(0.025),
            lower_quartile: at(0.25),
            median: at(0.5),
            upper_quartile: at(0.75),
            high: at(0.975),
            highest,
        })
    }
}

/// A printed value beside the seeds of a line that it is printed for.
pub struct Reading<'a> {
    pub paper: &'a PaperValue,
    pub line: &'a Line<'a>,
    pub seeds: usize,
    /// How many of them are below the printed value.
    pub below: usize,
    /// `None` if no seed has a value.
    pub spread: Option<Spread>,
    /// The share of seeds below the printed value, in percent; seeds that round to it count half.
    pub percentile: Option<f64>,
    pub verdict: Verdict,
}

/// Every printed value with every line that it is printed for. The lines of a value are ordered by verdict and by how near
/// the value is to the median of their seeds.
pub struct Readings<'a> {
    pub readings: Vec<Reading<'a>>,
    pub has_settings: bool,
}

/// The values that round to a printed one: half a unit of the last digit to both sides.
pub fn rounding_interval(paper: &PaperValue) -> (f64, f64) {
    let half = 0.5 / 10_u64.pow(paper.printed_digits) as f64;
    (paper.value - half, paper.value + half)
}

/// The verdict on a printed value and its percentile, from the values of the seeds that have one, of `cells` that were run.
fn judge(paper: &PaperValue, values: &[f64], cells: usize) -> (Verdict, Option<f64>) {
    let (from, to) = rounding_interval(paper);
    let below = values.iter().filter(|value| **value < from).count() as f64;
    let equal = values.iter().filter(|value| (from..=to).contains(*value)).count() as f64;
    let percentile = (!values.is_empty()).then(|| 100.0 * (below + equal / 2.0) / values.len() as f64);
    let Some(spread) = Spread::of(values).filter(|_| values.len() >= FEWEST_SEEDS && 2 * values.len() > cells) else {
        return (Verdict::NotComparable, percentile);
    };
    let meets = |low: f64, high: f64| from <= high && low <= to;
    let verdict = if meets(spread.lower_quartile, spread.upper_quartile) {
        Verdict::Reproduced
    } else if meets(spread.low, spread.high) {
        Verdict::Compatible
    } else {
        Verdict::NotReproduced
    };
    (verdict, percentile)
}

impl<'a> Reading<'a> {
    fn of(paper: &'a PaperValue, line: &'a Line<'a>) -> Self {
        let values = line.values(paper.metric);
        let (verdict, percentile) = judge(paper, &values, line.cells.len());
        let below = values.iter().filter(|value| **value < paper.value).count();
        Reading { paper, line, seeds: values.len(), below, spread: Spread::of(&values), percentile, verdict }
    }

    /// How far the printed value is from the median of our seeds, in percentiles.
    fn distance(&self) -> f64 {
        self.percentile.map_or(f64::INFINITY, |percentile| (percentile - 50.0).abs())
    }
}

impl<'a> Readings<'a> {
    /// `None` if the spec has no printed value.
    pub fn of(results: &'a Results<'a>) -> Option<Self> {
        let mut readings = Vec::new();
        for paper in &results.experiment.paper {
            let lines = results.lines.iter().filter(|line| results.is_printed_for(paper, line));
            let mut lines: Vec<Reading> = lines.map(|line| Reading::of(paper, line)).collect();
            lines.sort_by(|a, b| a.verdict.cmp(&b.verdict).then_with(|| a.distance().total_cmp(&b.distance())));
            readings.extend(lines);
        }
        (!readings.is_empty()).then_some(Readings { readings, has_settings: results.has_settings() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::metric::Metric;

    fn verdict(value: f64, digits: u32, values: &[f64], cells: usize) -> (Verdict, Option<f64>) {
        let paper =
            PaperValue { method: "m".into(), prior: None, metric: Metric::RocAuc, value, printed_digits: digits };
        judge(&paper, values, cells)
    }

    /// 0.00, 0.01, ..., 1.00: one more lies below 0.25 with a chance of 25.5 in 102.
    fn even() -> Vec<f64> {
        (0..=100).map(|i| f64::from(i) / 100.0).collect()
    }

    #[test]
    fn a_value_is_judged_by_where_it_falls_among_the_seeds() {
        let of = |value| verdict(value, 4, &even(), 101);
        assert_eq!(of(0.6013), (Verdict::Reproduced, Some(100.0 * 61.0 / 101.0)));
        assert_eq!(of(0.25).0, Verdict::Reproduced);
        assert_eq!(of(0.2013).0, Verdict::Compatible);
        assert_eq!(of(0.974).0, Verdict::Compatible);
        assert_eq!(of(0.99).0, Verdict::NotReproduced);
        assert_eq!(of(-0.5), (Verdict::NotReproduced, Some(0.0)));
        assert_eq!(of(1.5), (Verdict::NotReproduced, Some(100.0)));
        // A seed that would be printed like the value counts half.
        assert_eq!(of(0.5).1, Some(50.0));
    }

    #[test]
    fn rounding_is_taken_into_account() {
        // Printed with one digit, 0.8 may have been 0.75; with two it may not.
        assert_eq!(verdict(0.8, 1, &even(), 101).0, Verdict::Reproduced);
        assert_eq!(verdict(0.8, 2, &even(), 101).0, Verdict::Compatible);
        // Seeds that are all alike reproduce what rounds to them, and nothing else.
        assert_eq!(verdict(0.6013, 4, &[0.60128; 40], 40), (Verdict::Reproduced, Some(50.0)));
        assert_eq!(verdict(0.6013, 4, &[0.60136; 40], 40).0, Verdict::NotReproduced);
    }

    #[test]
    fn one_draw_in_twenty_from_the_same_place_is_not_reproduced() {
        // The n values cut the line into n + 1 parts, and one more falls into each with the same chance.
        for count in [40_u32, 99, 1000] {
            let values: Vec<f64> = (1..=count).map(f64::from).collect();
            let spread = Spread::of(&values).unwrap();
            let chance_below = |value: f64| value / f64::from(count + 1);
            assert!(
                (chance_below(spread.low) - 0.025).abs() < 1e-12 && (chance_below(spread.high) - 0.975).abs() < 1e-12
            );
            assert!((chance_below(spread.lower_quartile) - 0.25).abs() < 1e-12);
        }
    }

    #[test]
    fn too_few_seeds_or_too_many_failures_make_it_not_comparable() {
        assert_eq!(verdict(0.5, 4, &[0.5; 39], 39).0, Verdict::NotComparable);
        assert_eq!(verdict(0.5, 4, &[0.5; 40], 40).0, Verdict::Reproduced);
        assert_eq!(verdict(0.5, 4, &[0.5; 50], 100).0, Verdict::NotComparable);
        assert_eq!(verdict(0.5, 4, &[0.5; 51], 100).0, Verdict::Reproduced);
        assert_eq!(verdict(0.5, 4, &[], 100), (Verdict::NotComparable, None));
    }
}
