//! The bytes of data files, unpacked if they are compressed. Nothing larger than its bound is read or unpacked.

use crate::data::DataError;
use flate2::read::MultiGzDecoder;
use std::borrow::Cow;
use std::io::Read;
use std::path::Path;

/// The largest data file, packed or unpacked: the table of a larger one does not fit into memory.
pub const MAX_BYTES: u64 = 4 << 30;
/// What any compressed file may unpack to.
const ALWAYS_ALLOWED: u64 = 256 << 20;
/// How many times its size a larger compressed file may unpack to. Tables are compressed to a fifth or a tenth, those with
/// many repetitions to a fiftieth; files that are made to fill the memory have a thousand times their size.
const MOST_TIMES: u64 = 100;

/// The bytes of a regular file.
pub fn file_bytes(path: &Path) -> Result<Vec<u8>, DataError> {
    let unreadable = |problem: String| {
        let remedy = "give a readable CSV or Parquet file; in a spec, paths start at the spec's folder";
        DataError::new(&path.display().to_string(), problem, remedy)
    };
    let metadata = std::fs::metadata(path).map_err(|error| unreadable(format!("cannot be read: {error}")))?;
    if !metadata.is_file() {
        return Err(unreadable("is not a file".to_string()));
    }
    if metadata.len() > MAX_BYTES {
        let problem = format!("has {} bytes, but a data file may have at most {MAX_BYTES}", metadata.len());
        return Err(DataError::new(&path.display().to_string(), problem, "give fewer rows or columns"));
    }
    std::fs::read(path).map_err(|error| unreadable(format!("cannot be read: {error}")))
}

/// How many bytes a compressed file of some size may unpack to.
fn most_unpacked(packed: usize) -> u64 {
    (packed as u64).saturating_mul(MOST_TIMES).clamp(ALWAYS_ALLOWED, MAX_BYTES)
}

/// Refuses a compressed file that unpacks to more than its bound.
pub fn refuse_bomb(origin: &str, packed: usize, unpacked: u64) -> Result<(), DataError> {
    let most = most_unpacked(packed);
    if unpacked <= most {
        return Ok(());
    }
    let problem = format!("has {packed} bytes and unpacks to {unpacked} or more, but at most {most} are allowed");
    let remedy = format!(
        "give fewer rows or columns; a compressed file may unpack to {} MiB, or to {MOST_TIMES} times its size and {} GiB",
        ALWAYS_ALLOWED >> 20,
        MAX_BYTES >> 30
    );
    Err(DataError::new(origin, problem, remedy))
}

/// Unpacks gzip and zstd; all other bytes stay as they are.
pub fn unpacked<'a>(origin: &str, bytes: &'a [u8]) -> Result<Cow<'a, [u8]>, DataError> {
    let damaged = |error: std::io::Error| {
        DataError::new(origin, format!("cannot be unpacked: {error}"), "give an undamaged file, or the file unpacked")
    };
    let reader: Box<dyn Read + 'a> = if bytes.starts_with(b"\x1f\x8b") {
        Box::new(MultiGzDecoder::new(bytes))
    } else if bytes.starts_with(b"\x28\xb5\x2f\xfd") {
        Box::new(zstd::stream::read::Decoder::new(bytes).map_err(damaged)?)
    } else if bytes.starts_with(b"PK\x03\x04") {
        let remedy = "unpack a ZIP archive and give the CSV file in it; save a spreadsheet as CSV";
        return Err(DataError::new(origin, "is a ZIP archive or a spreadsheet", remedy));
    } else {
        return Ok(Cow::Borrowed(bytes));
    };
    let mut unpacked = Vec::new();
    reader.take(most_unpacked(bytes.len()) + 1).read_to_end(&mut unpacked).map_err(damaged)?;
    refuse_bomb(origin, bytes.len(), unpacked.len() as u64)?;
    Ok(Cow::Owned(unpacked))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn gzip_and_zstd_are_unpacked_and_anything_else_is_left_alone() {
        let text = b"age,job\n31,clerk\n";
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gzip.write_all(text).unwrap();
        for packed in [gzip.finish().unwrap(), zstd::encode_all(&text[..], 3).unwrap(), text.to_vec()] {
            assert_eq!(&*unpacked("people.csv", &packed).unwrap(), text);
        }
        let error = unpacked("people.csv.gz", b"\x1f\x8b\x08damaged").unwrap_err();
        assert!(error.problem.contains("cannot be unpacked"), "{error}");
        assert!(unpacked("people.xlsx", b"PK\x03\x04..").unwrap_err().problem.contains("spreadsheet"));
    }

    #[test]
    fn what_unpacks_to_far_more_than_its_size_is_refused_before_it_is_in_memory() {
        let zeros = || std::io::repeat(b'0').take(300 << 20);
        let packed = zstd::encode_all(zeros(), 1).unwrap();
        assert!(packed.len() < 1 << 20, "{} bytes", packed.len());
        let error = unpacked("people.csv.zst", &packed).unwrap_err();
        assert!(error.problem.ends_with("but at most 268435456 are allowed"), "{error}");
        assert!(refuse_bomb("people.parquet", 95_000, 2_100_000_000).is_err());
        assert!(refuse_bomb("people.parquet", 95_000_000, 2_100_000_000).is_ok());
    }
}
