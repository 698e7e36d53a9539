//! `doublepu run`

use crate::cli::conclusion::{complete, conclude, tell_failures};
use crate::cli::shard::ShardArgument;
use crate::cli::{Exit, SpecArguments, Stop, complain, progress_bar, say};
use crate::quoted;
use crate::report::Results;
use crate::run::{self, Data, Manifest, RunEnd, Shard, Start, Store, StoreError};
use crate::spec::{Cell, Experiment, Plan};
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

pub fn default_folder(experiment: &Experiment) -> PathBuf {
    Path::new("results").join("runs").join(&experiment.name)
}

impl Run {
    pub fn carry_out(&self) -> Result<Exit, Stop> {
        let signal = StopSignal::listen();
        let experiment = self.spec.read()?;
        let shard = self.shard.map(|shard| shard.resolve(|name| std::env::var(name).ok())).transpose()?;
        let pool = run::threads(self.jobs())?;
        let data = pool.install(|| Data::load(&experiment))?;
        let plan = data.plan(&experiment);
        let folder = self.folder(&experiment, shard);
        if shard.is_some() {
            refuse_another_report(&folder, &experiment)?;
        }
        let mut store = Store::open(&folder, if self.fresh { Start::Fresh } else { Start::Resume })?;
        // The manifest belongs to the journal that is there, until a fresh one takes its place.
        if !store.has_older_results() {
            self.manifest(&experiment, &plan, &data, &store, shard)?.write_ahead(&folder)?;
        }
        let cells: Vec<&Cell> = plan.cells.iter().filter(|cell| shard.is_none_or(|shard| shard.has(cell))).collect();
        let done = tell_what_is_there(&store, &cells, &experiment);
        if self.execute(&experiment, &cells, done, &data, &mut store, &signal)? == RunEnd::Interrupted {
            complain(&format!("Interrupted. What is done is kept in {}; to go on:", folder.display()));
            complain(&format!("  {}", self.whole_command()));
            return Ok(Exit::Interrupted);
        }
        complete(&mut store)?;
        let gather = || Results::gather(&experiment, &plan, |id| store.outcome(id));
        let describe = || self.manifest(&experiment, &plan, &data, &store, shard);
        let (results, manifest) = pool.install(|| rayon::join(gather, describe));
        let manifest = manifest?;
        let exit = match shard {
            Some(shard) if results.cells.len() < plan.cells.len() => {
                manifest.write_ahead(&folder)?;
                self.conclude_shard(shard, &cells, &results, plan.cells.len())
            }
            _ => {
                let manifest = Manifest { shard: None, ..manifest };
                let scatters = run::scatters(&experiment, &data);
                pool.install(|| conclude(&folder, &results, manifest, &scatters))?
            }
        };
        drop(results);
        store.end();
        Ok(exit)
    }

    fn folder(&self, experiment: &Experiment, shard: Option<Shard>) -> PathBuf {
        self.out.clone().unwrap_or_else(|| {
            let folder = default_folder(experiment);
            shard.map_or(folder.clone(), |shard| folder.join(shard.folder()))
        })
    }

    fn manifest(
        &self,
        experiment: &Experiment,
        plan: &Plan,
        data: &Data,
        store: &Store,
        shard: Option<Shard>,
    ) -> Result<Manifest, Stop> {
        let manifest = Manifest::new(experiment, plan, data.files(), store.contents(), self.command())?;
        Ok(Manifest { shard, ..manifest })
    }

    /// A part of the cells makes no tables: they would pass for the whole.
    fn conclude_shard(&self, shard: Shard, cells: &[&Cell], results: &Results, all: usize) -> Exit {
        let whole = default_folder(results.experiment).display().to_string();
        let folder = self.folder(results.experiment, Some(shard));
        say(&format!(
            "{}: shard {shard} is complete, {} of {all} cells, in {}. When all shards are:\n",
            results.experiment.name,
            cells.len(),
            folder.display(),
        ));
        say(&match self.out {
            Some(_) => "  doublepu merge DIR... --out DIR".to_string(),
            None => format!("  doublepu merge {whole}/shard-*-of-{} --out {whole}", shard.count()),
        });
        tell_failures(results, "the merged cells.csv will list them all")
    }

    fn execute(
        &self,
        experiment: &Experiment,
        cells: &[&Cell],
        done: usize,
        data: &Data,
        store: &mut Store,
        signal: &StopSignal,
    ) -> Result<RunEnd, Stop> {
        if done == cells.len() {
            return Ok(RunEnd::Complete);
        }
        let bar = progress_bar(cells.len());
        bar.set_position(done as u64);
        bar.reset_eta();
        signal.executing.store(true, Ordering::Relaxed);
        let end =
            run::execute(experiment, cells, data, store, self.jobs(), &signal.stop, |cells| bar.inc(cells as u64));
        signal.executing.store(false, Ordering::Relaxed);
        bar.finish_and_clear();
        Ok(end?)
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

/// A part of one experiment beside the report of another would be taken for a part of that.
fn refuse_another_report(folder: &Path, experiment: &Experiment) -> Result<(), Stop> {
    match Manifest::read(folder) {
        Ok(there) if !there.files.is_empty() && there.spec_sha256 != run::spec_sha256(experiment)? => {
            Err(StoreError::OtherReport { folder: folder.to_path_buf() }.into())
        }
        _ => Ok(()),
    }
}

/// Gives how many cells are done.
fn tell_what_is_there(store: &Store, cells: &[&Cell], experiment: &Experiment) -> usize {
    if let Some(torn) = &store.contents().torn {
        let (journal, line, bytes) = (store.journal().display(), torn.line, torn.bytes);
        complain(&format!(
            "{journal}: an earlier run was cut off while it wrote; line {line}, {bytes} bytes, is dropped, and its cell \
             runs again."
        ));
    }
    let done = cells.iter().filter(|cell| store.holds(&cell.id, &experiment.metrics)).count();
    let all = cells.len();
    let failed = cells.iter().filter(|cell| store.outcome(&cell.id).is_some_and(|outcome| outcome.result.is_err()));
    let failed = failed.count();
    if done > 0 {
        complain(&format!("{done} of {all} cells are done already; --fresh runs them again."));
    }
    if failed > 0 {
        complain(&format!("{failed} of {all} cells failed earlier and are tried again."));
    }
    if store.has_older_results() && done + failed < all {
        complain("Earlier results stay as they are until every cell has run again.");
    }
    done
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
