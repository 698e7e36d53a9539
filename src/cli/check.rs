//! `doublepu check`

use crate::check::{self, CheckError, Checked, Verdict, show};
use crate::cli::report::Format;
use crate::cli::{Exit, Stop, complain, say};
use std::path::PathBuf;

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
        let result = check::check(&self.run, &self.baseline);
        self.write_files(&result)?;
        if is_on_github() {
            annotations(&result).iter().for_each(|line| complain(line));
        }
        match result {
            Ok(checked) => Ok(self.tell(&checked)),
            Err(error) => {
                let stop = Stop::Check(error);
                if let (Format::Json, Stop::Check(error)) = (self.format, &stop) {
                    say(&format!("{:#}", show::json_of_error(error, stop.exit() as u8)));
                }
                Err(stop)
            }
        }
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
                for finding in checked.findings.iter().filter(|finding| finding.verdict != Verdict::Passed) {
                    say(&format!("{}: {}", finding.verdict.words(), show::sentence(finding)));
                }
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
            let text = text.map_err(|error| Stop::CommandLine {
                problem: format!("{}: the findings cannot be written as XML: {error}", path.display()),
                remedy: "leave out --junit".to_string(),
            })?;
            check::write(path, &text)?;
        }
        if let Some(path) = &self.markdown {
            let text = match result {
                Ok(checked) => show::markdown(checked),
                Err(error) => show::markdown_of_error(error),
            };
            check::write(path, &text)?;
        }
        Ok(())
    }
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
