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
    /// The number of cells that are computed at a time; 0 for the number of cores.
    pub jobs: usize,
    /// A part of the cells; `None` for all.
    pub shard: Option<Shard>,
    pub start: Start,
    /// The command that gives the same results; the manifest records it.
    pub command: String,
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

impl Computed {
    fn manifest(&self, experiment: &Experiment, options: &RunOptions) -> Result<Manifest, RunError> {
        let Computed { data, plan, store, .. } = self;
        let manifest = Manifest::new(experiment, plan, data.files(), store.contents(), &options.command)?;
        Ok(Manifest { shard: options.shard, ..manifest })
    }
}

/// Runs the missing cells of a folder, and writes the report. Returns the number of failed cells, or `None` after `stop`.
pub fn run(
    experiment: &Experiment,
    options: &RunOptions,
    stop: &AtomicBool,
    listen: Listener,
) -> Result<Option<usize>, ReportError> {
    run::threads(options.jobs)?.install(|| {
        let computed = compute(experiment, options, stop, listen)?;
        match computed.end {
            RunEnd::Interrupted => Ok(None),
            RunEnd::Complete => report(experiment, options, &computed, listen).map(Some),
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
    let store = Store::open(&options.folder, options.start)?;
    let mut computed = Computed { data, plan, store, end: RunEnd::Complete };
    // The manifest describes the stored journal until a fresh one replaces it.
    if !computed.store.has_older_results() {
        computed.manifest(experiment, options)?.write_ahead(&options.folder)?;
    }
    let Computed { data, plan, store, end } = &mut computed;
    let cells = cells_of(options.shard, plan);
    let done = cells.iter().filter(|cell| store.holds(&cell.id, &experiment.metrics)).count();
    let outcomes = cells.iter().filter_map(|cell| store.outcome(&cell.id));
    let failed = outcomes.filter(|outcome| outcome.result.is_err()).count();
    listen(Event::Found { store, cells: cells.len(), done, failed });
    if done < cells.len() {
        listen(Event::Computing { cells: cells.len(), done });
        let ended = run::execute(experiment, &cells, data, store, stop, |cells| listen(Event::Stored(cells)));
        listen(Event::Computed);
        *end = ended?;
    }
    if *end == RunEnd::Complete {
        complete(store, listen)?;
    }
    Ok(computed)
}

/// Writes the report of a complete run, or only the manifest for a shard. Returns the number of failed cells.
fn report(
    experiment: &Experiment,
    options: &RunOptions,
    computed: &Computed,
    listen: Listener,
) -> Result<usize, ReportError> {
    let (RunOptions { folder, shard, .. }, Computed { data, plan, store, .. }) = (options, computed);
    let gather = || Results::gather(experiment, plan, |id| store.outcome(id));
    let (results, manifest) = rayon::join(gather, || computed.manifest(experiment, options));
    let (manifest, all) = (manifest?, plan.cells.len());
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

/// Refuses a folder with the report of another experiment: a shard in it would seem to be a part of that.
fn refuse_another_report(folder: &Path, experiment: &Experiment) -> Result<(), RunError> {
    match Manifest::read(folder) {
        Ok(stored) if !stored.files.is_empty() && stored.spec_sha256 != run::spec_sha256(experiment)? => {
            Err(RunError::at(folder, "holds the report of another experiment", "give another folder with --out"))
        }
        _ => Ok(()),
    }
}
