//! How the training of networks went: the training risk above, the test AUC below, over one axis of epochs.

use crate::analysis::Line;
use crate::math::stats::{Summary, quantile};
use crate::report::plot::canvas::{
    Area, Axis, Chart, Figure, GREY, PlotError, SHARED_AXIS_HEIGHT, Scale, X_AXIS_HEIGHT, axes, padded, surround, tick,
};
use crate::report::plot::labels::{EndLabel, end_label_width, end_labels};
use crate::report::plot::strokes::{colour, curve, dashed};
use crate::report::plot::{of_shown_methods, prior_sentence, title_of_setting};
use crate::run::Moment;
use plotters::prelude::*;
use std::ops::Range;

const PLOT: u32 = 560;
const HEIGHT: u32 = 560;
/// A risk that falls further below zero than so many times its highest mean is cut off, or it would press all others
/// flat.
const DEPTH: f64 = 2.0;

pub struct Training<'a> {
    title: String,
    lines: Vec<&'a Line<'a>>,
    /// In the order of the lines.
    courses: Vec<Vec<Stage>>,
}

/// An epoch of a line, over its seeds.
struct Stage {
    epoch: f64,
    training_risk: Spread,
    roc_auc: Spread,
}

/// The mean over seeds, and the ends of their middle nine tenths.
struct Spread {
    low: f64,
    mean: f64,
    high: f64,
}

type Curve = Vec<(f64, f64)>;

impl<'a> Training<'a> {
    /// `None` if no network was trained.
    pub fn new(lines: &'a [Line<'a>]) -> Option<Self> {
        let courses = of_shown_methods(lines).into_iter().map(|line| (line, course(line)));
        let (lines_with_networks, courses): (Vec<_>, Vec<_>) = courses.filter(|(_, course)| !course.is_empty()).unzip();
        let title = title_of_setting("How the training went", lines);
        (!courses.is_empty()).then_some(Training { title, lines: lines_with_networks, courses })
    }

    fn stages(&self) -> impl Iterator<Item = &Stage> + Clone {
        self.courses.iter().flatten()
    }

    /// Where the axis of the risk ends below, if a curve or a band is cut off there.
    fn floor(&self) -> Option<f64> {
        let highest = self.stages().map(|stage| stage.training_risk.mean).fold(0.0, f64::max);
        let floor = -DEPTH * highest;
        let is_cut = self.stages().any(|stage| stage.training_risk.low < floor);
        (highest > 0.0 && is_cut).then_some(floor)
    }

    fn risks(&self) -> Range<f64> {
        let ends = self.stages().flat_map(|stage| [stage.training_risk.low, stage.training_risk.high]);
        match self.floor() {
            Some(floor) => Range { start: floor, ..padded(ends.map(|end| end.max(floor)).chain([0.0])) },
            None => padded(ends.chain([0.0])),
        }
    }

    /// How low the AUC is after the first epoch says nothing, and the axis would have to reach far down for it.
    fn aucs(&self) -> Range<f64> {
        let later = self.courses.iter().flat_map(|course| &course[usize::from(course.len() > 1)..]);
        padded(later.map(|stage| stage.roc_auc.low).chain(self.stages().map(|stage| stage.roc_auc.high)))
    }

    fn draw_curves<B: DrawingBackend>(
        &self,
        area: &Area<B>,
        chart: &mut Chart<B>,
        scale: Scale,
        floor: f64,
        spread: impl Fn(&Stage) -> &Spread,
    ) -> Result<(), PlotError>
    where
        B::ErrorType: 'static,
    {
        let way = |course: &[Stage], value: fn(&Spread) -> f64| -> Curve {
            with_crossings(course.iter().map(|stage| (stage.epoch, value(spread(stage)))).collect(), floor)
        };
        for (line, course) in self.lines.iter().zip(&self.courses) {
            let mut band = way(course, |spread| spread.high);
            band.extend(way(course, |spread| spread.low).into_iter().rev());
            band.iter_mut().for_each(|(_, value)| *value = value.max(floor));
            chart.draw_series([Polygon::new(band, colour(line.method).mix(0.13))])?;
        }
        for (line, course) in self.lines.iter().zip(&self.courses) {
            let means = way(course, |spread| spread.mean);
            for part in means.split(|(_, mean)| *mean < floor) {
                let points: Vec<_> = part.iter().map(|point| chart.backend_coord(point)).collect();
                curve(area, scale, &points, 2.0, line.method)?;
            }
        }
        let label = |(line, course): (&&Line, &Vec<Stage>)| {
            let last = course.last()?;
            let end = spread(last).mean.max(floor);
            let (text, colour) = (line.label.to_string(), colour(line.method));
            Some(EndLabel { text, colour, y: chart.backend_coord(&(last.epoch, end)).1 })
        };
        let labels = self.lines.iter().zip(&self.courses).filter_map(label).collect();
        end_labels(area, chart, scale, labels)
    }
}

impl Figure for Training<'_> {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn caption(&self) -> String {
        let risks = self.risks();
        let lowest = self.stages().map(|stage| stage.training_risk.mean).fold(f64::INFINITY, f64::min);
        let cut = self.floor().map(|floor| {
            let (floor, lowest) = (tick(floor, &risks), tick(lowest, &risks));
            format!(
                " The axis of the risk ends at {floor} and cuts off what falls further; the lowest mean is {lowest}."
            )
        });
        format!(
            "Over the epochs: the signed risk of the training samples, without correction and ridge, which below the \
             dashed line is lower than a true risk can be, and the ROC-AUC of W on the test part, by which nothing was \
             chosen. The mean over seeds, with the middle 90% of the seeds as a band; the axis of the AUC may leave \
             out the first epoch.{}{}",
            cut.unwrap_or_default(),
            prior_sentence(&self.lines)
        )
    }

    fn size(&self) -> (u32, u32) {
        (PLOT + end_label_width(self.lines.iter().map(|line| line.label)), HEIGHT)
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>, scale: Scale) -> Result<(), PlotError>
    where
        B::ErrorType: 'static,
    {
        let panels = surround(area, scale, &self.title, PLOT, &[])?;
        let (_, height) = panels.dim_in_pixel();
        // Both panels are of one height, and the one below has the numbers of the epochs besides.
        let (above, below) =
            panels.split_vertically((height as i32 - scale.px(X_AXIS_HEIGHT - SHARED_AXIS_HEIGHT)) / 2);
        let epochs = 0.0..self.stages().map(|stage| stage.epoch).fold(1.0, f64::max);
        let risks = self.risks();
        let aucs = self.aucs();

        let x = Axis { name: "", range: epochs.clone() };
        let mut chart = axes(&above, scale, x, Axis { name: "uncorrected training risk", range: risks.clone() })?;
        let zero = |epoch| chart.backend_coord(&(epoch, 0.0));
        dashed(area, scale, zero(epochs.start), zero(epochs.end), GREY)?;
        self.draw_curves(area, &mut chart, scale, risks.start, |stage| &stage.training_risk)?;

        let x = Axis { name: "epoch", range: epochs };
        let mut chart = axes(&below, scale, x, Axis { name: "ROC-AUC of W, test part", range: aucs.clone() })?;
        self.draw_curves(area, &mut chart, scale, aucs.start, |stage| &stage.roc_auc)
    }
}

/// Empty for a line without a network.
fn course(line: &Line) -> Vec<Stage> {
    let histories: Vec<&[Moment]> =
        line.scored().map(|scored| &*scored.history).filter(|history| !history.is_empty()).collect();
    shared_epochs(&histories).into_iter().filter_map(|epoch| Stage::of(epoch, &histories)).collect()
}

/// A method that is tuned may train for longer in one seed than in another. A mean over other seeds at every epoch
/// would jump, so only epochs that all seeds have are shown.
fn shared_epochs(histories: &[&[Moment]]) -> Vec<u32> {
    let Some((first, others)) = histories.split_first() else { return Vec::new() };
    let has = |history: &[Moment], epoch| history.iter().any(|moment| moment.epoch == epoch);
    let epochs = first.iter().map(|moment| moment.epoch);
    epochs.filter(|epoch| others.iter().all(|history| has(history, *epoch))).collect()
}

impl Stage {
    fn of(epoch: u32, histories: &[&[Moment]]) -> Option<Self> {
        let moments = histories.iter().flat_map(|history| history.iter().filter(|moment| moment.epoch == epoch));
        Some(Stage {
            epoch: f64::from(epoch),
            training_risk: Spread::of(moments.clone().map(|moment| moment.training_risk).collect())?,
            roc_auc: Spread::of(moments.map(|moment| moment.roc_auc).collect())?,
        })
    }
}

impl Spread {
    /// `None` for no values.
    fn of(values: Vec<f64>) -> Option<Self> {
        let mean = Summary::of(&values)?.mean;
        Some(Spread { low: quantile(&values, 0.05)?, mean, high: quantile(&values, 0.95)? })
    }
}

/// A curve with a point of its own wherever it crosses a level, so that it can be cut off there.
fn with_crossings(curve: Curve, level: f64) -> Curve {
    let mut whole: Curve = curve.first().copied().into_iter().collect();
    for pair in curve.windows(2) {
        let [(x1, y1), (x2, y2)] = [pair[0], pair[1]];
        if (y1 < level) != (y2 < level) {
            whole.push((x1 + (x2 - x1) * (level - y1) / (y2 - y1), level));
        }
        whole.push((x2, y2));
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_cut_where_it_crosses_the_axis() {
        let curve = vec![(0.0, 1.0), (1.0, -3.0), (2.0, -1.0), (3.0, 0.0)];
        let whole = vec![(0.0, 1.0), (0.5, -1.0), (1.0, -3.0), (2.0, -1.0), (2.0, -1.0), (3.0, 0.0)];
        assert_eq!(with_crossings(curve.clone(), -1.0), whole);
        assert_eq!(with_crossings(curve.clone(), -4.0), curve);
        assert_eq!(with_crossings(Vec::new(), 0.0), Vec::new());
    }

    #[test]
    fn only_epochs_that_all_seeds_have_are_shown() {
        let history = |epochs: &[u32]| -> Vec<Moment> {
            epochs.iter().map(|epoch| Moment { epoch: *epoch, training_risk: 0.0, roc_auc: 0.5 }).collect()
        };
        let (short, long) = (history(&[1, 2, 4, 6]), history(&[1, 4, 8]));
        assert_eq!(shared_epochs(&[&short, &long]), [1, 4]);
        assert!(shared_epochs(&[]).is_empty());
    }
}
