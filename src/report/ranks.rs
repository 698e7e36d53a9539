//! Average ranks as sentences and tables.

use crate::analysis::{RankedMethod, Ranks, Results};
use crate::math::stats::LEVEL;
use crate::text::{Columns, TextTable, csv_name, p_phrase};

impl Ranks<'_> {
    /// What the table and the diagram show, in sentences.
    pub fn heading(&self) -> String {
        let Ranks { settings, methods, critical_difference, friedman, .. } = self;
        let mut start = format!("Average rank of each method in mean ROC-AUC over {settings} settings; 1 is the best.");
        if let Some(prior) = self.prior {
            start += &format!(" Methods that use a prior are taken with {prior}.");
        }
        if !self.left_out.is_empty() {
            start += &format!(" Without a result in every setting, and left out: {}.", self.left_out.join(", "));
        }
        if !self.can_tell_apart() {
            return format!(
                "{start} With so few settings no two of {} methods differ significantly: that needs a difference of \
                 {critical_difference:.2}.",
                methods.len()
            );
        }
        let finding = if *friedman < LEVEL {
            "shows that the methods are not all alike"
        } else {
            "does not show that the methods differ, so single differences show nothing"
        };
        format!(
            "{start} Friedman's test {finding} ({}). By Nemenyi's test at {}%, two methods differ if their average ranks \
             are more than {critical_difference:.2} apart. Both tests assume independent settings; settings that share \
             data are not.",
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
        let settings = 0..results.experiment.settings.len();
        let rows: Vec<(&RankedMethod, usize)> =
            self.methods.iter().flat_map(|method| settings.clone().map(move |setting| (method, setting))).collect();
        let mut table = Columns::of(&rows);
        table.texts("label", |(method, _)| csv_name("label", method.label));
        table.numbers("average_rank", |(method, _)| Some(method.average));
        table.numbers("setting", |(_, setting)| Some(results.experiment.csv_setting(*setting)));
        table.numbers("rank", |(method, setting)| Some(method.ranks[*setting]));
        table.csv()
    }
}
