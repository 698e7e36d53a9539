//! The critical-difference diagram (Demšar, 2006): methods along their average ranks, and bars over those that cannot be
//! told apart.

use crate::analysis::{RankedMethod, Ranks};
use crate::report::plot::canvas::{Area, Figure, GREY, INK, Label, PlotError, Scale, text_width, title, write};
use crate::report::plot::strokes::{colour, stroke};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

const AXIS: f64 = 430.0;
const TOP: f64 = 112.0;
const BAR: f64 = 11.0;
const ROW: f64 = 24.0;
const FONT: f64 = 13.0;
const GAP: f64 = 26.0;
/// More methods than this make no diagram that can be read.
pub const MOST_METHODS: usize = 30;

pub struct CriticalDifference<'a> {
    pub ranks: &'a Ranks<'a>,
}

/// Where the parts are, in units of the design.
struct Layout {
    left: f64,
    right: f64,
    /// How many methods have their label to the left: the better half.
    half: usize,
    /// For each bar, in how high a row it stands, so that no two touch.
    levels: Vec<usize>,
}

impl CriticalDifference<'_> {
    fn layout(&self) -> Layout {
        let methods = &self.ranks.methods;
        let half = methods.len().div_ceil(2);
        let widest =
            |part: &[RankedMethod]| part.iter().map(|method| text_width(&label(method), FONT)).fold(0.0, f64::max);
        let mut ends: Vec<usize> = Vec::new();
        let mut levels = Vec::new();
        for (first, last) in &self.ranks.groups {
            let level = ends.iter().position(|end| end < first).unwrap_or(ends.len());
            if level == ends.len() {
                ends.push(*last)
            } else {
                ends[level] = *last
            }
            levels.push(level);
        }
        Layout { left: widest(&methods[..half]) + GAP, right: widest(&methods[half..]) + GAP, half, levels }
    }

    fn bars(&self, layout: &Layout) -> f64 {
        layout.levels.iter().max().map_or(0.0, |level| (level + 1) as f64 * BAR)
    }

    /// Where a rank is along the axis.
    fn x(&self, layout: &Layout, rank: f64) -> f64 {
        let last = (self.ranks.methods.len() - 1) as f64;
        layout.left + AXIS * (rank - 1.0) / last
    }
}

fn label(method: &RankedMethod) -> String {
    format!("{} ({:.2})", method.label, method.average)
}

impl Figure for CriticalDifference<'_> {
    fn title(&self) -> String {
        "Average ranks over settings".to_string()
    }

    fn caption(&self) -> String {
        format!(
            "Every method at its average rank in mean ROC-AUC over {} settings, the best to the left. A bar joins methods \
             that cannot be told apart: their average ranks differ by no more than the critical difference (CD) of {:.2} \
             (Nemenyi's test at 5%; Demšar, 2006).",
            self.ranks.settings, self.ranks.critical_difference
        )
    }

    fn size(&self) -> (u32, u32) {
        let layout = self.layout();
        let height = TOP + self.bars(&layout) + ROW * (layout.half as f64 + 0.7);
        ((layout.left + AXIS + layout.right) as u32, height as u32)
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>, scale: Scale) -> Result<(), PlotError>
    where
        B::ErrorType: 'static,
    {
        let layout = self.layout();
        let at = |x: f64, y: f64| (scale.px(x), scale.px(y));
        let line = |from: (f64, f64), to: (f64, f64), width: f64, colour: RGBColor| {
            stroke(area, scale, &[at(from.0, from.1), at(to.0, to.1)], width, colour)
        };
        let text = |text: &str, (x, y): (f64, f64), end: HPos| {
            write(area, scale, at(x, y), Label { text, size: FONT, colour: INK, end })
        };
        title(area, scale, &self.title())?;

        // The axis, with as many numbers as there is room for.
        let count = self.ranks.methods.len();
        line((self.x(&layout, 1.0), TOP), (self.x(&layout, count as f64), TOP), 1.5, INK)?;
        let step = count.div_ceil(15);
        for rank in (1..=count).step_by(step) {
            let x = self.x(&layout, rank as f64);
            line((x, TOP), (x, TOP - 6.0), 1.5, INK)?;
            text(&rank.to_string(), (x, TOP - 17.0), HPos::Center)?;
        }
        // The critical difference, where it is not wider than the axis.
        let critical = self.ranks.critical_difference;
        let y = TOP - 40.0;
        if self.ranks.can_tell_apart() {
            let (from, to) = (self.x(&layout, 1.0), self.x(&layout, 1.0 + critical));
            line((from, y), (to, y), 2.0, GREY)?;
            [from, to].into_iter().try_for_each(|x| line((x, y - 4.0), (x, y + 4.0), 2.0, GREY))?;
            text(&format!("CD = {critical:.2}"), (to + 8.0, y), HPos::Left)?;
        } else {
            let middle = self.x(&layout, (1 + count) as f64 / 2.0);
            text(&format!("CD = {critical:.2}, more than ranks can differ here"), (middle, y), HPos::Center)?;
        }
        let rank_of = |place: usize| self.ranks.methods[place].average;
        for ((first, last), level) in self.ranks.groups.iter().zip(&layout.levels) {
            let y = TOP + BAR * (*level as f64 + 1.0);
            let (from, to) = (self.x(&layout, rank_of(*first)), self.x(&layout, rank_of(*last)));
            line((from - 3.0, y), (to + 3.0, y), 4.0, INK)?;
        }
        let start = TOP + self.bars(&layout) + ROW * 0.7;
        for (place, method) in self.ranks.methods.iter().enumerate() {
            let x = self.x(&layout, method.average);
            let is_left = place < layout.half;
            // The best and the worst stand highest, so that no line crosses another.
            let row = if is_left { place } else { count - 1 - place };
            let y = start + ROW * row as f64;
            let end = if is_left { layout.left - 14.0 } else { layout.left + AXIS + 14.0 };
            line((x, TOP), (x, y), 1.5, colour(method.method))?;
            line((x, y), (end, y), 1.5, colour(method.method))?;
            let (x, side) = if is_left { (end - 5.0, HPos::Right) } else { (end + 5.0, HPos::Left) };
            text(&label(method), (x, y), side)?;
        }
        Ok(())
    }
}
