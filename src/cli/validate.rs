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
                    "{}: ok, {} settings, {} methods, {} priors, {} seeds",
                    path.display(),
                    experiment.settings.len(),
                    experiment.methods.len(),
                    experiment.priors.len(),
                    experiment.seeds
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
