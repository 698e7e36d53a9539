//! The summary: one row for each setting, method and prior, setting by setting and the best first.

use crate::analysis::{Line, Results};
use crate::math::metric::Metric;
use crate::math::stats::Summary;
use crate::report::keys::add_keys;
use crate::text::{Columns, TextTable, interval};

/// How much a table shows.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub enum Detail {
    /// The first metric alone.
    Terminal,
    /// The means of the others, too.
    Document,
    /// The median and the bootstrap interval, too.
    Page,
}

pub fn summary_table(results: &Results, detail: Detail) -> TextTable {
    let others = results.experiment.metrics[1..].iter().filter(|_| detail >= Detail::Document);
    let mut table = Columns::of(&results.lines);
    table.words("method", |line| line.label);
    if results.has_settings() {
        table.words("setting", |line| line.setting_label);
    }
    table.words("prior", |line| line.prior_name);
    table.numbers("mean ROC-AUC", |line| Some(four_digits(auc(line)?.mean)));
    table.numbers("sd", |line| Some(four_digits(auc(line)?.deviation?)));
    table.numbers("95% interval", |line| Some(interval_text(auc(line)?.interval?, Metric::RocAuc)));
    if detail == Detail::Page {
        table.numbers("by bootstrap", |line| Some(interval_text(line.bootstrap(Metric::RocAuc)?, Metric::RocAuc)));
        table.numbers("median", |line| Some(four_digits(auc(line)?.median)));
    }
    for metric in others {
        let name = format!("mean {}", metric.title());
        table.numbers(&name, |line| Some(four_digits(line.summary(*metric)?.mean)));
    }
    table.numbers("seeds", |line| Some(auc(line).map_or(0, |summary| summary.count)));
    if results.failed() > 0 {
        table.numbers("failed", |line| Some(line.failed()));
    }
    if results.lines.iter().any(|line| results.paper_value(line, Metric::RocAuc).is_some()) {
        table.numbers("below paper", |line| {
            let (paper, values) = (results.paper_value(line, Metric::RocAuc)?, line.values(Metric::RocAuc));
            Some(format!("{} of {}", values.iter().filter(|value| **value < paper.value).count(), values.len()))
        });
    }
    table.table()
}

fn auc<'a>(line: &'a Line) -> Option<&'a Summary> {
    line.summary(Metric::RocAuc)
}

fn four_digits(value: f64) -> String {
    format!("{value:.4}")
}

/// The part of an interval that a metric can take.
pub fn interval_text(bounds: (f64, f64), metric: Metric) -> String {
    interval(metric.possible(bounds))
}

/// Every metric at full precision.
pub fn summary_csv<'a>(results: &'a Results<'a>) -> csv::Result<Vec<u8>> {
    let metrics = &results.experiment.metrics;
    let rows: Vec<(&'a Line<'a>, Metric)> =
        results.lines.iter().flat_map(|line| metrics.iter().map(move |metric| (line, *metric))).collect();
    let summary = |(line, metric): &(&'a Line<'a>, Metric)| line.summary(*metric);
    let bootstrap = |(line, metric): &(&Line, Metric)| line.bootstrap(*metric);
    let mut table = Columns::of(&rows);
    add_keys(&mut table, results.experiment, |(line, _)| line);
    table.words("metric", |(_, metric)| metric.name());
    table.numbers("mean", |row| Some(summary(row)?.mean));
    table.numbers("deviation", |row| summary(row)?.deviation);
    table.numbers("interval_low", |row| Some(summary(row)?.interval?.0));
    table.numbers("interval_high", |row| Some(summary(row)?.interval?.1));
    table.numbers("seeds", |row| Some(summary(row).map_or(0, |summary| summary.count)));
    table.numbers("failed", |(line, _)| Some(line.failed()));
    table.numbers("median", |row| Some(summary(row)?.median));
    table.numbers("bootstrap_low", |row| Some(bootstrap(row)?.0));
    table.numbers("bootstrap_high", |row| Some(bootstrap(row)?.1));
    table.csv()
}
