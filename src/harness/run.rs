//! From a spec to a report, or to a part of the cells.

use crate::analysis::Results;
use crate::external::Session;
use crate::harness::{Concluded, Event, Found, Listener, complete, conclude};
use crate::report::ReportError;
use crate::run::{self, AttemptEnd, Data, Manifest, RunEnd, RunError, Shard, Start, Store};
use crate::spec::{Cell, Experiment, Plan};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Where and how an experiment is run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    pub folder: PathBuf,
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

/// Runs the missing cells of a folder on the current thread pool, and writes the report. Returns the number of failed cells, or `None` after `stop`.
pub fn run(
    experiment: &Experiment,
    options: &RunOptions,
    stop: &AtomicBool,
    listen: Listener,
) -> Result<Option<usize>, ReportError> {
    let mut computed = compute(experiment, options, stop, listen)?;
    match computed.end {
        RunEnd::Interrupted => {
            computed.store.end(AttemptEnd::Interrupted)?;
            Ok(None)
        }
        RunEnd::Complete => report(experiment, options, &mut computed, listen).map(Some),
    }
}

/// Records in a run folder that a command failed before it could use the folder. Otherwise `doublepu check` would take
/// earlier results for those of this command.
pub fn record_failure(folder: &Path, command: &str) {
    if run::is_run_folder(folder) {
        // A folder in use, or with a damaged journal, does not pass a check either.
        let _ = Store::open(folder, Start::Resume).and_then(|mut store| store.begin(command));
    }
}

/// Runs the missing cells of a folder on the current thread pool, without a report.
pub fn compute(
    experiment: &Experiment,
    options: &RunOptions,
    stop: &AtomicBool,
    listen: Listener,
) -> Result<Computed, RunError> {
    let data = Data::load(experiment).inspect_err(|_| record_failure(&options.folder, &options.command))?;
    let plan = data.plan(experiment);
    if options.shard.is_some() {
        refuse_another_report(&options.folder, experiment)?;
    }
    let store = Store::open(&options.folder, options.start)?;
    let mut computed = Computed { data, plan, store, end: RunEnd::Complete };
    let manifest = computed.manifest(experiment, options)?;
    let Computed { data, plan, store, end } = &mut computed;
    let cells = cells_of(options.shard, plan);
    let found = Found::of(store, &cells, experiment);
    let Found { done, .. } = found;
    let is_settled = done == cells.len() && store.contents().is_settled();
    if !is_settled {
        store.begin(&options.command)?;
    }
    // The manifest describes the stored journal until a fresh one replaces it.
    if !is_settled && !store.has_older_results() {
        manifest.write_ahead(&options.folder)?.map_or(Ok(()), |sha256| store.record_manifest(sha256))?;
    }
    listen(Event::Found { store, found });
    let _workers = Session::begin();
    let pending: Vec<&Cell> =
        cells.iter().copied().filter(|cell| !store.holds(&cell.id, &experiment.metrics)).collect();
    let all: Vec<&Cell> = plan.cells.iter().collect();
    run::start_externals(experiment, &pending, &all, store.contents())?;
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
    computed: &mut Computed,
    listen: Listener,
) -> Result<usize, ReportError> {
    let (RunOptions { folder, shard, .. }, Computed { data, plan, store, .. }) = (options, &*computed);
    let gather = || Results::gather(experiment, plan, |id| store.outcome(id));
    let (results, manifest) = rayon::join(gather, || computed.manifest(experiment, options));
    let (manifest, all) = (manifest?, plan.cells.len());
    let concluded = if shard.is_some() && results.cells.len() < all {
        let manifest = manifest.write_ahead(folder)?;
        store.require_in_place()?;
        listen(Event::ShardComplete { results: &results, folder, cells: cells_of(*shard, plan).len(), all });
        Concluded { failed: results.failed(), manifest }
    } else {
        // When shards share a folder, the last one completes the run.
        let manifest = Manifest { shard: None, ..manifest };
        conclude(folder, &results, manifest, &run::scatters(experiment, data), store, listen)?
    };
    concluded.record(&mut computed.store)
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
