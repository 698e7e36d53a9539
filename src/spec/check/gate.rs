//! Checks the key `gate`.

use crate::math::bounds::{ProperShare, Share};
use crate::math::metric::Metric;
use crate::mistake::Mistake;
use crate::spec::check::{methods_called, refuse_unlisted, the_method};
use crate::spec::experiment::{Experiment, LabelledMethod};
use crate::spec::gate::{Gate, MethodGate, Order};
use crate::spec::written;
use crate::spec::yaml::Node;
use std::collections::BTreeMap;

/// The largest margin: no metric of a sensible experiment differs by more.
const LARGEST: f64 = 1e6;

impl Gate {
    /// Whether a spec with this number of methods and these metrics could have this gate.
    pub(super) fn is_possible(&self, methods: usize, metrics: &[Metric]) -> bool {
        let is_margin = |margin: f64| margin > 0.0 && margin <= LARGEST;
        let is_share = |share: f64| (-1.0..=1.0).contains(&share);
        self.margins.first().is_some_and(|(metric, _)| *metric == Metric::RocAuc)
            && self.margins.iter().all(|(metric, margin)| metrics.contains(metric) && is_margin(*margin))
            && self.methods.iter().all(|gate| {
                gate.method < methods && gate.margin.is_none_or(is_margin) && gate.at_least.is_none_or(is_share)
            })
            && self.order.iter().all(|order| order.higher.max(order.lower) < methods && is_share(order.allowance))
    }
}

pub fn gate(written: &written::Gate, node: &Node, experiment: &Experiment) -> Result<Gate, Mistake> {
    let methods = &experiment.methods;
    let mut gate = Gate::default();
    if let Some(margin) = written.margin {
        gate.margins[0].1 = margin.value();
    }
    for (metric, margin) in &written.metrics {
        let span = node.span_of(&["metrics", metric.name()]);
        if *metric == Metric::RocAuc {
            return Err(span.mistake("the margin in roc_auc does not belong under `metrics`", "give it as `margin`"));
        }
        refuse_unlisted(*metric, experiment).map_err(|mistake| mistake.at(span))?;
        if !(*margin > 0.0 && *margin <= LARGEST) {
            let problem = format!("the margin in {} is {margin:?}", metric.name());
            return Err(span.mistake(problem, "give a number above 0, in the unit of the metric"));
        }
        gate.margins.push((*metric, *margin));
    }
    gate.methods = method_gates(&written.methods, node, methods)?;
    let order = |(index, text): (usize, &String)| {
        self::order(text, methods).map_err(|mistake| mistake.at(node.span_of(&["order", &index.to_string()])))
    };
    gate.order = written.order.iter().enumerate().map(order).collect::<Result<_, _>>()?;
    Ok(gate)
}

/// A demand on a label overrides a demand on a name that several methods share.
fn method_gates(
    demands: &BTreeMap<String, written::MethodGate>,
    node: &Node,
    methods: &[LabelledMethod],
) -> Result<Vec<MethodGate>, Mistake> {
    let mut gates: Vec<MethodGate> = Vec::new();
    let is_label = |name: &str| methods.iter().any(|method| method.label == name);
    let (labels, names): (Vec<_>, Vec<_>) = demands.iter().partition(|(name, _)| is_label(name));
    for (name, demand) in labels.into_iter().chain(names) {
        let span = node.span_of(&["methods", name]);
        let margin = demand.margin.map(ProperShare::value);
        let at_least = demand.at_least.map(Share::value);
        if margin.is_none() && at_least.is_none() {
            let problem = format!("there is no demand on `{name}`");
            return Err(span.mistake(problem, "give `margin`, `at_least` or both"));
        }
        let indices = if is_label(name) {
            the_method(name, methods).map(|index| vec![index])
        } else {
            methods_called(name, methods)
        };
        for method in indices.map_err(|mistake| mistake.at(span))? {
            match gates.iter_mut().find(|gate| gate.method == method) {
                Some(gate) => (gate.margin, gate.at_least) = (gate.margin.or(margin), gate.at_least.or(at_least)),
                None => gates.push(MethodGate { method, margin, at_least }),
            }
        }
    }
    gates.sort_by_key(|gate| gate.method);
    Ok(gates)
}

/// Parses `double_pu >= naive_pu`, which may end in ` - 0.01` or ` + 0.01`.
fn order(text: &str, methods: &[LabelledMethod]) -> Result<Order, Mistake> {
    let wrong = |problem: String| Mistake::new(problem, "write it like `double_pu >= naive_pu - 0.01`");
    let (higher, rest) =
        text.split_once(">=").ok_or_else(|| wrong(format!("`{text}` is not an order of two methods")))?;
    let signed = [(" - ", 1.0), (" + ", -1.0)];
    let parts = signed.into_iter().find_map(|(sign, factor)| Some((rest.rsplit_once(sign)?, factor)));
    let (lower, allowance) = match parts {
        None => (rest, 0.0),
        Some(((lower, number), factor)) => {
            let number = number.trim();
            let allowance = number.parse().ok().filter(|allowance: &f64| (0.0..1.0).contains(allowance));
            let problem = || wrong(format!("`{number}` is not an allowance in ROC-AUC, from 0 to below 1"));
            (lower, factor * allowance.ok_or_else(problem)?)
        }
    };
    let (higher, lower) = (the_method(higher.trim(), methods)?, the_method(lower.trim(), methods)?);
    if higher == lower {
        return Err(wrong("both sides of the order are the same method".to_string()));
    }
    Ok(Order { higher, lower, allowance })
}
