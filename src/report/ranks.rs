//! Average ranks as sentences and tables.

use crate::analysis::{RankedMethod, Ranks, Results};
use crate::math::stats::LEVEL;
use crate::text::{TextTable, csv_bytes, p_phrase};
use csv::Writer;

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
        let header = ["method", "average rank", "best rank", "worst rank", "settings won"].map(String::from).to_vec();
        let row = |method: &RankedMethod| {
            let best = method.ranks.iter().copied().fold(f64::INFINITY, f64::min);
            let worst = method.ranks.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let won = method.ranks.iter().filter(|rank| **rank == 1.0).count();
            vec![
                method.label.to_string(),
                format!("{:.2}", method.average),
                best.to_string(),
                worst.to_string(),
                format!("{won} of {}", self.settings),
            ]
        };
        TextTable { header, rows: self.methods.iter().map(row).collect(), words: 1 }
    }

    /// The rank of every method in every setting.
    pub fn csv(&self, results: &Results) -> csv::Result<Vec<u8>> {
        let mut writer = Writer::from_writer(Vec::new());
        writer.write_record(["method", "average_rank", "setting", "rank"])?;
        for RankedMethod { label, ranks, average, .. } in &self.methods {
            for (setting, rank) in results.experiment.settings.iter().zip(ranks) {
                writer.write_record([label, &*average.to_string(), &setting.label, &rank.to_string()])?;
            }
        }
        csv_bytes(writer)
    }
}
