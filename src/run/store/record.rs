//! The lines of a journal: records with their checksums, and the chain that ties them together.
//!
//! A line is 16 hexadecimal digits of the record's sha256, a space, and the record as JSON. The checksum shows damage
//! within a line. The chain is a hash over the checksums of all lines so far. Every batch ends with a seal, a record with
//! the chain at that point, which shows lines that were changed, added, removed or reordered.

use crate::data::sha256;
use crate::run::{Attempt, Ended, Environment, Outcome};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;

const CHECKSUM_DIGITS: usize = 16;
const CHAIN_BYTES: usize = 16;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Record {
    /// The program and machine of the records that follow.
    Environment(Box<Environment>),
    Outcome(Box<Outcome>),
    /// A command started.
    Attempt(Box<Attempt>),
    /// It ended.
    Ended(Ended),
    /// The sha256 of `manifest.json` as the program wrote it.
    Manifest(String),
    Seal(Chain),
}

/// The checksum of a line and its record, if they match; or what is wrong with the line.
pub fn read_line(line: &[u8]) -> Result<(&str, serde_json::Result<Record>), &'static str> {
    let text = line.strip_suffix(b"\n").ok_or("it has no end")?;
    let text = str::from_utf8(text).map_err(|_| "it is not text")?;
    let (checksum, json) = text.split_once(' ').ok_or("it has no checksum")?;
    if checksum != checksum_of(json.as_bytes()) {
        return Err("its checksum does not match");
    }
    Ok((checksum, serde_json::from_str(json)))
}

pub fn checksum_of(json: &[u8]) -> String {
    sha256(json)[..CHECKSUM_DIGITS].to_string()
}

/// Appends the line of a record and returns its checksum.
pub fn write_line(lines: &mut Vec<u8>, record: &Record) -> serde_json::Result<String> {
    let start = lines.len();
    lines.extend([b' '; CHECKSUM_DIGITS + 1]);
    serde_json::to_writer(&mut *lines, record)?;
    let checksum = checksum_of(&lines[start + CHECKSUM_DIGITS + 1..]);
    lines[start..start + CHECKSUM_DIGITS].copy_from_slice(checksum.as_bytes());
    lines.push(b'\n');
    Ok(checksum)
}

/// A hash over the checksums of lines, in their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Chain([u8; CHAIN_BYTES]);

impl Chain {
    /// Adds the checksum of the next line.
    pub fn add(&mut self, checksum: &str) {
        let hash = Sha256::new().chain_update(self.0).chain_update(checksum).finalize();
        self.0.copy_from_slice(&hash[..CHAIN_BYTES]);
    }
}

/// In hexadecimal.
impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl From<Chain> for String {
    fn from(chain: Chain) -> Self {
        chain.to_string()
    }
}

impl TryFrom<String> for Chain {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let is_hexadecimal = text.len() == 2 * CHAIN_BYTES && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = u128::from_str_radix(&text, 16).ok().filter(|_| is_hexadecimal);
        number.map(|number| Chain(number.to_be_bytes())).ok_or("a seal is not 32 hexadecimal digits")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_depends_on_every_line_and_on_their_order() {
        let chain = |checksums: &[&str]| {
            let mut chain = Chain::default();
            checksums.iter().for_each(|checksum| chain.add(checksum));
            chain
        };
        // python3: sha256(bytes(16) + b"0123456789abcdef").hexdigest()[:32]
        assert_eq!(chain(&["0123456789abcdef"]).to_string(), "c714269629411af80671a81528bea20e");
        assert_ne!(chain(&["a", "b"]), chain(&["b", "a"]));
        assert_ne!(chain(&["a", "b"]), chain(&["a"]));
        let text = chain(&["a"]).to_string();
        assert_eq!(Chain::try_from(text), Ok(chain(&["a"])));
        for wrong in ["", "12", "zz7a5a8d0d7ed2f4c2ca4bf9a6cf6e1b", "+e7a5a8d0d7ed2f4c2ca4bf9a6cf6e1b"] {
            assert!(Chain::try_from(wrong.to_string()).is_err(), "{wrong}");
        }
    }
}
