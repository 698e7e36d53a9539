//! Symmetric matrices and their Cholesky factors, at the sizes of a fit (tens of columns).

/// A symmetric matrix of which only the lower triangle is kept.
#[derive(Clone, Debug)]
pub struct SymmetricMatrix {
    size: usize,
    /// Row by row, `size * size`; entries above the diagonal are never read.
    entries: Vec<f64>,
}

impl SymmetricMatrix {
    pub fn zero(size: usize) -> Self {
        SymmetricMatrix { size, entries: vec![0.0; size * size] }
    }

    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.entries[row.max(column) * self.size + row.min(column)]
    }

    /// Adds to an entry of the lower triangle: `column <= row`.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        debug_assert!(column <= row);
        self.entries[row * self.size + column] += value;
    }

    pub fn size(&self) -> usize {
        self.size
    }

    /// With the entry of row i and column j multiplied by the factors of both.
    pub fn scaled(&self, factors: &[f64]) -> SymmetricMatrix {
        let mut scaled = self.clone();
        for i in 0..self.size {
            for j in 0..=i {
                scaled.entries[i * self.size + j] *= factors[i] * factors[j];
            }
        }
        scaled
    }

    pub fn minus(&self, other: &SymmetricMatrix) -> SymmetricMatrix {
        let entries = self.entries.iter().zip(&other.entries).map(|(a, b)| a - b).collect();
        SymmetricMatrix { size: self.size, entries }
    }

    /// With `factor` times the given entries added to the diagonal.
    pub fn plus_diagonal(&self, factor: f64, entries: &[f64]) -> SymmetricMatrix {
        let mut sum = self.clone();
        for (i, entry) in entries.iter().enumerate() {
            sum.add(i, i, factor * entry);
        }
        sum
    }

    /// `None` if the matrix is not positive definite, up to rounding.
    pub fn cholesky(&self) -> Option<Cholesky> {
        let n = self.size;
        let mut lower = self.entries.clone();
        for i in 0..n {
            for j in 0..=i {
                let mut rest = lower[i * n + j];
                for k in 0..j {
                    rest -= lower[i * n + k] * lower[j * n + k];
                }
                if i > j {
                    lower[i * n + j] = rest / lower[j * n + j];
                } else if rest > 1e-13 * self.at(i, i).abs() {
                    lower[i * n + i] = rest.sqrt();
                } else {
                    return None;
                }
            }
        }
        Some(Cholesky { size: n, lower })
    }
}

/// The eigenvalues of a symmetric matrix with their eigenvectors.
#[derive(Clone, Debug)]
pub struct Spectrum {
    pub values: Vec<f64>,
    /// In the order of the values.
    vectors: Vec<Vec<f64>>,
}

impl SymmetricMatrix {
    /// By Jacobi's rotations (Golub and Van Loan, *Matrix Computations*, section 8.5).
    pub fn spectrum(&self) -> Spectrum {
        const MAX_SWEEPS: usize = 60;
        let n = self.size;
        let mut a: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| self.at(i, j)).collect()).collect();
        let mut vectors: Vec<Vec<f64>> =
            (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
        let size: f64 = a.iter().flatten().map(|entry| entry * entry).sum();
        for _ in 0..MAX_SWEEPS {
            let off: f64 = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i][j] * a[i][j]).sum();
            if off <= 1e-30 * size {
                break;
            }
            for p in 0..n {
                for q in p + 1..n {
                    rotate(&mut a, &mut vectors, p, q);
                }
            }
        }
        Spectrum { values: (0..n).map(|i| a[i][i]).collect(), vectors }
    }
}

/// Turns the plane of `p` and `q` so that the entry `(p, q)` vanishes. `vectors` holds eigenvectors as rows.
fn rotate(a: &mut [Vec<f64>], vectors: &mut [Vec<f64>], p: usize, q: usize) {
    if a[p][q] == 0.0 {
        return;
    }
    let ratio = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let tangent = ratio.signum() / (ratio.abs() + (1.0 + ratio * ratio).sqrt());
    let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
    let sine = tangent * cosine;
    for row in a.iter_mut() {
        let (x, y) = (row[p], row[q]);
        (row[p], row[q]) = (cosine * x - sine * y, sine * x + cosine * y);
    }
    for rows in [a, vectors] {
        for k in 0..rows[p].len() {
            let (x, y) = (rows[p][k], rows[q][k]);
            (rows[p][k], rows[q][k]) = (cosine * x - sine * y, sine * x + cosine * y);
        }
    }
}

impl Spectrum {
    /// Only the part with eigenvalues above a bound.
    pub fn without_below(self, bound: f64) -> Self {
        let kept = self.values.into_iter().zip(self.vectors).filter(|(value, _)| *value > bound);
        let (values, vectors) = kept.unzip();
        Spectrum { values, vectors }
    }

    /// The shortest `x` with `A x = b`, or where there is none, with `A x` nearest to `b`.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; b.len()];
        for (value, vector) in self.values.iter().zip(&self.vectors) {
            let share = vector.iter().zip(b).map(|(v, b)| v * b).sum::<f64>() / value;
            x.iter_mut().zip(vector).for_each(|(x, v)| *x += share * v);
        }
        x
    }
}

/// The lower factor `L` of `A = L L^T`.
#[derive(Clone, Debug)]
pub struct Cholesky {
    size: usize,
    lower: Vec<f64>,
}

impl Cholesky {
    /// The `x` with `A x = b`.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let n = self.size;
        let mut x = b.to_vec();
        for i in 0..n {
            for k in 0..i {
                x[i] -= self.lower[i * n + k] * x[k];
            }
            x[i] /= self.lower[i * n + i];
        }
        for i in (0..n).rev() {
            for k in i + 1..n {
                x[i] -= self.lower[k * n + i] * x[k];
            }
            x[i] /= self.lower[i * n + i];
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: &[&[f64]]) -> SymmetricMatrix {
        let mut matrix = SymmetricMatrix::zero(rows.len());
        for (i, row) in rows.iter().enumerate() {
            for (j, value) in row[..=i].iter().enumerate() {
                matrix.add(i, j, *value);
            }
        }
        matrix
    }

    #[test]
    fn solves_a_system_known_by_hand() {
        // 4x + 2y = 2, 2x + 3y = 5 has the solution x = -1/2, y = 2.
        let solution = matrix(&[&[4.0, 2.0], &[2.0, 3.0]]).cholesky().unwrap().solve(&[2.0, 5.0]);
        assert!((solution[0] + 0.5).abs() < 1e-15 && (solution[1] - 2.0).abs() < 1e-15);
    }

    #[test]
    fn refuses_indefinite_and_singular_matrices() {
        assert!(matrix(&[&[1.0, 2.0], &[2.0, 1.0]]).cholesky().is_none());
        assert!(matrix(&[&[1.0, 1.0], &[1.0, 1.0]]).cholesky().is_none());
        assert!(matrix(&[&[0.0]]).cholesky().is_none());
    }

    #[test]
    fn a_spectrum_puts_the_matrix_together_again() {
        let a = matrix(&[&[4.0, 1.0, 0.5], &[1.0, -2.0, 0.3], &[0.5, 0.3, 0.0]]);
        let Spectrum { values, vectors } = a.spectrum();
        for i in 0..3 {
            for j in 0..3 {
                let entry: f64 = (0..3).map(|k| values[k] * vectors[k][i] * vectors[k][j]).sum();
                assert!((entry - a.at(i, j)).abs() < 1e-12, "({i}, {j})");
            }
        }
        assert!((values.iter().sum::<f64>() - 2.0).abs() < 1e-12, "the trace");
    }

    #[test]
    fn a_larger_diagonal_makes_a_singular_matrix_solvable() {
        let singular = matrix(&[&[1.0, 1.0], &[1.0, 1.0]]);
        assert!(singular.plus_diagonal(1e-6, &[1.0, 1.0]).cholesky().is_some());
        assert_eq!(singular.plus_diagonal(2.0, &[1.0, 3.0]).at(1, 1), 7.0);
    }
}
