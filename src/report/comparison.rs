//! Paired comparisons as sentences and tables.

use crate::analysis::{Comparison, Comparisons};
use crate::math::metric::Metric;
use crate::math::stats::{LEVEL, PairedDifference};
use crate::text::{Columns, TextTable, p_value, signed};

impl<'a> Comparisons<'a> {
    /// What the table shows, in a sentence.
    pub fn heading(&self) -> String {
        format!(
            "{} minus each other method in {}, seed by seed. The 95% interval and p are those of Student's t, widened \
             where seeds share the rows of one file (Nadeau and Bengio, 2003); Wilcoxon's signed ranks beside it know \
             nothing of shared rows. Both p are adjusted after Holm for the {} comparisons, and the verdict goes by the \
             first at {}%; an interval is that of one comparison by itself, so that one without 0 can go with `cannot \
             tell`.",
            self.label,
            self.experiment.metrics[0].title(),
            self.comparisons.len(),
            100.0 * LEVEL
        )
    }

    /// The first metric's.
    pub fn table(&self) -> TextTable {
        let mut table = Columns::of(&self.comparisons);
        table.words(&format!("{} against", self.label), |one| one.other.label);
        if self.experiment.settings.len() > 1 {
            table.words("setting", |one| one.other.setting_label);
        }
        table.words("prior", |one| one.prior_name());
        table.words("verdict", |one| one.standing().into());
        table.numbers("mean difference", |one| Some(signed(one.first()?.difference.mean)));
        table.numbers("95% interval", |one| {
            let (low, high) = one.first()?.difference.interval?;
            Some(format!("{} to {}", signed(low), signed(high)))
        });
        table.numbers("p", |one| one.first()?.adjusted.map(p_value));
        table.numbers("p by ranks", |one| one.first()?.adjusted_wilcoxon.map(p_value));
        table.numbers("ahead, level, behind", |one| {
            let PairedDifference { ahead, level, behind, .. } = one.first()?.difference;
            Some(format!("{ahead}, {level}, {behind}"))
        });
        table.numbers(&format!("seeds to see {}", self.experiment.difference), Comparison::seeds_to_see_text);
        table.table()
    }

    /// Every metric at full precision.
    pub fn csv(&'a self) -> csv::Result<Vec<u8>> {
        let of_comparison = |one: &'a Comparison<'a>| {
            let tested = self.experiment.metrics.iter().zip(&one.differences);
            tested.filter_map(move |(metric, tested)| Some((one, *metric, tested.as_ref()?)))
        };
        let rows: Vec<_> = self.comparisons.iter().flat_map(of_comparison).collect();
        let mut table = Columns::of(&rows);
        table.words("setting", |(one, ..)| one.compared.setting_label);
        table.words("method", |(one, ..)| one.compared.label);
        table.words("prior", |(one, ..)| one.compared.prior_name);
        table.words("other", |(one, ..)| one.other.label);
        table.words("other_prior", |(one, ..)| one.other.prior_name);
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
    /// `None` for a single pair, which says nothing of how differences spread.
    fn seeds_to_see_text(&self) -> Option<String> {
        self.first()?.difference.deviation?;
        Some(self.seeds_to_see.map_or("never".to_string(), |seeds| seeds.to_string()))
    }
}
