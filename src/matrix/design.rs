//! A sample as a linear model reads it.

use crate::matrix::SymmetricMatrix;
use std::sync::Arc;

/// The code of a category that did not occur in the training rows: it has no column and adds nothing.
pub const UNSEEN: u32 = u32::MAX;

/// Rows of features. Numeric columns are dense; a one-hot column is kept as the index of its single 1.
///
/// A row of the bank data so costs 15 values and not 51. Weights are laid out as the numeric columns, then the
/// one-hot columns, then the intercept: [`Design::width`] counts them without the intercept.
#[derive(Clone, Debug)]
pub struct Design {
    names: Arc<Vec<String>>,
    rows: usize,
    numeric_columns: usize,
    numeric: Vec<f64>,
    code_columns: usize,
    codes: Vec<u32>,
}

impl Design {
    /// Both blocks are row by row. A code is the index of a weight, in ascending order along a row, or [`UNSEEN`].
    pub fn new(
        names: Arc<Vec<String>>,
        rows: usize,
        (numeric_columns, numeric): (usize, Vec<f64>),
        (code_columns, codes): (usize, Vec<u32>),
    ) -> Self {
        assert_eq!(numeric.len(), rows * numeric_columns);
        assert_eq!(codes.len(), rows * code_columns);
        debug_assert!(codes.iter().all(|code| *code == UNSEEN || (*code as usize) < names.len()));
        Design { names, rows, numeric_columns, numeric, code_columns, codes }
    }

    /// All columns numeric.
    pub fn dense(names: Vec<String>, rows: &[Vec<f64>]) -> Self {
        let columns = names.len();
        Design::new(Arc::new(names), rows.len(), (columns, rows.concat()), (0, Vec::new()))
    }

    /// The given rows, in the given order.
    pub fn select(&self, rows: &[usize]) -> Self {
        let numeric = rows.iter().flat_map(|row| self.numeric_row(*row)).copied().collect();
        let codes = rows.iter().flat_map(|row| self.code_row(*row)).copied().collect();
        Design::new(self.names.clone(), rows.len(), (self.numeric_columns, numeric), (self.code_columns, codes))
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of weights without the intercept.
    pub fn width(&self) -> usize {
        self.names.len()
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    fn numeric_row(&self, row: usize) -> &[f64] {
        &self.numeric[row * self.numeric_columns..(row + 1) * self.numeric_columns]
    }

    fn code_row(&self, row: usize) -> &[u32] {
        &self.codes[row * self.code_columns..(row + 1) * self.code_columns]
    }

    /// The places of the ones among the one-hot columns.
    fn ones(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        self.code_row(row).iter().filter(|code| **code != UNSEEN).map(|code| *code as usize)
    }

    /// The entries of a row that are not known to be zero, with their columns.
    pub fn entries(&self, row: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.numeric_row(row).iter().copied().enumerate().chain(self.ones(row).map(|one| (one, 1.0)))
    }

    /// `w.x + intercept`
    pub fn margin(&self, row: usize, w: &[f64]) -> f64 {
        let mut sum = w[self.width()];
        for (x, w) in self.numeric_row(row).iter().zip(w) {
            sum += x * w;
        }
        for one in self.ones(row) {
            sum += w[one];
        }
        sum
    }

    /// `target += scale * (x, 1)`
    pub fn add_row(&self, row: usize, scale: f64, target: &mut [f64]) {
        for (target, x) in target.iter_mut().zip(self.numeric_row(row)) {
            *target += scale * x;
        }
        for one in self.ones(row) {
            target[one] += scale;
        }
        target[self.width()] += scale;
    }

    /// `target += scale * (x^2, 1)`, each entry squared
    pub fn add_squares(&self, row: usize, scale: f64, target: &mut [f64]) {
        for (target, x) in target.iter_mut().zip(self.numeric_row(row)) {
            *target += scale * x * x;
        }
        for one in self.ones(row) {
            target[one] += scale;
        }
        target[self.width()] += scale;
    }

    /// `target += scale * (x, 1)(x, 1)^T`
    pub fn add_outer(&self, row: usize, scale: f64, target: &mut SymmetricMatrix) {
        let numeric = self.numeric_row(row);
        for (i, x) in numeric.iter().enumerate() {
            for (j, y) in numeric[..=i].iter().enumerate() {
                target.add(i, j, scale * x * y);
            }
        }
        let intercept = std::iter::once(self.width());
        for (nth, i) in self.ones(row).chain(intercept).enumerate() {
            for (j, y) in numeric.iter().enumerate() {
                target.add(i, j, scale * y);
            }
            for j in self.ones(row).take(nth) {
                target.add(i, j, scale);
            }
            target.add(i, i, scale);
        }
    }

    /// A copy with every column written out, row by row and without the intercept, for foreign libraries.
    pub fn to_dense(&self) -> Vec<f64> {
        let width = self.width();
        let mut dense = vec![0.0; self.rows * width];
        for (row, target) in dense.chunks_exact_mut(width.max(1)).enumerate() {
            target[..self.numeric_columns].copy_from_slice(self.numeric_row(row));
            for one in self.ones(row) {
                target[one] = 1.0;
            }
        }
        dense
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two numeric columns, one-hot columns {2, 3} and {4, 5}; the last row has an unseen category.
    fn mixed() -> Design {
        let names = (0..6).map(|i| format!("x{i}")).collect();
        let numeric = vec![1.0, -2.0, 0.5, 3.0, 0.0, 1.5];
        let codes = vec![2, 5, 3, 4, UNSEEN, 5];
        Design::new(Arc::new(names), 3, (2, numeric), (2, codes))
    }

    #[test]
    fn every_reading_agrees_with_the_dense_copy() {
        let design = mixed();
        let dense = design.to_dense();
        let w = [0.3, -1.0, 2.0, 0.25, -0.5, 4.0, 0.125];
        for row in 0..3 {
            let mut x = dense[row * 6..(row + 1) * 6].to_vec();
            x.push(1.0);
            let margin: f64 = x.iter().zip(&w).map(|(x, w)| x * w).sum();
            assert!((design.margin(row, &w) - margin).abs() < 1e-12);

            let from_entries: f64 = design.entries(row).map(|(column, x)| x * w[column]).sum();
            assert!((from_entries + w[6] - margin).abs() < 1e-12);

            let mut sum = vec![1.0; 7];
            design.add_row(row, 2.0, &mut sum);
            let mut outer = SymmetricMatrix::zero(7);
            design.add_outer(row, 3.0, &mut outer);
            for i in 0..7 {
                assert_eq!(sum[i], 1.0 + 2.0 * x[i]);
                for j in 0..=i {
                    assert_eq!(outer.at(i, j), 3.0 * x[i] * x[j], "row {row}, entry ({i}, {j})");
                }
            }
        }
    }
}
