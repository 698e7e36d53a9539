//! Random streams with names. Every random number of the program comes from here.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};

pub type Stream = ChaCha8Rng;

/// The random stream of a purpose, for instance `stream(&["split", "seed 7"])`.
///
/// Streams with different names are independent, so no purpose can disturb another.
pub fn stream(names: &[&str]) -> Stream {
    let mut hash = Sha256::new();
    hash.update("doublepu stream 1");
    for name in names {
        // The length keeps ("ab", "c") apart from ("a", "bc").
        hash.update((name.len() as u64).to_le_bytes());
        hash.update(name);
    }
    Stream::from_seed(hash.finalize().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    #[test]
    fn a_name_always_gives_the_same_numbers_and_another_name_gives_others() {
        let first = |names: &[&str]| stream(names).next_u64();
        assert_eq!(first(&["split", "seed 7"]), first(&["split", "seed 7"]));
        assert_ne!(first(&["split", "seed 7"]), first(&["split", "seed 8"]));
        assert_ne!(first(&["ab", "c"]), first(&["a", "bc"]));
    }

    #[test]
    fn the_numbers_stay_the_same_from_version_to_version() {
        assert_eq!(stream(&["split", "seed 1"]).next_u64(), 2_517_633_808_157_856_666);
    }
}
