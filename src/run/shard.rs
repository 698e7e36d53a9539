//! A part of the cells, for one of several machines.

use crate::spec::Cell;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Part `index` of `count`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    index: u32,
    count: u32,
}

impl Shard {
    /// `None` unless 1 <= index <= count.
    pub fn new(index: u32, count: u32) -> Option<Self> {
        (1..=count).contains(&index).then_some(Shard { index, count })
    }

    /// Whether a cell belongs to this part. Only its id counts, so that adding or removing other cells does not move it.
    pub fn has(self, cell: &Cell) -> bool {
        // An id is the beginning of a sha256, which is as good as a random number.
        let number = u64::from_str_radix(&cell.id, 16).unwrap_or_default();
        number % u64::from(self.count) == u64::from(self.index - 1)
    }

    pub fn count(self) -> u32 {
        self.count
    }

    /// The name of its folder.
    pub fn folder(self) -> String {
        format!("shard-{}-of-{}", self.index, self.count)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::sha256;

    #[test]
    fn every_cell_is_in_one_shard_and_shards_are_about_equal() {
        let cells: Vec<Cell> = (0..4000u32)
            .map(|seed| {
                let id = sha256(&seed.to_le_bytes())[..16].to_string();
                Cell { id, setting: 0, method: 0, prior: None, seed }
            })
            .collect();
        let shards: Vec<Shard> = (1..=4).filter_map(|index| Shard::new(index, 4)).collect();
        assert!(cells.iter().all(|cell| shards.iter().filter(|shard| shard.has(cell)).count() == 1));
        for shard in shards {
            let size = cells.iter().filter(|cell| shard.has(cell)).count();
            assert!((900..1100).contains(&size), "{shard}: {size}");
        }
        assert_eq!((Shard::new(0, 4), Shard::new(5, 4), Shard::new(1, 0)), (None, None, None));
    }
}
