//! The command line: one file per verb. Only this room prints.

mod accept;
mod arguments;
mod boundary;
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
mod signals;
mod try_method;
mod validate;
mod verify;

use crate::run::start_threads;
use crate::text::visible;
use arguments::SpecArguments;
use clap::{Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use std::io::{IsTerminal, Write};

pub use boundary::Allocator;
pub use exit::{Exit, Stop};

/// Double PU learning: find people who are interested but not loyal, from positive and unlabelled samples
#[derive(Debug, Parser)]
#[command(version, after_help = exit::HELP)]
pub struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Run an experiment, or continue it, and write its tables and plots
    #[command(after_help = "Example: doublepu run experiments/smoke.yaml --set seeds=5")]
    Run(run::Run),
    /// List the cells of an experiment and how many are done
    #[command(after_help = "Example: doublepu plan experiments/smoke.yaml")]
    Plan(plan::Plan),
    /// Check specs without running them
    #[command(after_help = "Example: doublepu validate experiments/*.yaml")]
    Validate(validate::Validate),
    /// Print the JSON Schema of specs, for editors
    #[command(after_help = "Example: doublepu schema > spec.schema.json")]
    Schema,
    /// List the methods with their options and samples
    #[command(after_help = "Example: doublepu methods")]
    Methods,
    /// Run one cell of an external method, and show what it received, wrote and scored
    #[command(after_help = "Example: doublepu try-method experiments/external/check.yaml naive_pu_numpy")]
    TryMethod(try_method::TryMethod),
    /// Write the tables, plots and page of a run again, without fitting
    #[command(after_help = "Example: doublepu report results/runs/smoke")]
    Report(report::Report),
    /// Merge the shards of a run
    #[command(after_help = "Example: doublepu merge results/runs/smoke/shard-*-of-4 --out results/runs/smoke")]
    Merge(merge::Merge),
    /// Check a run against a baseline (exit 10: regression, 11: inconclusive)
    #[command(after_help = "Example: doublepu check results/runs/ci --baseline results/baselines/ci.csv")]
    Check(check::Check),
    /// Make a run the new baseline
    #[command(after_help = "Example: doublepu accept results/runs/ci --baseline results/baselines/ci.csv")]
    Accept(accept::Accept),
    /// Compute stored cells again, in other orders, and check that they are the same bits
    #[command(after_help = "Example: doublepu verify results/runs/smoke --all")]
    Verify(verify::Verify),
    /// Compare two runs: inputs, environment and results
    #[command(after_help = "Example: doublepu compare results/runs/before results/runs/after")]
    Compare(compare::Compare),
    /// Write everything needed to compute one cell elsewhere
    #[command(after_help = "Example: doublepu export results/runs/smoke 1f0e2d3c4b5a6978 --out cell")]
    Export(export::Export),
    /// List, describe and identify data sets
    #[command(subcommand, after_help = "Example: doublepu data show bank-marketing")]
    Data(data::Data),
}

/// The groups of verbs in the help.
const GROUPS: [(&str, &[&str]); 3] = [
    ("Run and report", &["run", "plan", "validate", "schema", "methods", "try-method", "report", "merge"]),
    ("Prove and compare", &["check", "accept", "verify", "compare", "export"]),
    ("Data", &["data"]),
];

const EXAMPLES: &str = "Examples:
  doublepu run experiments/smoke.yaml
  doublepu check results/runs/ci --baseline results/baselines/ci.csv
  doublepu compare results/runs/before results/runs/after";

/// The command line, with its verbs grouped in the help.
fn command() -> Command {
    let command = Cli::command();
    let line = |name: &&str| {
        let about = command.find_subcommand(name).and_then(Command::get_about);
        format!("  {name:<12}{}\n", about.cloned().unwrap_or_default())
    };
    let group = |(title, names): (&str, &[&str])| format!("{title}:\n{}\n", names.iter().map(line).collect::<String>());
    let groups: String = GROUPS.into_iter().map(group).collect();
    let template = format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{groups}Options:\n{{options}}\n\n{EXAMPLES}\n\n`doublepu VERB --help` \
         lists the options of a verb.{{after-help}}"
    );
    command.help_template(template)
}

/// Executes the command in the arguments of the process. Help, or an error in the arguments, ends the process.
pub fn run() -> Exit {
    boundary::guarded(|| {
        let matches = command().try_get_matches().unwrap_or_else(|error| arguments::end_with(error));
        let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| arguments::end_with(error));
        cli.verb.execute().unwrap_or_else(|stop| {
            complain_as_is(&stop.message);
            stop.exit
        })
    })
}

impl Verb {
    fn execute(&self) -> Result<Exit, Stop> {
        start_threads(self.jobs())?;
        match self {
            Verb::Run(verb) => verb.execute(),
            Verb::Plan(verb) => verb.execute(),
            Verb::Validate(verb) => verb.execute(),
            Verb::Schema => {
                say(&serde_json::to_string_pretty(&crate::spec::schema()).unwrap_or_default());
                Ok(Exit::Done)
            }
            Verb::Methods => methods::list(),
            Verb::TryMethod(verb) => verb.execute(),
            Verb::Report(verb) => verb.execute(),
            Verb::Merge(verb) => verb.execute(),
            Verb::Check(verb) => verb.execute(),
            Verb::Accept(verb) => verb.execute(),
            Verb::Verify(verb) => verb.execute(),
            Verb::Compare(verb) => verb.execute(),
            Verb::Export(verb) => verb.execute(),
            Verb::Data(verb) => verb.execute(),
        }
    }

    /// The number of threads; 0 for one on each core.
    fn jobs(&self) -> usize {
        match self {
            Verb::Run(verb) => verb.jobs(),
            _ => 0,
        }
    }
}

/// Prints results to stdout. A closed pipe is ignored; any other failure ends the program.
fn say(text: &str) {
    match writeln!(std::io::stdout().lock(), "{}", visible(text)) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            complain(&format!("error: stdout cannot be written: {error}"));
            std::process::exit(Exit::BadResults as i32);
        }
        _ => {}
    }
}

/// Prints progress and errors to stderr.
fn complain(text: &str) {
    complain_as_is(&visible(text));
}

/// Prints to stderr what may have colours, and is otherwise visible already.
fn complain_as_is(text: &str) {
    // A failure of stderr cannot be reported anywhere.
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

fn colour_on_stderr() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// The number of finished cells; drawn only on a terminal.
fn progress_bar(cells: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} cells, {rate} a second, {eta} left")
        .unwrap_or(ProgressStyle::default_bar())
        .with_key("rate", |state: &ProgressState, text: &mut dyn std::fmt::Write| {
            // Writing to memory cannot fail.
            let _ = write!(text, "{:.1}", state.per_sec());
        });
    ProgressBar::new(cells as u64).with_style(style)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_names_every_verb_in_one_group() {
        let command = command();
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        assert_eq!(grouped, names, "every verb is in one group, in the order of the groups");
        let help = command.clone().render_help().to_string();
        for verb in command.get_subcommands() {
            let line = format!("\n  {:<12}{}\n", verb.get_name(), verb.get_about().unwrap());
            assert!(help.contains(&line), "{line}: {help}");
        }
    }

    #[test]
    fn every_help_ends_with_examples_that_can_be_parsed() {
        let command = command();
        let verbs = command.get_subcommands().chain(command.find_subcommand("data").unwrap().get_subcommands());
        let of_verb = |verb: &Command| verb.get_after_help().unwrap().to_string().replace("Example: ", "");
        let examples: Vec<String> = EXAMPLES.lines().skip(1).map(String::from).chain(verbs.map(of_verb)).collect();
        assert_eq!(examples.len(), 3 + 14 + 3);
        for example in examples {
            let words = example.split(" > ").next().unwrap().split_whitespace();
            command.clone().try_get_matches_from(words).unwrap_or_else(|error| panic!("{example}: {error}"));
        }
    }
}
