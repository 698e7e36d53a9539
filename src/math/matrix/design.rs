//! The design matrix of a sample.

use crate::math::matrix::layout::{CODES, CodeTable, Layout};
use crate::math::matrix::{SymmetricMatrix, widest};
use std::sync::{Arc, OnceLock};

/// Rows per block: 8 vectors of AVX2 or 4 of AVX-512, so that the margins of a block stay in registers, and a block of
/// a thousand columns in the second-level cache.
pub const BLOCK: usize = 32;
/// Lanes per sum over rows: the compiler vectorises the sum without reordering it.
pub const LANES: usize = 8;
/// Lanes per sum by code, which consecutive rows use in turn. Neighbouring rows often have the same code, and reading a
/// sum that was just written is slow. A pass over bank rows takes up to 0.9 ns a row less than with one lane.
const CODE_LANES: usize = 4;

/// One number for each row of a block.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Lane(pub [f64; BLOCK]);

impl Lane {
    pub const ZERO: Lane = Lane([0.0; BLOCK]);
}

/// The features of the rows of a sample. Numeric columns are dense; one-hot columns are stored as codes, several
/// columns in one (see [`Pack`](crate::math::matrix::Pack)).
///
/// A row of the bank data takes 10 values instead of 51. The order of weights is: numeric columns, one-hot columns,
/// intercept. [`Design::width`] counts them without the intercept.
#[derive(Clone, Debug)]
pub struct Design {
    pub(super) layout: Arc<Layout>,
    rows: usize,
    /// Block by block, and within a block column by column. The padding rows of the last block are zero.
    numeric: Vec<Lane>,
    /// The same for packs.
    codes: Vec<[u8; BLOCK]>,
    /// Moments and Gram matrix do not depend on weights: they are computed once, for all methods and priors.
    moments: OnceLock<Moments>,
    gram: OnceLock<Arc<SymmetricMatrix>>,
}

/// The means over rows of each column and of its square; the intercept's column of ones is the last.
#[derive(Clone, Debug)]
pub struct Moments {
    pub means: Vec<f64>,
    pub squares: Vec<f64>,
}

impl Design {
    /// Rows of zeros and first levels, to be filled.
    pub fn new(layout: Arc<Layout>, rows: usize) -> Self {
        let blocks = rows.div_ceil(BLOCK);
        Design {
            rows,
            numeric: vec![Lane::ZERO; blocks * layout.numeric()],
            codes: vec![[0; BLOCK]; blocks * layout.packs().len()],
            moments: OnceLock::new(),
            gram: OnceLock::new(),
            layout,
        }
    }

    /// A design with numeric columns only.
    pub fn dense(names: Vec<String>, rows: &[Vec<f64>]) -> Self {
        let columns = names.len();
        let mut design = Design::new(Arc::new(Layout::new(names, columns, &[])), rows.len());
        (0..columns).for_each(|column| design.fill(column, rows.iter().map(|row| row[column])));
        design
    }

    /// Writes a numeric column.
    pub fn fill(&mut self, column: usize, values: impl Iterator<Item = f64>) {
        let columns = self.layout.numeric();
        for (row, value) in values.enumerate() {
            self.numeric[row / BLOCK * columns + column].0[row % BLOCK] = value;
        }
    }

    /// Writes a categorical column. Must be called once per column, because it adds to the codes.
    pub fn fill_levels(&mut self, categorical: usize, levels: impl Iterator<Item = u32>) {
        let packs = self.layout.packs().len();
        let parts = self.layout.parts(categorical).to_vec();
        for (row, level) in levels.enumerate() {
            for part in &parts {
                self.codes[row / BLOCK * packs + part.pack][row % BLOCK] += part.code(level);
            }
        }
    }

    /// The given rows, in the given order.
    pub fn select(&self, rows: &[usize]) -> Self {
        let mut selected = Design::new(self.layout.clone(), rows.len());
        for column in 0..self.layout.numeric() {
            selected.fill(column, rows.iter().map(|row| self.number(*row, column)));
        }
        let packs = self.layout.packs().len();
        for pack in 0..packs {
            for (to, from) in rows.iter().enumerate() {
                selected.codes[to / BLOCK * packs + pack][to % BLOCK] = self.code(*from, pack);
            }
        }
        selected
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of weights without the intercept.
    pub fn width(&self) -> usize {
        self.names().len()
    }

    pub fn names(&self) -> &[String] {
        self.layout.names()
    }

    /// About how many numbers of a row a pass reads.
    pub fn row_cost(&self) -> usize {
        self.layout.numeric() + self.layout.packs().len() + 1
    }

    /// The size of the rows in bytes.
    pub fn bytes(&self) -> usize {
        std::mem::size_of_val(&*self.numeric) + std::mem::size_of_val(&*self.codes)
    }

    fn number(&self, row: usize, column: usize) -> f64 {
        self.numeric[row / BLOCK * self.layout.numeric() + column].0[row % BLOCK]
    }

    fn code(&self, row: usize, pack: usize) -> u8 {
        self.codes[row / BLOCK * self.layout.packs().len() + pack][row % BLOCK]
    }

    /// The entries of a row that are not known to be zero, with their columns.
    pub fn entries(&self, row: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let packs = self.layout.packs().iter().enumerate();
        let ones = packs.flat_map(move |(index, pack)| pack.ones(self.code(row, index) as usize));
        let numbers = (0..self.layout.numeric()).map(move |column| (column, self.number(row, column)));
        numbers.chain(ones.map(|one| (one, 1.0)))
    }

    /// `w.x + intercept` of every row.
    pub fn margins(&self, w: &[f64]) -> Vec<f64> {
        let mut margins = vec![0.0; self.rows];
        write_margins(self, &self.fold(w, &mut Vec::new()), &mut margins);
        margins
    }

    /// `target += sum over rows of slope * (x, 1)`
    pub fn add_rows(&self, slopes: &[f64], target: &mut [f64]) {
        let mut sums = self.sums();
        sum_rows(self, slopes, &mut sums);
        self.unfold(&sums, 1.0, target);
    }

    /// Prepares weights for a pass. `tables` is a buffer for the sums by code.
    pub fn fold<'a>(&self, w: &'a [f64], tables: &'a mut Vec<CodeTable>) -> Folded<'a> {
        tables.resize(self.layout.packs().len(), [0.0; CODES]);
        self.layout.packs().iter().zip(&mut *tables).for_each(|(pack, table)| pack.fold(w, table));
        Folded { numeric: &w[..self.layout.numeric()], packs: tables, intercept: w[self.width()] }
    }

    /// Zeroed sums for a pass.
    pub fn sums(&self) -> Sums {
        Sums {
            numeric: vec![[0.0; LANES]; self.layout.numeric()],
            packs: vec![[[0.0; CODE_LANES]; CODES]; self.layout.packs().len()],
            ones: [0.0; LANES],
        }
    }

    /// Zeroes the sums for another pass.
    pub fn clear(&self, sums: &mut Sums) {
        sums.numeric.fill([0.0; LANES]);
        for (pack, sums) in self.layout.packs().iter().zip(&mut sums.packs) {
            sums[..pack.codes()].fill([0.0; CODE_LANES]);
        }
        sums.ones = [0.0; LANES];
    }

    /// `target += factor * sums`, for the columns and the intercept.
    pub fn unfold(&self, sums: &Sums, factor: f64, target: &mut [f64]) {
        for (target, lanes) in target.iter_mut().zip(&sums.numeric) {
            *target += factor * total(lanes);
        }
        let mut totals = [0.0; CODES];
        for (pack, sums) in self.layout.packs().iter().zip(&sums.packs) {
            for (sum, [a, b, c, d]) in totals.iter_mut().zip(&sums[..pack.codes()]) {
                *sum = factor * ((a + c) + (b + d));
            }
            pack.unfold(&mut totals, target);
        }
        target[self.width()] += factor * total(&sums.ones);
    }

    /// The rows in blocks.
    #[inline(always)]
    pub fn blocks(&self) -> impl Iterator<Item = Block<'_>> {
        let (columns, packs) = (self.layout.numeric(), self.layout.packs().len());
        (0..self.rows.div_ceil(BLOCK)).map(move |block| Block {
            numeric: &self.numeric[block * columns..(block + 1) * columns],
            codes: &self.codes[block * packs..(block + 1) * packs],
            rows: (self.rows - block * BLOCK).min(BLOCK),
        })
    }

    pub fn moments(&self) -> &Moments {
        self.moments.get_or_init(|| {
            let shares = vec![1.0 / self.rows as f64; self.rows];
            let mut means = vec![0.0; self.width() + 1];
            self.add_rows(&shares, &mut means);
            let mut squares = means.clone();
            let mut lanes = vec![[0.0; LANES]; self.layout.numeric()];
            sum_squares(self, &mut lanes);
            for (square, lanes) in squares.iter_mut().zip(&lanes) {
                *square = total(lanes) / self.rows as f64;
            }
            Moments { means, squares }
        })
    }

    /// The mean of `(x, 1)(x, 1)^T`.
    pub fn gram(&self) -> &SymmetricMatrix {
        self.gram.get_or_init(|| Arc::new(self.weighted_gram(&vec![1.0 / self.rows as f64; self.rows])))
    }

    /// A dense copy, row by row and without the intercept, for foreign libraries.
    pub fn to_dense(&self) -> Vec<f64> {
        let width = self.width();
        let mut dense = vec![0.0; self.rows * width];
        for (row, target) in dense.chunks_exact_mut(width.max(1)).enumerate() {
            self.entries(row).for_each(|(column, x)| target[column] = x);
        }
        dense
    }
}

/// The rows of a block, column by column.
#[derive(Clone, Copy)]
pub struct Block<'a> {
    pub(super) numeric: &'a [Lane],
    pub(super) codes: &'a [[u8; BLOCK]],
    /// The number of rows, without the padding of the last block.
    pub rows: usize,
}

/// Weights, those of one-hot columns summed for each code of a pack.
pub struct Folded<'a> {
    numeric: &'a [f64],
    packs: &'a [CodeTable],
    intercept: f64,
}

/// Sums over rows: of numeric columns, of packs by code, and of the column of ones.
pub struct Sums {
    numeric: Vec<[f64; LANES]>,
    packs: Vec<[[f64; CODE_LANES]; CODES]>,
    ones: [f64; LANES],
}

impl Block<'_> {
    /// `w.x + intercept` of every row.
    #[inline(always)]
    pub fn margins(&self, w: &Folded) -> Lane {
        let mut margins = [w.intercept; BLOCK];
        for (column, w) in self.numeric.iter().zip(w.numeric) {
            fetch_ahead(column);
            for (margin, x) in margins.iter_mut().zip(&one_by_one(column).0) {
                *margin += x * w;
            }
        }
        for (codes, table) in self.codes.iter().zip(w.packs) {
            fetch_ahead(codes);
            // Four at a time: otherwise the compiler moves the margins out of vector registers and back for every code.
            let (margins, _) = margins.as_chunks_mut::<4>();
            for (margins, codes) in margins.iter_mut().zip(codes.as_chunks::<4>().0) {
                let found = codes.map(|code| table[code as usize]);
                margins.iter_mut().zip(found).for_each(|(margin, found)| *margin += found);
            }
        }
        Lane(margins)
    }

    /// `sums += sum over rows of slope * (x, 1)`; the slopes of padding rows must be zero.
    #[inline(always)]
    pub fn add_rows(&self, slopes: &Lane, sums: &mut Sums) {
        for (column, sums) in self.numeric.iter().zip(&mut sums.numeric) {
            add_products(&slopes.0, &one_by_one(column).0, sums);
        }
        // Half a block at a time: its slopes just fit into registers. A whole block takes up to a tenth longer.
        for (half, slopes) in slopes.0.as_chunks::<{ BLOCK / 2 }>().0.iter().enumerate() {
            for (codes, sums) in self.codes.iter().zip(&mut sums.packs) {
                let codes = &codes.as_chunks::<{ BLOCK / 2 }>().0[half];
                for (row, (slope, code)) in slopes.iter().zip(codes).enumerate() {
                    sums[*code as usize][row % CODE_LANES] += slope;
                }
            }
        }
        add_lanes(slopes, &mut sums.ones);
    }
}

/// Prefetches the data one page ahead. Rows are read in order, but the hardware does not prefetch beyond the end of a
/// page. A pass over 4,000,000 bank rows takes a fifth less time with it.
#[inline(always)]
pub fn fetch_ahead<T>(rows: &T) {
    const PAGE: usize = 4096;
    #[cfg(target_arch = "x86_64")]
    for line in (0..size_of::<T>()).step_by(64) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch does not access memory, so any pointer is valid.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(rows).cast::<i8>().wrapping_add(PAGE + line)) };
    }
}

/// Hides a column from the compiler, which would otherwise process four columns at once and transpose their rows across
/// vectors: a pass over bank rows would take 1.1 to 1.5 times as long.
#[inline(always)]
pub fn one_by_one(column: &Lane) -> &Lane {
    std::hint::black_box(column)
}

/// `sums += a * b`, lane by lane.
#[inline(always)]
pub fn add_products(a: &[f64; BLOCK], b: &[f64; BLOCK], sums: &mut [f64; LANES]) {
    let mut lanes = *sums;
    for part in 0..BLOCK / LANES {
        for lane in 0..LANES {
            lanes[lane] += a[part * LANES + lane] * b[part * LANES + lane];
        }
    }
    *sums = lanes;
}

/// Adds the numbers of a block.
#[inline(always)]
pub fn add_lanes(numbers: &Lane, sums: &mut [f64; LANES]) {
    for part in numbers.0.chunks_exact(LANES) {
        for (sum, number) in sums.iter_mut().zip(part) {
            *sum += number;
        }
    }
}

/// The sum over lanes, in a fixed order.
pub fn total(lanes: &[f64; LANES]) -> f64 {
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// The numbers of a block, padded with zeros beyond the end.
#[inline(always)]
pub fn lane_of(numbers: &[f64], block: usize) -> Lane {
    let mut lane = Lane::ZERO;
    let part = &numbers[block * BLOCK..numbers.len().min((block + 1) * BLOCK)];
    lane.0[..part.len()].copy_from_slice(part);
    lane
}

widest! {
    fn write_margins(design: &Design, w: &Folded, margins: &mut [f64]) {
        for (block, margins) in design.blocks().zip(margins.chunks_mut(BLOCK)) {
            margins.copy_from_slice(&block.margins(w).0[..block.rows]);
        }
    }
}

widest! {
    fn sum_rows(design: &Design, slopes: &[f64], sums: &mut Sums) {
        for (index, block) in design.blocks().enumerate() {
            block.add_rows(&lane_of(slopes, index), sums);
        }
    }
}

widest! {
    fn sum_squares(design: &Design, sums: &mut [[f64; LANES]]) {
        for block in design.blocks() {
            for (column, sums) in block.numeric.iter().zip(&mut *sums) {
                add_products(&column.0, &column.0, sums);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::matrix::UNSEEN;

    /// Two numeric columns and one-hot columns {2, 3}, {4, 5} and {6, ..., 305}. The last needs two packs of its own;
    /// some rows have an unseen category.
    fn mixed(rows: usize) -> Design {
        let categorical = [vec![2, 3, UNSEEN], vec![4, 5], (6..306).collect()];
        let names = (0..306).map(|i| format!("x{i}")).collect();
        let layout = Layout::new(names, 2, &categorical);
        assert_eq!(layout.packs().iter().map(crate::math::matrix::Pack::codes).collect::<Vec<_>>(), [6, 256, 46]);
        let mut design = Design::new(Arc::new(layout), rows);
        design.fill(0, (0..rows).map(|row| row as f64 / 8.0 - 3.0));
        design.fill(1, (0..rows).map(|row| (row * 7 % 16) as f64 / 4.0));
        for (column, (step, levels)) in [(1, 3), (3, 2), (11, 300)].into_iter().enumerate() {
            design.fill_levels(column, (0..rows).map(|row| (row / step % levels) as u32));
        }
        design
    }

    /// Sums of multiples of 1/64 are exact, so the results must agree to the last bit in any order.
    #[test]
    fn every_reading_agrees_with_the_dense_copy() {
        for rows in [1, 31, 32, 33, 95] {
            let design = mixed(rows);
            let width = design.width();
            let x: Vec<Vec<f64>> = design.to_dense().chunks(width).map(|row| [row, &[1.0]].concat()).collect();
            assert_eq!(x[0][..7], [-3.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]);
            let w: Vec<f64> = (0..=width).map(|i| (i * 5 % 32) as f64 / 8.0 - 2.0).collect();
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let margins: Vec<f64> = x.iter().map(|x| dot(x, &w)).collect();
            assert_eq!(design.margins(&w), margins);
            let from_entries = |row| design.entries(row).map(|(column, x)| x * w[column]).sum::<f64>() + w[width];
            assert_eq!((0..rows).map(from_entries).collect::<Vec<_>>(), margins);

            let slopes: Vec<f64> = (0..rows).map(|row| (row % 5) as f64 - 1.5).collect();
            let column = |i: usize| x.iter().map(|x| x[i]).collect::<Vec<f64>>();
            let mut sums = vec![1.0; width + 1];
            design.add_rows(&slopes, &mut sums);
            let gram = design.weighted_gram(&slopes);
            for (i, sum) in sums.iter().enumerate() {
                assert_eq!(*sum, 1.0 + dot(&slopes, &column(i)));
                let weighted: Vec<f64> = column(i).iter().zip(&slopes).map(|(x, slope)| x * slope).collect();
                for j in (0..=i).filter(|j| i < 20 || i % 50 == 6 || *j < 7) {
                    assert_eq!(gram.at(i, j), dot(&weighted, &column(j)), "{rows} rows, entry ({i}, {j})");
                }
            }
            let mean = |of: &dyn Fn(f64) -> f64, i| column(i).into_iter().map(of).sum::<f64>() / rows as f64;
            for i in [0, 1, 2, 5, 7, width] {
                assert!((design.moments().means[i] - mean(&|x| x, i)).abs() < 1e-14);
                assert!((design.moments().squares[i] - mean(&|x| x * x, i)).abs() < 1e-13);
                assert!((design.gram().at(i, i) - mean(&|x| x * x, i)).abs() < 1e-13);
            }
            let some = [rows - 1, 0, rows / 2];
            let selected = some.map(|row| x[row][..width].to_vec()).concat();
            assert_eq!(design.select(&some).to_dense(), selected);
        }
    }

    #[test]
    fn a_pack_of_levels_that_training_did_not_have_adds_nothing() {
        // The second pack of the column holds levels 255 to 299, none of which has a one-hot column.
        let many = (0..300).map(|level| if level < 2 { 3 + level } else { UNSEEN }).collect();
        let layout = Layout::new((0..5).map(|i| format!("x{i}")).collect(), 1, &[vec![1, 2], many]);
        assert!(layout.packs().iter().any(|pack| (0..pack.codes()).all(|code| pack.ones(code).count() == 0)));
        let mut design = Design::new(Arc::new(layout), 6);
        design.fill_levels(0, (0..6).map(|row| row % 2));
        design.fill_levels(1, [0, 1, 0, 299, 7, 1].into_iter());
        let gram = design.weighted_gram(&[1.0; 6]);
        let entries = [(1, 1), (2, 1), (3, 1), (4, 2), (4, 4), (5, 5)].map(|(i, j)| gram.at(i, j));
        assert_eq!(entries, [3.0, 0.0, 2.0, 2.0, 2.0, 6.0]);
    }
}
