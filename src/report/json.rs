//! `summary.json`: what the tables say, for programs.

use crate::analysis::{Comparison, Comparisons, Findings, Line, Ranks, Reading, Readings, rounding_interval};
use crate::math::metric::Metric;
use crate::report::answer::{answers, question};
use crate::report::notes::notes;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// Everything that a report shows, at full precision. Missing values are null.
pub fn summary_json(findings: &Findings) -> Value {
    let Findings { results, comparisons, ranks, readings } = findings;
    let experiment = results.experiment;
    let metrics = &experiment.metrics;
    let of_comparisons = |all: &Comparisons| all.comparisons.iter().map(|one| of_comparison(one, metrics)).collect();
    json!({
        "experiment": experiment.name,
        "question": question(results),
        "answers": answers(findings),
        "notes": notes(results),
        "seeds": experiment.seeds,
        "lines": results.lines.iter().map(|line| of_line(line, metrics)).collect::<Vec<_>>(),
        "comparisons": comparisons.as_ref().map(of_comparisons).map(Value::Array),
        "ranks": ranks.as_ref().map(of_ranks),
        "paper": readings.as_ref().map(of_readings),
        "failures": results.failures(),
    })
}

/// A value for every metric, by its name.
fn by_metric<T: Serialize>(values: impl Iterator<Item = (Metric, Option<T>)>) -> Map<String, Value> {
    values.map(|(metric, value)| (metric.name().to_string(), json!(value))).collect()
}

fn of_line(line: &Line, metrics: &[Metric]) -> Value {
    let of_metric = |metric: &Metric| {
        let mut value = json!(line.summary(*metric)?);
        value["bootstrap_interval"] = json!(line.bootstrap(*metric));
        Some(value)
    };
    json!({
        "setting": line.setting_label,
        "method": line.label,
        "prior": line.prior.map(|_| line.prior_name),
        "is_oracle": line.is_oracle,
        "failed": line.failed(),
        "metrics": by_metric(metrics.iter().map(|metric| (*metric, of_metric(metric)))),
    })
}

fn of_comparison(comparison: &Comparison, metrics: &[Metric]) -> Value {
    json!({
        "setting": comparison.compared.setting_label,
        "method": comparison.compared.label,
        "prior": comparison.prior_name(),
        "other": comparison.other.label,
        "verdict": comparison.standing().to_string(),
        "seeds_to_see": comparison.seeds_to_see,
        "metrics": by_metric(metrics.iter().copied().zip(comparison.differences())),
    })
}

fn of_ranks(ranks: &Ranks) -> Value {
    let labels = |(first, last): &(usize, usize)| {
        ranks.methods[*first..=*last].iter().map(|method| method.label).collect::<Vec<_>>()
    };
    json!({
        "settings": ranks.settings,
        "friedman_p": ranks.friedman,
        "critical_difference": ranks.critical_difference,
        "methods": ranks.methods,
        "cannot_be_told_apart": ranks.groups.iter().map(labels).collect::<Vec<_>>(),
    })
}

fn of_readings(readings: &Readings) -> Value {
    let of_reading = |reading: &Reading| {
        json!({
            "setting": reading.line.setting_label,
            "method": reading.line.label,
            "prior": reading.line.prior.map(|_| reading.line.prior_name),
            "metric": reading.paper.metric,
            "printed": reading.paper.value,
            "printed_digits": reading.paper.printed_digits,
            "rounding_interval": rounding_interval(reading.paper),
            "verdict": reading.verdict,
            "percentile": reading.percentile,
            "below": reading.below,
            "seeds": reading.seeds,
            "spread": reading.spread,
        })
    };
    json!({
        "sentences": readings.sentences().into_iter().map(|(_, sentence)| sentence).collect::<Vec<_>>(),
        "readings": readings.readings.iter().map(of_reading).collect::<Vec<_>>(),
    })
}
