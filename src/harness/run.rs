//! From a spec to a report, or to a part of the cells.

use crate::analysis::Results;
use crate::harness::{Event, HarnessError, Listener, complete, conclude};
use crate::run::{self, Data, Manifest, RunEnd, Shard, Start, Store, StoreError, Torn};
use crate::spec::{Cell, Experiment, Plan};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Where and how an experiment is run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    pub folder: PathBuf,
    /// How many cells are computed at a time.
    pub jobs: usize,
    /// A part of the cells; `None` for all.
    pub shard: Option<Shard>,
    pub start: Start,
    /// What a reader types to get the same results; the manifest records it.
    pub command: String,
}

/// What a run folder holds before any cell is computed.
pub struct Found<'a> {
    pub journal: &'a Path,
    /// The end of the journal, if a crash left it incomplete.
    pub torn: Option<&'a Torn>,
    pub cells: usize,
    pub done: usize,
    /// Cells that failed earlier and are computed again.
    pub failed: usize,
    /// Whether earlier results stay in place until all cells have run again.
    pub keeps_older: bool,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Running {
    /// By `stop`; what is done is kept.
    Interrupted,
    /// So many cells failed.
    Complete { failed: usize },
}

/// Where the results of an experiment are, unless a command names another folder.
pub fn default_folder(experiment: &Experiment) -> PathBuf {
    Path::new("results").join("runs").join(&experiment.name)
}

/// The cells of a folder after a run.
pub struct Computed {
    pub data: Data,
    pub plan: Plan,
    pub store: Store,
    /// With [`RunEnd::Interrupted`], cells are left to do.
    pub end: RunEnd,
}

/// Runs the cells that a folder lacks, and writes the report. After `stop` is set, no more cells are begun.
pub fn run(
    experiment: &Experiment,
    options: &RunOptions,
    stop: &AtomicBool,
    listen: Listener,
) -> Result<Running, HarnessError> {
    let pool = run::threads(options.jobs)?;
    pool.install(|| {
        let computed = compute(experiment, options, stop, listen)?;
        match computed.end {
            RunEnd::Interrupted => Ok(Running::Interrupted),
            RunEnd::Complete => {
                let failed = report(experiment, options, &computed, listen)?;
                Ok(Running::Complete { failed })
            }
        }
    })
}

/// Runs the cells that a folder lacks on the current thread pool, without a report.
pub fn compute(
    experiment: &Experiment,
    options: &RunOptions,
    stop: &AtomicBool,
    listen: Listener,
) -> Result<Computed, HarnessError> {
    let data = Data::load(experiment)?;
    let plan = data.plan(experiment);
    if options.shard.is_some() {
        refuse_another_report(&options.folder, experiment)?;
    }
    let mut store = Store::open(&options.folder, options.start)?;
    // The manifest belongs to the journal that is there, until a fresh one replaces it.
    if !store.has_older_results() {
        manifest(experiment, options, &plan, &data, &store)?.write_ahead(&options.folder)?;
    }
    let cells = cells_of(options.shard, &plan);
    let end = execute(experiment, &cells, &data, &mut store, stop, listen)?;
    if end == RunEnd::Complete {
        complete(&mut store, listen)?;
    }
    Ok(Computed { data, plan, store, end })
}

/// Writes the report of a complete run; of a shard only the manifest. Returns the number of failed cells.
fn report(
    experiment: &Experiment,
    options: &RunOptions,
    Computed { data, plan, store, .. }: &Computed,
    listen: Listener,
) -> Result<usize, HarnessError> {
    let RunOptions { folder, shard, .. } = options;
    let gather = || Results::gather(experiment, plan, |id| store.outcome(id));
    let describe = || manifest(experiment, options, plan, data, store);
    let (results, manifest) = rayon::join(gather, describe);
    let manifest = manifest?;
    if shard.is_some() && results.cells.len() < plan.cells.len() {
        manifest.write_ahead(folder)?;
        let (cells, all) = (cells_of(*shard, plan).len(), plan.cells.len());
        listen(Event::ShardComplete { results: &results, folder, cells, all });
        return Ok(results.failed());
    }
    // The last shard to be complete in a folder of all makes the whole.
    let manifest = Manifest { shard: None, ..manifest };
    let scatters = run::scatters(experiment, data);
    Ok(conclude(folder, &results, manifest, &scatters, listen)?)
}

fn cells_of(shard: Option<Shard>, plan: &Plan) -> Vec<&Cell> {
    plan.cells.iter().filter(|cell| shard.is_none_or(|shard| shard.has(cell))).collect()
}

fn manifest(
    experiment: &Experiment,
    options: &RunOptions,
    plan: &Plan,
    data: &Data,
    store: &Store,
) -> Result<Manifest, StoreError> {
    let manifest = Manifest::new(experiment, plan, data.files(), store.contents(), options.command.clone())?;
    Ok(Manifest { shard: options.shard, ..manifest })
}

fn execute(
    experiment: &Experiment,
    cells: &[&Cell],
    data: &Data,
    store: &mut Store,
    stop: &AtomicBool,
    listen: Listener,
) -> Result<RunEnd, StoreError> {
    let done = cells.iter().filter(|cell| store.holds(&cell.id, &experiment.metrics)).count();
    let is_failed = |cell: &&&Cell| store.outcome(&cell.id).is_some_and(|outcome| outcome.result.is_err());
    listen(Event::Found(Found {
        journal: store.journal(),
        torn: store.contents().torn.as_ref(),
        cells: cells.len(),
        done,
        failed: cells.iter().filter(is_failed).count(),
        keeps_older: store.has_older_results(),
    }));
    if done == cells.len() {
        return Ok(RunEnd::Complete);
    }
    listen(Event::Computing { cells: cells.len(), done });
    let end = run::execute(experiment, cells, data, store, stop, |cells| listen(Event::Stored(cells)));
    listen(Event::Computed);
    end
}

/// Refuses a folder with the report of another experiment: a shard beside it would be taken for a part of that.
fn refuse_another_report(folder: &Path, experiment: &Experiment) -> Result<(), StoreError> {
    match Manifest::read(folder) {
        Ok(there) if !there.files.is_empty() && there.spec_sha256 != run::spec_sha256(experiment)? => {
            Err(StoreError::OtherReport { folder: folder.to_path_buf() })
        }
        _ => Ok(()),
    }
}
