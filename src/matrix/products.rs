//! Sums over rows of the products of any two columns.

use crate::matrix::design::{BLOCK, Design, LANES, Lane, add_products, lane_of, one_by_one, total};
use crate::matrix::{SymmetricMatrix, widest};

impl Design {
    /// The sum over rows of `weight * (x, 1)(x, 1)^T`.
    pub fn weighted_gram(&self, weights: &[f64]) -> SymmetricMatrix {
        let (numeric, width, packs) = (self.layout.numeric(), self.width(), self.layout.packs());
        // A column of ones joins the numeric ones.
        let columns = numeric + 1;
        let mut products = Products {
            numeric: vec![0.0; columns * columns],
            by_code: packs.iter().map(|pack| vec![0.0; columns * pack.codes()]).collect(),
            by_codes: pairs(packs.len()).map(|(a, b)| vec![0.0; packs[a].codes() * packs[b].codes()]).collect(),
        };
        sum_products(self, weights, &mut products);

        let place = |column: usize| if column == numeric { width } else { column };
        let mut gram = SymmetricMatrix::zero(width + 1);
        for i in 0..columns {
            for j in 0..=i {
                gram.add(place(i), place(j), products.numeric[i * columns + j]);
            }
        }
        for (pack, sums) in packs.iter().zip(&products.by_code) {
            pack.unfold_rows(sums, columns, |one, sums| {
                sums[..numeric].iter().enumerate().for_each(|(column, sum)| gram.add(one, column, *sum));
                gram.add(width, one, sums[numeric]);
                gram.add(one, one, sums[numeric]);
            });
            for (code, sums) in sums.chunks_exact(columns).enumerate().filter(|(_, sums)| sums[numeric] != 0.0) {
                for (nth, one) in pack.ones(code).enumerate() {
                    pack.ones(code).take(nth).for_each(|before| gram.add(one, before, sums[numeric]));
                }
            }
        }
        for ((a, b), sums) in pairs(packs.len()).zip(&products.by_codes) {
            // Rows of codes of b become rows of ones of a, and these the other way round: both times whole rows are summed.
            let (mut ones_of_a, mut by_one) = (Vec::new(), Vec::new());
            packs[a].unfold_rows(sums, packs[b].codes(), |one, sums| {
                ones_of_a.push(one);
                by_one.extend_from_slice(sums);
            });
            // A pack of rare levels may have no column at all.
            if ones_of_a.is_empty() {
                continue;
            }
            let (codes, ones) = (packs[b].codes(), ones_of_a.len());
            let by_code: Vec<f64> = (0..codes * ones).map(|at| by_one[at % ones * codes + at / ones]).collect();
            packs[b].unfold_rows(&by_code, ones, |before, sums| {
                ones_of_a.iter().zip(sums).for_each(|(one, sum)| gram.add(*one, before, *sum));
            });
        }
        gram
    }
}

/// Sums over rows of products of columns, before one-hot columns are told apart.
struct Products {
    /// Of numeric columns and a column of ones.
    numeric: Vec<f64>,
    /// For each pack and code, of these columns.
    by_code: Vec<Vec<f64>>,
    /// For each pair of packs and of their codes.
    by_codes: Vec<Vec<f64>>,
}

/// Each pack with every one before it.
fn pairs(packs: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..packs).flat_map(|a| (0..a).map(move |b| (a, b)))
}

widest! {
    fn sum_products(design: &Design, weights: &[f64], products: &mut Products) {
        let columns = design.layout.numeric() + 1;
        let packs = design.layout.packs();
        let mut weighted = vec![Lane::ZERO; columns];
        // The same, row by row.
        let mut rows = vec![0.0; BLOCK * columns];
        let ones = Lane([1.0; BLOCK]);
        for (place, block) in design.blocks().enumerate() {
            weighted[columns - 1] = lane_of(weights, place);
            for column in 0..columns - 1 {
                for row in 0..BLOCK {
                    weighted[column].0[row] = weighted[columns - 1].0[row] * block.numeric[column].0[row];
                }
            }
            for (i, a) in weighted.iter().enumerate() {
                for j in 0..=i {
                    let b = if j == columns - 1 { &ones } else { &block.numeric[j] };
                    let mut lanes = [0.0; LANES];
                    add_products(&a.0, &one_by_one(b).0, &mut lanes);
                    products.numeric[i * columns + j] += total(&lanes);
                }
            }
            if packs.is_empty() {
                continue;
            }
            for (column, weighted) in weighted.iter().enumerate() {
                for (row, x) in weighted.0.iter().enumerate() {
                    rows[row * columns + column] = *x;
                }
            }
            for (codes, sums) in block.codes.iter().zip(&mut products.by_code) {
                for (code, row) in codes.iter().zip(rows.chunks_exact(columns)) {
                    let sums = &mut sums[*code as usize * columns..][..columns];
                    for (sum, x) in sums.iter_mut().zip(row) {
                        *sum += x;
                    }
                }
            }
            let mut tables = products.by_codes.iter_mut();
            for (a, codes_a) in block.codes.iter().enumerate() {
                for (b, codes_b) in block.codes[..a].iter().enumerate() {
                    let Some(sums) = tables.next() else { return };
                    for row in 0..BLOCK {
                        let codes = codes_a[row] as usize * packs[b].codes() + codes_b[row] as usize;
                        sums[codes] += weighted[columns - 1].0[row];
                    }
                }
            }
        }
    }
}
