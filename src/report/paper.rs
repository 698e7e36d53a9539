//! Whether our seeds reproduce a paper's values, as sentences and tables.

use crate::analysis::{FEWEST_SEEDS, Reading, Readings, Spread, Verdict, rounding_interval};
use crate::report::keys::add_keys;
use crate::spec::{Experiment, PaperValue};
use crate::text::{Columns, TextTable, interval};
use strum::VariantArray;

/// With more rows than this for a value, one sentence counts their verdicts.
const MOST_SENTENCES: usize = 4;

pub fn printed(paper: &PaperValue) -> String {
    format!("{:.*}", paper.printed_digits as usize, paper.value)
}

impl Reading<'_> {
    fn sentence(&self) -> String {
        let Reading { paper, line, seeds, verdict, .. } = self;
        let (metric, value) = (paper.metric.title(), printed(paper));
        let start = format!("The paper prints {metric} {value}; our row for it is {}: {verdict}", line.name());
        let (Some(spread), Some(percentile)) = (self.spread, self.percentile) else {
            return format!("{start}, because no seed has a value.");
        };
        let Spread { lowest, low, median, high, highest, .. } = spread;
        let at = format!("at percentile {percentile:.0} of our {seeds} seeds");
        let side = if paper.value < low { "below" } else { "above" };
        match verdict {
            Verdict::NotComparable if *seeds < FEWEST_SEEDS => {
                format!("{start}, because {seeds} seeds are too few; at least {FEWEST_SEEDS} are needed.")
            }
            Verdict::NotComparable => {
                format!("{start}, because only {seeds} of {} seeds have a result.", line.cells.len())
            }
            Verdict::Reproduced => format!(
                "{start}. It is {at}, within their middle half: a typical split gives it. The median is {median:.4}."
            ),
            Verdict::Compatible => format!(
                "{start}. It is {at}, within their middle 95% ({low:.4} to {high:.4}) but not within the middle half: a \
                 split can give it, but a typical one does not. The median is {median:.4}."
            ),
            Verdict::NotReproduced => format!(
                "{start}. It is {at}, {side} their middle 95% ({low:.4} to {high:.4}). The median is {median:.4}, and all \
                 seeds are from {lowest:.4} to {highest:.4}."
            ),
        }
    }
}

impl Readings<'_> {
    /// The verdicts, each with its sentence: one for each row, or one for all rows of a value that has many.
    pub fn sentences(&self) -> Vec<(Verdict, String)> {
        let of_a_value = self.readings.chunk_by(|a, b| std::ptr::eq(a.paper, b.paper));
        let sentences = |readings: &[Reading]| -> Vec<(Verdict, String)> {
            if readings.len() > MOST_SENTENCES {
                return vec![(readings[0].verdict, overview(readings))];
            }
            readings.iter().map(|reading| (reading.verdict, reading.sentence())).collect()
        };
        of_a_value.flat_map(sentences).collect()
    }

    pub fn table(&self) -> TextTable {
        // With too few seeds, the percentile and the middle of their values are not known.
        let known = |reading: &Reading| reading.spread.filter(|_| reading.verdict != Verdict::NotComparable);
        let mut table = Columns::of(&self.readings);
        table.words("method", |reading| reading.line.label);
        if self.has_settings {
            table.words("setting", |reading| reading.line.setting_label);
        }
        table.words("prior", |reading| reading.line.prior_name);
        table.words("metric", |reading| reading.paper.metric.title());
        table.words("verdict", |reading| reading.verdict.as_ref());
        table.numbers("paper", |reading| Some(printed(reading.paper)));
        table
            .numbers("percentile", |reading| known(reading).and(reading.percentile).map(|share| format!("{share:.1}")));
        table.numbers("seeds below", |reading| Some(format!("{} of {}", reading.below, reading.seeds)));
        table.numbers("median", |reading| reading.spread.map(|spread| format!("{:.4}", spread.median)));
        table.numbers("middle half", |reading| {
            known(reading).map(|spread| interval((spread.lower_quartile, spread.upper_quartile)))
        });
        table.numbers("middle 95%", |reading| known(reading).map(|spread| interval((spread.low, spread.high))));
        table.numbers("all seeds", |reading| reading.spread.map(|spread| interval((spread.lowest, spread.highest))));
        table.table()
    }

    /// At full precision.
    pub fn csv(&self, experiment: &Experiment) -> csv::Result<Vec<u8>> {
        let mut table = Columns::of(&self.readings);
        add_keys(&mut table, experiment, |reading| reading.line);
        table.words("metric", |reading| reading.paper.metric.name());
        table.numbers("printed", |reading| Some(printed(reading.paper)));
        table.numbers("printed_from", |reading| Some(rounding_interval(reading.paper).0));
        table.numbers("printed_to", |reading| Some(rounding_interval(reading.paper).1));
        table.numbers("verdict", |reading| Some(reading.verdict));
        table.numbers("percentile", |reading| reading.percentile);
        table.numbers("below", |reading| Some(reading.below));
        table.numbers("seeds", |reading| Some(reading.seeds));
        table.numbers("lowest", |reading| Some(reading.spread?.lowest));
        table.numbers("low", |reading| Some(reading.spread?.low));
        table.numbers("lower_quartile", |reading| Some(reading.spread?.lower_quartile));
        table.numbers("median", |reading| Some(reading.spread?.median));
        table.numbers("upper_quartile", |reading| Some(reading.spread?.upper_quartile));
        table.numbers("high", |reading| Some(reading.spread?.high));
        table.numbers("highest", |reading| Some(reading.spread?.highest));
        table.csv()
    }
}

/// One sentence for the many rows that one value is printed for.
fn overview(readings: &[Reading]) -> String {
    let Reading { paper, line, percentile, verdict, .. } = &readings[0];
    let count = |verdict: Verdict| readings.iter().filter(|reading| reading.verdict == verdict).count();
    let found = Verdict::VARIANTS.iter().filter(|verdict| count(**verdict) > 0);
    let counts: Vec<String> = found.map(|verdict| format!("{verdict} in {}", count(*verdict))).collect();
    let best = match (verdict, percentile) {
        (Verdict::Reproduced | Verdict::Compatible, Some(percentile)) => {
            format!(" It is nearest to the median of our seeds in {}, at percentile {percentile:.0}.", line.name())
        }
        _ => String::new(),
    };
    format!(
        "The paper prints {} {}; our {} rows of {} for it: {}.{best}",
        paper.metric.title(),
        printed(paper),
        readings.len(),
        paper.method,
        counts.join(", ")
    )
}
