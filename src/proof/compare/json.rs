//! Two runs compared, for programs.

use crate::math::stats::PairedDifference;
use crate::proof::Difference;
use crate::proof::compare::{Compared, LineDifference, MetricDifference};
use serde::Serialize;
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
fn of_metric(found: &MetricDifference) -> (String, Value) {
    let MetricDifference { metric, is_same, difference } = found;
    let value = difference.as_ref().map(|difference| MetricJson {
        higher_is_better: metric.higher_is_better(),
        same: *is_same,
        second_is: found.standing().to_string(),
        difference,
    });
    (metric.name().to_string(), json!(value))
}

#[derive(Serialize)]
struct MetricJson<'a> {
    higher_is_better: bool,
    same: bool,
    second_is: String,
    #[serde(flatten)]
    difference: &'a PairedDifference,
}
