//! `summary.json`: what the tables say, for programs.

use crate::math::metric::Metric;
use crate::report::answer::{answers, question};
use crate::report::comparison::{Comparison, Tested};
use crate::report::paper::rounding_interval;
use crate::report::{Findings, Line, Ranks, Readings};
use serde_json::{Map, Value, json};

/// All that is shown of a run, at full precision. What has no value is null.
pub fn summary_json(findings: &Findings) -> Value {
    let Findings { results, comparisons, ranks, readings } = findings;
    let experiment = results.experiment;
    json!({
        "experiment": experiment.name,
        "question": question(results),
        "answers": answers(findings).into_iter().map(|answer| json!({
            "setting": answer.setting,
            "sentence": answer.sentence,
        })).collect::<Vec<_>>(),
        "notes": results.notes(),
        "seeds": experiment.seeds,
        "lines": results.lines.iter().map(|line| of_line(line, &experiment.metrics)).collect::<Vec<_>>(),
        "comparisons": comparisons.as_ref().map(|comparisons| {
            comparisons.comparisons.iter().map(|comparison| of_comparison(comparison, &experiment.metrics)).collect::<Vec<_>>()
        }),
        "ranks": ranks.as_ref().map(of_ranks),
        "paper": readings.as_ref().map(of_readings),
        "failures": results.failures().iter().map(|group| json!({
            "line": group.line,
            "kind": group.failure.kind.name(),
            "reason": group.failure.reason,
            "seeds": group.seeds,
        })).collect::<Vec<_>>(),
    })
}

fn of_line(line: &Line, metrics: &[Metric]) -> Value {
    let of_metric = |metric: &Metric| {
        let value = line.summary(*metric).map(|summary| {
            json!({
                "seeds": summary.count,
                "mean": summary.mean,
                "median": summary.median,
                "deviation": summary.deviation,
                "interval": summary.interval,
                "bootstrap_interval": line.bootstrap(*metric),
            })
        });
        (metric.name().to_string(), value.unwrap_or_default())
    };
    json!({
        "setting": line.setting_label,
        "method": line.label,
        "prior": line.prior.map(|_| line.prior_name),
        "is_oracle": line.is_oracle,
        "failed": line.failed(),
        "metrics": metrics.iter().map(of_metric).collect::<Map<_, _>>(),
    })
}

fn of_comparison(comparison: &Comparison, metrics: &[Metric]) -> Value {
    let Comparison { compared, other, differences, seeds_to_see } = comparison;
    let of_metric = |(metric, tested): (&Metric, &Option<Tested>)| {
        let value = tested.as_ref().map(|Tested { difference, adjusted, adjusted_wilcoxon }| {
            json!({
                "mean_difference": difference.mean,
                "deviation": difference.deviation,
                "interval": difference.interval,
                "p": difference.p_value,
                "p_holm": adjusted,
                "wilcoxon_p": difference.wilcoxon,
                "wilcoxon_p_holm": adjusted_wilcoxon,
                "ahead": difference.ahead,
                "level": difference.level,
                "behind": difference.behind,
                "pairs": difference.pairs,
            })
        });
        (metric.name().to_string(), value.unwrap_or_default())
    };
    json!({
        "setting": compared.setting_label,
        "method": compared.label,
        "prior": comparison.prior_name(),
        "other": other.label,
        "verdict": comparison.verdict(),
        "seeds_to_see": seeds_to_see,
        "metrics": metrics.iter().zip(differences).map(of_metric).collect::<Map<_, _>>(),
    })
}

fn of_ranks(ranks: &Ranks) -> Value {
    json!({
        "settings": ranks.settings,
        "friedman_p": ranks.friedman,
        "critical_difference": ranks.critical_difference,
        "methods": ranks.methods.iter().map(|method| json!({
            "method": method.label,
            "average_rank": method.average,
            "ranks": method.ranks,
        })).collect::<Vec<_>>(),
        "cannot_be_told_apart": ranks.groups.iter().map(|(first, last)| {
            ranks.methods[*first..=*last].iter().map(|method| method.label).collect::<Vec<_>>()
        }).collect::<Vec<_>>(),
    })
}

fn of_readings(readings: &Readings) -> Value {
    let of_reading = |reading: &crate::report::paper::Reading| {
        let (from, to) = rounding_interval(reading.paper);
        json!({
            "setting": reading.line.setting_label,
            "method": reading.line.label,
            "prior": reading.line.prior.map(|_| reading.line.prior_name),
            "metric": reading.paper.metric.name(),
            "printed": reading.paper.value,
            "printed_digits": reading.paper.printed_digits,
            "rounding_interval": [from, to],
            "verdict": reading.verdict,
            "percentile": reading.percentile,
            "below": reading.below,
            "seeds": reading.seeds,
            "spread": reading.spread,
        })
    };
    json!({
        "sentences": readings.sentences().into_iter().map(|(_, sentence)| sentence).collect::<Vec<_>>(),
        "readings": readings.iter().map(of_reading).collect::<Vec<_>>(),
    })
}
