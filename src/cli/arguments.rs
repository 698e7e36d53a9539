//! The arguments that verbs share, and errors in arguments.

use crate::cli::{Cli, Stop, complain};
use crate::run::{Manifest, RunError, find_moved};
use crate::spec::Experiment;
use crate::text::nearest;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory};
use std::path::{Path, PathBuf};

/// The arguments of every verb that reads a spec.
#[derive(Debug, clap::Args)]
pub struct SpecArguments {
    /// The experiment, a YAML file
    pub spec: PathBuf,
    /// Set a key of the spec, for instance seeds=10 or methods.0.double_pu.ridge=0.1
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// A data file that is not where the spec says; its sha256 must be that of the spec or of the earlier run
    #[arg(long, value_name = "FILE")]
    pub data: Vec<PathBuf>,
}

impl SpecArguments {
    /// Finds data files that are not where the spec says; an earlier run is in the folder, if there is one.
    pub fn find_data(&self, experiment: &mut Experiment, folder: &Path) -> Result<(), Stop> {
        if self.data.is_empty() {
            return Ok(());
        }
        let known = Manifest::read(folder).map(|manifest| manifest.data).unwrap_or_default();
        Ok(find_moved(experiment, &known, &self.data).map_err(RunError::from)?)
    }
}

/// Adds the verb that a misspelt one may stand for, where clap finds none similar enough.
fn with_suggestion(mut error: clap::Error) -> clap::Error {
    if let (ErrorKind::InvalidSubcommand, None, Some(ContextValue::String(word))) =
        (error.kind(), error.get(ContextKind::SuggestedSubcommand), error.get(ContextKind::InvalidSubcommand))
    {
        let command = Cli::command();
        let verbs: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        let similar = nearest(word, &verbs).map(|verb| ContextValue::Strings(vec![verb.to_string()]));
        similar.into_iter().for_each(|verb| drop(error.insert(ContextKind::SuggestedSubcommand, verb)));
    }
    error
}

/// Prints help to stdout, or an error in the arguments to stderr, and ends the process.
pub fn end_with(error: clap::Error) -> ! {
    let error = with_suggestion(error);
    if !error.use_stderr() {
        error.exit();
    }
    // Without the line break at its end.
    complain(error.render().to_string().trim_end());
    std::process::exit(error.exit_code());
}
