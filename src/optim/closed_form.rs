//! Quadratic objectives: one factorisation of the Hessian gives the minimum for any linear part.

use crate::matrix::{Cholesky, Spectrum, SymmetricMatrix};
use crate::optim::{Ending, Minimum, Objective, Point, TOLERANCE};

/// Eigenvalues below this part of the largest count as zero.
const RANK_TOLERANCE: f64 = 1e-10;

/// A Hessian made ready to be solved with.
#[derive(Clone, Debug)]
pub enum Factorisation {
    Definite(Cholesky),
    /// With a direction in which the objective does not bend: the shortest of its minima is taken, if it has any.
    Singular(Spectrum),
    /// With a direction in which it bends downwards.
    Indefinite,
}

impl Factorisation {
    pub fn of(hessian: &SymmetricMatrix) -> Self {
        if let Some(cholesky) = hessian.cholesky() {
            return Factorisation::Definite(cholesky);
        }
        let spectrum = hessian.spectrum();
        let largest = spectrum.values.iter().fold(0.0, |largest: f64, value| value.abs().max(largest));
        let smallest = spectrum.values.iter().copied().fold(f64::INFINITY, f64::min);
        if smallest < -RANK_TOLERANCE * largest {
            Factorisation::Indefinite
        } else {
            Factorisation::Singular(spectrum.without_below(RANK_TOLERANCE * largest))
        }
    }

    fn solve(&self, b: &[f64]) -> Option<Vec<f64>> {
        match self {
            Factorisation::Definite(cholesky) => Some(cholesky.solve(b)),
            Factorisation::Singular(spectrum) => Some(spectrum.solve(b)),
            Factorisation::Indefinite => None,
        }
    }

    /// The minimum of a quadratic objective with this Hessian.
    pub fn minimise(&self, objective: &impl Objective) -> Minimum {
        let start = Point::at(objective, vec![0.0; objective.dimension()]);
        let target = TOLERANCE * start.gradient_norm();
        let mut point = start;
        // The second pass takes away what rounding left.
        for _ in 0..2 {
            let Some(step) = self.solve(&point.gradient) else { return point.end(0, Ending::Indefinite) };
            let w = point.w.iter().zip(step).map(|(w, step)| w - step).collect();
            point = Point::at(objective, w);
        }
        let ending = match self {
            _ if point.gradient_norm() <= target => Ending::Converged,
            // Some of the linear part lies in a direction that does not bend: along it the value falls for ever.
            Factorisation::Singular(_) => Ending::Unbounded,
            _ => Ending::Stalled,
        };
        point.end(1, ending)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `w.H.w / 2 - b.w`
    struct Quadratic {
        hessian: SymmetricMatrix,
        b: Vec<f64>,
    }

    impl Objective for Quadratic {
        fn dimension(&self) -> usize {
            self.b.len()
        }

        fn value_and_gradient(&self, w: &[f64], gradient: &mut [f64]) -> f64 {
            let mut value = 0.0;
            for i in 0..w.len() {
                let row: f64 = (0..w.len()).map(|j| self.hessian.at(i, j) * w[j]).sum();
                gradient[i] = row - self.b[i];
                value += w[i] * (row / 2.0 - self.b[i]);
            }
            value
        }
    }

    fn minimise(rows: [[f64; 2]; 2], b: [f64; 2]) -> Minimum {
        let mut hessian = SymmetricMatrix::zero(2);
        hessian.add(0, 0, rows[0][0]);
        hessian.add(1, 0, rows[1][0]);
        hessian.add(1, 1, rows[1][1]);
        Factorisation::of(&hessian).minimise(&Quadratic { hessian, b: b.to_vec() })
    }

    #[test]
    fn each_kind_of_hessian_ends_as_it_must() {
        let definite = minimise([[4.0, 2.0], [2.0, 3.0]], [2.0, 5.0]);
        assert_eq!(definite.ending, Ending::Converged);
        assert!((definite.weights[0] + 0.5).abs() < 1e-12 && (definite.weights[1] - 2.0).abs() < 1e-12);

        // Every w with w0 + w1 = 1 is a minimum; (1/2, 1/2) is the shortest.
        let singular = minimise([[1.0, 1.0], [1.0, 1.0]], [1.0, 1.0]);
        assert_eq!(singular.ending, Ending::Converged);
        assert!(singular.weights.iter().all(|w| (w - 0.5).abs() < 1e-12), "{:?}", singular.weights);

        // Along (1, -1) it neither bends nor stays level.
        assert_eq!(minimise([[1.0, 1.0], [1.0, 1.0]], [1.0, 0.0]).ending, Ending::Unbounded);
        assert_eq!(minimise([[1.0, 2.0], [2.0, 1.0]], [1.0, 1.0]).ending, Ending::Indefinite);
    }
}
