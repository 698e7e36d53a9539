//! Two runs compared, for programs.

use crate::proof::Difference;
use crate::proof::compare::{Compared, LineDifference, MetricDifference};
use serde_json::{Map, Value, json};

impl Compared {
    /// All that was found, at full precision. What has no value is null.
    pub fn json(&self) -> Value {
        json!({
            "first": self.first,
            "second": self.second,
            "differs": self.made,
            "cells": {
                "in_both": self.shared,
                "same": self.same,
                "only_in_first": self.only_first,
                "only_in_second": self.only_second,
            },
            "lines": self.lines.iter().map(of_line).collect::<Vec<_>>(),
        })
    }
}

fn of_line(line: &LineDifference) -> Value {
    let Difference { cell, name: _, column, values } = &line.first_difference;
    json!({
        "setting": line.setting,
        "method": line.method,
        "prior": line.prior,
        "differs": line.made,
        "cells": {
            "in_both": line.shared,
            "same": line.same,
            "failed_in_first": line.failed_first,
            "failed_in_second": line.failed_second,
        },
        "first_difference": {
            "cell": cell,
            "column": column.trim_matches('`'),
            "first": values.as_ref().map(|(first, _)| first),
            "second": values.as_ref().map(|(_, second)| second),
        },
        "metrics": line.metrics.iter().map(of_metric).collect::<Map<_, _>>(),
    })
}

/// Null where no seed has a value in both runs.
fn of_metric(metric: &MetricDifference) -> (String, Value) {
    let value = metric.difference.as_ref().map(|difference| {
        json!({
            "higher_is_better": metric.metric.higher_is_better(),
            "same": metric.is_same,
            "second_is": metric.verdict(),
            "mean_difference": difference.mean,
            "deviation": difference.deviation,
            "interval": difference.interval,
            "p": difference.p_value,
            "wilcoxon_p": difference.wilcoxon,
            "ahead": difference.ahead,
            "level": difference.level,
            "behind": difference.behind,
            "pairs": difference.pairs,
        })
    });
    (metric.metric.name().to_string(), value.unwrap_or_default())
}
