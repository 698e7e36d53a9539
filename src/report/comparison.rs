//! Paired comparisons as sentences and tables.

use crate::analysis::{Comparison, Comparisons};
use crate::math::metric::Metric;
use crate::math::stats::{LEVEL, PairedDifference};
use crate::report::keys::add_keys;
use crate::text::{Columns, TextTable, p_value, signed};

impl<'a> Comparisons<'a> {
    /// What the table shows, in sentences.
    pub fn heading(&self) -> String {
        format!(
            "ROC-AUC of {} minus that of each other method, paired by seed. The 95% interval and p are those of Student's \
             t, widened where seeds share the rows of one file (Nadeau and Bengio, 2003); p by ranks is that of Wilcoxon's \
             signed-rank test, which does not allow for shared rows. Both p are adjusted after Holm for the {} \
             comparisons, and the verdict uses the first at {}%. Intervals are not adjusted, so one without 0 can go with \
             `cannot tell`.",
            self.label,
            self.comparisons.len(),
            100.0 * LEVEL
        )
    }

    /// ROC-AUC.
    pub fn table(&self) -> TextTable {
        let mut table = Columns::of(&self.comparisons);
        table.words(&format!("{} against", self.label), |one| one.other.label);
        if self.experiment.settings.len() > 1 {
            table.words("setting", |one| one.other.setting_label);
        }
        table.words("prior", |one| one.prior_name());
        table.words("verdict", |one| one.standing().into());
        table.numbers("mean difference", |one| Some(signed(one.auc.difference.mean)));
        table.numbers("95% interval", |one| {
            let (low, high) = one.auc.difference.interval?;
            Some(format!("{} to {}", signed(low), signed(high)))
        });
        table.numbers("p", |one| one.auc.adjusted.map(p_value));
        table.numbers("p by ranks", |one| one.auc.adjusted_wilcoxon.map(p_value));
        table.numbers("ahead, level, behind", |one| {
            let PairedDifference { ahead, level, behind, .. } = one.auc.difference;
            Some(format!("{ahead}, {level}, {behind}"))
        });
        table.numbers(&format!("seeds to see {}", self.experiment.difference), Comparison::seeds_to_see_text);
        table.table()
    }

    /// Every metric at full precision.
    pub fn csv(&'a self) -> csv::Result<Vec<u8>> {
        let of_comparison = |one: &'a Comparison<'a>| {
            let tested = self.experiment.metrics.iter().zip(one.differences());
            tested.filter_map(move |(metric, tested)| Some((one, *metric, tested?)))
        };
        let rows: Vec<_> = self.comparisons.iter().flat_map(of_comparison).collect();
        let mut table = Columns::of(&rows);
        add_keys(&mut table, self.experiment, |(one, ..)| one.compared);
        table.texts("other", |(one, ..)| self.experiment.csv_label(one.other.method));
        table.texts("other_prior", |(one, ..)| self.experiment.csv_prior(one.other.prior));
        table.words("metric", |(_, metric, _)| metric.name());
        table.numbers("mean_difference", |(.., tested)| Some(tested.difference.mean));
        table.numbers("deviation", |(.., tested)| tested.difference.deviation);
        table.numbers("interval_low", |(.., tested)| Some(tested.difference.interval?.0));
        table.numbers("interval_high", |(.., tested)| Some(tested.difference.interval?.1));
        table.numbers("p", |(.., tested)| tested.difference.p_value);
        table.numbers("p_holm", |(.., tested)| tested.adjusted);
        table.numbers("wilcoxon_p", |(.., tested)| tested.difference.wilcoxon);
        table.numbers("wilcoxon_p_holm", |(.., tested)| tested.adjusted_wilcoxon);
        table.numbers("ahead", |(.., tested)| Some(tested.difference.ahead));
        table.numbers("level", |(.., tested)| Some(tested.difference.level));
        table.numbers("behind", |(.., tested)| Some(tested.difference.behind));
        table.numbers("pairs", |(.., tested)| Some(tested.difference.pairs));
        let is_first = |metric: Metric| metric == Metric::RocAuc;
        table.numbers("seeds_to_see", |(one, metric, _)| one.seeds_to_see_text().filter(|_| is_first(*metric)));
        table.csv()
    }
}

impl Comparison<'_> {
    /// `None` for a single pair, whose spread is unknown.
    fn seeds_to_see_text(&self) -> Option<String> {
        self.auc.difference.deviation?;
        Some(self.seeds_to_see.map_or("never".to_string(), |seeds| seeds.to_string()))
    }
}
