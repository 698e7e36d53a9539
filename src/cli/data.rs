//! `doublepu data`

use crate::cli::{Exit, Stop, say};
use crate::data::{BUILT_IN, BuiltIn, DataError, KAGGLE, file_bytes, sha256};
use crate::text::nearest;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Subcommand)]
pub enum Data {
    /// The built-in data sets
    List,
    /// The card of a built-in data set: source, licence, columns, pitfalls
    Show { name: String },
    /// Tell whether a file is one of the built-in ones; line ends may differ
    Verify { file: PathBuf },
}

impl Data {
    pub fn carry_out(&self) -> Result<Exit, Stop> {
        match self {
            Data::List => list(),
            Data::Show { name } => show(name),
            Data::Verify { file } => verify(file),
        }
    }
}

fn list() -> Result<Exit, Stop> {
    for data in BUILT_IN {
        say(&format!("{:<20} {}", data.name, data.summary));
    }
    say("\nIn a spec: `dataset: { source: NAME }`. A path to a CSV or Parquet file works in the same place.");
    Ok(Exit::Done)
}

fn show(name: &str) -> Result<Exit, Stop> {
    let Some(data) = BuiltIn::named(name) else {
        let names = BUILT_IN.map(|data| data.name);
        let near = nearest(name, &names).map(|name| format!("did you mean `{name}`? "));
        let remedy = format!("{}the built-in data sets are: {}", near.unwrap_or_default(), names.join(", "));
        return Err(DataError::new(name, "there is no such data set", remedy).into());
    };
    say(&format!("{}: {}\nsha256 {}\n\n{}", data.name, data.summary, data.sha256, data.card.trim_end()));
    Ok(Exit::Done)
}

fn verify(file: &Path) -> Result<Exit, Stop> {
    let origin = file.display().to_string();
    let bytes = file_bytes(file)?;
    let unix: Vec<u8> = String::from_utf8_lossy(&bytes).replace("\r\n", "\n").into_bytes();
    for (content, note) in [(&bytes, ""), (&unix, ", but for its CRLF line ends")] {
        let hash = sha256(content);
        if let Some(data) = BUILT_IN.into_iter().find(|data| data.sha256 == hash) {
            let paper = if data.name == KAGGLE.name { ", the Kaggle file of the paper" } else { "" };
            say(&format!("{origin} is `{}`{paper}{note}.\nsha256 {hash}", data.name));
            return Ok(Exit::Done);
        }
    }
    let remedy = "compare with `doublepu data show bank-marketing`; a spec can name any file as its `source`";
    Err(DataError::new(&origin, format!("is none of the built-in files (sha256 {})", sha256(&bytes)), remedy).into())
}
