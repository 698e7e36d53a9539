//! Two runs compared, as text: the terminal and Markdown show the same.

use crate::math::stats::FEWEST_PAIRS;
use crate::proof::Difference;
use crate::proof::compare::{CellCounts, Compared, Differing, LineCells, LineDifference, MetricDifference, Part};
use crate::text::{TextTable, counted, escape_tags, presentable, signed};
use serde_json::Value;

/// These first digits of a sha256 are enough for people.
const SHORT_HASH: usize = 12;

/// How a comparison is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    Terminal,
    Markdown,
}

impl Compared {
    pub fn show(&self, layout: Layout) -> String {
        let Compared { first, second, made, lines, .. } = self;
        let is_markdown = layout == Layout::Markdown;
        let text = |text: String| if is_markdown { escape_tags(&text) } else { text };
        let table = |table: &TextTable| match layout {
            Layout::Terminal => table.terminal(),
            Layout::Markdown => table.markdown().trim_end().to_string(),
        };
        // The terminal shows the names of lines without a mark, and no other headings.
        let title = |title: String| is_markdown.then(|| format!("## {}", escape_tags(&title)));
        let mark = if is_markdown { "### " } else { "" };
        let mut blocks: Vec<String> = title(format!("{first} and {second}")).into_iter().collect();
        blocks.push(match made.is_empty() {
            true => "Spec, data, program and machine are the same.".to_string(),
            false => table(&self.made_table()),
        });
        blocks.push(text(self.counts()));
        if !lines.is_empty() {
            blocks.extend(title(format!("{second} minus {first}, seed by seed")));
            blocks.push(text(self.how_to_read()));
        }
        for line in lines {
            blocks.push(format!("{mark}{}", text(format!("{}: {}", line.name, line.own_differences()))));
            blocks.push(text(line.counts(first, second)));
            let metrics = line.table();
            blocks.extend((!metrics.rows.is_empty()).then(|| table(&metrics)));
        }
        blocks.join("\n\n")
    }

    fn made_table(&self) -> TextTable {
        let row = |differing: &Differing| {
            let [first, second] = differing.texts();
            vec![format!("{}: {}", <&str>::from(differing.part), differing.title()), first, second]
        };
        let header = vec!["differs".to_string(), self.first.clone(), self.second.clone()];
        TextTable { header, rows: self.made.iter().map(row).collect(), words: 3 }
    }

    /// How many cells are the same, and the first that is not.
    fn counts(&self) -> String {
        let Compared { first, second, cells, lines, .. } = self;
        let CellCounts { in_both, same, only_in_first, only_in_second } = cells;
        let mut text = match in_both {
            0 => "They have no cell in common.".to_string(),
            _ => format!("{same} of the {in_both} cells in both are the same, to the bit."),
        };
        for (count, run) in
            [(*only_in_first, first), (*only_in_second, second)].into_iter().filter(|(count, _)| *count > 0)
        {
            text += &format!(" {} {} in {run} only.", counted(count, "cell"), if count == 1 { "is" } else { "are" });
        }
        if let Some(LineDifference { first_difference, .. }) = lines.first() {
            let Difference { cell, name, .. } = first_difference;
            text +=
                &format!(" The first that differs is {cell} ({name}), in {}.", first_difference.text([" and ", ""]));
        }
        text
    }

    fn how_to_read(&self) -> String {
        let Compared { first, second, .. } = self;
        format!(
            "For every method, setting and prior with a cell that differs: the differences in its own spec and data, and by \
             how much each metric is higher in {second} than in {first}. The 95% interval is Student's t interval, widened \
             where seeds share the rows of one file (Nadeau and Bengio, 2003). The second run is ahead (better) or behind \
             (worse) if the interval excludes 0 and there are at least {FEWEST_PAIRS} seeds. The intervals are not adjusted \
             for their number: of twenty without a true difference, one excludes 0 by chance."
        )
    }
}

impl LineDifference {
    fn own_differences(&self) -> String {
        if self.made.is_empty() {
            return "the same spec and data".to_string();
        }
        let text = |differing: &Differing| {
            let [first, second] = differing.texts().map(|text| if text == "-" { "nothing".to_string() } else { text });
            format!("{} {first} -> {second}", differing.title())
        };
        self.made.iter().map(text).collect::<Vec<_>>().join("; ")
    }

    /// How much of the line is the same. If no metric shows a difference, also what does.
    fn counts(&self, first: &str, second: &str) -> String {
        let LineDifference { cells, metrics, .. } = self;
        let LineCells { in_both, same, failed_in_first, failed_in_second } = cells;
        let count = |is: fn(&MetricDifference) -> bool| metrics.iter().filter(|metric| is(metric)).count();
        let (same_metrics, all) = (count(|metric| metric.is_same), metrics.len());
        let without_pairs = count(|metric| !metric.is_same && metric.difference.is_none());
        let mut text = format!("{same} of {in_both} cells are the same, to the bit");
        if same_metrics > 0 {
            text += &format!(", and {same_metrics} of {all} metrics in every seed");
        }
        text += ".";
        for (failed, run) in [(failed_in_first, first), (failed_in_second, second)] {
            if *failed > 0 {
                text += &format!(" {failed} of {in_both} failed in {run}.");
            }
        }
        if without_pairs > 0 {
            text += &format!(" {without_pairs} of {all} metrics have no seed with a value in both runs.");
        }
        if same_metrics + without_pairs == all {
            let column = self.first_difference.text([" and ", ""]);
            text += &format!(" The first cell that differs does so in {column}.");
        }
        text
    }

    /// The metrics that differ in some seed.
    fn table(&self) -> TextTable {
        let header = ["metric", "the second is", "mean difference", "95% interval", "ahead, level, behind"];
        let row = |metric: &MetricDifference| {
            let difference = metric.difference.as_ref().filter(|_| !metric.is_same)?;
            let title = metric.metric.title();
            let interval = difference.interval.map(|(low, high)| format!("{} to {}", amount(low), amount(high)));
            Some(vec![
                if metric.metric.higher_is_better() { title.to_string() } else { format!("{title} (lower is better)") },
                metric.standing().to_string(),
                amount(difference.mean),
                interval.unwrap_or("-".to_string()),
                format!("{}, {}, {}", difference.ahead, difference.level, difference.behind),
            ])
        };
        let rows = self.metrics.iter().filter_map(row).collect();
        TextTable { header: header.map(String::from).to_vec(), rows, words: 2 }
    }
}

impl Differing {
    fn title(&self) -> String {
        if self.part == Part::Data { format!("sha256 of {}", self.name) } else { self.name.clone() }
    }

    /// Both values.
    fn texts(&self) -> [String; 2] {
        let length = if self.part == Part::Data { SHORT_HASH } else { usize::MAX };
        [&self.first, &self.second].map(|value| text(value).chars().take(length).collect())
    }
}

/// A value in a few words; a larger one is only mentioned.
fn text(value: &Value) -> String {
    let is_plain = |value: &Value| !value.is_object() && !value.is_array();
    match value {
        Value::Null => "-".to_string(),
        Value::String(text) => presentable(text).replace('\n', " "),
        Value::Array(items) if items.is_empty() => "-".to_string(),
        Value::Array(items) if items.iter().all(is_plain) => items.iter().map(text).collect::<Vec<_>>().join(" and "),
        // A variant of an enum and its value.
        Value::Object(entries) if entries.len() == 1 => {
            let rest = |value: &Value| if is_plain(value) { format!(" {}", text(value)) } else { String::new() };
            entries.iter().map(|(kind, value)| format!("{kind}{}", rest(value))).collect()
        }
        Value::Array(_) | Value::Object(_) => "is there".to_string(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

/// A difference as in other tables, with an exponent where four decimals cannot show it.
fn amount(difference: f64) -> String {
    match difference.abs() {
        0.0 | 0.00005..1e6 => signed(difference),
        _ => format!("{difference:+.1e}"),
    }
}
