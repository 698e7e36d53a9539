//! A check for programs, at full precision. What has no value is null.

use crate::gate::{CheckError, Checked, Demand, Finding};
use serde_json::{Value, json};

/// `exit_code` is what the command ends with.
pub fn json(checked: &Checked, exit_code: u8) -> Value {
    let [baseline, run] = &checked.computed_by;
    json!({
        "outcome": checked.verdict().words().replace(' ', "_"),
        "exit_code": exit_code,
        "experiment": checked.experiment,
        "cells": checked.cells,
        "same_cells": checked.same,
        "same_bits": checked.has_same_bits(),
        "findings": checked.findings.iter().map(of_finding).collect::<Vec<_>>(),
        "computed_by": { "baseline": baseline, "run": run },
    })
}

/// The word tells one situation from another where they share an exit code.
pub fn json_of_error(error: &CheckError, exit_code: u8) -> Value {
    json!({ "outcome": error.name(), "exit_code": exit_code, "message": error.to_string() })
}

fn of_finding(finding: &Finding) -> Value {
    let Finding {
        line,
        metric,
        demand,
        against,
        mean,
        lost,
        gained,
        is_unchanged,
        test,
        p_regressed,
        p_better,
        p_worse,
        verdict,
        seeds_to_decide,
    } = finding;
    let demand = match demand {
        Demand::NotWorse { margin } => json!({ "not_worse": { "margin": margin } }),
        Demand::AtLeast { floor } => json!({ "at_least": floor }),
        Demand::Reach { other, allowance } => json!({ "reach": { "method": other.method, "allowance": allowance } }),
    };
    let test = test.as_ref();
    json!({
        "setting": line.setting,
        "method": line.method,
        "prior": Some(&line.prior).filter(|prior| !prior.is_empty()),
        "metric": metric.name(),
        "demand": demand,
        "verdict": verdict.words().replace(' ', "_"),
        "unchanged": is_unchanged,
        "better": finding.is_better(),
        "worse": finding.is_worse(),
        "p_better_holm": p_better,
        "p_worse_holm": p_worse,
        "against": against,
        "mean": mean,
        "gain": test.map(|test| test.mean),
        "deviation": test.and_then(|test| test.deviation),
        "interval": test.and_then(|test| test.interval),
        "p_passed": test.map(|test| test.p_above),
        "p_regressed": test.map(|test| test.p_below),
        "p_regressed_holm": p_regressed,
        "seeds": test.map_or(0, |test| test.count),
        "seeds_without_a_value": lost,
        "seeds_gained": gained,
        "seeds_to_decide": seeds_to_decide,
    })
}
