//! `doublepu check`

use crate::cli::report::Format;
use crate::cli::{Exit, Stop, complain, say};
use crate::gate::{self, CheckError, Checked, Verdict, show};
use crate::run::Manifest;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub struct Check {
    /// The folder of a run, for instance results/runs/ci
    run: PathBuf,
    /// What to hold it against: a file that `doublepu accept` wrote
    #[arg(long, value_name = "FILE")]
    baseline: PathBuf,
    /// Write the findings as test cases, too, in JUnit's XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write them as Markdown, too, for a pull-request comment or the summary of a job
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// What to print: a table for people, or everything as JSON
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

impl Check {
    pub fn carry_out(&self) -> Result<Exit, Stop> {
        self.refuse_to_overwrite()?;
        let result = gate::check(&self.run, &self.baseline);
        if is_on_github() {
            annotations(&result).iter().for_each(|line| complain(line));
        }
        let exit = match &result {
            Ok(checked) => self.tell(checked),
            Err(error) => self.tell_error(error),
        };
        self.write_files(&result)?;
        result.map(|_| exit).map_err(Stop::from)
    }

    /// What is said of a run must not take the place of the run, nor of its baseline.
    fn refuse_to_overwrite(&self) -> Result<(), Stop> {
        let outputs: Vec<(&str, &PathBuf)> = [("--junit", &self.junit), ("--markdown", &self.markdown)]
            .into_iter()
            .filter_map(|(option, path)| Some((option, path.as_ref()?)))
            .collect();
        let mut taken = vec![resolved(&self.baseline)];
        taken.extend(Manifest::own_files(&self.run).iter().map(|path| resolved(path)));
        for (option, path) in outputs {
            let place = resolved(path);
            if taken.contains(&place) {
                return Err(Stop::command_line(
                    format!("{option} {} would overwrite a file that is needed", path.display()),
                    "give a file that is neither the baseline, nor one of the run, nor written to by another option",
                ));
            }
            taken.push(place);
        }
        Ok(())
    }

    fn tell_error(&self, error: &CheckError) -> Exit {
        let exit = Exit::of(error);
        if let Format::Json = self.format {
            say(&format!("{:#}", show::json_of_error(error, exit as u8)));
        }
        exit
    }

    fn tell(&self, checked: &Checked) -> Exit {
        let exit = match checked.verdict() {
            Verdict::Passed => Exit::Done,
            Verdict::CannotTell => Exit::Inconclusive,
            Verdict::Regressed => Exit::Regression,
        };
        match self.format {
            Format::Json => say(&format!("{:#}", show::json(checked, exit as u8))),
            Format::Table => {
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
        }
        if exit == Exit::Inconclusive {
            complain(&show::advice(checked));
        }
        exit
    }

    /// Also where nothing was judged: a pipeline shows what it finds in these files.
    fn write_files(&self, result: &Result<Checked, CheckError>) -> Result<(), Stop> {
        if let Some(path) = &self.junit {
            let text = match result {
                Ok(checked) => show::junit(checked),
                Err(error) => show::junit_of_error(error),
            };
            let text = text.map_err(|error| {
                let problem = format!("{}: the findings cannot be written as XML: {error}", path.display());
                Stop::command_line(problem, "leave out --junit")
            })?;
            gate::write(path, &text)?;
        }
        if let Some(path) = &self.markdown {
            let text = match result {
                Ok(checked) => show::markdown(checked),
                Err(error) => show::markdown_of_error(error),
            };
            gate::write(path, &text)?;
        }
        Ok(())
    }
}

/// The same path for the same file, also where it is not there yet.
fn resolved(path: &Path) -> PathBuf {
    let in_folder = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(path.file_name()?))
    };
    path.canonicalize().ok().or_else(in_folder).unwrap_or(path.to_path_buf())
}

fn is_on_github() -> bool {
    std::env::var("GITHUB_ACTIONS").is_ok_and(|value| value == "true")
}

fn annotations(result: &Result<Checked, CheckError>) -> Vec<String> {
    match result {
        Ok(checked) => show::annotations(checked),
        Err(error) => vec![show::annotation("error", "nothing was judged", &error.to_string())],
    }
}
