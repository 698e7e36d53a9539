//! `doublepu validate`

use crate::cli::{Exit, Stop, colour_on_stderr, complain_as_is, say};
use crate::spec::{self, Experiment};
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
            match spec::read(path, &[]) {
                Ok(Experiment { settings, methods, priors, seeds, .. }) => {
                    let counts = [(settings.len(), "setting"), (methods.len(), "method"), (priors.len(), "prior")];
                    let counts = counts.map(|(count, what)| counted(count, what)).join(", ");
                    say(&format!("{}: ok, {counts}, {}", path.display(), counted(seeds as usize, "seed")));
                }
                Err(mistake) => {
                    complain_as_is(&mistake.render(colour_on_stderr()));
                    exit = Exit::BadSpec;
                }
            }
        }
        Ok(exit)
    }
}
