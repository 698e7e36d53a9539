//! The command line: one file a verb. Only this room prints.

mod accept;
mod check;
mod compare;
mod data;
mod exit;
mod export;
mod listener;
mod merge;
mod methods;
mod plan;
mod report;
mod run;
mod shard;
mod validate;
mod verify;

use clap::{Parser, Subcommand};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;

pub use exit::{Exit, Stop};

/// Double PU learning: find people who are interested but not loyal, from positives and a crowd alone.
#[derive(Debug, Parser)]
#[command(version, about, after_help = exit::HELP)]
pub struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Run an experiment and write its tables and plots; goes on where an earlier run stopped
    Run(run::Run),
    /// Show the cells of an experiment and which of them are done
    Plan(plan::Plan),
    /// Check specs without running them
    Validate(validate::Validate),
    /// Print the JSON Schema of a spec, for editors
    Schema,
    /// List the methods with their options and the samples that they use
    Methods,
    /// Make every table, plot and the page of a run again from its stored rows; nothing is fitted
    Report(report::Report),
    /// Put the shards of a run together
    Merge(merge::Merge),
    /// Hold a run against a baseline: exit code 10 if something got worse, 11 if that cannot be told
    Check(check::Check),
    /// Make a run the baseline that later ones are held against
    Accept(accept::Accept),
    /// Compute stored cells once more, on other threads and in another order, and prove the same bits
    Verify(verify::Verify),
    /// Tell how two runs differ in what they were made of and in what came out; it judges nothing
    Compare(compare::Compare),
    /// Write everything needed to compute one cell elsewhere
    Export(export::Export),
    /// List, describe and verify data sets
    #[command(subcommand)]
    Data(data::Data),
}

/// What every verb that reads a spec takes.
#[derive(Debug, clap::Args)]
struct SpecArguments {
    /// The experiment, a YAML file
    spec: PathBuf,
    /// Change a key of the spec, for instance --set seeds=10 or --set methods.0.double_pu.ridge=0.1
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl SpecArguments {
    fn read(&self) -> Result<crate::spec::Experiment, Stop> {
        Ok(crate::spec::read(&self.spec, &self.set)?)
    }
}

/// Carries out a command and says how it ended.
pub fn run(cli: Cli) -> Exit {
    let result = match cli.verb {
        Verb::Run(verb) => verb.carry_out(),
        Verb::Plan(verb) => verb.carry_out(),
        Verb::Validate(verb) => verb.carry_out(),
        Verb::Schema => schema(),
        Verb::Methods => methods::list(),
        Verb::Report(verb) => verb.carry_out(),
        Verb::Merge(verb) => verb.carry_out(),
        Verb::Check(verb) => verb.carry_out(),
        Verb::Accept(verb) => verb.carry_out(),
        Verb::Verify(verb) => verb.carry_out(),
        Verb::Compare(verb) => verb.carry_out(),
        Verb::Export(verb) => verb.carry_out(),
        Verb::Data(verb) => verb.carry_out(),
    };
    result.unwrap_or_else(|stop| {
        complain(&stop.message(colour_on_stderr()));
        stop.exit()
    })
}

fn schema() -> Result<Exit, Stop> {
    say(&serde_json::to_string_pretty(&crate::spec::schema()).unwrap_or_default());
    Ok(Exit::Done)
}

/// Results, on stdout. A reader who closes the pipe has seen enough; any other trouble ends the program.
fn say(text: &str) {
    match writeln!(std::io::stdout().lock(), "{text}") {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            complain(&format!("error: stdout cannot be written: {error}"));
            std::process::exit(Exit::BadResults as i32);
        }
        _ => {}
    }
}

/// Progress and complaints, on stderr.
fn complain(text: &str) {
    // There is nowhere left to tell of a broken stderr.
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

fn colour_on_stderr() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// How many cells are done; drawn on a terminal only.
fn progress_bar(cells: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} cells, {rate} a second, {eta} left")
        .unwrap_or(ProgressStyle::default_bar())
        .with_key("rate", |state: &ProgressState, text: &mut dyn std::fmt::Write| {
            // A text cannot fail to be written to memory.
            let _ = write!(text, "{:.1}", state.per_sec());
        });
    ProgressBar::new(cells as u64).with_style(style)
}
