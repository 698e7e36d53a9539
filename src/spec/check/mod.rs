//! Builds an [`Experiment`] from the tree of a spec: fills in defaults, expands lists, refuses invalid specs.

mod gate;
mod methods;
mod priors;
mod sampling;
mod settings;

use crate::math::metric::Metric;
use crate::mistake::{Mistake, Span};
use crate::spec::decode::decode;
use crate::spec::expand::MAX_EXPANDED;
use crate::spec::experiment::{Experiment, LabelledMethod, NamedPrior, PaperValue};
use crate::spec::written::{self, MAX_SEEDS};
use crate::spec::yaml::Node;
use std::collections::BTreeSet;
use std::path::Path;

const MAX_CELLS: usize = 1_000_000;
const MAX_DIGITS: u32 = 15;
const DEFAULT_DIFFERENCE: f64 = 0.01;

impl Experiment {
    /// Why no spec can give this experiment. Experiments are also read from stored files, which may have been edited.
    pub fn problem(&self) -> Option<String> {
        let cells = self.settings.len() * self.methods.len() * self.priors.len() * self.seeds as usize;
        let counts = [self.settings.len(), self.methods.len(), self.priors.len()];
        let mut labels = BTreeSet::new();
        let problem = if !counts.iter().all(|count| (1..=MAX_EXPANDED).contains(count)) {
            "it has too few or too many settings, methods or priors"
        } else if !(1..=MAX_SEEDS).contains(&self.seeds) || cells > MAX_CELLS {
            "it has too few or too many seeds"
        } else if !self.methods.iter().all(|method| labels.insert(&method.label)) {
            "two methods have the same label"
        } else if self.compare.is_some_and(|index| index >= self.methods.len()) {
            "it compares a method that does not exist"
        } else if !(self.difference > 0.0 && self.difference < 1.0) {
            "its difference worth detecting is not above 0 and below 1"
        } else if self.metrics.first() != Some(&Metric::RocAuc) {
            "its first metric is not roc_auc"
        } else if !self.paper.iter().all(|paper| paper.printed_digits <= MAX_DIGITS && paper.value.is_finite()) {
            "it has a paper value that cannot be printed"
        } else if !self.gate.is_possible(self.methods.len(), &self.metrics) {
            "its gate has demands that no spec can have"
        } else {
            return None;
        };
        Some(problem.to_string())
    }
}

pub fn check(root: &Node, folder: &Path) -> Result<Experiment, Mistake> {
    let spec: written::Spec = decode(root)?;
    let seeds = spec.seeds.get();
    let settings = settings::settings(root)?;
    let methods = methods::methods(root.get("methods").unwrap_or(root), &settings)?;
    let priors = priors::priors(root.get("priors"))?;
    let cells = settings.len() * methods.len() * priors.len() * seeds as usize;
    if cells > MAX_CELLS {
        let remedy =
            format!("an experiment may have at most {MAX_CELLS}: use fewer seeds, or split it into several specs");
        return Err(root.span_of(&["seeds"]).mistake(format!("this experiment has up to {cells} cells"), remedy));
    }
    let mut metrics = vec![Metric::RocAuc];
    for metric in &spec.metrics {
        if !metrics.contains(metric) {
            metrics.push(*metric);
        }
    }
    let compare = spec.compare.as_ref().map(|method| the_method(method, &methods)).transpose();
    let compare = compare.map_err(|mistake| mistake.at(root.span_of(&["compare"])))?;
    let difference = spec.difference.map_or(DEFAULT_DIFFERENCE, |difference| difference.value());
    let paper = paper(&spec.paper, root.get("paper").unwrap_or(root), &methods, &priors, &metrics)?;
    let gate = gate::gate(&spec.gate, root.get("gate").unwrap_or(root), &methods, &metrics)?;
    let (name, folder) = (name(spec.experiment, root.span_of(&["experiment"]))?, folder.to_path_buf());
    Ok(Experiment { name, settings, methods, priors, seeds, metrics, compare, difference, paper, gate, folder })
}

/// Checks that a name is safe as the name of a folder.
fn name(name: String, span: &Span) -> Result<String, Mistake> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.is_empty() || name.len() > 100 || name.starts_with('.') || !name.chars().all(allowed) {
        let remedy =
            "use up to 100 letters, digits, `-`, `_` and `.`, not starting with a dot: it is the name of a folder";
        return Err(span.mistake(format!("`{name}` cannot be the name of an experiment"), remedy));
    }
    Ok(name)
}

/// The indices of all methods of a name or label; at least one.
fn methods_called(name: &str, methods: &[LabelledMethod]) -> Result<Vec<usize>, Mistake> {
    let fits = |method: &LabelledMethod| method.label == name || method.method.name() == name;
    let found: Vec<usize> = (0..methods.len()).filter(|index| fits(&methods[*index])).collect();
    if found.is_empty() {
        let remedy = format!("give one of: {}", labels(methods.iter()));
        return Err(Mistake::new(format!("no method here is called `{name}`"), remedy));
    }
    Ok(found)
}

/// The index of the only method of a name or label.
fn the_method(name: &str, methods: &[LabelledMethod]) -> Result<usize, Mistake> {
    // A label may be the bare name, while other methods of that name have options in their labels.
    if let Some(index) = methods.iter().position(|method| method.label == name) {
        return Ok(index);
    }
    match methods_called(name, methods)?[..] {
        [index] => Ok(index),
        ref found => {
            let problem = format!("{} methods here are called `{name}`", found.len());
            let remedy = format!("give one of: {}", labels(found.iter().map(|index| &methods[*index])));
            Err(Mistake::new(problem, remedy))
        }
    }
}

fn labels<'a>(methods: impl Iterator<Item = &'a LabelledMethod>) -> String {
    methods.map(|method| method.label.as_str()).collect::<Vec<_>>().join("; ")
}

fn paper(
    written: &[written::Paper],
    node: &Node,
    methods: &[LabelledMethod],
    priors: &[NamedPrior],
    metrics: &[Metric],
) -> Result<Vec<PaperValue>, Mistake> {
    let mut values = Vec::new();
    for (index, entry) in written.iter().enumerate() {
        let written::Paper { method, prior, metric, value, printed_digits } = entry;
        let span = |key: &str| node.span_of(&[&index.to_string(), key]);
        methods_called(method, methods).map_err(|mistake| mistake.at(span("method")))?;
        if let Some(prior) = prior
            && !priors.iter().any(|other| other.name == *prior)
        {
            let names: Vec<&str> = priors.iter().map(|prior| prior.name.as_str()).collect();
            let remedy = format!("give one of: {}", names.join("; "));
            return Err(span("prior").mistake(format!("no prior here is called `{prior}`"), remedy));
        }
        if !metrics.contains(metric) {
            let problem = format!("`{}` is not among the metrics", metric.name());
            return Err(span("metric").mistake(problem, "add it to `metrics`"));
        }
        refuse_unprintable(*value, *printed_digits, *metric).map_err(|mistake| mistake.at(span("value")))?;
        let (method, prior) = (method.clone(), prior.clone());
        values.push(PaperValue { method, prior, metric: *metric, value: *value, printed_digits: *printed_digits });
    }
    Ok(values)
}

/// Refuses a value that no paper can have printed with this number of digits.
fn refuse_unprintable(value: f64, digits: u32, metric: Metric) -> Result<(), Mistake> {
    if !value.is_finite() || metric.possible((value, value)) != (value, value) || value > 1e6 {
        let problem = format!("{value:?} is not a possible {}", metric.title());
        return Err(Mistake::new(problem, "give the number that the paper prints"));
    }
    if digits > MAX_DIGITS {
        let problem = format!("`printed_digits` is {digits}");
        return Err(Mistake::new(problem, format!("give a whole number from 0 to {MAX_DIGITS}")));
    }
    let rounded: f64 = format!("{value:.*}", digits as usize).parse().unwrap_or(value);
    if (rounded - value).abs() > 1e-12 {
        let problem = format!("{value} has more digits than `printed_digits`, which is {digits}");
        return Err(Mistake::new(problem, "give the number as it is printed, or a larger `printed_digits`"));
    }
    Ok(())
}
