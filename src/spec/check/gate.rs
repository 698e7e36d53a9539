//! What a run must hold to.

use crate::math::metric::Metric;
use crate::spec::check::{methods_called, share, the_method};
use crate::spec::decode::Located;
use crate::spec::experiment::LabelledMethod;
use crate::spec::gate::{Gate, MethodGate, Order};
use crate::spec::written;
use crate::spec::yaml::Wrong;

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

pub fn gate(written: &written::Gate, methods: &[LabelledMethod], metrics: &[Metric]) -> Result<Gate, Wrong> {
    let written::Gate { margin, metrics: judged, methods: demands, order } = written;
    let mut gate = Gate::default();
    if let Some(number) = margin {
        gate.margins[0].1 = auc_margin(number)?;
    }
    for (metric, number) in judged {
        if *metric == Metric::RocAuc {
            return Err(number.place.wrong("ROC-AUC has the margin of all", "give it as `margin`"));
        }
        if !metrics.contains(metric) {
            let problem = format!("`{}` is not among the metrics", metric.name());
            return Err(number.place.wrong(problem, "add it to `metrics` of the spec"));
        }
        if !(number.value > 0.0 && number.value <= LARGEST) {
            let problem = format!("the margin in {} is {:?}", metric.name(), number.value);
            return Err(number.place.wrong(problem, "give a number above 0, in the unit of the metric"));
        }
        gate.margins.push((*metric, number.value));
    }
    gate.methods = method_gates(demands, methods)?;
    gate.order = order.iter().map(|text| self::order(text, methods)).collect::<Result<_, _>>()?;
    Ok(gate)
}

fn auc_margin(number: &Located<f64>) -> Result<f64, Wrong> {
    share(number, "margin", true)
}

/// What is said of a label counts more than what is said of a name that several share.
fn method_gates(
    demands: &std::collections::BTreeMap<String, Located<written::MethodGate>>,
    methods: &[LabelledMethod],
) -> Result<Vec<MethodGate>, Wrong> {
    let mut gates: Vec<MethodGate> = Vec::new();
    let is_label = |name: &str| methods.iter().any(|method| method.label == name);
    let (labels, names): (Vec<_>, Vec<_>) = demands.iter().partition(|(name, _)| is_label(name));
    for (name, demand) in labels.into_iter().chain(names) {
        let Located { value: written::MethodGate { margin, at_least }, place } = demand;
        if margin.is_none() && at_least.is_none() {
            let problem = format!("nothing is demanded of `{name}`");
            return Err(place.wrong(problem, "give `margin`, `at_least` or both"));
        }
        let margin = margin.as_ref().map(auc_margin).transpose()?;
        let at_least = at_least.as_ref().map(|number| share(number, "at_least", false)).transpose()?;
        let name = Located { value: name.clone(), place: *place };
        let places =
            if is_label(&name.value) { vec![the_method(&name, methods)?] } else { methods_called(&name, methods)? };
        for method in places {
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
fn order(text: &Located<String>, methods: &[LabelledMethod]) -> Result<Order, Wrong> {
    let wrong = |problem: String| text.place.wrong(problem, "write it like `double_pu >= naive_pu - 0.01`");
    let (higher, rest) =
        text.value.split_once(">=").ok_or_else(|| wrong(format!("`{}` is no order of two methods", text.value)))?;
    let method = |name: &str| the_method(&Located { value: name.trim().to_string(), place: text.place }, methods);
    let signed = [(" - ", 1.0), (" + ", -1.0)];
    let parts = signed.into_iter().find_map(|(sign, factor)| Some((rest.rsplit_once(sign)?, factor)));
    let (lower, allowance) = match parts {
        None => (rest, 0.0),
        Some(((lower, number), factor)) => {
            let number: f64 =
                number.trim().parse().ok().filter(|number| (0.0..1.0).contains(number)).ok_or_else(|| {
                    wrong(format!("`{}` is not an allowance in ROC-AUC, from 0 to below 1", number.trim()))
                })?;
            (lower, factor * number)
        }
    };
    let (higher, lower) = (method(higher)?, method(lower)?);
    if higher == lower {
        return Err(wrong("both sides of the order are the same method".to_string()));
    }
    Ok(Order { higher, lower, allowance })
}
