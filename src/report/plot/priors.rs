//! AUC against the factor by which a prior is wrong.

use crate::learn::PriorUse;
use crate::metric::Metric;
use crate::report::Line;
use crate::report::plot::canvas::{
    Area, Axis, EndLabel, Figure, Frame, PlotError, Scale, colour, curve, dashed, end_label_width, end_labels, frame,
    padded,
};
use crate::report::plot::title_of_setting;
use crate::spec::{Experiment, NamedPrior, PriorBase, PriorSource};
use crate::stats::Summary;
use plotters::prelude::*;

const PLOT: u32 = 520;
const HEIGHT: u32 = 400;

/// Which prior is swept.
#[derive(Clone, Copy, PartialEq)]
pub enum Swept {
    Beta,
    Gamma,
}

impl Swept {
    pub fn name(self) -> &'static str {
        match self {
            Swept::Beta => "beta",
            Swept::Gamma => "gamma",
        }
    }

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

pub struct AucByPrior<'a> {
    swept: Swept,
    title: String,
    curves: Vec<Curve<'a>>,
    /// Methods that do not depend on the prior.
    levels: Vec<(&'a Line<'a>, &'a Summary)>,
}

struct Curve<'a> {
    label: &'a str,
    method: usize,
    of: PriorBase,
    points: Vec<(f64, &'a Summary)>,
}

impl<'a> AucByPrior<'a> {
    /// `None` unless the prior stands at two factors or more.
    pub fn new(experiment: &'a Experiment, lines: &'a [Line<'a>], swept: Swept) -> Option<Self> {
        let mut curves: Vec<Curve> = Vec::new();
        for line in lines.iter().filter(|line| line.prior_use >= swept.least_use()) {
            let factor = line.prior.and_then(|prior| swept.factor(&experiment.priors[prior], line.prior_use));
            let (Some((times, of)), Some(summary)) = (factor, line.summary(Metric::RocAuc)) else { continue };
            match curves.iter_mut().find(|curve| (curve.method, curve.of) == (line.method, of)) {
                Some(curve) => curve.points.push((times, summary)),
                None => {
                    let points = vec![(times, summary)];
                    curves.push(Curve { label: line.label, method: line.method, of, points });
                }
            }
        }
        curves.retain(|curve| curve.points.len() > 1);
        let base = curves.first()?.of;
        for curve in &mut curves {
            curve.points.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        // Methods that are not told this prior stand at one level, at what else they are told being right.
        let right = PriorSource::Multiple { times: 1.0, of: base };
        let level = |line: &&Line| {
            line.prior_use < swept.least_use() && line.prior.is_none_or(|prior| experiment.priors[prior].beta == right)
        };
        let levels =
            lines.iter().filter(level).filter_map(|line| line.summary(Metric::RocAuc).map(|summary| (line, summary)));
        let levels = levels.collect();
        let title = title_of_setting(&format!("ROC-AUC against a wrong {}", swept.name()), lines);
        Some(AucByPrior { swept, title, curves, levels })
    }

    /// Every curve and level: its name, its method and the mean at its right end.
    fn ends(&self) -> impl Iterator<Item = (&str, usize, f64)> {
        let end = |curve: &Curve| curve.points.last().map_or(f64::NAN, |(_, summary)| summary.mean);
        let curves = self.curves.iter().map(move |curve| (curve.label, curve.method, end(curve)));
        curves.chain(self.levels.iter().map(|(line, summary)| (line.label, line.method, summary.mean)))
    }
}

impl Figure for AucByPrior<'_> {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn caption(&self) -> String {
        let name = self.swept.name();
        let levels = if self.levels.is_empty() { "" } else { " Methods that do not depend on it are dashed." };
        format!("Mean ROC-AUC, with its 95% interval, when {name} is given as a multiple of what it should be.{levels}")
    }

    fn size(&self) -> (u32, u32) {
        (PLOT + end_label_width(self.ends().map(|(text, ..)| text)), HEIGHT)
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>, scale: Scale) -> Result<(), PlotError>
    where
        B::ErrorType: 'static,
    {
        let points = self.curves.iter().flat_map(|curve| &curve.points);
        let x_range = padded(points.clone().map(|(factor, _)| *factor));
        let bounds = points.map(|(_, summary)| summary).chain(self.levels.iter().map(|(_, summary)| summary));
        let bounds = bounds.flat_map(|summary| {
            let (low, high) = shown_interval(summary).unwrap_or((summary.mean, summary.mean));
            [low, high]
        });
        let y_range = padded(bounds);
        let x_name = format!("{} given, as a multiple of what it should be", self.swept.name());
        let mut chart = frame(
            area,
            scale,
            Frame {
                title: &self.title,
                width: PLOT,
                x: Axis { name: &x_name, range: x_range.clone() },
                y: Axis { name: "mean ROC-AUC", range: y_range },
                legend: &[],
            },
        )?;
        for (line, summary) in &self.levels {
            let end = |x| chart.backend_coord(&(x, summary.mean));
            dashed(area, scale, end(x_range.start), end(x_range.end), colour(line.method))?;
        }
        for swept in &self.curves {
            let style = colour(swept.method).stroke_width(scale.width(2.0));
            let means = swept.points.iter().map(|(factor, summary)| (*factor, summary.mean)).collect::<Vec<_>>();
            chart.draw_series(means.iter().map(|mean| Circle::new(*mean, scale.px(3.0), style.filled())))?;
            let means: Vec<_> = means.iter().map(|mean| chart.backend_coord(mean)).collect();
            curve(area, scale, &means, 2.0, swept.method)?;
            for (factor, summary) in &swept.points {
                let Some((low, high)) = shown_interval(summary) else { continue };
                chart.draw_series([PathElement::new(vec![(*factor, low), (*factor, high)], style)])?;
            }
        }
        let label = |(text, method, mean): (&str, usize, f64)| EndLabel {
            text: text.to_string(),
            colour: colour(method),
            y: chart.backend_coord(&(x_range.end, mean)).1,
        };
        end_labels(area, &chart, scale, self.ends().map(label).collect())
    }
}

fn shown_interval(summary: &Summary) -> Option<(f64, f64)> {
    summary.interval.map(|interval| Metric::RocAuc.possible(interval))
}
