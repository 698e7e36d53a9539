//! `doublepu validate`

use crate::cli::{Exit, Stop, colour_on_stderr, complain, say};
use crate::text::counted;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub struct Validate {
    /// The experiments, YAML files
    #[arg(required = true)]
    specs: Vec<PathBuf>,
}

impl Validate {
    pub fn execute(&self) -> Result<Exit, Stop> {
        let mut exit = Exit::Done;
        for path in &self.specs {
            match crate::spec::read(path, &[]) {
                Ok(experiment) => say(&format!(
                    "{}: ok, {}, {}, {}, {}",
                    path.display(),
                    counted(experiment.settings.len(), "setting"),
                    counted(experiment.methods.len(), "method"),
                    counted(experiment.priors.len(), "prior"),
                    counted(experiment.seeds as usize, "seed")
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
