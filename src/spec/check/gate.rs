//! What a run must hold to.

use crate::math::bounds::{ProperShare, Share};
use crate::math::metric::Metric;
use crate::mistake::Mistake;
use crate::spec::check::{methods_called, the_method};
use crate::spec::experiment::LabelledMethod;
use crate::spec::gate::{Gate, MethodGate, Order};
use crate::spec::written;
use crate::spec::yaml::Node;

/// No metric of a sensible experiment differs by more.
const LARGEST: f64 = 1e6;

impl Gate {
    /// Whether a spec could demand this of so many methods, judged by these metrics.
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

pub fn gate(
    written: &written::Gate,
    node: &Node,
    methods: &[LabelledMethod],
    metrics: &[Metric],
) -> Result<Gate, Mistake> {
    let mut gate = Gate::default();
    if let Some(margin) = written.margin {
        gate.margins[0].1 = margin.value();
    }
    for (metric, margin) in &written.metrics {
        let span = node.span_of(&["metrics", metric.name()]);
        if *metric == Metric::RocAuc {
            return Err(span.mistake("ROC-AUC has the margin of all", "give it as `margin`"));
        }
        if !metrics.contains(metric) {
            let problem = format!("`{}` is not among the metrics", metric.name());
            return Err(span.mistake(problem, "add it to `metrics` of the spec"));
        }
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

/// What is said of a label counts more than what is said of a name that several share.
fn method_gates(
    demands: &std::collections::BTreeMap<String, written::MethodGate>,
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
            let problem = format!("nothing is demanded of `{name}`");
            return Err(span.mistake(problem, "give `margin`, `at_least` or both"));
        }
        let places = if is_label(name) {
            the_method(name, methods).map(|place| vec![place])
        } else {
            methods_called(name, methods)
        };
        for method in places.map_err(|mistake| mistake.at(span))? {
            match gates.iter_mut().find(|gate| gate.method == method) {
                Some(gate) => (gate.margin, gate.at_least) = (gate.margin.or(margin), gate.at_least.or(at_least)),
                None => gates.push(MethodGate { method, margin, at_least }),
            }
        }
    }
    gates.sort_by_key(|gate| gate.method);
    Ok(gates)
}

/// `double_pu >= naive_pu`, or with ` - 0.01` or ` + 0.01` behind it.
fn order(text: &str, methods: &[LabelledMethod]) -> Result<Order, Mistake> {
    let wrong = |problem: String| Mistake::new(problem, "write it like `double_pu >= naive_pu - 0.01`");
    let (higher, rest) = text.split_once(">=").ok_or_else(|| wrong(format!("`{text}` is no order of two methods")))?;
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
