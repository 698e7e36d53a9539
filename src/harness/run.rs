//! From a spec to a report, or to a part of the cells.

use crate::analysis::Results;
use crate::harness::{Event, Listener, complete, conclude};
use crate::report::ReportError;
use crate::run::{self, Data, Manifest, RunEnd, RunError, Shard, Start, Store};
use crate::spec::{Cell, Experiment, Plan};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Where and how an experiment is run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    pub folder: PathBuf,
    /// The number of cells that are computed at a time.
    pub jobs: usize,
    /// A part of the cells; `None` for all.
    pub shard: Option<Shard>,
    pub start: Start,
    /// The command that gives the same results; the manifest records it.
    pub command: String,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Running {
    /// By `stop`; finished cells are kept.
    Interrupted,
    /// With the number of failed cells.
    Complete { failed: usize },
}

/// Where the results of an experiment are by default.
pub fn default_folder(experiment: &Experiment) -> PathBuf {
    Path::new("results").join("runs").join(&experiment.name)
}

/// The cells of a folder after a run.
pub struct Computed {
    pub data: Data,
    pub plan: Plan,
    pub store: Store,
    /// With [`RunEnd::Interrupted`], some cells are missing.
    pub end: RunEnd,
}

/// Runs the missing cells of a folder, and writes the report. After `stop` is set, no more cells are started.
pub fn run(
    experiment: &Experiment,
    options: &RunOptions,
    stop: &AtomicBool,
    listen: Listener,
) -> Result<Running, ReportError> {
    run::threads(options.jobs)?.install(|| {
        let computed = compute(experiment, options, stop, listen)?;
        match computed.end {
            RunEnd::Interrupted => Ok(Running::Interrupted),
            RunEnd::Complete => Ok(Running::Complete { failed: report(experiment, options, &computed, listen)? }),
        }
    })
}

/// Runs the missing cells of a folder on the current thread pool, without a report.
pub fn compute(
    experiment: &Experiment,
    options: &RunOptions,
    stop: &AtomicBool,
    listen: Listener,
) -> Result<Computed, RunError> {
    let data = Data::load(experiment)?;
    let plan = data.plan(experiment);
    if options.shard.is_some() {
        refuse_another_report(&options.folder, experiment)?;
    }
    let mut store = Store::open(&options.folder, options.start)?;
    // The manifest describes the stored journal until a fresh one replaces it.
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

/// Writes the report of a complete run, or only the manifest for a shard. Returns the number of failed cells.
fn report(
    experiment: &Experiment,
    options: &RunOptions,
    Computed { data, plan, store, .. }: &Computed,
    listen: Listener,
) -> Result<usize, ReportError> {
    let RunOptions { folder, shard, .. } = options;
    let gather = || Results::gather(experiment, plan, |id| store.outcome(id));
    let (results, manifest) = rayon::join(gather, || manifest(experiment, options, plan, data, store));
    let manifest = manifest?;
    let all = plan.cells.len();
    if shard.is_some() && results.cells.len() < all {
        manifest.write_ahead(folder)?;
        listen(Event::ShardComplete { results: &results, folder, cells: cells_of(*shard, plan).len(), all });
        return Ok(results.failed());
    }
    // When shards share a folder, the last one completes the run.
    let manifest = Manifest { shard: None, ..manifest };
    conclude(folder, &results, manifest, &run::scatters(experiment, data), listen)
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
) -> Result<Manifest, RunError> {
    let manifest = Manifest::new(experiment, plan, data.files(), store.contents(), &options.command)?;
    Ok(Manifest { shard: options.shard, ..manifest })
}

fn execute(
    experiment: &Experiment,
    cells: &[&Cell],
    data: &Data,
    store: &mut Store,
    stop: &AtomicBool,
    listen: Listener,
) -> Result<RunEnd, RunError> {
    let done = cells.iter().filter(|cell| store.holds(&cell.id, &experiment.metrics)).count();
    let outcomes = cells.iter().filter_map(|cell| store.outcome(&cell.id));
    listen(Event::Found {
        journal: store.journal(),
        torn: store.contents().torn.as_ref(),
        cells: cells.len(),
        done,
        failed: outcomes.filter(|outcome| outcome.result.is_err()).count(),
        keeps_older: store.has_older_results(),
    });
    if done == cells.len() {
        return Ok(RunEnd::Complete);
    }
    listen(Event::Computing { cells: cells.len(), done });
    let end = run::execute(experiment, cells, data, store, stop, |cells| listen(Event::Stored(cells)));
    listen(Event::Computed);
    end
}

/// Refuses a folder with the report of another experiment: a shard beside it would seem to be a part of that.
fn refuse_another_report(folder: &Path, experiment: &Experiment) -> Result<(), RunError> {
    match Manifest::read(folder) {
        Ok(stored) if !stored.files.is_empty() && stored.spec_sha256 != run::spec_sha256(experiment)? => {
            let problem = format!("{} holds the report of another experiment", folder.display());
            Err(RunError::refused(problem, "give another folder with --out"))
        }
        _ => Ok(()),
    }
}
