//! The charts with a row for every line, pair or reading, in which every seed is a point.

use crate::analysis::{Comparison, Comparisons, Line, Reading, Readings, Results, Rival, Verdict};
use crate::math::metric::Metric;
use crate::report::paper::printed;
use crate::report::plot::canvas::{Figure, Plot};
use crate::report::plot::chart::padded;
use crate::report::plot::row_chart::{Mark, Marker, Row, RowChart, thinning_sentence};
use crate::report::plot::strokes::{GREY, INK, PAPER, colour};
use crate::spec::{Experiment, PaperValue};
use crate::text::signed;
use plotters::prelude::*;

/// More rows than this make no picture that can be looked at.
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
            label: [line.label.to_string(), detail(results.experiment, line)],
            value: [format!("{:.4}", summary.mean), String::new()],
            points: line.values(Metric::RocAuc),
            colour: colour(line.method),
            marks: [Mark::Cross(summary.mean, BLACK)].into_iter().chain(interval).collect(),
        }
    });
    let rows: Vec<Row> = rows.collect();
    let marker = paper.map(|paper| format!("; the dashed line is the paper's {}", printed(paper)));
    let most = shown.iter().map(|(line, _)| line.cells.len()).max().unwrap_or_default();
    Plot {
        title: format!("{}: ROC-AUC by method", results.experiment.name),
        caption: format!(
            "Every seed a point, the mean over seeds a bar with its 95% interval and in numbers to the right{}.{}{}",
            marker.unwrap_or_default(),
            thinning_sentence(most),
            first_of(shown.len(), all.len())
        ),
        figure: Figure::Rows(RowChart {
            x_name: "ROC-AUC of W on the test part".to_string(),
            range: padded(points_of(&rows).chain(paper.map(|paper| paper.value))),
            marker: paper.map(paper_marker),
            rows,
        }),
    }
}

/// The compared method against every other; `None` if there is nothing to compare with.
pub fn differences(comparisons: &Comparisons) -> Option<Plot> {
    // The lead over random scores would squeeze all other differences together.
    let is_shown = |comparison: &&Comparison| comparisons.rival(comparison) != Rival::Random;
    let all: Vec<&Comparison> = comparisons.comparisons.iter().filter(is_shown).collect();
    let shown = &all[..all.len().min(MOST_ROWS)];
    let rows = shown.iter().map(|comparison| {
        let name = comparison.prior_name();
        let prior = if comparisons.has_priors() && name != "-" { format!("prior {name}") } else { String::new() };
        let difference = comparison.first().map(|tested| &tested.difference);
        let interval = difference.and_then(|found| found.interval).map(|interval| Mark::Bar(interval, 3.0, INK));
        let mean = difference.map(|found| Mark::Cross(found.mean, INK));
        let written_mean = difference.map_or(String::new(), |found| signed(found.mean));
        Row {
            label: [comparison.other.label.to_string(), joined([comparison.other.setting_label, &prior])],
            value: [comparison.standing().to_string(), written_mean],
            points: comparison.values(),
            colour: colour(comparison.other.method),
            marks: interval.into_iter().chain(mean).collect(),
        }
    });
    let rows: Vec<Row> = rows.collect();
    let intervals = shown.iter().filter_map(|comparison| comparison.first()?.difference.interval);
    let range = padded(points_of(&rows).chain(intervals.flat_map(|(low, high)| [low, high])).chain([0.0]));
    let label = comparisons.label;
    (!shown.is_empty()).then(|| Plot {
        title: format!("{label} against every other method"),
        caption: format!(
            "The mean difference in ROC-AUC over seeds, every seed's difference a point, with the 95% interval of the mean, \
             which allows for the rows that splits share; to the right of the dashed line `{label}` is ahead. The verdict \
             allows for the number of comparisons, too. `random` is left out.{}",
            first_of(shown.len(), all.len())
        ),
        figure: Figure::Rows(RowChart {
            x_name: format!("ROC-AUC of {label} minus that of the other"),
            range,
            marker: Some(Marker { at: 0.0, text: String::new(), colour: GREY }),
            rows,
        }),
    })
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
            label: [line.label.to_string(), detail(experiment, line)],
            value: [verdict.words().to_string(), percentile],
            points: line.values(paper.metric),
            colour: colour(line.method),
            marks: vec![
                Mark::Bar((spread.low, spread.high), 1.5, GREY),
                Mark::Bar((spread.lower_quartile, spread.upper_quartile), 5.0, INK),
                Mark::Cross(spread.median, INK),
            ],
        }
    });
    let rows: Vec<Row> = rows.collect();
    let (value, metric) = (printed(paper), paper.metric.title());
    let order = if all.len() > 1 { " Readings in the middle of whose seeds it is come first." } else { "" };
    let most = shown.iter().map(|(reading, _)| reading.seeds).max().unwrap_or_default();
    (!shown.is_empty()).then(|| Plot {
        title: format!("The paper's {metric} {value} among our seeds"),
        caption: format!(
            "Every seed a point; the thick bar is their middle half, the thin one their middle 95%, the line across their \
             median. To the right the verdict, and the share of seeds below the paper's {value} in percent.{order}{}{}",
            thinning_sentence(most),
            first_of(shown.len(), all.len())
        ),
        figure: Figure::Rows(RowChart {
            x_name: format!("{metric} on the test part"),
            range: padded(points_of(&rows).chain([paper.value])),
            marker: Some(paper_marker(paper)),
            rows,
        }),
    })
}

fn points_of(rows: &[Row]) -> impl Iterator<Item = f64> + Clone {
    rows.iter().flat_map(|row| &row.points).copied()
}

/// What is below a line's label: only what distinguishes lines.
fn detail(experiment: &Experiment, line: &Line) -> String {
    let has_prior = experiment.priors.len() > 1 && line.prior.is_some();
    let prior = if has_prior { format!("prior {}", line.prior_name) } else { String::new() };
    joined([line.setting_label, &prior])
}

fn joined(parts: [&str; 2]) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// The dashed line of a printed value.
fn paper_marker(paper: &PaperValue) -> Marker {
    Marker { at: paper.value, text: format!("paper {}", printed(paper)), colour: PAPER }
}

/// What a caption adds where not all rows are drawn.
fn first_of(shown: usize, all: usize) -> String {
    if shown == all {
        return String::new();
    }
    format!(" These are the first {shown} of {all}; the table has the others.")
}
