//! Mean AUC against a number that is varied, with a curve for each method: how much a wrong prior costs, and how much
//! more people help.

use crate::analysis::{Line, Results};
use crate::learn::PriorUse;
use crate::math::metric::Metric;
use crate::math::stats::Summary;
use crate::report::plot::canvas::{Figure, Plot, Point, Shape};
use crate::report::plot::chart::{Axis, Chart, End, Panel, padded};
use crate::report::plot::strokes::{Stroke, colour};
use crate::report::plot::{MOST_CURVES, title_of_setting};
use crate::spec::{Experiment, NamedPrior, PriorBase, PriorSource};
use plotters::prelude::*;
use strum::Display;

const SIZE: (f64, f64) = (520.0, 400.0);

/// A method with the values of what is varied, and what came out at each.
struct Curve<'a> {
    label: &'a str,
    method: usize,
    points: Vec<(f64, &'a Summary)>,
}

/// Which prior is varied.
#[derive(Clone, Copy, PartialEq, Display)]
#[strum(serialize_all = "lowercase")]
pub enum Swept {
    Beta,
    Gamma,
}

impl Swept {
    /// What a method must use at least to depend on this prior.
    fn least_use(self) -> PriorUse {
        match self {
            Swept::Beta => PriorUse::Beta,
            Swept::Gamma => PriorUse::BetaAndGamma,
        }
    }

    /// The factor of a prior that is wrong in no other way that the method would notice, and what it is a factor of.
    fn factor(self, prior: &NamedPrior, used: PriorUse) -> Option<(f64, PriorBase)> {
        let (swept, other) = match self {
            Swept::Beta => (prior.beta, prior.gamma),
            Swept::Gamma => (prior.gamma, prior.beta),
        };
        let PriorSource::Multiple { times, of } = swept else { return None };
        let other_is_right = other == PriorSource::Multiple { times: 1.0, of };
        let other_is_ignored = self == Swept::Beta && used == PriorUse::Beta;
        (other_is_right || other_is_ignored).then_some((times, of))
    }
}

/// AUC against the factor by which a prior is wrong; `None` unless the spec has two factors or more.
pub fn auc_by_prior(experiment: &Experiment, lines: &[&Line], swept: Swept) -> Option<Plot> {
    let mut curves: Vec<(PriorBase, Curve)> = Vec::new();
    for line in lines.iter().filter(|line| line.prior_use >= swept.least_use()) {
        let factor = line.prior.and_then(|prior| swept.factor(&experiment.priors[prior], line.prior_use));
        let (Some((times, of)), Some(summary)) = (factor, line.summary(Metric::RocAuc)) else { continue };
        match curves.iter_mut().find(|(base, curve)| (curve.method, *base) == (line.method, of)) {
            Some((_, curve)) => curve.points.push((times, summary)),
            None => {
                let points = vec![(times, summary)];
                curves.push((of, Curve { label: line.label, method: line.method, points }));
            }
        }
    }
    curves.retain(|(_, curve)| curve.points.len() > 1);
    let (base, _) = *curves.first()?;
    // Methods that are not given this prior are drawn as levels, with the others that they are given being right.
    let right = PriorSource::Multiple { times: 1.0, of: base };
    let level = |line: &&&Line| {
        line.prior_use < swept.least_use() && line.prior.is_none_or(|prior| experiment.priors[prior].beta == right)
    };
    let levels = lines.iter().filter(level).filter_map(|line| Some((*line, line.summary(Metric::RocAuc)?)));
    Some(plot(
        title_of_setting(&format!("ROC-AUC against a wrong {swept}"), lines),
        &format!("{swept} is given as a multiple of its value in the data"),
        format!("{swept} as a multiple of its value in the data"),
        curves.into_iter().map(|(_, curve)| curve).collect(),
        levels.collect(),
    ))
}

/// AUC against the one number in which settings differ, such as the share of a sample, with its key in the spec; `None`
/// if they differ in several keys or in one whose values are no numbers.
pub fn learning_curve(results: &Results) -> Option<(&'static str, Plot)> {
    let descriptions: Vec<_> = results.experiment.settings.iter().map(|setting| setting.description()).collect();
    let (first, others) = descriptions.split_first()?;
    let keys = |description: &[(&'static str, String)]| description.iter().map(|(key, _)| *key).collect::<Vec<_>>();
    // Settings of another kind have other keys.
    if others.iter().any(|other| keys(other) != keys(first)) {
        return None;
    }
    let differs = |index: &usize| others.iter().any(|other| other[*index] != first[*index]);
    let mut differing = (0..first.len()).filter(differs);
    let (index, None) = (differing.next()?, differing.next()) else { return None };
    let numbers = descriptions.iter().map(|description| description[index].1.parse().ok());
    let numbers: Vec<f64> = numbers.collect::<Option<_>>()?;

    let curve = |method: usize| {
        let lines = results.lines.iter().filter(|line| line.method == method && line.is_of_first_prior());
        let points: Vec<_> =
            lines.filter_map(|line| Some((numbers[line.setting], line.summary(Metric::RocAuc)?))).collect();
        let label = results.experiment.methods[method].label.as_str();
        (points.len() > 1).then_some(Curve { label, method, points })
    };
    let curves: Vec<Curve> = (0..results.experiment.methods.len()).filter_map(curve).take(MOST_CURVES).collect();
    let key = first[index].0;
    (!curves.is_empty()).then(|| {
        let title = format!("ROC-AUC by {key}");
        (key, plot(title, &format!("`{key}` is varied"), key.to_string(), curves, Vec::new()))
    })
}

/// `when` says what is varied; `levels` are the methods that do not depend on it.
fn plot(title: String, when: &str, x_name: String, mut curves: Vec<Curve>, levels: Vec<(&Line, &Summary)>) -> Plot {
    curves.iter_mut().for_each(|curve| curve.points.sort_by(|a, b| a.0.total_cmp(&b.0)));
    let points = curves.iter().flat_map(|curve| &curve.points);
    let x_range = padded(points.clone().map(|(x, _)| *x));
    let interval = |summary: &Summary| summary.interval.map(|interval| Metric::RocAuc.possible(interval));
    let bounds = points.map(|(_, summary)| summary).chain(levels.iter().map(|(_, summary)| summary));
    let y_range = padded(bounds.flat_map(|summary| {
        let (low, high) = interval(summary).unwrap_or((summary.mean, summary.mean));
        [low, high]
    }));
    let level = |(line, summary): &(&Line, &Summary)| {
        let ends = vec![(x_range.start, summary.mean), (x_range.end, summary.mean)];
        Shape::Line(ends, Stroke::dashed(colour(line.method)))
    };
    let mut shapes: Vec<Shape> = levels.iter().map(level).collect();
    let mut ends = Vec::new();
    let mut end = |text: &str, method, mean| ends.push(End { text: text.to_string(), method, at: (x_range.end, mean) });
    for Curve { label, method, points } in &curves {
        let means: Vec<Point> = points.iter().map(|(x, summary)| (*x, summary.mean)).collect();
        end(label, *method, means.last().map_or(f64::NAN, |(_, mean)| *mean));
        let dot = colour(*method).stroke_width(2).filled();
        shapes.extend(means.iter().map(|mean| Shape::Dot(*mean, 3.0, dot)));
        shapes.push(Shape::Line(means, Stroke::of_method(*method, 2.0)));
        let intervals = points.iter().filter_map(|(x, summary)| Some((x, interval(summary)?)));
        shapes.extend(
            intervals
                .map(|(x, (low, high))| Shape::Line(vec![(*x, low), (*x, high)], Stroke::solid(2.0, colour(*method)))),
        );
    }
    levels.iter().for_each(|(line, summary)| end(line.label, line.method, summary.mean));
    let note = if levels.is_empty() { "" } else { " Methods that do not depend on it are dashed." };
    let (x, y) = (Axis::new(x_name, x_range), Axis::new("mean ROC-AUC", y_range));
    Plot {
        title,
        caption: format!("Mean ROC-AUC, with its 95% interval, when {when}.{note}"),
        figure: Figure::Chart(Chart { size: SIZE, panels: vec![Panel { x, y, shapes, ends }], legend: Vec::new() }),
    }
}
