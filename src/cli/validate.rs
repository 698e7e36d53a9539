//! `doublepu validate`

use crate::cli::plan::schema_text;
use crate::cli::{Exit, Stop, colour_on_stderr, complain, complain_as_is, say};
use crate::run::Data;
use crate::spec::{self, Experiment};
use crate::text::counted;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub struct Validate {
    /// The experiments, YAML files
    #[arg(required = true)]
    specs: Vec<PathBuf>,
    /// Also read the data files, check their columns and labels, and print what each column is
    #[arg(long)]
    data: bool,
}

impl Validate {
    pub fn execute(&self) -> Result<Exit, Stop> {
        let mut exit = Exit::Done;
        for path in &self.specs {
            match spec::read(path, &[]) {
                Ok(experiment) => {
                    let Experiment { settings, methods, priors, seeds, .. } = &experiment;
                    if self.data {
                        match Data::load(&experiment) {
                            Ok(data) => data.files().iter().for_each(|file| say(&schema_text(file))),
                            Err(error) => {
                                complain(&format!("error: {}: {error}", path.display()));
                                exit = Exit::BadData;
                                continue;
                            }
                        }
                    }
                    let counts = [(settings.len(), "setting"), (methods.len(), "method"), (priors.len(), "prior")];
                    let counts = counts.map(|(count, what)| counted(count, what)).join(", ");
                    say(&format!("{}: ok, {counts}, {}", path.display(), counted(*seeds as usize, "seed")));
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
