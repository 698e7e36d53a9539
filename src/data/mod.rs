//! Data: built-in data sets and user files, label columns, and the encoding of features as a matrix.

mod built_in;
mod collect;
mod csv;
mod date;
mod describe;
mod doubt;
mod encode;
mod features;
mod frame;
mod infer;
mod label;
mod label_values;
mod missing;
mod notation;
mod parquet;
mod read;
mod scaling;
mod scan;
mod schema;
mod source;
mod table;

use crate::mistake::Mistake;
use sha2::{Digest, Sha256};

pub use built_in::{BUILT_IN, BuiltIn, KAGGLE, TELCO, UCI};
pub use date::{DateOptions, DatePart};
pub use encode::Encoder;
pub use features::{CategoryEncoding, Features, NumericScaling};
pub use frame::{Column, Frame, Places, RawColumn, Values};
pub use label::LabelRule;
pub use label_values::{LabelValues, ScalarText};
pub use missing::{Filling, Fillings, MISSING};
pub use read::{Reading, read_as, read_bytes, read_file, start_reading_threads};
pub use scaling::ScalingError;
pub use scan::line_of;
pub use schema::{ColumnSchema, ColumnType, ColumnTypes, FileSchema, Kind};
pub use source::file_bytes;
pub use table::Table;

/// Missing or invalid data.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(transparent)]
pub struct DataError(pub Mistake);

impl DataError {
    /// `origin` is the file or data set.
    pub fn new(origin: &str, problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        DataError(Mistake::in_file(origin, problem, remedy))
    }

    /// The same problem with another remedy.
    pub fn with_remedy(self, remedy: &str) -> Self {
        DataError(Mistake { remedy: remedy.to_string(), ..self.0 })
    }
}

impl std::ops::Deref for DataError {
    type Target = Mistake;

    fn deref(&self) -> &Mistake {
        &self.0
    }
}

/// The sha256 of some bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    sha256_behind(&Sha256::new(), bytes)
}

/// The sha256 of the bytes hashed so far and some more bytes.
pub fn sha256_behind(before: &Sha256, bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(half.into(), 16).unwrap_or_default();
    let hash = before.clone().chain_update(bytes).finalize();
    hash.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
