//! The data compiled into the program, so that it works from any folder.

use crate::data::{DataError, Frame, Reading, read_as};
use flate2::read::GzDecoder;
use std::borrow::Cow;
use std::io::Read;

/// A built-in data set, which a spec can name as its `source`.
pub struct BuiltIn {
    pub name: &'static str,
    pub summary: &'static str,
    /// The sha256 of the unpacked file.
    pub sha256: &'static str,
    /// The data card, in Markdown.
    pub card: &'static str,
    /// The file, plain or as gzip.
    packed: &'static [u8],
}

const CARD: &str = include_str!("../../datasets/bank-marketing/README.md");

/// The Kaggle file that the paper uses.
pub const KAGGLE: BuiltIn = BuiltIn {
    name: "bank-marketing",
    summary: "11,162 customers of a Portuguese bank, target `deposit`: the Kaggle file of the paper's Section V",
    sha256: "c25bf6ac8ef9e37119427fce9a32923baf57cb466ca27b34b2c930e88035d2fe",
    card: CARD,
    packed: include_bytes!("../../datasets/bank-marketing/bank.csv"),
};

/// The UCI file of which the Kaggle file is a subset.
pub const UCI: BuiltIn = BuiltIn {
    name: "bank-marketing-full",
    summary: "45,211 customers of the same bank, target `y`: the UCI original `bank-full.csv`",
    sha256: "d1513ec63b385506f7cfce9f2c5caa9fe99e7ba4e8c3fa264b3aaf0f849ed32d",
    card: CARD,
    packed: include_bytes!("../../datasets/bank-marketing/bank-full.csv.gz"),
};

/// A file in which loyalty is frequent.
pub const TELCO: BuiltIn = BuiltIn {
    name: "telco",
    summary: "7,043 fictional customers of a telephone company, target `streaming_tv`: IBM's sample of customer churn",
    sha256: "863e369c3a03cea2bd20d696e572eb5fb064e04657744504deb7b6249b92f66e",
    card: include_str!("../../datasets/telco/README.md"),
    packed: include_bytes!("../../datasets/telco/telco.csv.gz"),
};

pub const BUILT_IN: [&BuiltIn; 3] = [&KAGGLE, &UCI, &TELCO];

impl BuiltIn {
    pub fn named(name: &str) -> Option<&'static BuiltIn> {
        BUILT_IN.into_iter().find(|data| data.name == name)
    }

    /// The unpacked CSV file.
    pub fn bytes(&self) -> Result<Cow<'static, [u8]>, DataError> {
        if !self.packed.starts_with(b"\x1f\x8b") {
            return Ok(Cow::Borrowed(self.packed));
        }
        let mut bytes = Vec::new();
        GzDecoder::new(self.packed).read_to_end(&mut bytes).map_err(|error| {
            DataError::new(self.name, format!("cannot be unpacked: {error}"), "build the program again")
        })?;
        Ok(Cow::Owned(bytes))
    }

    pub fn frame(&self) -> Result<Frame, DataError> {
        self.frame_as(&Reading::default())
    }

    /// The columns as a spec reads them.
    pub fn frame_as(&self, reading: &Reading) -> Result<Frame, DataError> {
        let frame = read_as(self.name, &self.bytes()?, reading)?;
        Ok(Frame { is_built_in: true, ..frame })
    }
}
