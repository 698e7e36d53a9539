//! AUC by method: every seed a point, the mean with its interval, the paper's value as a line.

use crate::math::metric::Metric;
use crate::report::paper::printed;
use crate::report::plot::canvas::{Area, Figure, PlotError, Scale, padded};
use crate::report::plot::row_chart::{Row, RowChart, thinning_sentence};
use crate::report::plot::strokes::colour;
use crate::report::plot::{MOST_ROWS, detail, first_of, paper_marker};
use crate::report::{Line, Results};
use plotters::prelude::*;

pub struct AucByMethod<'a> {
    lines: Vec<&'a Line<'a>>,
    /// How many lines there are.
    all: usize,
    chart: RowChart,
    paper: Option<String>,
}

impl<'a> AucByMethod<'a> {
    pub fn new(results: &'a Results<'a>) -> Self {
        let scored: Vec<&Line> = results.lines.iter().filter(|line| line.summary(Metric::RocAuc).is_some()).collect();
        let lines: Vec<&Line> = scored.iter().take(MOST_ROWS).copied().collect();
        let values = lines.iter().flat_map(|line| line.values(Metric::RocAuc)).collect::<Vec<_>>();
        let paper = results.experiment.paper.iter().find(|paper| paper.metric == Metric::RocAuc);
        let row = |line: &&Line| Row {
            label: line.label.to_string(),
            detail: detail(results.experiment, line),
            value: line.summary(Metric::RocAuc).map_or(String::new(), |summary| format!("{:.4}", summary.mean)),
            value_detail: String::new(),
        };
        let chart = RowChart {
            title: format!("{}: ROC-AUC by method", results.experiment.name),
            x_name: "ROC-AUC of W on the test part".to_string(),
            range: padded(values.into_iter().chain(paper.map(|paper| paper.value))),
            marker: paper.map(paper_marker),
            rows: lines.iter().map(row).collect(),
        };
        AucByMethod { all: scored.len(), lines, chart, paper: paper.map(printed) }
    }
}

impl Figure for AucByMethod<'_> {
    fn title(&self) -> String {
        "ROC-AUC by method".to_string()
    }

    fn caption(&self) -> String {
        let paper = self.paper.as_ref().map(|paper| format!("; the dashed line is the paper's {paper}"));
        let most = self.lines.iter().map(|line| line.cells.len()).max().unwrap_or_default();
        format!(
            "Every seed a point, the mean over seeds a bar with its 95% interval and in numbers to the right{}.{}{}",
            paper.unwrap_or_default(),
            thinning_sentence(most),
            first_of(self.lines.len(), self.all)
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
            let line = self.lines[place];
            row.points(&line.values(Metric::RocAuc), colour(line.method))?;
            let Some(summary) = line.summary(Metric::RocAuc) else { return Ok(()) };
            row.cross(summary.mean, BLACK)?;
            summary.interval.map_or(Ok(()), |interval| row.bar(interval, 3.0, BLACK))
        })
    }
}
