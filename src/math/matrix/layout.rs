//! How the columns of a sample are kept.

use crate::math::matrix::add_scaled;

/// The code of a category that did not occur in the training rows: it has no column and adds nothing.
pub const UNSEEN: u32 = u32::MAX;

/// A code is one byte, so that a table with a number for every code needs no check of its bounds. A gradient pass over
/// bank rows took 1.25 times as long with codes of two bytes, and checks.
pub const CODES: usize = 256;

/// A number for every code of a pack.
pub type CodeTable = [f64; CODES];

/// The columns of a design: numeric ones first, then the one-hot columns.
#[derive(Clone, Debug)]
pub struct Layout {
    names: Vec<String>,
    numeric: usize,
    packs: Vec<Pack>,
    /// For each categorical column, the packs that hold its levels.
    categorical: Vec<Vec<Part>>,
}

/// Some levels of a categorical column, in a pack.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub pack: usize,
    /// What the next level adds to the code.
    step: usize,
    first: usize,
    levels: usize,
    /// Whether no level is elsewhere. Otherwise those that are share one code here, behind the others.
    is_all: bool,
}

impl Part {
    /// What a level adds to the code of the pack.
    pub fn code(&self, level: u32) -> u8 {
        let within = (level as usize).wrapping_sub(self.first);
        debug_assert!(within < self.levels || !self.is_all);
        (self.step * within.min(self.levels)) as u8
    }
}

/// Several categorical columns under one code, which tells the level of each; or a part of one that has many levels.
///
/// The nine of the bank data make three packs, so that a row costs three reads where it would cost nine.
#[derive(Clone, Debug)]
pub struct Pack {
    /// For each column, the place of the one for each of its levels, or [`UNSEEN`]. Levels of the first column count
    /// fastest.
    columns: Vec<Vec<u32>>,
    codes: usize,
}

impl Layout {
    /// For each categorical column, the place of the one for each of its levels.
    pub fn new(names: Vec<String>, numeric: usize, categorical: &[Vec<u32>]) -> Self {
        let mut layout = Layout { names, numeric, packs: Vec::new(), categorical: Vec::new() };
        for places in categorical {
            let parts = if places.len() <= CODES {
                vec![layout.pack(places)]
            } else {
                let starts = (0..places.len()).step_by(CODES - 1);
                starts
                    .map(|first| layout.pack_apart(first, &places[first..places.len().min(first + CODES - 1)]))
                    .collect()
            };
            layout.categorical.push(parts);
        }
        layout
    }

    /// Adds a column to the last pack, or where it is full, to a new one.
    fn pack(&mut self, places: &[u32]) -> Part {
        let step = match self.packs.last_mut() {
            Some(pack) if pack.codes() * places.len() <= CODES => {
                let step = pack.codes();
                pack.columns.push(places.to_vec());
                pack.codes *= places.len();
                step
            }
            _ => {
                self.packs.push(Pack { columns: vec![places.to_vec()], codes: places.len() });
                1
            }
        };
        Part { pack: self.packs.len() - 1, step, first: 0, levels: places.len(), is_all: true }
    }

    /// Makes a pack of some levels, with one more code for all others.
    fn pack_apart(&mut self, first: usize, places: &[u32]) -> Part {
        let columns = vec![[places, &[UNSEEN]].concat()];
        self.packs.push(Pack { columns, codes: places.len() + 1 });
        Part { pack: self.packs.len() - 1, step: 1, first, levels: places.len(), is_all: false }
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

    /// Where the levels of a categorical column are kept.
    pub fn parts(&self, categorical: usize) -> &[Part] {
        &self.categorical[categorical]
    }
}

impl Pack {
    /// How many codes there are.
    pub fn codes(&self) -> usize {
        self.codes
    }

    /// Where a code has its ones.
    pub fn ones(&self, code: usize) -> impl Iterator<Item = usize> + '_ {
        let mut rest = code;
        let ones = self.columns.iter().map(move |places| {
            let level = rest % places.len();
            rest /= places.len();
            places[level]
        });
        ones.filter(|one| *one != UNSEEN).map(|one| one as usize)
    }

    /// Overwrites a table with what each code adds to a margin.
    pub fn fold(&self, w: &[f64], table: &mut CodeTable) {
        let mut known = 1;
        table[0] = 0.0;
        for places in &self.columns {
            let weight = |place: u32| if place == UNSEEN { 0.0 } else { w[place as usize] };
            // What is known repeats for every level; the first level comes last, since it lies where the others read.
            let (first, others) = table.split_at_mut(known);
            for (level, place) in others.chunks_exact_mut(known).zip(&places[1..]) {
                let weight = weight(*place);
                level.iter_mut().zip(&*first).for_each(|(code, first)| *code = first + weight);
            }
            let weight = weight(places[0]);
            first.iter_mut().for_each(|code| *code += weight);
            known *= places.len();
        }
    }

    /// The other way round: adds what was summed for each code to its columns. Nothing is left of the sums.
    pub fn unfold(&self, left: &mut CodeTable, target: &mut [f64]) {
        let mut size = self.codes;
        // From the slowest column on: the sum over its levels is what is left for the others.
        for places in self.columns.iter().rev() {
            size /= places.len();
            for (level, place) in places.iter().enumerate() {
                if *place != UNSEEN {
                    target[*place as usize] += left[level * size..(level + 1) * size].iter().sum::<f64>();
                }
            }
            add_up_levels(&mut left[..places.len() * size], size);
        }
    }

    /// The same where each code has a row of `width` sums; `add` is given the sum of rows for every one.
    pub fn unfold_rows(&self, left: &mut [f64], width: usize, mut add: impl FnMut(usize, &[f64])) {
        let (mut size, mut row) = (self.codes * width, vec![0.0; width]);
        for places in self.columns.iter().rev() {
            size /= places.len();
            let levels = places.iter().zip(left.chunks_exact(size));
            for (place, level) in levels.filter(|(place, _)| **place != UNSEEN) {
                row.fill(0.0);
                level.chunks_exact(width).for_each(|part| add_scaled(&mut row, 1.0, part));
                add(*place as usize, &row);
            }
            add_up_levels(&mut left[..places.len() * size], size);
        }
    }
}

/// Adds the sums of all levels, each of so many, to those of the first.
fn add_up_levels(sums: &mut [f64], size: usize) {
    let (first, others) = sums.split_at_mut(size);
    others.chunks_exact(size).for_each(|level| add_scaled(first, 1.0, level));
}
