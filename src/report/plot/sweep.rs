//! Mean AUC against the factor by which a prior is wrong, with a curve for each method.

use crate::analysis::Line;
use crate::learn::PriorUse;
use crate::math::metric::Metric;
use crate::math::stats::Summary;
use crate::report::plot::canvas::{Figure, Plot, Shape};
use crate::report::plot::chart::{Axis, Chart, End, Panel, padded};
use crate::report::plot::curve::{self, Curve, auc_range, dodge};
use crate::report::plot::settings::side_by_side;
use crate::report::plot::strokes::{Stroke, colour};
use crate::report::plot::title_of_setting;
use crate::spec::{Experiment, NamedPrior, PriorBase, PriorSource};
use strum::Display;

pub const SIZE: (f64, f64) = (520.0, 400.0);

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

/// `when` says what is varied; `levels` are the methods that do not depend on it.
fn plot(title: String, when: &str, x_name: String, mut curves: Vec<Curve>, levels: Vec<(&Line, &Summary)>) -> Plot {
    curves.iter_mut().for_each(|curve| curve.points.sort_by(|a, b| a.0.total_cmp(&b.0)));
    let points = curves.iter().flat_map(|curve| &curve.points);
    let x_range = padded(points.clone().map(|(x, _)| *x));
    let summaries = points.map(|(_, summary)| *summary).chain(levels.iter().map(|(_, summary)| *summary));
    let y_range = auc_range(summaries);
    dodge(&mut curves, &x_range, curve::STEP);
    let level = |(line, summary): &(&Line, &Summary)| {
        let ends = vec![(x_range.start, summary.mean), (x_range.end, summary.mean)];
        Shape::Line(ends, Stroke::dashed(colour(line.method)))
    };
    let mut shapes: Vec<Shape> = levels.iter().map(level).collect();
    shapes.extend(curve::shapes(&curves, true));
    let mut ends = ends_of(&curves, x_range.end);
    let end = |(line, summary): &(&Line, &Summary)| End {
        text: line.label.to_string(),
        method: line.method,
        at: (x_range.end, summary.mean),
    };
    ends.extend(levels.iter().map(end));
    let note = if levels.is_empty() { "" } else { " Methods that do not depend on it are dashed." };
    let together = side_by_side(&curves);
    let (x, y) = (Axis::new(x_name, x_range), Axis::new("mean ROC-AUC", y_range));
    Plot {
        title,
        caption: format!("Mean ROC-AUC, with its 95% interval, when {when}.{note}{together}"),
        figure: Figure::Chart(Chart { size: SIZE, panels: vec![Panel { x, y, shapes, ends }], legend: Vec::new() }),
    }
}

/// The names of curves, at the right of the axes and the height of their last points.
pub fn ends_of(curves: &[Curve], right: f64) -> Vec<End> {
    let end = |Curve { label, method, points }: &Curve| {
        let (_, last) = points.last()?;
        Some(End { text: label.to_string(), method: *method, at: (right, last.mean) })
    };
    curves.iter().filter_map(end).collect()
}
