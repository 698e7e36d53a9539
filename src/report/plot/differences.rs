//! The compared method against every other: the mean difference with its interval, a row each.

use crate::report::comparison::{Comparison, Comparisons, Rival, signed};
use crate::report::plot::canvas::{Area, Figure, GREY, INK, PlotError, Scale, padded};
use crate::report::plot::row_chart::{Marker, Row, RowChart};
use crate::report::plot::strokes::colour;
use crate::report::plot::{MOST_ROWS, first_of};
use plotters::prelude::*;

pub struct Differences<'a> {
    comparisons: Vec<&'a Comparison<'a>>,
    all: usize,
    label: &'a str,
    chart: RowChart,
}

impl<'a> Differences<'a> {
    /// `None` if there is nothing to compare with.
    pub fn new(comparisons: &'a Comparisons<'a>) -> Option<Self> {
        // How far ahead of chance a method is would press all other differences together.
        let telling: Vec<&Comparison> = comparisons
            .comparisons
            .iter()
            .filter(|comparison| comparisons.rival(comparison) != Rival::Random)
            .collect();
        let shown: Vec<&Comparison> = telling.iter().take(MOST_ROWS).copied().collect();
        let intervals = shown.iter().filter_map(|comparison| comparison.first()?.difference.interval);
        let values = shown.iter().flat_map(|comparison| comparison.values());
        let shown_numbers: Vec<f64> = values.chain(intervals.flat_map(|(low, high)| [low, high])).collect();
        let row = |comparison: &&Comparison| {
            let priors = comparison.prior_name();
            let prior =
                if comparisons.has_priors() && priors != "-" { format!("prior {priors}") } else { String::new() };
            let detail = [comparison.other.setting_label, &prior];
            Row {
                label: comparison.other.label.to_string(),
                detail: detail.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "),
                value: comparison.verdict().to_string(),
                value_detail: comparison.first().map_or(String::new(), |tested| signed(tested.difference.mean)),
            }
        };
        let chart = RowChart {
            title: format!("{} against every other method", comparisons.label),
            x_name: format!("ROC-AUC of {} minus that of the other", comparisons.label),
            range: padded(shown_numbers.into_iter().chain([0.0])),
            marker: Some(Marker { at: 0.0, text: String::new(), colour: GREY }),
            rows: shown.iter().map(row).collect(),
        };
        let (all, label) = (telling.len(), comparisons.label);
        (!shown.is_empty()).then_some(Differences { comparisons: shown, all, label, chart })
    }
}

impl Figure for Differences<'_> {
    fn title(&self) -> String {
        format!("{} against every other method", self.label)
    }

    fn caption(&self) -> String {
        format!(
            "The mean difference in ROC-AUC over seeds, every seed's difference a point, with the 95% interval of the mean, \
             which allows for the rows that splits share; to the right of the dashed line `{}` is ahead. The verdict \
             allows for the number of comparisons, too. `random` is left out.{}",
            self.label,
            first_of(self.comparisons.len(), self.all)
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
            let comparison = self.comparisons[place];
            let Some(tested) = comparison.first() else { return Ok(()) };
            row.points(&comparison.values(), colour(comparison.other.method))?;
            if let Some(interval) = tested.difference.interval {
                row.bar(interval, 3.0, INK)?;
            }
            row.cross(tested.difference.mean, INK)
        })
    }
}
