//! `doublepu run`

use crate::cli::listener::{Printer, exit_after};
use crate::cli::shard::ShardArgument;
use crate::cli::{Exit, SpecArguments, Stop, complain, say};
use crate::harness::{self, Event, RunOptions, Running, default_folder};
use crate::run::{Shard, Start};
use crate::spec::Experiment;
use crate::text::quoted;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Debug, clap::Args)]
pub struct Run {
    #[command(flatten)]
    spec: SpecArguments,
    /// How many cells to run at a time; all cores if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Where to write; results/runs/<experiment> if left out, for a shard a folder below it
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Run one of N parts of the cells, to be merged later; auto asks Slurm (or, as auto/N, Kubernetes) which
    #[arg(long, value_name = "I/N")]
    shard: Option<ShardArgument>,
    /// Run every cell again; earlier results are kept until all are done. To go on after a stop, leave it out
    #[arg(long)]
    fresh: bool,
}

impl Run {
    pub fn carry_out(&self) -> Result<Exit, Stop> {
        let signal = StopSignal::listen();
        let experiment = self.spec.read()?;
        let shard = self.shard.map(|shard| shard.resolve(|name| std::env::var(name).ok())).transpose()?;
        let folder = self.folder(&experiment, shard);
        let start = if self.fresh { Start::Fresh } else { Start::Resume };
        let options = RunOptions { folder, jobs: self.jobs(), shard, start, command: self.command() };
        let printer = Printer::default();
        let listen = |event: Event| {
            match &event {
                Event::Computing { .. } => signal.executing.store(true, Ordering::Relaxed),
                Event::Computed => signal.executing.store(false, Ordering::Relaxed),
                Event::ShardComplete { results, folder, cells, all } => {
                    self.print_shard(shard, results.experiment, folder, *cells, *all);
                }
                _ => {}
            }
            printer.hear(event);
        };
        match harness::run(&experiment, &options, &signal.stop, &listen)? {
            Running::Complete { failed } => Ok(exit_after(failed)),
            Running::Interrupted => {
                complain(&format!("Interrupted. What is done is kept in {}; to go on:", options.folder.display()));
                complain(&format!("  {}", self.whole_command()));
                Ok(Exit::Interrupted)
            }
        }
    }

    fn folder(&self, experiment: &Experiment, shard: Option<Shard>) -> PathBuf {
        self.out.clone().unwrap_or_else(|| {
            let folder = default_folder(experiment);
            shard.map_or(folder.clone(), |shard| folder.join(shard.folder()))
        })
    }

    fn print_shard(&self, shard: Option<Shard>, experiment: &Experiment, folder: &Path, cells: usize, all: usize) {
        let Some(shard) = shard else { return };
        let (whole, folder) = (default_folder(experiment), folder.display());
        let whole = whole.display();
        say(&format!(
            "{}: shard {shard} is complete, {cells} of {all} cells, in {folder}. When all shards are:\n",
            experiment.name
        ));
        say(&match self.out {
            Some(_) => "  doublepu merge DIR... --out DIR".to_string(),
            None => format!("  doublepu merge {whole}/shard-*-of-{} --out {whole}", shard.count()),
        });
    }

    fn jobs(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(cores, usize::from)
    }

    /// What a reader types to get the same results.
    fn command(&self) -> String {
        let set: String = self.spec.set.iter().map(|set| format!(" --set {}", quoted(set))).collect();
        format!("doublepu run {}{set}", quoted(&self.spec.spec.display().to_string()))
    }

    /// What goes on where this command stopped.
    fn whole_command(&self) -> String {
        let out = self.out.as_ref().map(|out| format!(" --out {}", quoted(&out.display().to_string())));
        let shard = self.shard.map(|shard| format!(" --shard {shard}"));
        format!("{}{}{}", self.command(), shard.unwrap_or_default(), out.unwrap_or_default())
    }
}

/// What Ctrl-C and SIGTERM do: stop after the cells under way; at the second time, or outside of cells, at once.
struct StopSignal {
    stop: Arc<AtomicBool>,
    executing: Arc<AtomicBool>,
}

impl StopSignal {
    fn listen() -> Self {
        let signal = StopSignal { stop: Arc::new(AtomicBool::new(false)), executing: Arc::new(AtomicBool::new(false)) };
        let (stop, executing) = (signal.stop.clone(), signal.executing.clone());
        let handler = move || {
            if stop.swap(true, Ordering::Relaxed) || !executing.load(Ordering::Relaxed) {
                std::process::exit(Exit::Interrupted as i32);
            }
            complain("\nStopping after the cells under way; press Ctrl-C again to stop at once.");
        };
        if let Err(error) = ctrlc::set_handler(handler) {
            complain(&format!("warning: Ctrl-C will not stop cleanly: {error}"));
        }
        signal
    }
}
