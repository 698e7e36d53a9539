//! Small panels side by side and one above another, with one legend.

use crate::report::plot::canvas::{Canvas, Label, PlotError, Shape};
use crate::report::plot::chart::{Mark, Panel, TITLE_HEIGHT, legend_shapes, legend_width};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

const PANEL: (f64, f64) = (310.0, 240.0);
const NAME_HEIGHT: f64 = 24.0;
const FONT: f64 = 12.5;

pub struct Grid {
    pub columns: usize,
    /// Row by row, each with a name above it.
    pub panels: Vec<(String, Panel)>,
    pub legend: Vec<(String, Mark)>,
}

impl Grid {
    fn rows(&self) -> usize {
        self.panels.len().div_ceil(self.columns).max(1)
    }

    fn width(&self) -> f64 {
        PANEL.0 * self.columns as f64
    }

    pub fn size(&self) -> (f64, f64) {
        (self.width() + legend_width(&self.legend), TITLE_HEIGHT + PANEL.1 * self.rows() as f64 + 12.0)
    }

    pub fn draw<B: DrawingBackend>(&self, canvas: &Canvas<B>) -> Result<(), PlotError> {
        canvas.draw(&legend_shapes(self.width() + 8.0, &self.legend))?;
        for (index, (name, panel)) in self.panels.iter().enumerate() {
            let (left, top) = self.corner(index);
            let name = Label::new(name, FONT, HPos::Center);
            canvas.draw(&[Shape::Text((left + PANEL.0 / 2.0 + 24.0, top + NAME_HEIGHT / 2.0), name)])?;
            let (x, y) = (canvas.px(left + 6.0), canvas.px(top + NAME_HEIGHT));
            let (width, height) = (canvas.px(PANEL.0 - 12.0), canvas.px(PANEL.1 - NAME_HEIGHT));
            let area = canvas.area.clone().shrink((x, y), (width, height));
            panel.draw(canvas, &area)?;
        }
        Ok(())
    }

    /// The left and upper edge of a panel.
    fn corner(&self, index: usize) -> (f64, f64) {
        let (row, column) = (index / self.columns, index % self.columns);
        (PANEL.0 * column as f64, TITLE_HEIGHT + PANEL.1 * row as f64)
    }
}
