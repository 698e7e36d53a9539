//! The storage layout of the columns of a sample.

use crate::math::matrix::add_scaled;

/// The column index of a category that does not occur in the training set: it has no column and adds nothing.
pub const UNSEEN: u32 = u32::MAX;

/// The number of codes. A code is one byte, so that a lookup in a [`CodeTable`] needs no bounds check. With codes of
/// two bytes and bounds checks, a gradient pass over bank rows took 1.25 times as long.
pub const CODES: usize = 256;

/// A number for each code of a pack.
pub type CodeTable = [f64; CODES];

/// The columns of a design: numeric columns first, then one-hot columns.
#[derive(Clone, Debug)]
pub struct Layout {
    names: Vec<String>,
    numeric: usize,
    packs: Vec<Pack>,
    /// For each categorical column, the packs that hold its levels.
    categorical: Vec<Vec<Part>>,
}

/// The levels of a categorical column that are in one pack.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub pack: usize,
    /// The difference between the codes of consecutive levels.
    step: usize,
    first: usize,
    levels: usize,
    /// Whether the pack holds all levels. Otherwise the levels in other packs share one code, after the last.
    is_all: bool,
}

impl Part {
    /// The summand of a level in the code of the pack.
    pub fn code(&self, level: u32) -> u8 {
        let within = (level as usize).wrapping_sub(self.first);
        debug_assert!(within < self.levels || !self.is_all);
        (self.step * within.min(self.levels)) as u8
    }
}

/// Several categorical columns in one code, which determines the level of each; or some levels of a column with many.
///
/// The nine categorical columns of the bank data make three packs, so that a row takes three reads instead of nine.
#[derive(Clone, Debug)]
pub struct Pack {
    /// For each categorical column and level, the index of its one-hot column, or [`UNSEEN`]. The level of the first
    /// column varies fastest.
    columns: Vec<Vec<u32>>,
    codes: usize,
}

impl Layout {
    /// `categorical` holds the index of the one-hot column, or [`UNSEEN`], for each categorical column and level.
    pub fn new(names: Vec<String>, numeric: usize, categorical: &[Vec<u32>]) -> Self {
        let mut layout = Layout { names, numeric, packs: Vec::new(), categorical: Vec::new() };
        for indices in categorical {
            let parts = if indices.len() <= CODES {
                vec![layout.pack(indices)]
            } else {
                let starts = (0..indices.len()).step_by(CODES - 1);
                starts
                    .map(|first| layout.pack_apart(first, &indices[first..indices.len().min(first + CODES - 1)]))
                    .collect()
            };
            layout.categorical.push(parts);
        }
        layout
    }

    /// Adds a column to the last pack, or to a new one if it does not fit.
    fn pack(&mut self, indices: &[u32]) -> Part {
        let step = match self.packs.last_mut() {
            Some(pack) if pack.codes() * indices.len() <= CODES => {
                let step = pack.codes();
                pack.columns.push(indices.to_vec());
                pack.codes *= indices.len();
                step
            }
            _ => {
                self.packs.push(Pack { columns: vec![indices.to_vec()], codes: indices.len() });
                1
            }
        };
        Part { pack: self.packs.len() - 1, step, first: 0, levels: indices.len(), is_all: true }
    }

    /// Adds a pack of some levels of a column, with one more code for all others.
    fn pack_apart(&mut self, first: usize, indices: &[u32]) -> Part {
        let columns = vec![[indices, &[UNSEEN]].concat()];
        self.packs.push(Pack { columns, codes: indices.len() + 1 });
        Part { pack: self.packs.len() - 1, step: 1, first, levels: indices.len(), is_all: false }
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    pub fn numeric(&self) -> usize {
        self.numeric
    }

    pub fn packs(&self) -> &[Pack] {
        &self.packs
    }

    /// The parts that hold the levels of a categorical column.
    pub fn parts(&self, categorical: usize) -> &[Part] {
        &self.categorical[categorical]
    }
}

impl Pack {
    /// The number of codes in use.
    pub fn codes(&self) -> usize {
        self.codes
    }

    /// The one-hot columns that are 1 for a code.
    pub fn ones(&self, code: usize) -> impl Iterator<Item = usize> + '_ {
        let mut rest = code;
        let ones = self.columns.iter().map(move |indices| {
            let level = rest % indices.len();
            rest /= indices.len();
            indices[level]
        });
        ones.filter(|one| *one != UNSEEN).map(|one| one as usize)
    }

    /// Overwrites `table` with the contribution of each code to a margin.
    pub fn fold(&self, w: &[f64], table: &mut CodeTable) {
        let mut known = 1;
        table[0] = 0.0;
        for indices in &self.columns {
            let weight = |index: u32| if index == UNSEEN { 0.0 } else { w[index as usize] };
            // The known entries repeat for every level. The first level is written last, because the others read its
            // entries.
            let (first, others) = table.split_at_mut(known);
            for (level, index) in others.chunks_exact_mut(known).zip(&indices[1..]) {
                let weight = weight(*index);
                level.iter_mut().zip(&*first).for_each(|(code, first)| *code = first + weight);
            }
            let weight = weight(indices[0]);
            first.iter_mut().for_each(|code| *code += weight);
            known *= indices.len();
        }
    }

    /// The transpose of [`Pack::fold`]: adds the sum of each code to the entries of its columns. Overwrites `sums`.
    pub fn unfold(&self, sums: &mut CodeTable, target: &mut [f64]) {
        let mut size = self.codes;
        // From the slowest column to the fastest: the sums over the levels of one remain for the others.
        for indices in self.columns.iter().rev() {
            size /= indices.len();
            for (level, index) in indices.iter().enumerate() {
                if *index != UNSEEN {
                    target[*index as usize] += sums[level * size..(level + 1) * size].iter().sum::<f64>();
                }
            }
            add_up_levels(&mut sums[..indices.len() * size], size);
        }
    }

    /// The same for rows of `width` sums. Calls `add` with each one-hot column and its row.
    pub fn unfold_rows(&self, sums: &mut [f64], width: usize, mut add: impl FnMut(usize, &[f64])) {
        let (mut size, mut row) = (self.codes * width, vec![0.0; width]);
        for indices in self.columns.iter().rev() {
            size /= indices.len();
            let levels = indices.iter().zip(sums.chunks_exact(size));
            for (index, level) in levels.filter(|(index, _)| **index != UNSEEN) {
                row.fill(0.0);
                level.chunks_exact(width).for_each(|part| add_scaled(&mut row, 1.0, part));
                add(*index as usize, &row);
            }
            add_up_levels(&mut sums[..indices.len() * size], size);
        }
    }
}

/// Adds the sums of all levels, `size` each, to those of the first level.
fn add_up_levels(sums: &mut [f64], size: usize) {
    let (first, others) = sums.split_at_mut(size);
    others.chunks_exact(size).for_each(|level| add_scaled(first, 1.0, level));
}
