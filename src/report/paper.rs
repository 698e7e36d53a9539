//! What our seeds say of a paper's value, as sentences and tables.

use crate::analysis::{FEWEST_SEEDS, Reading, Readings, Spread, Verdict, rounding_interval};
use crate::spec::PaperValue;
use crate::text::{TextTable, csv_bytes, exact, interval};
use csv::Writer;
use strum::VariantArray;

/// With more lines than this for a value, verdicts are counted in one sentence.
const MOST_SENTENCES: usize = 4;

pub fn printed(paper: &PaperValue) -> String {
    format!("{:.*}", paper.printed_digits as usize, paper.value)
}

impl Reading<'_> {
    fn sentence(&self) -> String {
        let Reading { paper, line, seeds, spread, verdict, .. } = self;
        let printed = format!("The paper prints {} {}", paper.metric.title(), printed(paper));
        let start = format!("{printed}; our line for it is {}: {}", line.name(), verdict.words());
        let (Some(spread), Some(percentile)) = (spread, self.percentile) else {
            return format!("{start}, for no seed has a value.");
        };
        let Spread { lowest, low, median, high, highest, .. } = spread;
        let ours = format!("the median of our {seeds} seeds is {median:.4}");
        match verdict {
            Verdict::NotComparable if *seeds < FEWEST_SEEDS => {
                format!("{start}, for {seeds} seeds are too few; it takes {FEWEST_SEEDS}.")
            }
            Verdict::NotComparable => format!("{start}, for only {seeds} of {} seeds gave a result.", line.cells.len()),
            Verdict::Reproduced => format!(
                "{start}. A typical split gives it: it is at percentile {percentile:.0} of our seeds, within their middle \
                 half, and {ours}."
            ),
            Verdict::Compatible => format!(
                "{start}. A split can give it, but a typical one does not: it is at percentile {percentile:.0} of our \
                 seeds, within their middle 95% ({low:.4} to {high:.4}) but not within the middle half, and {ours}."
            ),
            Verdict::NotReproduced => format!(
                "{start}. It lies {} the middle 95% of our seeds ({low:.4} to {high:.4}), at percentile {percentile:.0}; \
                 {ours}, and all are from {lowest:.4} to {highest:.4}.",
                if paper.value < *low { "below" } else { "above" }
            ),
        }
    }
}

impl<'a> Readings<'a> {
    /// In plain words, with the verdict that each sentence states: a sentence a line, or one for all where there are many.
    pub fn sentences(&self) -> Vec<(Verdict, String)> {
        let of_a_value = self.readings.chunk_by(|a, b| std::ptr::eq(a.paper, b.paper));
        let sentences = |readings: &[Reading<'a>]| -> Vec<(Verdict, String)> {
            if readings.len() > MOST_SENTENCES {
                return vec![(readings[0].verdict, overview(readings))];
            }
            readings.iter().map(|reading| (reading.verdict, reading.sentence())).collect()
        };
        of_a_value.flat_map(sentences).collect()
    }

    pub fn table(&self) -> TextTable {
        let mut header = vec!["method".to_string()];
        if self.has_settings {
            header.push("setting".into());
        }
        header.extend(["prior", "metric", "verdict"].map(String::from));
        let words = header.len();
        let numbers = ["paper", "percentile", "seeds below", "median", "middle half", "middle 95%", "all seeds"];
        header.extend(numbers.map(String::from));
        let row = |reading: &Reading| {
            let Reading { paper, line, seeds, below, spread, percentile, verdict } = reading;
            let mut row = vec![line.label.to_string()];
            if self.has_settings {
                row.push(line.setting_label.to_string());
            }
            row.extend([line.prior_name, paper.metric.title(), verdict.words()].map(String::from));
            // What too few seeds cannot tell is not shown.
            let is_known = *verdict != Verdict::NotComparable;
            let range = |from: fn(&Spread) -> f64, to: fn(&Spread) -> f64| {
                spread.as_ref().map_or("-".into(), |spread| interval((from(spread), to(spread))))
            };
            let known = |text: String| if is_known { text } else { "-".to_string() };
            row.push(printed(paper));
            row.push(known(percentile.map_or("-".into(), |percentile| format!("{percentile:.1}"))));
            row.push(format!("{below} of {seeds}"));
            row.push(spread.map_or("-".into(), |spread| format!("{:.4}", spread.median)));
            row.push(known(range(|spread| spread.lower_quartile, |spread| spread.upper_quartile)));
            row.push(known(range(|spread| spread.low, |spread| spread.high)));
            row.push(range(|spread| spread.lowest, |spread| spread.highest));
            row
        };
        TextTable { header, rows: self.readings.iter().map(row).collect(), words }
    }

    /// At full precision.
    pub fn csv(&self) -> csv::Result<Vec<u8>> {
        let mut writer = Writer::from_writer(Vec::new());
        let header = "setting,method,prior,metric,printed,printed_from,printed_to,verdict,percentile,below,seeds,lowest,\
                      low,lower_quartile,median,upper_quartile,high,highest";
        writer.write_record(header.split(','))?;
        for reading in &self.readings {
            let Reading { paper, line, seeds, below, spread, percentile, verdict } = reading;
            let (from, to) = rounding_interval(paper);
            let of = |of: fn(Spread) -> f64| exact(spread.map(of));
            writer.write_record([
                line.setting_label,
                line.label,
                line.prior_name,
                paper.metric.name(),
                &printed(paper),
                &from.to_string(),
                &to.to_string(),
                verdict.words(),
                &exact(*percentile),
                &below.to_string(),
                &seeds.to_string(),
                &of(|spread| spread.lowest),
                &of(|spread| spread.low),
                &of(|spread| spread.lower_quartile),
                &of(|spread| spread.median),
                &of(|spread| spread.upper_quartile),
                &of(|spread| spread.high),
                &of(|spread| spread.highest),
            ])?;
        }
        csv_bytes(writer)
    }
}

/// One sentence for the many lines that one value is printed for.
fn overview(readings: &[Reading]) -> String {
    let Reading { paper, line, percentile, verdict, .. } = &readings[0];
    let count = |verdict: Verdict| readings.iter().filter(|reading| reading.verdict == verdict).count();
    let counts: Vec<String> = Verdict::VARIANTS
        .iter()
        .copied()
        .filter(|verdict| count(*verdict) > 0)
        .map(|verdict| format!("{} with {}", verdict.words(), count(verdict)))
        .collect();
    let best = match (verdict, percentile) {
        (Verdict::Reproduced | Verdict::Compatible, Some(percentile)) => {
            format!(" It is nearest to the middle of our seeds with {}, at percentile {percentile:.0}.", line.name())
        }
        _ => String::new(),
    };
    format!(
        "The paper prints {} {}; we have {} lines of {} for it: it is {}.{best}",
        paper.metric.title(),
        printed(paper),
        readings.len(),
        paper.method,
        counts.join(", ")
    )
}
