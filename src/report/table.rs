//! The summary: one line for each setting, method and prior, setting by setting and the best first, in four formats.

use crate::metric::Metric;
use crate::report::text_table::TextTable;
use crate::report::{Line, Results};
use crate::run::csv_bytes;
use crate::stats::Summary;
use csv::Writer;

/// Which metrics a table shows beside the first; the others need room that a terminal does not have.
#[derive(Clone, Copy, PartialEq)]
enum Others {
    Shown,
    LeftOut,
}

fn summary_table(results: &Results, others: Others) -> TextTable {
    let metrics = &results.experiment.metrics[..];
    let others = if others == Others::Shown { &metrics[1..] } else { &[] };
    let settings = results.has_settings();
    let failures = results.has_failures();
    let papers = results.lines.iter().any(|line| results.paper_value(line, Metric::RocAuc).is_some());
    let mut header: Vec<String> = Vec::new();
    header.push("method".into());
    if settings {
        header.push("setting".into());
    }
    header.push("prior".into());
    let words = header.len();
    header.extend([format!("mean {}", metrics[0].title()), "sd".into(), "95% interval".into()]);
    header.extend(others.iter().map(|metric| format!("mean {}", metric.title())));
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
        let summary = line.summary(Metric::RocAuc);
        row.extend(summary_texts(summary.as_ref(), metrics[0]));
        for metric in others {
            row.push(line.summary(*metric).map_or("-".into(), |summary| format!("{:.4}", summary.mean)));
        }
        row.push(summary.map_or(0, |summary| summary.count).to_string());
        if failures {
            row.push(line.failed().to_string());
        }
        if papers {
            row.push(results.paper_value(line, Metric::RocAuc).map_or("-".into(), |paper| {
                let values = line.values(Metric::RocAuc);
                let below = values.iter().filter(|value| **value < paper.value).count();
                format!("{below} of {}", values.len())
            }));
        }
        row
    };
    TextTable { header, rows: results.lines.iter().map(row).collect(), words }
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

/// The summary with every metric.
pub fn table(results: &Results) -> TextTable {
    summary_table(results, Others::Shown)
}

pub fn terminal(results: &Results) -> String {
    summary_table(results, Others::LeftOut).terminal()
}

pub fn markdown(results: &Results) -> String {
    table(results).markdown()
}

pub fn latex(results: &Results) -> String {
    table(results).latex()
}

/// Every metric at full precision.
pub fn summary_csv(results: &Results) -> csv::Result<Vec<u8>> {
    let mut writer = Writer::from_writer(Vec::new());
    let header = "setting,method,prior,metric,mean,deviation,interval_low,interval_high,seeds,failed";
    writer.write_record(header.split(','))?;
    let text = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    for line in &results.lines {
        for metric in &results.experiment.metrics {
            let summary = line.summary(*metric);
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
    csv_bytes(writer)
}
