//! AUC by method: every seed a point, the mean with its interval, the paper's value as a line.

use crate::metric::Metric;
use crate::report::paper::printed;
use crate::report::plot::canvas::{
    Area, Figure, GREY, INK, LIGHT, Label, PAPER, PlotError, Scale, colour, dashed, padded, text_width, tick, title,
    write,
};
use crate::report::{Line, Results};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

const ROW: f64 = 38.0;
const TOP: f64 = 62.0;
const BOTTOM: f64 = 58.0;
const RIGHT: f64 = 84.0;
const PLOT_WIDTH: f64 = 560.0;
const LABEL_FONT: f64 = 14.0;
const SMALL_FONT: f64 = 11.5;

pub struct AucByMethod<'a> {
    pub results: &'a Results<'a>,
}

impl AucByMethod<'_> {
    fn lines(&self) -> impl Iterator<Item = &Line<'_>> + Clone {
        self.results.lines.iter().filter(|line| line.scored().next().is_some())
    }

    /// What stands below a method's label: only what tells lines apart.
    fn detail(&self, line: &Line) -> String {
        let prior = if self.results.experiment.priors.len() > 1 && line.prior.is_some() {
            format!("prior {}", line.prior_name)
        } else {
            String::new()
        };
        [line.setting_label, &prior].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
    }

    fn label_width(&self) -> f64 {
        let widest = |line: &Line| text_width(line.label, LABEL_FONT).max(text_width(&self.detail(line), SMALL_FONT));
        self.lines().map(widest).fold(0.0, f64::max) + 28.0
    }

    fn paper(&self) -> Option<&crate::spec::PaperValue> {
        let metric = self.results.experiment.metrics[0];
        self.results.experiment.paper.iter().find(|paper| paper.metric == metric)
    }
}

impl Figure for AucByMethod<'_> {
    fn caption(&self) -> String {
        let paper = self.paper().map(|paper| format!("; the dashed line is the paper's {}", printed(paper)));
        format!(
            "ROC-AUC of W on the test part: every seed a point, the mean a bar with its 95% interval{}.",
            paper.unwrap_or_default()
        )
    }

    fn size(&self) -> (u32, u32) {
        let rows = self.lines().count().max(1) as f64;
        ((self.label_width() + PLOT_WIDTH + RIGHT) as u32, (TOP + ROW * rows + BOTTOM) as u32)
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>, scale: Scale) -> Result<(), PlotError>
    where
        B::ErrorType: 'static,
    {
        let rows = self.lines().count();
        let left = self.label_width();
        let values = self.lines().flat_map(|line| line.values(Metric::RocAuc));
        let x_range = padded(values.collect::<Vec<_>>().into_iter().chain(self.paper().map(|paper| paper.value)));
        let bottom = TOP + ROW * rows.max(1) as f64;
        title(area, scale, &format!("{}: ROC-AUC by method", self.results.experiment.name))?;

        let inner = area.margin(scale.px(TOP), scale.px(BOTTOM - 30.0), scale.px(left), scale.px(RIGHT));
        let mut chart = ChartBuilder::on(&inner)
            .x_label_area_size(scale.px(30.0))
            .build_cartesian_2d(x_range.clone(), rows.max(1) as f64..0.0)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .light_line_style(TRANSPARENT)
            .bold_line_style(LIGHT)
            .axis_style(GREY)
            .x_labels(8)
            .x_label_formatter(&|x| tick(*x, &x_range))
            .x_label_style(scale.font(12.0))
            .draw()?;
        let below = (scale.px(left + PLOT_WIDTH / 2.0), scale.px(bottom + 44.0));
        let text = "ROC-AUC of W on the test part";
        write(area, scale, below, Label { text, size: 12.5, colour: INK, end: HPos::Center })?;
        if let Some(paper) = self.paper() {
            let (x, top) = chart.backend_coord(&(paper.value, 0.0));
            dashed(area, scale, (x, top - scale.px(6.0)), (x, scale.px(bottom)), PAPER)?;
            let text = format!("paper {}", printed(paper));
            let label = Label { text: &text, size: 12.5, colour: PAPER, end: HPos::Center };
            write(area, scale, (x, top - scale.px(14.0)), label)?;
        }
        for (row, line) in self.lines().enumerate() {
            let middle = row as f64 + 0.5;
            let colour = colour(line.method);
            for (index, value) in line.values(Metric::RocAuc).into_iter().enumerate() {
                // Spread by the golden ratio: even, and the same in every run.
                let offset = ((index as f64 * 0.618_033_988_749_895).fract() - 0.5) * 0.6;
                let point = chart.backend_coord(&(value, middle + offset));
                area.draw(&Circle::new(point, scale.px(2.4), colour.mix(0.4).filled()))?;
            }
            let within = |x: f64| x.clamp(x_range.start, x_range.end);
            self.draw_mean(area, scale, line, |x| chart.backend_coord(&(within(x), middle)))?;
            let (_, y) = chart.backend_coord(&(0.5, middle));
            self.draw_label(area, scale, line, y, left)?;
        }
        Ok(())
    }
}

impl AucByMethod<'_> {
    fn draw_mean<B: DrawingBackend>(
        &self,
        area: &Area<B>,
        scale: Scale,
        line: &Line,
        at: impl Fn(f64) -> (i32, i32),
    ) -> Result<(), PlotError>
    where
        B::ErrorType: 'static,
    {
        let Some(summary) = line.summary(Metric::RocAuc) else { return Ok(()) };
        let (x, y) = at(summary.mean);
        let half = scale.px(ROW * 0.34);
        let bar = vec![(x, y - half), (x, y + half)];
        area.draw(&PathElement::new(bar, BLACK.stroke_width(scale.width(2.0))))?;
        if let Some((low, high)) = summary.interval {
            let interval = vec![at(low), at(high)];
            area.draw(&PathElement::new(interval, BLACK.stroke_width(scale.width(3.0))))?;
        }
        Ok(())
    }

    fn draw_label<B: DrawingBackend>(
        &self,
        area: &Area<B>,
        scale: Scale,
        line: &Line,
        y: i32,
        left: f64,
    ) -> Result<(), PlotError>
    where
        B::ErrorType: 'static,
    {
        let end = scale.px(left - 12.0);
        let detail = self.detail(line);
        let shift = if detail.is_empty() { 0 } else { scale.px(8.0) };
        let label = Label { text: line.label, size: LABEL_FONT, colour: INK, end: HPos::Right };
        write(area, scale, (end, y - shift), label)?;
        if !detail.is_empty() {
            let label = Label { text: &detail, size: SMALL_FONT, colour: GREY, end: HPos::Right };
            write(area, scale, (end, y + shift), label)?;
        }
        let Some(summary) = line.summary(Metric::RocAuc) else { return Ok(()) };
        let mean = format!("{:.4}", summary.mean);
        let label = Label { text: &mean, size: LABEL_FONT, colour: INK, end: HPos::Left };
        write(area, scale, (scale.px(left + PLOT_WIDTH + 12.0), y), label)
    }
}
