//! Under which readings is a paper's value plausible? One row a reading: our seeds, and the paper's value as a line.

use crate::report::paper::{Reading, Readings, Verdict, printed};
use crate::report::plot::canvas::{Area, Figure, GREY, INK, PlotError, Scale, padded};
use crate::report::plot::row_chart::{Row, RowChart, thinning_sentence};
use crate::report::plot::strokes::colour;
use crate::report::plot::{MOST_ROWS, detail, first_of, paper_marker};
use crate::spec::{Experiment, PaperValue};
use plotters::prelude::*;

/// Of one printed value.
pub struct PaperAmongSeeds<'a> {
    readings: Vec<&'a Reading<'a>>,
    all: usize,
    paper: &'a PaperValue,
    chart: RowChart,
}

impl<'a> PaperAmongSeeds<'a> {
    /// `None` if no seed has a value that the printed one could be held against.
    pub fn new(experiment: &'a Experiment, readings: &'a Readings<'a>, paper: &'a PaperValue) -> Option<Self> {
        let of_paper = readings.iter().filter(|reading| std::ptr::eq(reading.paper, paper));
        let with_values: Vec<&Reading> = of_paper.filter(|reading| reading.spread.is_some()).collect();
        let shown: Vec<&Reading> = with_values.iter().take(MOST_ROWS).copied().collect();
        let values = shown.iter().flat_map(|reading| reading.line.values(paper.metric)).collect::<Vec<_>>();
        let row = |reading: &&Reading| Row {
            label: reading.line.label.to_string(),
            detail: detail(experiment, reading.line),
            value: reading.verdict.words().to_string(),
            value_detail: percentile(reading),
        };
        let chart = RowChart {
            title: format!("The paper's {} {} among our seeds", paper.metric.title(), printed(paper)),
            x_name: format!("{} on the test part", paper.metric.title()),
            range: padded(values.into_iter().chain([paper.value])),
            marker: Some(paper_marker(paper)),
            rows: shown.iter().map(row).collect(),
        };
        (!shown.is_empty()).then_some(PaperAmongSeeds { all: with_values.len(), readings: shown, paper, chart })
    }
}

/// Nothing where there are too few seeds to tell.
fn percentile(reading: &Reading) -> String {
    let known = reading.percentile.filter(|_| reading.verdict != Verdict::NotComparable);
    known.map_or(String::new(), |percentile| format!("percentile {percentile:.1}"))
}

impl Figure for PaperAmongSeeds<'_> {
    fn title(&self) -> String {
        format!("The paper's {} among our seeds", printed(self.paper))
    }

    fn caption(&self) -> String {
        let order = if self.all > 1 { " Readings in the middle of whose seeds it is come first." } else { "" };
        let most = self.readings.iter().map(|reading| reading.seeds).max().unwrap_or_default();
        format!(
            "Every seed a point; the thick bar is their middle half, the thin one their middle 95%, the line across their \
             median. To the right the verdict, and the share of seeds below the paper's {} in percent.{}{}{}",
            printed(self.paper),
            order,
            thinning_sentence(most),
            first_of(self.readings.len(), self.all)
        )
    }

    fn size(&self) -> (u32, u32) {
        self.chart.size()
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>, scale: Scale) -> Result<(), PlotError>
    where
        B::ErrorType: 'static,
    {
        self.chart.draw(area, scale, |place, row| {
            let reading = self.readings[place];
            row.points(&reading.line.values(self.paper.metric), colour(reading.line.method))?;
            let Some(spread) = &reading.spread else { return Ok(()) };
            row.bar((spread.low, spread.high), 1.5, GREY)?;
            row.bar((spread.lower_quartile, spread.upper_quartile), 5.0, INK)?;
            row.cross(spread.median, INK)
        })
    }
}
