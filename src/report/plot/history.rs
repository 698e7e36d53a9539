//! How the training of networks went: the training risk above, the test AUC below, over one axis of epochs.

use crate::analysis::Line;
use crate::math::stats::{Summary, quantile};
use crate::report::plot::canvas::{Figure, Plot, Point, Shape};
use crate::report::plot::chart::{Axis, Chart, End, Panel, padded, tick};
use crate::report::plot::strokes::{GREY, Stroke, colour};
use crate::report::plot::{of_shown_methods, prior_sentence, title_of_setting};
use crate::run::Moment;
use plotters::prelude::*;

const SIZE: (f64, f64) = (560.0, 560.0);
/// A risk below zero by more than this many times the highest mean is cut off, because it would flatten all other curves.
const DEPTH: f64 = 2.0;

/// The training of a line with a network.
struct Course<'a> {
    line: &'a Line<'a>,
    stages: Vec<Stage>,
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

/// `None` if no network was trained.
pub fn training(lines: &[&Line]) -> Option<Plot> {
    let courses = of_shown_methods(lines).into_iter().map(|line| Course { line, stages: stages(line) });
    let courses: Vec<Course> = courses.filter(|course| !course.stages.is_empty()).collect();
    let stages = || courses.iter().flat_map(|course| &course.stages);
    let means = || stages().map(|stage| stage.training_risk.mean);
    let highest = means().fold(0.0, f64::max);
    let floor = -DEPTH * highest;
    let is_cut = highest > 0.0 && stages().any(|stage| stage.training_risk.low < floor);
    let ends = stages().flat_map(|stage| [stage.training_risk.low, stage.training_risk.high]).chain([0.0]);
    let risks = if is_cut { floor..padded(ends.map(|end| end.max(floor))).end } else { padded(ends) };
    let cut = if is_cut {
        let lowest = tick(means().fold(f64::INFINITY, f64::min), &risks);
        let floor = tick(floor, &risks);
        format!(" The axis of the risk ends at {floor}; the lowest mean is {lowest}.")
    } else {
        String::new()
    };
    // The AUC after the first epoch can be very low, and the axis would have to be much longer for it.
    let later = courses.iter().flat_map(|course| &course.stages[usize::from(course.stages.len() > 1)..]);
    let aucs = padded(later.map(|stage| stage.roc_auc.low).chain(stages().map(|stage| stage.roc_auc.high)));
    let epochs = 0.0..stages().map(|stage| stage.epoch).fold(1.0, f64::max);
    let shown: Vec<&Line> = courses.iter().map(|course| course.line).collect();

    let zero = Shape::Line(vec![(epochs.start, 0.0), (epochs.end, 0.0)], Stroke::dashed(GREY));
    let (above, below) = (Axis::new("", epochs.clone()), Axis::new("epoch", epochs));
    let panels = vec![
        panel(&courses, vec![zero], above, Axis::new("uncorrected training risk", risks), |stage| &stage.training_risk),
        panel(&courses, Vec::new(), below, Axis::new("ROC-AUC of W, test set", aucs), |stage| &stage.roc_auc),
    ];
    (!courses.is_empty()).then(|| Plot {
        title: title_of_setting("Training by epoch", lines),
        caption: format!(
            "Above: the signed risk of the training samples, without correction and ridge; a true risk cannot be below \
             the dashed line. Below: the ROC-AUC of W on the test set, which was not used for any choice. Curves are means \
             over seeds, and the band is the middle 90% of the seeds. The axis of the AUC may leave out the first \
             epoch.{cut}{}",
            prior_sentence(&shown)
        ),
        figure: Figure::Chart(Chart { size: SIZE, panels, legend: Vec::new() }),
    })
}

/// The curves of all lines, cut off where they fall below the axis.
fn panel(courses: &[Course], mut shapes: Vec<Shape>, x: Axis, y: Axis, spread: fn(&Stage) -> &Spread) -> Panel {
    let floor = y.range.start;
    let curve = |course: &Course, value: fn(&Spread) -> f64| {
        with_crossings(course.stages.iter().map(|stage| (stage.epoch, value(spread(stage)))).collect(), floor)
    };
    for course in courses {
        let mut band = curve(course, |spread| spread.high);
        band.extend(curve(course, |spread| spread.low).into_iter().rev());
        band.iter_mut().for_each(|(_, value)| *value = value.max(floor));
        shapes.push(Shape::Area(band, colour(course.line.method).mix(0.13)));
    }
    let mut ends = Vec::new();
    for course in courses {
        let (text, method) = (course.line.label.to_string(), course.line.method);
        let means = curve(course, |spread| spread.mean);
        ends.extend(means.last().map(|(epoch, mean)| End { text, method, at: (*epoch, mean.max(floor)) }));
        let parts = means.split(|(_, mean)| *mean < floor);
        shapes.extend(parts.map(|part| Shape::Line(part.to_vec(), Stroke::of_method(method, 2.0))));
    }
    Panel { x, y, shapes, ends }
}

/// Empty for a line without a network.
fn stages(line: &Line) -> Vec<Stage> {
    let histories: Vec<&[Moment]> =
        line.scored().map(|scored| &*scored.history).filter(|history| !history.is_empty()).collect();
    shared_epochs(&histories).into_iter().filter_map(|epoch| Stage::of(epoch, &histories)).collect()
}

/// A tuned method can train for more epochs in one seed than in another. A mean over different seeds at each epoch would
/// jump, so only epochs that all seeds have are shown.
fn shared_epochs(histories: &[&[Moment]]) -> Vec<u32> {
    let Some((first, others)) = histories.split_first() else { return Vec::new() };
    let has = |history: &[Moment], epoch| history.iter().any(|moment| moment.epoch == epoch);
    let epochs = first.iter().map(|moment| moment.epoch);
    epochs.filter(|epoch| others.iter().all(|history| has(history, *epoch))).collect()
}

impl Stage {
    /// `None` if no seed has the epoch.
    fn of(epoch: u32, histories: &[&[Moment]]) -> Option<Self> {
        let moments = histories.iter().flat_map(|history| history.iter().filter(|moment| moment.epoch == epoch));
        let spread = |value: fn(&Moment) -> f64| -> Option<Spread> {
            let values: Vec<f64> = moments.clone().map(value).collect();
            let mean = Summary::of(&values)?.mean;
            Some(Spread { low: quantile(&values, 0.05)?, mean, high: quantile(&values, 0.95)? })
        };
        let (training_risk, roc_auc) = (spread(|moment| moment.training_risk)?, spread(|moment| moment.roc_auc)?);
        Some(Stage { epoch: f64::from(epoch), training_risk, roc_auc })
    }
}

/// A curve with a point of its own wherever it crosses a level, so that it can be cut off there.
fn with_crossings(curve: Vec<Point>, level: f64) -> Vec<Point> {
    let mut whole: Vec<Point> = curve.first().copied().into_iter().collect();
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
