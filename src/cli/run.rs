//! `doublepu run`

use crate::cli::listener::Printer;
use crate::cli::shard::ShardArgument;
use crate::cli::{Exit, SpecArguments, Stop, complain, say, signals};
use crate::harness::{self, Event, RunOptions, default_folder};
use crate::run::{Shard, Start};
use crate::spec::{self, Experiment};
use crate::text::quoted;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Debug, clap::Args)]
pub struct Run {
    #[command(flatten)]
    spec: SpecArguments,
    /// The number of cells to run at a time [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// The run folder [default: results/runs/<experiment>, or for a shard a folder in it]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Run part I of N, to be merged later; auto takes both from Slurm, auto/N takes I from Slurm or Kubernetes
    #[arg(long, value_name = "I/N")]
    shard: Option<ShardArgument>,
    /// Run every cell again; earlier results are kept until all are done. Leave it out to continue a run
    #[arg(long)]
    fresh: bool,
}

/// Whether the run has been asked to stop, and whether cells are in progress.
static STOP: AtomicBool = AtomicBool::new(false);
static COMPUTING: AtomicBool = AtomicBool::new(false);

impl Run {
    pub fn execute(&self) -> Result<Exit, Stop> {
        handle_signals();
        let mut experiment = spec::read(&self.spec.spec, &self.spec.set).inspect_err(|_| {
            // Without --out, only the spec says which folder it is.
            self.out.iter().for_each(|folder| harness::record_failure(folder, &self.command()));
        })?;
        let shard = self.shard.map(|shard| shard.resolve(|name| std::env::var(name).ok())).transpose()?;
        let default =
            shard.map_or(default_folder(&experiment), |shard| default_folder(&experiment).join(shard.folder()));
        let folder = self.out.clone().unwrap_or(default);
        self.spec
            .find_data(&mut experiment, &folder)
            .inspect_err(|_| harness::record_failure(&folder, &self.command()))?;
        let start = if self.fresh { Start::Fresh } else { Start::Resume };
        let options = RunOptions { folder, shard, start, command: self.command() };
        let printer = Printer::default();
        let listen = |event: Event| {
            match &event {
                Event::Computing { .. } => COMPUTING.store(true, Ordering::Relaxed),
                Event::Computed => COMPUTING.store(false, Ordering::Relaxed),
                Event::ShardComplete { results, folder, cells, all } => {
                    self.print_shard(shard, results.experiment, folder, *cells, *all);
                }
                _ => {}
            }
            printer.print(event);
        };
        match harness::run(&experiment, &options, &STOP, &listen)? {
            Some(failed) => Ok(Exit::after(failed)),
            None => {
                let (folder, command) = (options.folder.display(), self.whole_command());
                complain(&format!("Interrupted. Finished cells are kept in {folder}; to continue:\n  {command}"));
                Ok(Exit::Interrupted)
            }
        }
    }

    /// The number of threads; 0 for one on each core.
    pub fn jobs(&self) -> usize {
        self.jobs.unwrap_or(0).into()
    }

    fn print_shard(&self, shard: Option<Shard>, experiment: &Experiment, folder: &Path, cells: usize, all: usize) {
        let Some(shard) = shard else { return };
        let (name, folder, whole) = (&experiment.name, folder.display(), default_folder(experiment));
        let merge = match self.out {
            Some(_) => "doublepu merge DIR... --out DIR".to_string(),
            None => format!("doublepu merge {0}/shard-*-of-{1} --out {0}", whole.display(), shard.count()),
        };
        say(&format!(
            "{name}: shard {shard} is complete, {cells} of {all} cells, in {folder}. When all shards are:\n\n  {merge}"
        ));
    }

    /// The command that gives the same results.
    fn command(&self) -> String {
        let set: String = self.spec.set.iter().map(|set| format!(" --set {}", quoted(set))).collect();
        let path = |path: &Path| quoted(&path.display().to_string());
        let data: String = self.spec.data.iter().map(|file| format!(" --data {}", path(file))).collect();
        format!("doublepu run {}{set}{data}", path(&self.spec.spec))
    }

    /// The command that continues this one.
    fn whole_command(&self) -> String {
        let out = self.out.as_ref().map(|out| format!(" --out {}", quoted(&out.display().to_string())));
        let shard = self.shard.map(|shard| format!(" --shard {shard}"));
        format!("{}{}{}", self.command(), shard.unwrap_or_default(), out.unwrap_or_default())
    }
}

/// Ctrl-C and SIGTERM stop after the cells in progress; the second time, or if there are none, at once.
fn handle_signals() {
    let handler = || {
        if STOP.swap(true, Ordering::Relaxed) || !COMPUTING.load(Ordering::Relaxed) {
            crate::external::kill_all();
            std::process::exit(Exit::Interrupted as i32);
        }
        complain("\nStopping after the cells in progress; press Ctrl-C again to stop at once.");
    };
    if let Err(error) = signals::on_stop(handler) {
        complain(&format!("warning: Ctrl-C will not stop cleanly: {error}"));
    }
}
