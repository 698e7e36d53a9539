//! Data: what is built in, what a user brings, which columns are the labels, and how the rest becomes a matrix.

mod built_in;
mod encode;
mod frame;
mod read;
mod table;

use crate::presentable;
use sha2::{Digest, Sha256};
use std::fmt;

pub use built_in::{BUILT_IN, BuiltIn, KAGGLE, UCI};
pub use encode::{CategoryEncoding, Encoder, Features, NumericScaling};
pub use frame::{Column, EMPTY, Frame, RawColumn, TextColumn, Values};
pub use read::{file_bytes, line_of, read_bytes, read_file};
pub use table::{LabelRule, Table};

/// Data that is missing or not as it must be: what, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub struct DataError {
    /// The file or data set.
    pub origin: String,
    pub problem: String,
    pub remedy: String,
}

impl DataError {
    pub fn new(origin: &str, problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        let (problem, remedy) = (presentable(&problem.into()), presentable(&remedy.into()));
        DataError { origin: origin.to_string(), problem, remedy }
    }
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}\n  help: {}", self.origin, self.problem, self.remedy)
    }
}

/// The sha256 of some bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    sha256_behind(&Sha256::new(), bytes)
}

/// That of what was hashed so far and some more bytes.
pub fn sha256_behind(before: &Sha256, bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(half.into(), 16).unwrap_or_default();
    let hash = before.clone().chain_update(bytes).finalize();
    hash.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
