//! `doublepu data`

use crate::cli::{Exit, Stop, say};
use crate::data::{BUILT_IN, BuiltIn, DataError, Features, Frame, KAGGLE, Reading, file_bytes, read_file, sha256};
use crate::run::RunError;
use crate::text::{counted, nearest};
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Subcommand)]
pub enum Data {
    /// List the built-in data sets
    #[command(after_help = "Example: doublepu data list")]
    List,
    /// Describe a built-in data set, or the columns of a file: what each is, its values, what is missing, what is doubtful
    #[command(after_help = "Example: doublepu data show bank-marketing")]
    Show {
        /// The name of a built-in data set, or the path of a CSV or Parquet file
        #[arg(value_name = "NAME or FILE")]
        name: String,
    },
    /// Identify a file as one of the built-in data sets; line endings may differ
    #[command(after_help = "Example: doublepu data verify train.csv")]
    Verify { file: PathBuf },
}

impl Data {
    pub fn execute(&self) -> Result<Exit, Stop> {
        match self {
            Data::List => {
                BUILT_IN.iter().for_each(|data| say(&format!("{:<20} {}", data.name, data.summary)));
                say(
                    "\nIn a spec: `dataset: { source: NAME }`. Instead of a name, give the path of a CSV or Parquet file.",
                );
            }
            Data::Show { name } => show(name)?,
            Data::Verify { file } => verify(file)?,
        }
        Ok(Exit::Done)
    }
}

fn show(name: &str) -> Result<(), RunError> {
    if let Some(data) = BuiltIn::named(name) {
        say(&format!("{}: {}\nsha256 {}\n\n{}\n", data.name, data.summary, data.sha256, data.card.trim_end()));
        say(&columns(name, &data.frame()?));
        return Ok(());
    }
    if !name.contains(['.', '/', '\\']) && !Path::new(name).exists() {
        let names = BUILT_IN.map(|data| data.name);
        let near = nearest(name, &names).map(|name| format!("did you mean `{name}`? "));
        let remedy = format!(
            "{}the built-in data sets are: {}; or give the path of a file",
            near.unwrap_or_default(),
            names.join(", ")
        );
        return Err(DataError::new(name, "there is no such data set", remedy).into());
    }
    let frame = read_file(Path::new(name), &Reading::default())?;
    say(&format!("{}\n\nsha256 {}", columns(name, &frame), frame.sha256));
    Ok(())
}

/// What every column is, and what is doubtful about it, with the declaration that settles it.
fn columns(name: &str, frame: &Frame) -> String {
    let schema = frame.schema(&[], &Features::default());
    let table = schema.table().terminal();
    let mut text = format!("{name}, {}\n{table}", counted(frame.rows, "row"));
    let doubts: Vec<&DataError> =
        frame.columns.iter().filter_map(|column| column.values.as_ref().err().or(column.doubt.as_ref())).collect();
    if !doubts.is_empty() {
        text += "\n\nBefore these columns are used as features, a spec must say what they are:";
        for doubt in doubts {
            text += &format!("\n- {}\n  {}", doubt.problem, doubt.remedy);
        }
    }
    text
}

fn verify(file: &Path) -> Result<(), RunError> {
    let origin = file.display().to_string();
    let bytes = file_bytes(file)?;
    let unix: Vec<u8> = String::from_utf8_lossy(&bytes).replace("\r\n", "\n").into_bytes();
    for (content, note) in [(&bytes, ""), (&unix, ", except for its CRLF line endings")] {
        let hash = sha256(content);
        if let Some(data) = BUILT_IN.into_iter().find(|data| data.sha256 == hash) {
            let paper = if data.name == KAGGLE.name { ", the Kaggle file of the paper" } else { "" };
            say(&format!("{origin} is `{}`{paper}{note}.\nsha256 {hash}", data.name));
            return Ok(());
        }
    }
    let remedy = "`doublepu data list` has their names; a spec can name any file as its `source`";
    Err(DataError::new(&origin, format!("is none of the built-in files (sha256 {})", sha256(&bytes)), remedy).into())
}
