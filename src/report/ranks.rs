//! Average ranks as sentences and tables.

use crate::analysis::{RankedMethod, Ranks, Results};
use crate::math::stats::LEVEL;
use crate::text::{Columns, TextTable, p_phrase};

impl Ranks<'_> {
    /// What the table and the diagram show, in sentences.
    pub fn heading(&self) -> String {
        let Ranks { settings, methods, critical_difference, friedman, .. } = self;
        let mut start =
            format!("Methods by their average rank in mean ROC-AUC over {settings} settings, 1 being the best.");
        if let Some(prior) = self.prior {
            start += &format!(" Those that are told a prior are taken with {prior}.");
        }
        if !self.left_out.is_empty() {
            start += &format!(" Left out, without a result in every setting: {}.", self.left_out.join(", "));
        }
        if !self.can_tell_apart() {
            return format!(
                "{start} Over so few settings ranks cannot tell any two of {} methods apart: it would take a difference of \
                 {critical_difference:.2}.",
                methods.len()
            );
        }
        let are_alike = if *friedman < LEVEL {
            "says that they are not all alike"
        } else {
            "cannot tell them from being all alike, so that nothing follows from single differences"
        };
        format!(
            "{start} Friedman's test {are_alike} ({}). By Nemenyi's test at {}%, two of them differ where their average \
             ranks are more than {critical_difference:.2} apart. Settings that share data are not independent, as both \
             tests suppose.",
            p_phrase(*friedman),
            100.0 * LEVEL
        )
    }

    pub fn table(&self) -> TextTable {
        let ranks = |method: &RankedMethod| method.ranks.clone().into_iter();
        let mut table = Columns::of(&self.methods);
        table.words("method", |method| method.label);
        table.numbers("average rank", |method| Some(format!("{:.2}", method.average)));
        table.numbers("best rank", |method| Some(ranks(method).fold(f64::INFINITY, f64::min)));
        table.numbers("worst rank", |method| Some(ranks(method).fold(f64::NEG_INFINITY, f64::max)));
        table.numbers("settings won", |method| {
            Some(format!("{} of {}", ranks(method).filter(|rank| *rank == 1.0).count(), self.settings))
        });
        table.table()
    }

    /// The rank of every method in every setting.
    pub fn csv(&self, results: &Results) -> csv::Result<Vec<u8>> {
        let settings = &results.experiment.settings;
        let rows: Vec<(&RankedMethod, usize)> =
            self.methods.iter().flat_map(|method| (0..settings.len()).map(move |setting| (method, setting))).collect();
        let mut table = Columns::of(&rows);
        table.words("method", |(method, _)| method.label);
        table.numbers("average_rank", |(method, _)| Some(method.average));
        table.numbers("setting", |(_, setting)| Some(settings[*setting].label.clone()));
        table.numbers("rank", |(method, setting)| Some(method.ranks[*setting]));
        table.csv()
    }
}
