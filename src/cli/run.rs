//! `doublepu run`

use crate::cli::{Exit, SpecArguments, Stop, complain, say};
use crate::report::{self, Comparisons, Results};
use crate::run::{self, Data, Manifest, RunEnd, Store};
use crate::spec::{Experiment, Plan};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// More failures than this are counted and not listed on the terminal.
const MOST_FAILURES: usize = 10;

#[derive(Debug, clap::Args)]
pub struct Run {
    #[command(flatten)]
    spec: SpecArguments,
    /// How many cells to run at a time; all cores if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Where to write; results/runs/<experiment> if left out
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Run every cell again, also those that are done
    #[arg(long)]
    fresh: bool,
}

pub fn default_folder(experiment: &Experiment) -> PathBuf {
    Path::new("results").join("runs").join(&experiment.name)
}

impl Run {
    pub fn carry_out(&self) -> Result<Exit, Stop> {
        let experiment = self.spec.read()?;
        let data = Data::load(&experiment)?;
        let plan = Plan::new(&experiment, &data.hashes(&experiment));
        let folder = self.out.clone().unwrap_or_else(|| default_folder(&experiment));
        let mut store = Store::open(&folder, self.fresh)?;
        store.check(&plan, experiment.metrics.len())?;
        let end = self.execute(&experiment, &plan, &data, &mut store)?;
        if end == RunEnd::Interrupted {
            complain(&format!("\nInterrupted. What is done is kept in {}; run again to go on.", folder.display()));
            return Ok(Exit::Interrupted);
        }
        let results = Results::gather(&experiment, &plan, |id| store.outcome(id));
        let manifest = Manifest::new(&experiment, &data)?;
        report::write(&folder, &results, &manifest, &run::scatters(&experiment, &data), &self.command())?;
        self.tell(&folder, &results);
        Ok(if results.has_failures() { Exit::SomeCellsFailed } else { Exit::Done })
    }

    fn execute(&self, experiment: &Experiment, plan: &Plan, data: &Data, store: &mut Store) -> Result<RunEnd, Stop> {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = self.jobs.map_or_else(cores, usize::from);
        let done = plan.cells.iter().filter(|cell| store.holds(&cell.id)).count();
        if done > 0 {
            complain(&format!("{done} of {} cells are done already; --fresh runs them again.", plan.cells.len()));
        }
        let bar = ProgressBar::new(plan.cells.len() as u64).with_style(progress_style());
        bar.set_position(done as u64);
        bar.reset_eta();
        let signal = StopSignal::listen();
        let end = run::execute(experiment, plan, data, store, jobs, &signal.stop, |cells| bar.inc(cells as u64));
        signal.executing.store(false, Ordering::Relaxed);
        bar.finish_and_clear();
        Ok(end?)
    }

    /// What a reader types to get the same.
    fn command(&self) -> String {
        let set: String = self.spec.set.iter().map(|set| format!(" --set '{set}'")).collect();
        format!("doublepu run {}{set}", self.spec.spec.display())
    }

    fn tell(&self, folder: &Path, results: &Results) {
        let experiment = results.experiment;
        say(&format!(
            "{}: ROC-AUC of W on the test part, {} seeds, {}best first\n\n{}\n",
            experiment.name,
            experiment.seeds,
            if results.has_settings() { "setting by setting and " } else { "" },
            report::terminal(results)
        ));
        let comparisons = Comparisons::of(results);
        if let Some(comparisons) = &comparisons {
            say(&format!("{}\n\n{}\n", comparisons.heading(), comparisons.table().terminal()));
        }
        for sentence in report::verdicts(results) {
            say(&format!("{sentence}\n"));
        }
        for note in results.notes() {
            say(&format!("{note}\n"));
        }
        let folder = folder.display();
        say(&format!("Wrote {folder}/report.html and, beside it, cells.csv, summary.csv, summary.md, summary.tex,"));
        let compared = comparisons.map_or("", |_| "comparisons.csv, comparisons.md, ");
        let trained = if results.has_history() { "history.csv, " } else { "" };
        say(&format!("{compared}{trained}timings.csv, manifest.json and {folder}/plots/ (SVG and PNG)."));

        let failed = results.failures();
        failed.iter().take(MOST_FAILURES).for_each(|failure| complain(&format!("failed: {failure}")));
        if failed.len() > MOST_FAILURES {
            complain(&format!("and {} more; cells.csv lists them all", failed.len() - MOST_FAILURES));
        }
    }
}

fn progress_style() -> ProgressStyle {
    ProgressStyle::with_template("{bar:30} {pos}/{len} cells, {rate} a second, {eta} left")
        .unwrap_or(ProgressStyle::default_bar())
        .with_key("rate", |state: &ProgressState, text: &mut dyn std::fmt::Write| {
            // A text cannot fail to be written to memory.
            let _ = write!(text, "{:.1}", state.per_sec());
        })
}

/// What Ctrl-C and SIGTERM do: stop after the cells under way; at the second time, or outside of cells, at once.
struct StopSignal {
    stop: Arc<AtomicBool>,
    executing: Arc<AtomicBool>,
}

impl StopSignal {
    fn listen() -> Self {
        let signal = StopSignal { stop: Arc::new(AtomicBool::new(false)), executing: Arc::new(AtomicBool::new(true)) };
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
