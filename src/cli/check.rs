//! `doublepu check`

use crate::cli::report::Format;
use crate::cli::{Exit, Stop, complain, say};
use crate::gate::{self, Builds, CheckError, Checked, show};
use crate::run::Manifest;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub struct Check {
    /// The folder of a run
    run: PathBuf,
    /// A file that `doublepu accept` wrote
    #[arg(long, value_name = "FILE")]
    baseline: PathBuf,
    /// Also judge cells that another build of doublepu computed
    #[arg(long)]
    allow_other_build: bool,
    /// Also write the findings as test cases, in JUnit's XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Also write the findings as Markdown, for a pull-request comment or a job summary
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Print a table, or everything as JSON
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

impl Check {
    pub fn execute(&self) -> Result<Exit, Stop> {
        self.refuse_to_overwrite()?;
        let outcome = gate::check(&self.run, &self.baseline, builds(self.allow_other_build));
        if std::env::var("GITHUB_ACTIONS").is_ok_and(|value| value == "true") {
            show::annotations(&outcome).iter().for_each(|line| complain(line));
        }
        let exit = outcome.as_ref().map_or_else(Exit::from, |checked| checked.verdict().into());
        match (self.format, &outcome) {
            (Format::Json, _) => say(&format!("{:#}", show::json(&outcome, exit as u8))),
            (Format::Table, Ok(checked)) => print(checked),
            (Format::Table, Err(_)) => {}
        }
        outcome.iter().flat_map(show::advice).for_each(|line| complain(&line));
        self.write_files(&outcome)?;
        outcome.map(|_| exit).map_err(Stop::from)
    }

    /// Refuses to write over the baseline, a file of the run, or another output.
    fn refuse_to_overwrite(&self) -> Result<(), Stop> {
        let mut taken = vec![resolved(&self.baseline)];
        taken.extend(Manifest::own_files(&self.run).iter().map(|path| resolved(path)));
        for (option, path) in [("--junit", &self.junit), ("--markdown", &self.markdown)] {
            let Some(path) = path else { continue };
            let target = resolved(path);
            if taken.contains(&target) {
                return Err(Stop::command_line(
                    format!("{option} {} would overwrite a file that is needed", path.display()),
                    "give a file that is not the baseline, not part of the run, and not written by another option",
                ));
            }
            taken.push(target);
        }
        Ok(())
    }

    /// Also if nothing was judged, because a pipeline shows these files.
    fn write_files(&self, outcome: &Result<Checked, CheckError>) -> Result<(), Stop> {
        if let Some(path) = &self.junit {
            let text = show::junit(outcome).map_err(|error| {
                let problem = format!("{}: the findings cannot be written as XML: {error}", path.display());
                Stop::command_line(problem, "leave out --junit")
            })?;
            gate::write(path, &text)?;
        }
        if let Some(path) = &self.markdown {
            gate::write(path, &show::markdown(outcome))?;
        }
        Ok(())
    }
}

/// What `--allow-other-build` means.
pub fn builds(allow_other_build: bool) -> Builds {
    if allow_other_build { Builds::Any } else { Builds::Own }
}

fn print(checked: &Checked) {
    let table = show::table(checked);
    if !table.rows.is_empty() {
        say(&format!("{}\n", table.terminal()));
    }
    if !checked.has_same_bits() {
        say(&format!("{}\n", show::computed_by(checked)));
    }
    show::remarks(checked).iter().for_each(|remark| say(remark));
    say(&show::headline(checked));
}

/// A path that is equal for the same file, even if the file does not exist yet.
fn resolved(path: &Path) -> PathBuf {
    let in_folder = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(path.file_name()?))
    };
    path.canonicalize().ok().or_else(in_folder).unwrap_or(path.to_path_buf())
}
