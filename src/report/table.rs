//! The summary: one line for each setting, method and prior, best first, in four formats.

use crate::metric::Metric;
use crate::report::rows::finish;
use crate::report::{Line, Results};
use crate::stats::Summary;
use comfy_table::{CellAlignment, Table, presets};
use csv::Writer;

/// The summary as texts: what terminal, Markdown and LaTeX share.
struct Cells {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    /// How many columns at the left are words and not numbers.
    words: usize,
}

/// Which metrics a table shows beside the first; the others need room that a terminal does not have.
#[derive(Clone, Copy, PartialEq)]
enum Others {
    Shown,
    LeftOut,
}

fn cells(results: &Results, others: Others) -> Cells {
    let metrics = &results.experiment.metrics[..];
    let others = if others == Others::Shown { 1..metrics.len() } else { 0..0 };
    let settings = results.has_settings();
    let failures = results.has_failures();
    let papers = (0..results.lines.len()).any(|line| results.paper_value(&results.lines[line], 0).is_some());
    let mut header: Vec<String> = Vec::new();
    header.push("method".into());
    if settings {
        header.push("setting".into());
    }
    header.push("prior".into());
    let words = header.len();
    header.extend([format!("mean {}", metrics[0].title()), "sd".into(), "95% interval".into()]);
    header.extend(metrics[others.clone()].iter().map(|metric| format!("mean {}", metric.title())));
    header.push("seeds".into());
    if failures {
        header.push("failed".into());
    }
    if papers {
        header.push("below paper".into());
    }
    let row = |line: &Line| {
        let mut row = vec![line.label.to_string()];
        if settings {
            row.push(line.setting_label.to_string());
        }
        row.push(line.prior_name.to_string());
        let summary = line.summary(0);
        row.extend(summary_texts(summary.as_ref(), metrics[0]));
        for metric in others.clone() {
            row.push(line.summary(metric).map_or("-".into(), |summary| format!("{:.4}", summary.mean)));
        }
        row.push(summary.map_or(0, |summary| summary.count).to_string());
        if failures {
            row.push(line.failed().to_string());
        }
        if papers {
            row.push(results.paper_value(line, 0).map_or("-".into(), |paper| {
                let values = line.values(0);
                let below = values.iter().filter(|value| **value < paper.value).count();
                format!("{below} of {}", values.len())
            }));
        }
        row
    };
    Cells { header, rows: results.lines.iter().map(row).collect(), words }
}

fn summary_texts(summary: Option<&Summary>, metric: Metric) -> [String; 3] {
    let Some(summary) = summary else { return ["-", "-", "-"].map(String::from) };
    let deviation = summary.deviation.map_or("-".into(), |deviation| format!("{deviation:.4}"));
    [format!("{:.4}", summary.mean), deviation, interval_text(summary, metric).unwrap_or("-".into())]
}

/// `None` for a single seed, which has no interval.
pub fn interval_text(summary: &Summary, metric: Metric) -> Option<String> {
    let (low, high) = metric.possible(summary.interval?);
    Some(format!("{low:.4} to {high:.4}"))
}

/// Header, rows, and how many columns at the left are words.
pub fn texts(results: &Results) -> (Vec<String>, Vec<Vec<String>>, usize) {
    let Cells { header, rows, words } = cells(results, Others::Shown);
    (header, rows, words)
}

pub fn terminal(results: &Results) -> String {
    let Cells { header, rows, words } = cells(results, Others::LeftOut);
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header).add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        let alignment = if index < words { CellAlignment::Left } else { CellAlignment::Right };
        column.set_cell_alignment(alignment);
    }
    table.lines().map(|line| line.trim_end().to_string()).collect::<Vec<_>>().join("\n")
}

/// A GitHub table.
pub fn markdown(results: &Results) -> String {
    let Cells { header, rows, words } = cells(results, Others::Shown);
    let escape = |text: &String| text.replace('|', "\\|");
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let rule = (0..header.len()).map(|index| if index < words { ":--" } else { "--:" }.to_string()).collect();
    let mut text = line(header.iter().map(escape).collect());
    text.push_str(&line(rule));
    for row in rows {
        text.push_str(&line(row.iter().map(escape).collect()));
    }
    text
}

/// A booktabs table.
pub fn latex(results: &Results) -> String {
    let Cells { header, rows, words } = cells(results, Others::Shown);
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| latex_escape(cell)).collect();
        format!("{} \\\\\n", cells.join(" & "))
    };
    let columns: String = (0..header.len()).map(|index| if index < words { 'l' } else { 'r' }).collect();
    let mut text = format!("% Needs \\usepackage{{booktabs}}.\n\\begin{{tabular}}{{{columns}}}\n\\toprule\n");
    text.push_str(&line(&header));
    text.push_str("\\midrule\n");
    rows.iter().for_each(|row| text.push_str(&line(row)));
    text.push_str("\\bottomrule\n\\end{tabular}\n");
    text
}

fn latex_escape(text: &str) -> String {
    let escape = |c: char| match c {
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => format!("\\{c}"),
        '~' => "\\textasciitilde{}".to_string(),
        '^' => "\\textasciicircum{}".to_string(),
        '\\' => "\\textbackslash{}".to_string(),
        '×' => "$\\times$".to_string(),
        _ => c.to_string(),
    };
    text.chars().map(escape).collect()
}

/// Every metric at full precision.
pub fn summary_csv(results: &Results) -> csv::Result<Vec<u8>> {
    let mut writer = Writer::from_writer(Vec::new());
    let header = "setting,method,prior,metric,mean,deviation,interval_low,interval_high,seeds,failed";
    writer.write_record(header.split(','))?;
    let text = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    for line in &results.lines {
        for (index, metric) in results.experiment.metrics.iter().enumerate() {
            let summary = line.summary(index);
            let interval = summary.as_ref().and_then(|summary| summary.interval);
            writer.write_record([
                line.setting_label,
                line.label,
                line.prior_name,
                metric.name(),
                &text(summary.as_ref().map(|summary| summary.mean)),
                &text(summary.as_ref().and_then(|summary| summary.deviation)),
                &text(interval.map(|(low, _)| low)),
                &text(interval.map(|(_, high)| high)),
                &summary.map_or(0, |summary| summary.count).to_string(),
                &line.failed().to_string(),
            ])?;
        }
    }
    finish(writer)
}
