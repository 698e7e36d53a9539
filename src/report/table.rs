//! The summary: one line for each setting, method and prior, setting by setting and the best first, in four formats.

use crate::analysis::{Line, Results};
use crate::math::metric::Metric;
use crate::math::stats::Summary;
use crate::text::{TextTable, csv_bytes, exact, interval};
use csv::Writer;

/// How much a table shows: a terminal has less room than a document, and a document less than a page.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Detail {
    /// The first metric alone.
    Terminal,
    /// The means of the others, too.
    Document,
    /// The median and the interval by bootstrap, too.
    Page,
}

fn summary_table(results: &Results, detail: Detail) -> TextTable {
    let metrics = &results.experiment.metrics[..];
    let others = if detail >= Detail::Document { &metrics[1..] } else { &[] };
    let settings = results.has_settings();
    let failures = results.failed() > 0;
    let papers = results.lines.iter().any(|line| results.paper_value(line, Metric::RocAuc).is_some());
    let mut header: Vec<String> = Vec::new();
    header.push("method".into());
    if settings {
        header.push("setting".into());
    }
    header.push("prior".into());
    let words = header.len();
    header.extend([format!("mean {}", metrics[0].title()), "sd".into(), "95% interval".into()]);
    if detail == Detail::Page {
        header.extend(["by bootstrap", "median"].map(String::from));
    }
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
        row.extend(summary_texts(summary, metrics[0]));
        if detail == Detail::Page {
            row.push(line.bootstrap(Metric::RocAuc).map_or("-".into(), |interval| interval_text(interval, metrics[0])));
            row.push(summary.map_or("-".into(), |summary| format!("{:.4}", summary.median)));
        }
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
    let interval = summary.interval.map_or("-".into(), |interval| interval_text(interval, metric));
    [format!("{:.4}", summary.mean), deviation, interval]
}

/// The part of an interval that a metric can take.
pub fn interval_text(bounds: (f64, f64), metric: Metric) -> String {
    interval(metric.possible(bounds))
}

/// The summary with all that there is.
pub fn page_table(results: &Results) -> TextTable {
    summary_table(results, Detail::Page)
}

pub fn terminal(results: &Results) -> String {
    summary_table(results, Detail::Terminal).terminal()
}

pub fn markdown(results: &Results) -> String {
    summary_table(results, Detail::Document).markdown()
}

pub fn latex(results: &Results) -> String {
    summary_table(results, Detail::Document).latex()
}

/// Every metric at full precision.
pub fn summary_csv(results: &Results) -> csv::Result<Vec<u8>> {
    let mut writer = Writer::from_writer(Vec::new());
    let header = "setting,method,prior,metric,mean,deviation,interval_low,interval_high,seeds,failed,median,bootstrap_low,\
                  bootstrap_high";
    writer.write_record(header.split(','))?;
    for line in &results.lines {
        for metric in &results.experiment.metrics {
            let summary = line.summary(*metric);
            let interval = summary.and_then(|summary| summary.interval);
            let bootstrap = line.bootstrap(*metric);
            writer.write_record([
                line.setting_label,
                line.label,
                line.prior_name,
                metric.name(),
                &exact(summary.map(|summary| summary.mean)),
                &exact(summary.and_then(|summary| summary.deviation)),
                &exact(interval.map(|(low, _)| low)),
                &exact(interval.map(|(_, high)| high)),
                &summary.map_or(0, |summary| summary.count).to_string(),
                &line.failed().to_string(),
                &exact(summary.map(|summary| summary.median)),
                &exact(bootstrap.map(|(low, _)| low)),
                &exact(bootstrap.map(|(_, high)| high)),
            ])?;
        }
    }
    csv_bytes(writer)
}
