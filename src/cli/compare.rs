//! `doublepu compare`

use crate::cli::{Exit, Stop, say};
use crate::metric::Metric;
use crate::proof::{Compared, Difference, LineDifference, compare};
use crate::report::{TextTable, verdict};
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub struct Compare {
    /// The folder of a run
    first: PathBuf,
    /// The folder of another run
    second: PathBuf,
}

impl Compare {
    pub fn carry_out(&self) -> Result<Exit, Stop> {
        let compared = compare(&self.first, &self.second)?;
        let Compared { made, shared, same, only_first, only_second, first_difference, lines } = &compared;
        let (first, second) = (self.first.display(), self.second.display());
        if made.is_empty() {
            say("Spec, data, program and machine are the same.\n");
        } else {
            let header = ["differs", &first.to_string(), &second.to_string()].map(String::from).to_vec();
            let rows = made.iter().map(|row| row.to_vec()).collect();
            say(&format!("{}\n", TextTable { header, rows, words: 3 }.terminal()));
        }
        say(&format!("{same} of the {shared} cells that both have are the same, to the bit."));
        for (count, run) in [(only_first, &first), (only_second, &second)] {
            if *count > 0 {
                say(&format!("{count} cells are in {run} only."));
            }
        }
        if let Some(difference) = first_difference {
            let Difference { cell, name, column, values } = difference;
            let values = values.as_ref().map(|(first, second)| format!(": {first} and {second}")).unwrap_or_default();
            say(&format!("The first that differs is {cell} ({name}), in {column}{values}."));
        }
        if !lines.is_empty() {
            say(&format!("\nROC-AUC in {second} minus that in {first}, seed by seed:\n\n{}", table(lines).terminal()));
        }
        Ok(Exit::Done)
    }
}

fn table(lines: &[LineDifference]) -> TextTable {
    let header = ["method, setting and prior", "the second is", "mean difference", "95% interval", "same bits"];
    let row = |LineDifference { name, shared, same, difference }: &LineDifference| {
        let interval = difference.as_ref().and_then(|difference| difference.interval);
        vec![
            name.clone(),
            difference
                .as_ref()
                .map_or("cannot tell", |found| verdict(found, found.p_value, Metric::RocAuc))
                .to_string(),
            difference.as_ref().map_or("-".into(), |difference| format!("{:+.2e}", difference.mean)),
            interval.map_or("-".into(), |(low, high)| format!("{low:+.2e} to {high:+.2e}")),
            format!("{same} of {shared}"),
        ]
    };
    TextTable { header: header.map(String::from).to_vec(), rows: lines.iter().map(row).collect(), words: 2 }
}
