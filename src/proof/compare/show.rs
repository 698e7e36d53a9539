//! Two runs compared, for people: on a terminal and as Markdown, which say the same.

use crate::math::stats::FEWEST_PAIRS;
use crate::proof::Difference;
use crate::proof::compare::{Compared, Differing, LineDifference, MetricDifference, Part};
use crate::text::{TextTable, escape_tags, presentable, signed};
use serde_json::Value;

/// So much of a sha256 tells files apart for people.
const SHORT_HASH: usize = 12;

/// What stands by itself, with an empty line before and after it.
enum Block {
    /// A terminal does without it.
    Title(String),
    /// The name of a line, and what differs in its own spec.
    Line(String),
    Text(String),
    Table(TextTable),
}

impl Compared {
    pub fn terminal(&self) -> String {
        let shown = |block: Block| match block {
            Block::Title(_) => None,
            Block::Line(text) | Block::Text(text) => Some(text),
            Block::Table(table) => Some(table.terminal()),
        };
        self.blocks().into_iter().filter_map(shown).collect::<Vec<_>>().join("\n\n")
    }

    /// As a comment on a change.
    pub fn markdown(&self) -> String {
        let shown = |block: Block| match block {
            Block::Title(text) => format!("## {}", escape_tags(&text)),
            Block::Line(text) => format!("### {}", escape_tags(&text)),
            Block::Text(text) => escape_tags(&text),
            Block::Table(table) => table.markdown().trim_end().to_string(),
        };
        self.blocks().into_iter().map(shown).collect::<Vec<_>>().join("\n\n")
    }

    fn blocks(&self) -> Vec<Block> {
        let Compared { first, second, made, lines, .. } = self;
        let mut blocks = vec![Block::Title(format!("{first} and {second}"))];
        blocks.push(if made.is_empty() {
            Block::Text("Spec, data, program and machine are the same.".to_string())
        } else {
            Block::Table(self.made_table())
        });
        blocks.push(Block::Text(self.counts()));
        if !lines.is_empty() {
            blocks.push(Block::Title(format!("{second} minus {first}, seed by seed")));
            blocks.push(Block::Text(self.how_to_read()));
        }
        for line in lines {
            blocks.push(Block::Line(format!("{}: {}", line.name, line.own_differences())));
            blocks.push(Block::Text(line.counts(first, second)));
            let table = line.table();
            if !table.rows.is_empty() {
                blocks.push(Block::Table(table));
            }
        }
        blocks
    }

    fn made_table(&self) -> TextTable {
        let row = |differing: &Differing| {
            let part = match differing.part {
                Part::Spec => "spec",
                Part::Data => "data",
                Part::Program => "program",
                Part::Machine => "machine",
            };
            let [first, second] = differing.texts();
            vec![format!("{part}: {}", differing.title()), first, second]
        };
        let header = vec!["differs".to_string(), self.first.clone(), self.second.clone()];
        TextTable { header, rows: self.made.iter().map(row).collect(), words: 3 }
    }

    /// How many cells are the same, and which is the first that is not.
    fn counts(&self) -> String {
        let Compared { first, second, shared, same, only_first, only_second, lines, .. } = self;
        let mut sentences = vec![match shared {
            0 => "They have no cell in common.".to_string(),
            _ => format!("{same} of the {shared} cells that both have are the same, to the bit."),
        }];
        for (count, run) in [(only_first, first), (only_second, second)] {
            match count {
                0 => {}
                1 => sentences.push(format!("1 cell is in {run} only.")),
                _ => sentences.push(format!("{count} cells are in {run} only.")),
            }
        }
        if let Some(LineDifference { first_difference: Difference { cell, name, .. }, .. }) = lines.first() {
            sentences.push(format!("The first that differs is {cell} ({name}), in {}.", lines[0].differs_in()));
        }
        sentences.join(" ")
    }

    fn how_to_read(&self) -> String {
        let Compared { first, second, .. } = self;
        format!(
            "By how much each metric is higher in {second} than in {first}, for every method, setting and prior of which \
             a cell differs, beside what differs in its own spec and data. The 95% interval is that of Student's t, \
             widened where seeds share the rows of one file (Nadeau and Bengio, 2003). The second run is ahead (better) or \
             behind (worse) where the interval leaves out 0 and there are at least {FEWEST_PAIRS} seeds. Every interval \
             is one by itself: of twenty without any true difference, one leaves out 0 by chance."
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

    /// How much of it is the same; and where no metric can show it, what is not.
    fn counts(&self, first: &str, second: &str) -> String {
        let LineDifference { shared, same, failed_first, failed_second, metrics, .. } = self;
        let count = |is: fn(&MetricDifference) -> bool| metrics.iter().filter(|metric| is(metric)).count();
        let (same_metrics, all) = (count(|metric| metric.is_same), metrics.len());
        let without_pairs = count(|metric| !metric.is_same && metric.difference.is_none());
        let mut text = format!("{same} of {shared} cells are the same, to the bit");
        if same_metrics > 0 {
            text += &format!(", and {same_metrics} of {all} metrics in every seed");
        }
        text += ".";
        for (failed, run) in [(failed_first, first), (failed_second, second)] {
            if *failed > 0 {
                text += &format!(" {failed} of {shared} failed in {run}.");
            }
        }
        if without_pairs > 0 {
            text += &format!(" {without_pairs} of {all} metrics have no seed with a value in both runs.");
        }
        if same_metrics + without_pairs == all {
            text += &format!(" The first cell that differs does so in {}.", self.differs_in());
        }
        text
    }

    /// The column of the first cell that differs, with both values.
    fn differs_in(&self) -> String {
        let Difference { column, values, .. } = &self.first_difference;
        let values = values.as_ref().map(|(first, second)| format!(": {first} and {second}")).unwrap_or_default();
        format!("{column}{values}")
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
        match self.part {
            Part::Data => format!("sha256 of {}", self.name),
            Part::Spec | Part::Program | Part::Machine => self.name.clone(),
        }
    }

    /// Both values.
    fn texts(&self) -> [String; 2] {
        let short = |text: String| match self.part {
            Part::Data => text.chars().take(SHORT_HASH).collect(),
            Part::Spec | Part::Program | Part::Machine => text,
        };
        [&self.first, &self.second].map(|value| short(text(value)))
    }
}

/// A value in a few words; of something larger only that it is there.
fn text(value: &Value) -> String {
    let is_plain = |value: &Value| !value.is_object() && !value.is_array();
    match value {
        Value::Null => "-".to_string(),
        Value::String(text) => presentable(text).replace('\n', " "),
        Value::Array(items) if items.is_empty() => "-".to_string(),
        Value::Array(items) if items.iter().all(is_plain) => items.iter().map(text).collect::<Vec<_>>().join(" and "),
        // One of several kinds, with what belongs to it.
        Value::Object(entries) if entries.len() == 1 => {
            let rest = |value: &Value| if is_plain(value) { format!(" {}", text(value)) } else { String::new() };
            entries.iter().map(|(kind, value)| format!("{kind}{}", rest(value))).collect()
        }
        Value::Array(_) | Value::Object(_) => "is there".to_string(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

/// A difference as in other tables, but what four decimals cannot show has an exponent.
fn amount(difference: f64) -> String {
    match difference.abs() {
        0.0 | 0.00005..1e6 => signed(difference),
        _ => format!("{difference:+.1e}"),
    }
}
