//! Paired comparisons as sentences and tables.

use crate::analysis::{Comparison, Comparisons, Tested};
use crate::math::metric::Metric;
use crate::math::stats::LEVEL;
use crate::text::{TextTable, csv_bytes, exact, p_value, signed};
use csv::Writer;

impl Comparisons<'_> {
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
        let settings = self.experiment.settings.len() > 1;
        let mut header = vec![format!("{} against", self.label)];
        if settings {
            header.push("setting".into());
        }
        header.extend(["prior", "verdict"].map(String::from));
        let words = header.len();
        header.extend(["mean difference", "95% interval", "p", "p by ranks", "ahead, level, behind"].map(String::from));
        header.push(format!("seeds to see {}", self.experiment.difference));
        let row = |comparison: &Comparison| {
            let mut row = vec![comparison.other.label.to_string()];
            if settings {
                row.push(comparison.other.setting_label.to_string());
            }
            row.extend([comparison.prior_name().to_string(), comparison.standing().to_string()]);
            let Some(Tested { difference, adjusted, adjusted_wilcoxon }) = comparison.first() else {
                row.extend(["-"; 6].map(String::from));
                return row;
            };
            row.push(signed(difference.mean));
            row.push(
                difference.interval.map_or("-".into(), |(low, high)| format!("{} to {}", signed(low), signed(high))),
            );
            row.extend([adjusted, adjusted_wilcoxon].map(|p| p.map_or("-".into(), p_value)));
            row.push(format!("{}, {}, {}", difference.ahead, difference.level, difference.behind));
            row.push(comparison.seeds_to_see_text().unwrap_or("-".into()));
            row
        };
        TextTable { header, rows: self.comparisons.iter().map(row).collect(), words }
    }

    /// Every metric at full precision.
    pub fn csv(&self) -> csv::Result<Vec<u8>> {
        let mut writer = Writer::from_writer(Vec::new());
        let header = "setting,method,prior,other,other_prior,metric,mean_difference,deviation,interval_low,\
                      interval_high,p,p_holm,wilcoxon_p,wilcoxon_p_holm,ahead,level,behind,pairs,seeds_to_see";
        writer.write_record(header.split(','))?;
        for comparison in &self.comparisons {
            let Comparison { compared, other, differences, .. } = comparison;
            for (metric, tested) in self.experiment.metrics.iter().zip(differences) {
                let Some(Tested { difference, adjusted, adjusted_wilcoxon }) = tested else { continue };
                let seeds_to_see = comparison.seeds_to_see_text().filter(|_| *metric == Metric::RocAuc);
                writer.write_record([
                    compared.setting_label,
                    compared.label,
                    compared.prior_name,
                    other.label,
                    other.prior_name,
                    metric.name(),
                    &difference.mean.to_string(),
                    &exact(difference.deviation),
                    &exact(difference.interval.map(|(low, _)| low)),
                    &exact(difference.interval.map(|(_, high)| high)),
                    &exact(difference.p_value),
                    &exact(*adjusted),
                    &exact(difference.wilcoxon),
                    &exact(*adjusted_wilcoxon),
                    &difference.ahead.to_string(),
                    &difference.level.to_string(),
                    &difference.behind.to_string(),
                    &difference.pairs.to_string(),
                    &exact(seeds_to_see),
                ])?;
            }
        }
        csv_bytes(writer)
    }
}

impl Comparison<'_> {
    /// `None` for a single pair, which says nothing of how differences spread.
    fn seeds_to_see_text(&self) -> Option<String> {
        self.first()?.difference.deviation?;
        Some(self.seeds_to_see.map_or("never".to_string(), |seeds| seeds.to_string()))
    }
}
