//! Builds an [`Experiment`] from the tree of a spec: fills in defaults, expands lists, refuses invalid specs.

mod external;
mod gate;
mod methods;
mod priors;
mod sampling;
mod settings;

use crate::math::bounds::ProperShare;
use crate::math::metric::Metric;
use crate::mistake::{Mistake, Span};
use crate::spec::decode::decode;
use crate::spec::expand::MAX_EXPANDED;
use crate::spec::experiment::{Experiment, LabelledMethod, PaperValue};
use crate::spec::gate::Gate;
use crate::spec::written::{self, MAX_SEEDS};
use crate::spec::yaml::Node;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const MAX_CELLS: usize = 1_000_000;
const MAX_DIGITS: u32 = 15;
const DEFAULT_DIFFERENCE: f64 = 0.01;

impl Experiment {
    /// Why no spec can give this experiment. Experiments are also read from stored files, which may have been edited.
    pub fn problem(&self) -> Option<String> {
        let cells = self.settings.len() * self.methods.len() * self.priors.len() * self.seeds as usize;
        let counts = [self.settings.len(), self.methods.len(), self.priors.len()];
        let labels: BTreeSet<&String> = self.methods.iter().map(|method| &method.label).collect();
        let is_printable = |paper: &PaperValue| paper.printed_digits <= MAX_DIGITS && paper.value.is_finite();
        let requirements = [
            (
                counts.iter().all(|count| (1..=MAX_EXPANDED).contains(count)),
                "it has too few or too many settings, methods or priors",
            ),
            ((1..=MAX_SEEDS).contains(&self.seeds) && cells <= MAX_CELLS, "it has too few or too many seeds"),
            (labels.len() == self.methods.len(), "two methods have the same label"),
            (self.compare.is_none_or(|index| index < self.methods.len()), "it compares a method that does not exist"),
            (ProperShare::new(self.difference).is_ok(), "its difference worth detecting is not above 0 and below 1"),
            (self.metrics.first() == Some(&Metric::RocAuc), "its first metric is not roc_auc"),
            (self.paper.iter().all(is_printable), "it has a paper value that cannot be printed"),
            (self.gate.is_possible(self.methods.len(), &self.metrics), "its gate has demands that no spec can have"),
        ];
        requirements.into_iter().find(|(is_met, _)| !is_met).map(|(_, problem)| problem.to_string())
    }
}

pub fn check(root: &Node, folder: &Path) -> Result<Experiment, Mistake> {
    let spec: written::Spec = decode(root)?;
    let seeds = spec.seeds.get();
    let settings = settings::settings(root)?;
    let methods = methods::methods(root.get("methods").unwrap_or(root), &settings, folder)?;
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
    let mut experiment = Experiment {
        name: name(spec.experiment, root.span_of(&["experiment"]))?,
        compare: compare.map_err(|mistake| mistake.at(root.span_of(&["compare"])))?,
        difference: spec.difference.map_or(DEFAULT_DIFFERENCE, ProperShare::value),
        paper: spec.paper,
        gate: Gate::default(),
        folder: PathBuf::new(),
        moved: BTreeMap::new(),
        settings,
        methods,
        priors,
        seeds,
        metrics,
    };
    for (index, value) in experiment.paper.iter().enumerate() {
        let at = |(key, mistake): (&str, Mistake)| mistake.at(root.span_of(&["paper", &index.to_string(), key]));
        check_paper(value, &experiment).map_err(at)?;
    }
    experiment.gate = gate::gate(&spec.gate, root.get("gate").unwrap_or(root), &experiment)?;
    Ok(experiment.in_folder(folder))
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

/// Checks a paper's value. A mistake comes with its key.
fn check_paper(paper: &PaperValue, experiment: &Experiment) -> Result<(), (&'static str, Mistake)> {
    let PaperValue { method, prior, metric, value, printed_digits } = paper;
    methods_called(method, &experiment.methods).map_err(|mistake| ("method", mistake))?;
    let priors: Vec<&str> = experiment.priors.iter().map(|prior| prior.name.as_str()).collect();
    if let Some(prior) = prior.as_ref().filter(|prior| !priors.contains(&prior.as_str())) {
        let remedy = format!("give one of: {}", priors.join("; "));
        return Err(("prior", Mistake::new(format!("no prior here is called `{prior}`"), remedy)));
    }
    refuse_unlisted(*metric, experiment).map_err(|mistake| ("metric", mistake))?;
    refuse_unprintable(*value, *printed_digits, *metric).map_err(|mistake| ("value", mistake))
}

fn refuse_unlisted(metric: Metric, experiment: &Experiment) -> Result<(), Mistake> {
    if experiment.metrics.contains(&metric) {
        return Ok(());
    }
    let problem = format!("`{}` is not among the metrics", metric.name());
    Err(Mistake::new(problem, "add it to `metrics` of the spec"))
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
