//! Quadratic objectives: one factorisation of the Hessian gives the minimum for any linear term.

use crate::math::matrix::{Cholesky, Spectrum, SymmetricMatrix};
use crate::math::optim::{Boundedness, Ending, Minimum, Objective, Point, TOLERANCE};

/// Eigenvalues below this fraction of the largest count as zero.
const RANK_TOLERANCE: f64 = 1e-10;
/// Above this fraction of the gradient at zero weights, a gradient that remains along directions without curvature is a
/// slope and not a rounding error.
const SLOPE: f64 = 1e-6;

/// A factorised Hessian. Weights are scaled to equal curvature, so that the units of columns do not matter.
#[derive(Clone, Debug)]
pub struct Factorisation {
    scales: Vec<f64>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Definite(Cholesky),
    /// The objective has no curvature in some direction. Of its minima, if there are any, the solution is the shortest
    /// in scaled weights.
    Singular(Spectrum),
    /// The objective has negative curvature in some direction.
    Indefinite,
}

impl Factorisation {
    pub fn of(hessian: &SymmetricMatrix) -> Self {
        let curvatures = (0..hessian.size()).map(|i| hessian.at(i, i).abs());
        let scale = |curvature: f64| if curvature > 0.0 { curvature.sqrt().recip() } else { 1.0 };
        let scales: Vec<f64> = curvatures.map(scale).collect();
        let scaled = hessian.scaled(&scales);
        if let Some(cholesky) = scaled.cholesky() {
            return Factorisation { scales, kind: Kind::Definite(cholesky) };
        }
        let spectrum = scaled.spectrum();
        let largest = spectrum.values.iter().fold(0.0, |largest: f64, value| value.abs().max(largest));
        let smallest = spectrum.values.iter().copied().fold(f64::INFINITY, f64::min);
        let kind = if smallest < -RANK_TOLERANCE * largest {
            Kind::Indefinite
        } else {
            Kind::Singular(spectrum.without_below(RANK_TOLERANCE * largest))
        };
        Factorisation { scales, kind }
    }

    fn solve(&self, b: &[f64]) -> Option<Vec<f64>> {
        let scaled = |x: &[f64]| x.iter().zip(&self.scales).map(|(x, scale)| x * scale).collect::<Vec<f64>>();
        let solution = match &self.kind {
            Kind::Definite(cholesky) => cholesky.solve(&scaled(b)),
            Kind::Singular(spectrum) => spectrum.solve(&scaled(b)),
            Kind::Indefinite => return None,
        };
        Some(scaled(&solution))
    }

    /// The minimum of a quadratic objective with this Hessian.
    pub fn minimise(&self, objective: &impl Objective) -> Minimum {
        let mut point = Point::start(objective, vec![0.0; objective.dimension()]);
        let start = objective.scale();
        // The second pass removes the rounding error of the first.
        for _ in 0..2 {
            let Some(step) = self.solve(&point.gradient) else { return point.end(0, Ending::Indefinite) };
            point = point.moved(objective, -1.0, &step);
        }
        let ending = match self.kind {
            _ if point.gradient_size() <= TOLERANCE * start => Ending::Converged,
            // The linear term has a component in a direction without curvature: along it the value falls without bound.
            Kind::Singular(_) if point.gradient_size() > SLOPE * start => Ending::Unbounded,
            _ => Ending::Stalled,
        };
        point.end(1, ending)
    }

    /// Whether the objective is bounded below.
    pub fn boundedness(&self, objective: &impl Objective) -> Boundedness {
        let unbounded = || Boundedness::Unbounded { along: "a combination of columns".to_string() };
        match self.kind {
            Kind::Definite(_) => Boundedness::Bounded,
            Kind::Indefinite => unbounded(),
            Kind::Singular(_) => match self.minimise(objective).ending {
                Ending::Converged => Boundedness::Bounded,
                Ending::Unbounded => unbounded(),
                _ => Boundedness::Undecided,
            },
        }
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

        fn scale(&self) -> f64 {
            self.b.iter().fold(0.0, |largest: f64, b| b.abs().max(largest))
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

        // Along (1, -1) the objective is linear and not constant.
        assert_eq!(minimise([[1.0, 1.0], [1.0, 1.0]], [1.0, 0.0]).ending, Ending::Unbounded);
        assert_eq!(minimise([[1.0, 2.0], [2.0, 1.0]], [1.0, 1.0]).ending, Ending::Indefinite);
        // Units do not matter: the second weight's column is a million times as large.
        let units = minimise([[4.0, 2e6], [2e6, 3e12]], [2.0, 5e6]);
        assert_eq!(units.ending, Ending::Converged);
        assert!((units.weights[1] - 2e-6).abs() < 1e-17, "{:?}", units.weights);
    }
}
