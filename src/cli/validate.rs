//! `doublepu validate`

use crate::cli::{Exit, Stop, colour_on_stderr, complain, say};
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub struct Validate {
    /// The experiments, YAML files
    #[arg(required = true)]
    specs: Vec<PathBuf>,
}

impl Validate {
    pub fn carry_out(&self) -> Result<Exit, Stop> {
        let mut exit = Exit::Done;
        for path in &self.specs {
            match crate::spec::read(path, &[]) {
                Ok(experiment) => say(&format!(
                    "{}: ok, {}, {}, {}, {}",
                    path.display(),
                    count(experiment.settings.len(), "setting"),
                    count(experiment.methods.len(), "method"),
                    count(experiment.priors.len(), "prior"),
                    count(experiment.seeds as usize, "seed")
                )),
                Err(mistake) => {
                    complain(&mistake.render(colour_on_stderr()));
                    exit = Exit::BadSpec;
                }
            }
        }
        Ok(exit)
    }
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
