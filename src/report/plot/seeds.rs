//! The charts with a row for every line, pair or reading, in which every seed is a point.

use crate::analysis::{Comparison, Comparisons, Line, Reading, Readings, Results, Rival, Verdict};
use crate::math::metric::Metric;
use crate::report::paper::printed;
use crate::report::plot::canvas::{Figure, Plot};
use crate::report::plot::chart::padded;
use crate::report::plot::row_chart::{Mark, Marker, Row, RowChart};
use crate::report::plot::strokes::{GREY, INK, PAPER, colour};
use crate::spec::{Experiment, PaperValue};
use crate::text::signed;
use plotters::prelude::*;

/// A picture of more rows than this is too large.
const MOST_ROWS: usize = 60;

/// ROC-AUC by method: the mean with its interval, the paper's value as a line.
pub fn auc_by_method(results: &Results) -> Plot {
    let scored = results.lines.iter().filter_map(|line| Some((line, line.summary(Metric::RocAuc)?)));
    let all: Vec<_> = scored.collect();
    let shown = &all[..all.len().min(MOST_ROWS)];
    let paper = results.experiment.paper.iter().find(|paper| paper.metric == Metric::RocAuc);
    let rows = shown.iter().map(|(line, summary)| {
        let interval = summary.interval.map(|interval| Mark::Bar(interval, 3.0, BLACK));
        Row {
            label: [line.label.to_string(), detail(results.experiment, line, line.prior_name)],
            value: [format!("{:.4}", summary.mean), String::new()],
            points: line.values(Metric::RocAuc),
            colour: colour(line.method),
            marks: [Mark::Cross(summary.mean, BLACK)].into_iter().chain(interval).collect(),
        }
    });
    let marker = paper.map(|paper| format!(" The dashed line is the paper's {}.", printed(paper)));
    let caption = "Each point is a seed. The bar is the mean over seeds with its 95% interval; the number to the right is the \
                   mean.";
    let chart = chart("ROC-AUC of W on the test set".to_string(), rows.collect(), paper.map(paper_marker), &[]);
    let title = format!("{}: ROC-AUC by method", results.experiment.name);
    plot(title, caption.to_string() + &marker.unwrap_or_default(), chart, all.len())
}

/// The compared method against every other; `None` if there is nothing to compare with.
pub fn differences(comparisons: &Comparisons) -> Option<Plot> {
    let Comparisons { experiment, label, comparisons: all } = comparisons;
    // The lead over random scores would squeeze all other differences together.
    let is_shown = |comparison: &&Comparison| comparisons.rival(comparison) != Rival::Random;
    let all: Vec<&Comparison> = all.iter().filter(is_shown).collect();
    let shown = &all[..all.len().min(MOST_ROWS)];
    let rows = shown.iter().map(|comparison| {
        let difference = &comparison.auc.difference;
        let interval = difference.interval.map(|interval| Mark::Bar(interval, 3.0, INK));
        Row {
            label: [comparison.other.label.to_string(), detail(experiment, comparison.other, comparison.prior_name())],
            value: [comparison.standing().to_string(), signed(difference.mean)],
            points: comparison.values(),
            colour: colour(comparison.other.method),
            marks: interval.into_iter().chain([Mark::Cross(difference.mean, INK)]).collect(),
        }
    });
    let intervals = shown.iter().filter_map(|comparison| comparison.auc.difference.interval);
    let zero = Marker { at: 0.0, text: String::new(), colour: GREY };
    let caption = format!(
        "Each point is the difference in ROC-AUC of a seed. The bar is the mean difference with its 95% interval, which \
         allows for rows that splits share. To the right of the dashed line `{label}` is ahead. The verdict is adjusted for \
         the number of comparisons. `random` is left out."
    );
    let x_name = format!("ROC-AUC of {label} minus that of the other");
    let chart = chart(x_name, rows.collect(), Some(zero), &intervals.collect::<Vec<_>>());
    (!shown.is_empty()).then(|| plot(format!("{label} against every other method"), caption, chart, all.len()))
}

/// A paper's value among our seeds, reading by reading; `None` if no seed has a value to compare it with.
pub fn readings(experiment: &Experiment, readings: &Readings, paper: &PaperValue) -> Option<Plot> {
    let of_paper = readings.readings.iter().filter(|reading| std::ptr::eq(reading.paper, paper));
    let all: Vec<_> = of_paper.filter_map(|reading| Some((reading, reading.spread?))).collect();
    let shown = &all[..all.len().min(MOST_ROWS)];
    let rows = shown.iter().map(|(reading, spread)| {
        let Reading { line, verdict, .. } = reading;
        // With too few seeds the percentile is not shown.
        let percentile = reading.percentile.filter(|_| *verdict != Verdict::NotComparable);
        let percentile = percentile.map_or(String::new(), |percentile| format!("percentile {percentile:.1}"));
        Row {
            label: [line.label.to_string(), detail(experiment, line, line.prior_name)],
            value: [verdict.to_string(), percentile],
            points: line.values(paper.metric),
            colour: colour(line.method),
            marks: vec![
                Mark::Bar((spread.low, spread.high), 1.5, GREY),
                Mark::Bar((spread.lower_quartile, spread.upper_quartile), 5.0, INK),
                Mark::Cross(spread.median, INK),
            ],
        }
    });
    let (value, metric) = (printed(paper), paper.metric.title());
    let order = if all.len() > 1 { " Rows whose seeds have it nearest to their median come first." } else { "" };
    let caption = format!(
        "Each point is a seed. The thick bar is the middle half of the seeds, the thin bar their middle 95%, and the line \
         across them their median. To the right are the verdict and the percentage of seeds below the paper's {value}.{order}"
    );
    let chart = chart(format!("{metric} on the test set"), rows.collect(), Some(paper_marker(paper)), &[]);
    let title = format!("The paper's {metric} {value} among our seeds");
    (!shown.is_empty()).then(|| plot(title, caption, chart, all.len()))
}

/// A plot of the first rows of `all`.
fn plot(title: String, mut caption: String, chart: RowChart, all: usize) -> Plot {
    caption += &chart.thinning_sentence();
    let shown = chart.rows.len();
    if shown < all {
        caption += &format!(" These are the first {shown} of {all}; the table has the others.");
    }
    Plot { title, caption, figure: Figure::Rows(chart) }
}

/// A chart whose axis contains all points, the marker and these intervals.
fn chart(x_name: String, rows: Vec<Row>, marker: Option<Marker>, intervals: &[(f64, f64)]) -> RowChart {
    let points = rows.iter().flat_map(|row| &row.points).copied();
    let ends = intervals.iter().flat_map(|(low, high)| [*low, *high]);
    let range = padded(points.chain(ends).chain(marker.iter().map(|marker| marker.at)));
    RowChart { x_name, range, marker, rows }
}

/// What is below a line's label: only what distinguishes lines.
fn detail(experiment: &Experiment, line: &Line, prior: &str) -> String {
    let prior = if experiment.priors.len() > 1 && prior != "-" { format!("prior {prior}") } else { String::new() };
    let parts = [line.setting_label, &prior];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// The dashed line of a printed value.
fn paper_marker(paper: &PaperValue) -> Marker {
    Marker { at: paper.value, text: format!("paper {}", printed(paper)), colour: PAPER }
}
