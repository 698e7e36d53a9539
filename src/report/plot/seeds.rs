//! The charts with a row for every line, pair or reading, in which every seed is a point.

use crate::analysis::{Comparison, Comparisons, Line, Reading, Readings, Results, Rival, Verdict};
use crate::math::metric::Metric;
use crate::report::paper::printed;
use crate::report::plot::canvas::{Area, Figure, GREY, INK, PAPER, PlotError, Scale, padded};
use crate::report::plot::row_chart::{Mark, Marker, Row, RowChart, thinning_sentence};
use crate::report::plot::strokes::colour;
use crate::spec::{Experiment, PaperValue};
use crate::text::signed;
use plotters::prelude::*;

/// More rows than this make no picture that can be looked at.
const MOST_ROWS: usize = 60;

/// A row chart with what a page says of it.
pub struct SeedChart {
    title: String,
    caption: String,
    chart: RowChart,
}

impl Figure for SeedChart {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn caption(&self) -> String {
        self.caption.clone()
    }

    fn size(&self) -> (u32, u32) {
        self.chart.size()
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>, scale: Scale) -> Result<(), PlotError>
    where
        B::ErrorType: 'static,
    {
        self.chart.draw(area, scale)
    }
}

/// ROC-AUC by method: the mean with its interval, the paper's value as a line.
pub fn auc_by_method(results: &Results) -> SeedChart {
    let scored: Vec<&Line> = results.lines.iter().filter(|line| line.summary(Metric::RocAuc).is_some()).collect();
    let lines = &scored[..scored.len().min(MOST_ROWS)];
    let paper = results.experiment.paper.iter().find(|paper| paper.metric == Metric::RocAuc);
    let row = |line: &&Line| {
        let summary = line.summary(Metric::RocAuc);
        let mean = summary.map(|summary| Mark::Cross(summary.mean, BLACK));
        let interval = summary.and_then(|summary| summary.interval).map(|interval| Mark::Bar(interval, 3.0, BLACK));
        Row {
            label: line.label.to_string(),
            detail: detail(results.experiment, line),
            value: summary.map_or(String::new(), |summary| format!("{:.4}", summary.mean)),
            value_detail: String::new(),
            points: line.values(Metric::RocAuc),
            colour: colour(line.method),
            marks: mean.into_iter().chain(interval).collect(),
        }
    };
    let rows: Vec<Row> = lines.iter().map(row).collect();
    let line = paper.map(|paper| format!("; the dashed line is the paper's {}", printed(paper)));
    let most = lines.iter().map(|line| line.cells.len()).max().unwrap_or_default();
    SeedChart {
        title: "ROC-AUC by method".to_string(),
        caption: format!(
            "Every seed a point, the mean over seeds a bar with its 95% interval and in numbers to the right{}.{}{}",
            line.unwrap_or_default(),
            thinning_sentence(most),
            first_of(lines.len(), scored.len())
        ),
        chart: RowChart {
            title: format!("{}: ROC-AUC by method", results.experiment.name),
            x_name: "ROC-AUC of W on the test part".to_string(),
            range: padded(points_of(&rows).chain(paper.map(|paper| paper.value))),
            marker: paper.map(paper_marker),
            rows,
        },
    }
}

/// The compared method against every other; `None` if there is nothing to compare with.
pub fn differences(comparisons: &Comparisons) -> Option<SeedChart> {
    // The lead over random scores would squeeze all other differences together.
    let is_shown = |comparison: &&Comparison| comparisons.rival(comparison) != Rival::Random;
    let all: Vec<&Comparison> = comparisons.comparisons.iter().filter(is_shown).collect();
    let shown = &all[..all.len().min(MOST_ROWS)];
    let row = |comparison: &&Comparison| {
        let name = comparison.prior_name();
        let prior = if comparisons.has_priors() && name != "-" { format!("prior {name}") } else { String::new() };
        let difference = comparison.first().map(|tested| &tested.difference);
        let interval = difference.and_then(|found| found.interval).map(|interval| Mark::Bar(interval, 3.0, INK));
        let mean = difference.map(|found| Mark::Cross(found.mean, INK));
        Row {
            label: comparison.other.label.to_string(),
            detail: joined([comparison.other.setting_label, &prior]),
            value: comparison.standing().to_string(),
            value_detail: difference.map_or(String::new(), |found| signed(found.mean)),
            points: comparison.values(),
            colour: colour(comparison.other.method),
            marks: interval.into_iter().chain(mean).collect(),
        }
    };
    let rows: Vec<Row> = shown.iter().map(row).collect();
    let intervals = shown.iter().filter_map(|comparison| comparison.first()?.difference.interval);
    let range = padded(points_of(&rows).chain(intervals.flat_map(|(low, high)| [low, high])).chain([0.0]));
    let label = comparisons.label;
    let title = format!("{label} against every other method");
    (!shown.is_empty()).then(|| SeedChart {
        title: title.clone(),
        caption: format!(
            "The mean difference in ROC-AUC over seeds, every seed's difference a point, with the 95% interval of the mean, \
             which allows for the rows that splits share; to the right of the dashed line `{label}` is ahead. The verdict \
             allows for the number of comparisons, too. `random` is left out.{}",
            first_of(shown.len(), all.len())
        ),
        chart: RowChart {
            title,
            x_name: format!("ROC-AUC of {label} minus that of the other"),
            range,
            marker: Some(Marker { at: 0.0, text: String::new(), colour: GREY }),
            rows,
        },
    })
}

/// A paper's value among our seeds, reading by reading; `None` if no seed has a value to hold it against.
pub fn readings(experiment: &Experiment, readings: &Readings, paper: &PaperValue) -> Option<SeedChart> {
    let of_paper = readings.readings.iter().filter(|reading| std::ptr::eq(reading.paper, paper));
    let all: Vec<&Reading> = of_paper.filter(|reading| reading.spread.is_some()).collect();
    let shown = &all[..all.len().min(MOST_ROWS)];
    let row = |reading: &&Reading| {
        // With too few seeds the percentile is not shown.
        let percentile = reading.percentile.filter(|_| reading.verdict != Verdict::NotComparable);
        let marks = reading.spread.map(|spread| {
            let bars =
                [((spread.low, spread.high), 1.5, GREY), ((spread.lower_quartile, spread.upper_quartile), 5.0, INK)];
            let bars = bars.map(|(ends, thickness, colour)| Mark::Bar(ends, thickness, colour));
            bars.into_iter().chain([Mark::Cross(spread.median, INK)]).collect()
        });
        Row {
            label: reading.line.label.to_string(),
            detail: detail(experiment, reading.line),
            value: reading.verdict.words().to_string(),
            value_detail: percentile.map_or(String::new(), |percentile| format!("percentile {percentile:.1}")),
            points: reading.line.values(paper.metric),
            colour: colour(reading.line.method),
            marks: marks.unwrap_or_default(),
        }
    };
    let rows: Vec<Row> = shown.iter().map(row).collect();
    let value = printed(paper);
    let order = if all.len() > 1 { " Readings in the middle of whose seeds it is come first." } else { "" };
    let most = shown.iter().map(|reading| reading.seeds).max().unwrap_or_default();
    (!shown.is_empty()).then(|| SeedChart {
        title: format!("The paper's {value} among our seeds"),
        caption: format!(
            "Every seed a point; the thick bar is their middle half, the thin one their middle 95%, the line across their \
             median. To the right the verdict, and the share of seeds below the paper's {value} in percent.{order}{}{}",
            thinning_sentence(most),
            first_of(shown.len(), all.len())
        ),
        chart: RowChart {
            title: format!("The paper's {} {value} among our seeds", paper.metric.title()),
            x_name: format!("{} on the test part", paper.metric.title()),
            range: padded(points_of(&rows).chain([paper.value])),
            marker: Some(paper_marker(paper)),
            rows,
        },
    })
}

fn points_of(rows: &[Row]) -> impl Iterator<Item = f64> + Clone {
    rows.iter().flat_map(|row| &row.points).copied()
}

/// What stands below a line's label: only what distinguishes lines.
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
    if shown < all {
        format!(" These are the first {shown} of {all}; the table has the others.")
    } else {
        String::new()
    }
}
