//! From a spec as written to an [`Experiment`]: fills in defaults, unfolds lists, refuses what cannot be.

mod gate;
mod methods;
mod priors;
mod sampling;
mod settings;

use crate::math::metric::Metric;
use crate::spec::decode::{Located, Sweep};
use crate::spec::experiment::{Experiment, LabelledMethod, NamedPrior, PaperValue};
use crate::spec::written;
use crate::spec::yaml::{Place, Wrong};
use std::collections::BTreeSet;
use std::path::Path;

const MAX_SEEDS: i64 = 100_000;
const MAX_CELLS: usize = 1_000_000;
/// Of settings, of methods and of priors, each.
const MAX_UNFOLDED: usize = 1000;
const MAX_DIGITS: u32 = 15;
const DEFAULT_DIFFERENCE: f64 = 0.01;

impl Experiment {
    /// Why no spec is understood like this: experiments are also read from files that anybody may have edited.
    pub fn problem(&self) -> Option<String> {
        let cells = self.settings.len() * self.methods.len() * self.priors.len() * self.seeds as usize;
        let counts = [self.settings.len(), self.methods.len(), self.priors.len()];
        let mut labels = BTreeSet::new();
        let problem = if !counts.iter().all(|count| (1..=MAX_UNFOLDED).contains(count)) {
            "it has too few or too many settings, methods or priors"
        } else if !(1..=MAX_SEEDS).contains(&self.seeds.into()) || cells > MAX_CELLS {
            "it has too few or too many seeds"
        } else if !self.methods.iter().all(|method| labels.insert(&method.label)) {
            "two methods have the same label"
        } else if self.compare.is_some_and(|place| place >= self.methods.len()) {
            "it compares a method that is not there"
        } else if !is_inside(self.difference) {
            "the difference that is worth seeing is not above 0 and below 1"
        } else if self.metrics.first() != Some(&Metric::RocAuc) {
            "its first metric is not roc_auc"
        } else if !self.paper.iter().all(|paper| paper.printed_digits <= MAX_DIGITS && paper.value.is_finite()) {
            "it has a value of a paper that cannot be printed"
        } else if !self.gate.is_possible(self.methods.len(), &self.metrics) {
            "its gate demands what cannot be"
        } else {
            return None;
        };
        Some(problem.to_string())
    }
}

/// Between 0 and 1 and neither of them.
fn is_inside(number: f64) -> bool {
    number > 0.0 && number < 1.0
}

pub fn check(spec: &written::Spec, folder: &Path) -> Result<Experiment, Wrong> {
    let seeds = whole_number(&spec.seeds, "seeds", 1..=MAX_SEEDS)?;
    let settings = settings::settings(spec)?;
    let methods = methods::methods(&spec.methods, &settings)?;
    let priors = priors::priors(spec.priors.as_deref())?;
    let cells = settings.len() * methods.len() * priors.len() * seeds as usize;
    if cells > MAX_CELLS {
        let remedy = format!("an experiment may have {MAX_CELLS}: use fewer seeds, or split it into several specs");
        return Err(spec.seeds.place.wrong(format!("this makes up to {cells} cells"), remedy));
    }
    let mut metrics = vec![Metric::RocAuc];
    for metric in &spec.metrics {
        if !metrics.contains(metric) {
            metrics.push(*metric);
        }
    }
    let compare = spec.compare.as_ref().map(|method| the_method(method, &methods)).transpose()?;
    let difference =
        spec.difference.as_ref().map_or(Ok(DEFAULT_DIFFERENCE), |number| share(number, "difference", true))?;
    let paper = paper(&spec.paper, &methods, &priors, &metrics)?;
    let gate = gate::gate(&spec.gate, &methods, &metrics)?;
    let (name, folder) = (name(&spec.experiment)?, folder.to_path_buf());
    Ok(Experiment { name, settings, methods, priors, seeds, metrics, compare, difference, paper, gate, folder })
}

/// A name that is safe as that of a folder.
fn name(name: &Located<String>) -> Result<String, Wrong> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let Located { value, place } = name;
    if value.is_empty() || value.len() > 100 || value.starts_with('.') || !value.chars().all(allowed) {
        let remedy = "use up to 100 letters, digits, `-`, `_` and `.`, not starting with a dot: it names a folder";
        return Err(place.wrong(format!("`{value}` cannot name an experiment"), remedy));
    }
    Ok(value.clone())
}

fn whole_number(number: &Located<i64>, what: &str, range: std::ops::RangeInclusive<i64>) -> Result<u32, Wrong> {
    let within = u32::try_from(number.value).ok().filter(|_| range.contains(&number.value));
    within.ok_or_else(|| {
        let remedy = format!("give a whole number from {} to {}", range.start(), range.end());
        number.place.wrong(format!("`{what}` is {}", number.value), remedy)
    })
}

/// A number in a range that leaves out its ends where `open`.
fn share(number: &Located<f64>, what: &str, open: bool) -> Result<f64, Wrong> {
    let value = number.value;
    let within = if open { is_inside(value) } else { (0.0..=1.0).contains(&value) };
    if within {
        return Ok(value);
    }
    let remedy = if open { "give a share above 0 and below 1" } else { "give a share from 0 to 1" };
    Err(number.place.wrong(format!("`{what}` is {value}"), remedy))
}

/// Zero, or a number that is neither tiny nor huge: beyond that, arithmetic and tables suffer.
fn not_negative(number: &Located<f64>, what: &str) -> Result<f64, Wrong> {
    if number.value == 0.0 || (1e-12..=1e12).contains(&number.value) {
        // Zero has no sign here.
        return Ok(number.value.abs());
    }
    Err(number.place.wrong(format!("`{what}` is {:?}", number.value), "give 0, or a number from 1e-12 to 1e12"))
}

/// Refuses to unfold lists into more than anybody can read.
fn room(count: usize, what: &str, place: Place) -> Result<(), Wrong> {
    if count <= MAX_UNFOLDED {
        return Ok(());
    }
    let remedy = format!("an experiment may have {MAX_UNFOLDED}: shorten the lists, or split it into several specs");
    Err(place.wrong(format!("these lists make more than {MAX_UNFOLDED} {what}"), remedy))
}

/// The values of an option, checked, or its default.
fn unfold<T: Clone, U>(
    option: &Option<Sweep<T>>,
    default: U,
    check: impl Fn(&Located<T>) -> Result<U, Wrong>,
) -> Result<Vec<U>, Wrong> {
    match option {
        None => Ok(vec![default]),
        Some(Sweep(values)) => {
            room(values.len(), "values", values[0].place)?;
            values.iter().map(check).collect()
        }
    }
}

/// The same for values that need no check.
fn values<T: Copy>(option: &Option<Sweep<T>>, default: T) -> Vec<T> {
    option.as_ref().map_or(vec![default], |Sweep(values)| values.iter().map(|value| value.value).collect())
}

/// The places of all methods of a name or label; at least one.
fn methods_called(name: &Located<String>, methods: &[LabelledMethod]) -> Result<Vec<usize>, Wrong> {
    let fits = |method: &LabelledMethod| method.label == name.value || method.method.name() == name.value;
    let places: Vec<usize> = (0..methods.len()).filter(|place| fits(&methods[*place])).collect();
    if places.is_empty() {
        let remedy = format!("give one of: {}", labels(methods.iter()));
        return Err(name.place.wrong(format!("no method here is called `{}`", name.value), remedy));
    }
    Ok(places)
}

/// The place of the only method of a name or label.
fn the_method(name: &Located<String>, methods: &[LabelledMethod]) -> Result<usize, Wrong> {
    // A label may be the bare name that others of that name have options behind.
    if let Some(place) = methods.iter().position(|method| method.label == name.value) {
        return Ok(place);
    }
    match methods_called(name, methods)?[..] {
        [place] => Ok(place),
        ref places => {
            let problem = format!("{} methods here are called `{}`", places.len(), name.value);
            let remedy = format!("give one of: {}", labels(places.iter().map(|place| &methods[*place])));
            Err(name.place.wrong(problem, remedy))
        }
    }
}

fn labels<'a>(methods: impl Iterator<Item = &'a LabelledMethod>) -> String {
    methods.map(|method| method.label.as_str()).collect::<Vec<_>>().join("; ")
}

fn paper(
    written: &[written::Paper],
    methods: &[LabelledMethod],
    priors: &[NamedPrior],
    metrics: &[Metric],
) -> Result<Vec<PaperValue>, Wrong> {
    let mut values = Vec::new();
    for entry in written {
        let written::Paper { method, prior, metric, value, printed_digits } = entry;
        methods_called(method, methods)?;
        if let Some(prior) = prior
            && !priors.iter().any(|other| other.name == prior.value)
        {
            let names: Vec<&str> = priors.iter().map(|prior| prior.name.as_str()).collect();
            let remedy = format!("give one of: {}", names.join("; "));
            return Err(prior.place.wrong(format!("no prior here is called `{}`", prior.value), remedy));
        }
        if !metrics.contains(&metric.value) {
            let problem = format!("`{}` is not among the metrics", metric.value.name());
            return Err(metric.place.wrong(problem, "add it to `metrics`"));
        }
        let number = value.value;
        if !number.is_finite() || metric.value.possible((number, number)) != (number, number) || number > 1e6 {
            let problem = format!("no {} is {number:?}", metric.value.title());
            return Err(value.place.wrong(problem, "give the number that the paper prints"));
        }
        if *printed_digits > MAX_DIGITS {
            let problem = format!("`printed_digits` is {printed_digits}");
            return Err(value.place.wrong(problem, format!("give a whole number from 0 to {MAX_DIGITS}")));
        }
        let rounded: f64 = format!("{number:.*}", *printed_digits as usize).parse().unwrap_or(number);
        if (rounded - number).abs() > 1e-12 {
            let problem = format!("{number} has more digits than the {printed_digits} that are printed");
            return Err(value.place.wrong(problem, "give the number as it is printed, or more `printed_digits`"));
        }
        values.push(PaperValue {
            method: method.value.clone(),
            prior: prior.as_ref().map(|prior| prior.value.clone()),
            metric: metric.value,
            value: value.value,
            printed_digits: *printed_digits,
        });
    }
    Ok(values)
}
