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
            && is_margin(self.rise)
            && self.methods.iter().all(|MethodGate { method, margin, rise, at_least, at_most }| {
                let are_margins = [margin, rise].into_iter().all(|margin| margin.is_none_or(is_margin));
                *method < methods
                    && are_margins
                    && [at_least, at_most].into_iter().all(|share| share.is_none_or(is_share))
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
    gate.rise = written.rise.map_or(gate.rise, ProperShare::value);
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

impl MethodGate {
    /// Takes over the demands that it has not.
    fn insert_missing(&mut self, general: MethodGate) -> &mut Self {
        let MethodGate { method, margin, rise, at_least, at_most } = *self;
        *self = MethodGate {
            method,
            margin: margin.or(general.margin),
            rise: rise.or(general.rise),
            at_least: at_least.or(general.at_least),
            at_most: at_most.or(general.at_most),
        };
        self
    }
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
        let written::MethodGate { margin, rise, at_least, at_most } = demand.clone();
        let [margin, rise] = [margin, rise].map(|margin| margin.map(ProperShare::value));
        let [at_least, at_most] = [at_least, at_most].map(|share| share.map(Share::value));
        if [margin, rise, at_least, at_most].iter().all(Option::is_none) {
            let problem = format!("there is no demand on `{name}`");
            return Err(span.mistake(problem, "give one or several of `margin`, `rise`, `at_least` and `at_most`"));
        }
        let indices = if is_label(name) {
            the_method(name, methods).map(|index| vec![index])
        } else {
            methods_called(name, methods)
        };
        for method in indices.map_err(|mistake| mistake.at(span))? {
            let general = MethodGate { method, margin, rise, at_least, at_most };
            let gate = match gates.iter_mut().find(|gate| gate.method == method) {
                Some(gate) => gate.insert_missing(general),
                None => gates.push_mut(general),
            };
            if let (Some(floor), Some(ceiling)) = (gate.at_least, gate.at_most)
                && floor >= ceiling
            {
                let problem = format!("`at_least` is {floor} and `at_most` is {ceiling} for {}", methods[method].label);
                return Err(span.mistake(problem, "give an `at_most` above `at_least`"));
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
