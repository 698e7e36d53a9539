//! `doublepu data`

use crate::cli::{Exit, Stop, say};
use crate::data::{BUILT_IN, BuiltIn, DataError, KAGGLE, file_bytes, sha256};
use crate::run::RunError;
use crate::text::nearest;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Subcommand)]
pub enum Data {
    /// List the built-in data sets
    #[command(after_help = "Example: doublepu data list")]
    List,
    /// Describe a built-in data set: source, licence, columns, pitfalls
    #[command(after_help = "Example: doublepu data show bank-marketing")]
    Show { name: String },
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
    let data = BuiltIn::named(name).ok_or_else(|| {
        let names = BUILT_IN.map(|data| data.name);
        let near = nearest(name, &names).map(|name| format!("did you mean `{name}`? "));
        let remedy = format!("{}the built-in data sets are: {}", near.unwrap_or_default(), names.join(", "));
        DataError::new(name, "there is no such data set", remedy)
    })?;
    say(&format!("{}: {}\nsha256 {}\n\n{}", data.name, data.summary, data.sha256, data.card.trim_end()));
    Ok(())
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
