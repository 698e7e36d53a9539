//! `doublepu try-method`

use crate::cli::{Exit, SpecArguments, Stop, say};
use crate::external::{Session, version_list};
use crate::run::{Trial, try_method};
use crate::spec;
use crate::text::presentable;

/// Columns beyond this number are counted and not listed.
const MOST_COLUMNS: usize = 12;

#[derive(Debug, clap::Args)]
pub struct TryMethod {
    #[command(flatten)]
    spec: SpecArguments,
    /// The external method: its name, or its label if several methods have this name
    method: String,
    /// The split: 1, 2, ...
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    seed: u32,
}

impl TryMethod {
    pub fn execute(&self) -> Result<Exit, Stop> {
        let experiment = spec::read(&self.spec.spec, &self.spec.set)?;
        let _workers = Session::begin();
        let trial = try_method(&experiment, &self.method, self.seed)?;
        print(&trial);
        Ok(Exit::after(usize::from(trial.result.is_err())))
    }
}

fn print(trial: &Trial) {
    let Trial { name, sent, columns, prior, .. } = trial;
    say(&format!("{name}\n\nIt is sent"));
    for (array, [rows, columns]) in sent {
        say(&format!("  {array:<10} {rows} x {columns}"));
    }
    if let Some([beta, gamma]) = prior {
        say(&format!("  beta {beta:.4}, gamma {gamma:.4}"));
    }
    let listed = columns.iter().take(MOST_COLUMNS).map(|column| presentable(column)).collect::<Vec<_>>().join(", ");
    let more = columns.len().saturating_sub(MOST_COLUMNS);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    say(&format!("  columns    {listed}{more}"));
    let log = |log: &[String]| {
        say("\nIt wrote");
        log.iter().for_each(|line| say(&format!("  {}", presentable(line))));
        if log.is_empty() {
            say("  nothing");
        }
    };
    match &trial.result {
        Ok(answered) => {
            log(&answered.log);
            say(&format!("\nIt runs on {}.", version_list(&answered.versions)));
            let [starting, answering] = [answered.starting, answered.answering].map(|time| time.as_secs_f64());
            say(&format!("It started in {starting:.2} s and answered in {answering:.3} s."));
            let [lowest, median, highest] = answered.quantiles;
            let (count, distinct) = (answered.scores, answered.distinct);
            say(&format!(
                "It gave {count} scores, {distinct} of them distinct, from {lowest} over {median} to {highest}."
            ));
            say(&format!("\nROC-AUC {:.4} on the test set.", answered.roc_auc));
        }
        Err(failed) => {
            log(&failed.log);
            say(&format!("\nIt failed: {}", presentable(&failed.problem)));
        }
    }
}
