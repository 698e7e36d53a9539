//! Stored results, derived again: the cells from the data, and every file from the journal.

use crate::analysis::{Findings, Results};
use crate::data::sha256;
use crate::external::Session;
use crate::proof::{Difference, difference};
use crate::report::{ReportError, make};
use crate::run::{
    Contents, Data, Manifest, Outcome, RunError, StoredRun, by_split, environment, run_group, scatters,
    start_externals, threads,
};
use crate::sample::stream;
use crate::spec::{Cell, Experiment};
use rand::seq::SliceRandom;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

const RUN_AGAIN: &str = "run it again, which writes the report again";

/// Which cells are computed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    All,
    /// So many, drawn by a seed: as different in their methods and settings as possible.
    Drawn {
        cells: usize,
        seed: u64,
    },
}

impl Sample {
    /// A sample that nobody can predict.
    pub fn random(cells: usize) -> Self {
        // Short enough to type again.
        Sample::Drawn { cells, seed: RandomState::new().hash_one(()) % 1_000_000_000 }
    }
}

/// What was the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    pub cells: usize,
    /// All cells of the experiment.
    pub all: usize,
    pub not_done: usize,
    /// The number of files of the report that were derived again.
    pub files: usize,
    /// What the folder says and nothing here can derive.
    pub unverified: Vec<String>,
}

/// Computes stored cells again, derives all other files of the run folder from the journal, and compares everything.
///
/// Each cell is computed twice: on one thread, in reverse order, with nothing shared between cells; and on several threads,
/// in random order, with cells sharing their split. `on_done` is called after every cell of either pass.
///
/// `moved` are data files that are not where the run had them.
pub fn verify(
    run: &Path,
    moved: &[PathBuf],
    sample: Sample,
    on_done: impl Fn(usize, usize) + Sync,
) -> Result<Verified, ReportError> {
    let stored = StoredRun::open_with_data(run, moved)?;
    let (StoredRun { manifest, plan, contents, .. }, experiment) = (&stored, &stored.manifest.experiment);
    let data = Data::load_again(experiment, &manifest.data).map_err(RunError::from)?;
    let mut unverified = vec![
        "the times of cells and commands".to_string(),
        "the recorded commands, commits, compilers, systems and processors: the seals show a changed line, but not a journal \
         that was written anew as a whole"
            .to_string(),
    ];
    verify_journal(&stored, &mut unverified)?;
    let done: Vec<&Cell> = plan.cells.iter().filter(|cell| contents.outcome(&cell.id).is_some()).collect();
    if done.is_empty() {
        return Err(RunError::at(run, "none of its cells is done", "run it first").into());
    }
    let cells = chosen(&done, sample);
    if cells.len() < done.len() {
        unverified.push(format!(
            "the results of the other {} cells (--all computes all of them again)",
            done.len() - cells.len()
        ));
    }
    verify_cells(&stored, &data, &cells, on_done)?;
    let files = verify_files(&stored, &data, &mut unverified)?;
    let all = plan.cells.len();
    Ok(Verified { cells: cells.len(), all, not_done: all - done.len(), files, unverified })
}

/// Checks the seals of the journal, and that the manifest is the one that the journal records.
fn verify_journal(stored: &StoredRun, unverified: &mut Vec<String>) -> Result<(), RunError> {
    let StoredRun { folder, contents: Contents { seals, manifest_sha256, .. }, .. } = stored;
    let again = "restore it; or run it again with --fresh";
    if let Some((first, last)) = seals.broken {
        let problem = format!("lines {first} to {last} of journal.jsonl are not those that were written");
        return Err(RunError::at(folder, problem, again));
    }
    match manifest_sha256 {
        Some(recorded) if *recorded == Manifest::stored_sha256(folder)? => {}
        Some(_) => {
            let problem = "manifest.json is not the one that was written";
            return Err(RunError::at(folder, problem, RUN_AGAIN));
        }
        None => {
            unverified.push("the journal and the manifest, which an earlier version wrote without seals".to_string())
        }
    }
    if let Some(reason) = stored.unfinished() {
        unverified.push(format!("whether these are the results of the last command: {reason}"));
    }
    Ok(())
}

/// Computes cells again and compares them with the stored outcomes.
fn verify_cells(
    stored: &StoredRun,
    data: &Data,
    cells: &[&Cell],
    on_done: impl Fn(usize, usize) + Sync,
) -> Result<(), RunError> {
    let (StoredRun { folder, contents, .. }, experiment) = (stored, &stored.manifest.experiment);
    {
        // A method that does not start, or has other versions, is not a difference between cells.
        let _workers = Session::begin();
        let all: Vec<&Cell> = stored.plan.cells.iter().collect();
        start_externals(experiment, cells, &all, contents)?;
    }
    let count = AtomicUsize::new(0);
    let check = |cell: &Cell, outcome: &Outcome| {
        on_done(count.fetch_add(1, Ordering::Relaxed) + 1, 2 * cells.len());
        contents.outcome(&cell.id).and_then(|stored| difference(experiment, cell, stored, outcome))
    };
    let reversed = cells.iter().rev().map(|cell| vec![*cell]).collect();
    let jobs = std::thread::available_parallelism().map_or(2, usize::from).max(2);
    for (groups, jobs, how) in [
        (reversed, 1, "on one thread, in reverse order".to_string()),
        (shuffled(by_split(cells.iter().copied())), jobs, format!("on {jobs} threads, in random order")),
    ] {
        if let Some(difference) = repeat(experiment, data, &groups, jobs, check)? {
            let (cell, name) = (&difference.cell, &difference.name);
            let column = difference.text([" is stored, ", " was computed"]);
            let problem = format!("cell {cell} ({name}) differs in {column}, {how}");
            let remedy =
                "the manifest and `doublepu compare` show what computed the stored results; --fresh runs them again";
            return Err(RunError::at(folder, problem, remedy));
        }
    }
    Ok(())
}

/// Derives the manifest and all files of the report from the journal, and compares their bytes. Returns the number of files.
fn verify_files(stored: &StoredRun, data: &Data, unverified: &mut Vec<String>) -> Result<usize, ReportError> {
    let StoredRun { folder, manifest, plan, contents } = stored;
    let experiment = &manifest.experiment;
    let results = Results::gather(experiment, plan, |id| contents.outcome(id));
    if manifest.shard.is_some() || results.cells.len() < plan.cells.len() {
        return if manifest.files.is_empty() {
            Ok(0)
        } else {
            Err(RunError::at(folder, "the report does not belong to the cells in the journal", RUN_AGAIN).into())
        };
    }
    let derived = Manifest::new(experiment, plan, data.files(), contents, &manifest.command)?;
    if derived.records_sha256 != manifest.records_sha256 || derived.computed_by != manifest.computed_by {
        return Err(RunError::at(folder, "the report does not belong to the cells in the journal", RUN_AGAIN).into());
    }
    let files = make(&Findings::of(&results), manifest, &scatters(experiment, data))?;
    let differs = different_files(folder, manifest, &files);
    if differs.is_empty() {
        return Ok(files.len());
    }
    if manifest.written_by.is_same_build(&environment()) {
        return Err(RunError::at(folder, format!("{} is missing or has changed", differs[0]), RUN_AGAIN).into());
    }
    let names = differs.join(", ");
    unverified.push(format!("what another build of doublepu wrote and this one would write differently: {names}"));
    Ok(files.len() - differs.len())
}

/// The files of a report that are not as they should be, in the folder or in the list of the manifest.
fn different_files(folder: &Path, manifest: &Manifest, files: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let names: BTreeSet<&String> = files.keys().chain(manifest.files.keys()).collect();
    let changed: Vec<&str> = manifest.changed_files(folder);
    let is_derived = |name: &String| {
        let hash = files.get(name).map(|bytes| sha256(bytes));
        hash.is_some() && manifest.files.get(name) == hash.as_ref() && !changed.contains(&name.as_str())
    };
    names.into_iter().filter(|name| !is_derived(name)).cloned().collect()
}

/// The cells of a sample, in the order of the plan.
fn chosen<'a>(done: &[&'a Cell], sample: Sample) -> Vec<&'a Cell> {
    let Sample::Drawn { cells, seed } = sample else { return done.to_vec() };
    if cells >= done.len() {
        return done.to_vec();
    }
    let mut random = stream(&["verify", &format!("seed {seed}")]);
    // The cells of each result row, in random order.
    let mut rows: Vec<Vec<&Cell>> = done.chunk_by(|a, b| a.line() == b.line()).map(<[_]>::to_vec).collect();
    rows.iter_mut().for_each(|cells| cells.shuffle(&mut random));
    rows.shuffle(&mut random);
    // Every row once before any row twice, and among them the method and the setting that were drawn least often.
    let most = |index: fn(&Cell) -> usize| rows.iter().map(|cells| index(cells[0]) + 1).max().unwrap_or(0);
    let (mut methods, mut settings) = (vec![0; most(|cell| cell.method)], vec![0; most(|cell| cell.setting)]);
    let mut turns = vec![0; rows.len()];
    let mut drawn = BTreeSet::new();
    for _ in 0..cells {
        let often = |row: &usize| (turns[*row], methods[rows[*row][0].method] + settings[rows[*row][0].setting]);
        let open = (0..rows.len()).filter(|row| turns[*row] < rows[*row].len());
        let Some(row) = open.min_by_key(often) else { break };
        let cell = rows[row][turns[row]];
        turns[row] += 1;
        methods[cell.method] += 1;
        settings[cell.setting] += 1;
        drawn.insert(&*cell.id);
    }
    done.iter().copied().filter(|cell| drawn.contains(&*cell.id)).collect()
}

fn shuffled(mut groups: Vec<Vec<&Cell>>) -> Vec<Vec<&Cell>> {
    let mut random = stream(&["verify", "order"]);
    groups.shuffle(&mut random);
    groups.iter_mut().for_each(|cells| cells.shuffle(&mut random));
    groups
}

/// Computes groups of cells, each of one split, until one differs from its stored outcome.
fn repeat(
    experiment: &Experiment,
    data: &Data,
    groups: &[Vec<&Cell>],
    jobs: usize,
    check: impl Fn(&Cell, &Outcome) -> Option<Difference> + Sync,
) -> Result<Option<Difference>, RunError> {
    let found = OnceLock::new();
    let is_well = |cell: &Cell, outcome: Outcome| match check(cell, &outcome) {
        None => true,
        Some(difference) => {
            found.get_or_init(|| difference);
            false
        }
    };
    threads(jobs)?.install(|| {
        let _workers = Session::begin();
        let groups = groups.par_iter().with_max_len(1);
        groups.for_each(|cells| run_group(experiment, data, cells, |_| found.get().is_none(), is_well));
    });
    Ok(found.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_spread_over_methods_and_settings_and_repeated_by_its_seed() {
        let cells: Vec<Cell> = (0..4 * 6 * 3 * 5)
            .map(|index| Cell {
                id: format!("{index}"),
                setting: index / 90,
                method: index / 15 % 6,
                prior: Some(index / 5 % 3),
                seed: index as u32 % 5 + 1,
            })
            .collect();
        let done: Vec<&Cell> = cells.iter().collect();
        let mut samples = BTreeSet::new();
        for seed in 0..20 {
            let drawn = chosen(&done, Sample::Drawn { cells: 12, seed });
            let count = |of: &dyn Fn(&Cell) -> usize, index| drawn.iter().filter(|cell| of(cell) == index).count();
            assert!((0..6).all(|method| count(&|cell| cell.method, method) == 2), "{seed}");
            assert!((0..4).all(|setting| count(&|cell| cell.setting, setting) == 3), "{seed}");
            let ids: Vec<&str> = drawn.iter().map(|cell| &*cell.id).collect();
            assert_eq!(chosen(&done, Sample::Drawn { cells: 12, seed }), drawn);
            samples.insert(ids);
        }
        assert_eq!(samples.len(), 20);
        // A row is drawn twice only after every other was drawn once.
        let drawn = chosen(&done, Sample::Drawn { cells: 72, seed: 1 });
        assert_eq!(drawn.iter().map(|cell| cell.line()).collect::<BTreeSet<_>>().len(), 72);
        assert_eq!(chosen(&done, Sample::Drawn { cells: 1000, seed: 1 }).len(), cells.len());
    }
}
