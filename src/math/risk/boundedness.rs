//! Whether a linear risk is bounded below, decided before minimisation.
//!
//! Far out along a direction `d`, a loss with linear growth is `max(0, -z)`, so the risk without ridge is
//!
//! ```text
//! G(d) = sum over terms of positive * mean max(0, -d.x) + negative * mean max(0, d.x)
//! ```
//!
//! up to a constant. It is bounded below if and only if `G(d) >= 0` for every `d`. If no term has `positive + negative
//! < 0`, `G` is convex. With `a = (positive + negative) / rows` and `c = sum of positive * mean x`, the condition then
//! is that `c` lies in the zonotope of all `sum a theta x` with every theta in [0, 1]. That is a linear program. The
//! method of Wolfe (1976) finds the point of the zonotope nearest to `c` exactly. If `c` lies outside, the difference
//! from that point to `c` is a direction along which the risk falls without bound.

use crate::math::matrix::{SymmetricMatrix, dot};
use crate::math::optim::{Boundedness, Factorisation, Objective, TwiceDifferentiable};
use crate::math::risk::{Correction, Growth, Linear, Predictor, SignedRisk};

impl SignedRisk<'_, Linear> {
    /// Exact, except where it returns [`Boundedness::Undecided`], as for some corrected or non-convex risks without a
    /// ridge.
    pub fn boundedness(&self) -> Boundedness {
        if self.loss.growth() == Growth::Bounded || self.has_no_negative_part() {
            return Boundedness::Bounded;
        }
        if self.loss.growth() == Growth::Quadratic {
            return self.boundedness_of_quadratic();
        }
        if self.ridge > 0.0 {
            // The ridge outgrows the loss in every direction except the intercept's.
            return self.first_falling(self.predictor.width..self.predictor.dimension(), Boundedness::Bounded);
        }
        // Single columns first: there, an outlier in one column cannot hide a fall along another.
        match self.first_falling(0..self.predictor.dimension(), Boundedness::Undecided) {
            Boundedness::Undecided if self.correction == Correction::None && self.is_convex() => {
                self.boundedness_by_zonotope()
            }
            found => found,
        }
    }

    fn boundedness_of_quadratic(&self) -> Boundedness {
        if self.correction != Correction::None {
            return self.first_falling(0..self.predictor.dimension(), Boundedness::Undecided);
        }
        let hessian = self.curvature(&vec![0.0; self.predictor.dimension()]).hessian();
        Factorisation::of(&hessian).boundedness(self)
    }

    /// Tries each weight alone, in both directions.
    fn first_falling(&self, weights: std::ops::Range<usize>, otherwise: Boundedness) -> Boundedness {
        let mut direction = vec![0.0; self.predictor.dimension()];
        for index in weights {
            for sign in [1.0, -1.0] {
                direction[index] = sign;
                if self.falls_forever_along(&direction) {
                    return Boundedness::Unbounded { along: self.weight_name(index) };
                }
            }
            direction[index] = 0.0;
        }
        otherwise
    }

    /// Whether the leading term of the risk's growth proves that it falls without bound along a direction.
    pub fn falls_forever_along(&self, direction: &[f64]) -> bool {
        // Only the direction matters, not how far a search has moved along it.
        let length = direction.iter().fold(0.0, |length: f64, d| d.abs().max(length));
        if length == 0.0 || !length.is_finite() {
            return false;
        }
        let direction: Vec<f64> = direction.iter().map(|d| d / length).collect();
        let growth = self.loss.growth();
        // The loss at margin -m, far out.
        let grown = |m: f64| match growth {
            Growth::Bounded => 0.0,
            Growth::Linear => m.max(0.0),
            Growth::Quadratic => m * m,
        };
        let penalty: f64 = self.ridge * direction[..self.predictor.width].iter().map(|d| d * d).sum::<f64>();
        // A ridge outgrows a loss with linear growth.
        if growth == Growth::Linear && penalty > 0.0 {
            return false;
        }
        let width = self.predictor.width;
        let along_intercept = direction[..width].iter().all(|d| *d == 0.0).then_some(direction[width]);
        let (mut missed, mut crowd, mut loyal, mut size) = (0.0, 0.0, 0.0, 0.0);
        for term in &self.terms {
            // Along the intercept alone, all rows have the same margin.
            let margins = match along_intercept {
                Some(margin) => vec![margin],
                None => self.predictor.margins(&term.rows.design, &direction),
            };
            let mean = |sign: f64| margins.iter().map(|m| grown(sign * m)).sum::<f64>() / margins.len() as f64;
            let (down, up) = (mean(-1.0), mean(1.0));
            missed += term.positive * down;
            *(if term.in_crowd { &mut crowd } else { &mut loyal }) += term.negative * up;
            size += term.positive.abs() * down + term.negative.abs() * up;
        }
        let floor = |clamps: bool, part: f64| if clamps { part.max(0.0) } else { part };
        let growth = floor(self.correction.clamps_missed(), missed)
            + floor(self.correction.clamps_crowd(), crowd)
            + loyal
            + penalty;
        // Rounding in sums of this size must not count as a fall.
        growth < -1e-10 * (size + penalty)
    }

    /// The name of a weight; the last is the intercept.
    pub fn weight_name(&self, index: usize) -> String {
        match self.terms.first() {
            Some(term) if index < self.predictor.width => term.rows.design.names()[index].clone(),
            _ => "the intercept".to_string(),
        }
    }

    fn boundedness_by_zonotope(&self) -> Boundedness {
        let dimension = self.predictor.dimension();
        // The root mean square of each column, or 1 where it is zero: only ratios within a column matter.
        let scales: Vec<f64> = self.weight_sizes().iter().map(|size| size.recip()).collect();
        let mut zonotope = Zonotope { segments: Vec::new(), target: vec![0.0; dimension] };
        for term in &self.terms {
            let design = &term.rows.design;
            let share = 1.0 / design.rows() as f64;
            for row in 0..design.rows() {
                let mut x = vec![0.0; dimension];
                design.entries(row).for_each(|(column, value)| x[column] = share * value);
                x[dimension - 1] = share;
                x.iter_mut().zip(&scales).for_each(|(x, scale)| *x /= scale);
                zonotope.target.iter_mut().zip(&x).for_each(|(c, x)| *c += term.positive * x);
                if term.positive + term.negative > 0.0 {
                    x.iter_mut().for_each(|x| *x *= term.positive + term.negative);
                    zonotope.segments.push(x);
                }
            }
        }
        let (gap, is_closed) = zonotope.gap();
        let direction: Vec<f64> = gap.iter().zip(&scales).map(|(d, scale)| d / scale).collect();
        // The direction must be proved. If it is not and there is a gap, the target is too near to the boundary to
        // decide.
        if !self.falls_forever_along(&direction) {
            return if is_closed { Boundedness::Bounded } else { Boundedness::Undecided };
        }
        let weight = |index: &usize| (direction[*index] * scales[*index]).abs();
        let most = (0..dimension).max_by(|a, b| weight(a).total_cmp(&weight(b))).unwrap_or_default();
        let alone = (0..dimension).all(|index| index == most || weight(&index) < 1e-9 * weight(&most));
        let name = self.weight_name(most);
        let along = if alone { name } else { format!("a combination of columns, most of all {name}") };
        Boundedness::Unbounded { along }
    }
}

/// The zonotope of all `sum of theta * segment` with every theta in [0, 1], and a target that may lie in it.
struct Zonotope {
    segments: Vec<Vec<f64>>,
    target: Vec<f64>,
}

/// The gap to the target counts as closed below this share of the zonotope's size.
const CLOSED: f64 = 1e-9;

impl Zonotope {
    /// The difference from the zonotope's nearest point to the target, and whether it is so small that the target lies
    /// inside.
    fn gap(&self) -> (Vec<f64>, bool) {
        let length = |x: &[f64]| dot(x, x).sqrt();
        let size = self.segments.iter().map(|segment| length(segment)).sum::<f64>() + length(&self.target);
        let mut corners = vec![self.farthest_against(&self.target.iter().map(|c| -c).collect::<Vec<_>>())];
        let mut shares = vec![1.0];
        // Wolfe's method terminates; the bound guards against rounding errors.
        for _ in 0..50 * (self.target.len() + 10) {
            let nearest = combined(&corners, &shares);
            let corner = self.farthest_against(&nearest);
            let gain = dot(&nearest, &nearest) - dot(&nearest, &corner);
            let is_closed = length(&nearest) <= CLOSED * size;
            if is_closed || gain <= 1e-14 * size * length(&nearest) || corners.contains(&corner) {
                return (nearest.iter().map(|x| -x).collect(), is_closed);
            }
            corners.push(corner);
            shares.push(0.0);
            approach(&mut corners, &mut shares);
        }
        (combined(&corners, &shares).iter().map(|x| -x).collect(), false)
    }

    /// The corner, relative to the target, that lies farthest against a direction.
    fn farthest_against(&self, direction: &[f64]) -> Vec<f64> {
        let mut corner: Vec<f64> = self.target.iter().map(|c| -c).collect();
        for segment in self.segments.iter().filter(|segment| dot(segment, direction) < 0.0) {
            corner.iter_mut().zip(segment).for_each(|(sum, x)| *sum += x);
        }
        corner
    }
}

/// Moves the shares to the point of the corners' convex hull that is nearest to zero, and drops corners without a
/// share.
fn approach(corners: &mut Vec<Vec<f64>>, shares: &mut Vec<f64>) {
    loop {
        let Some(wanted) = nearest_of_plane(corners) else { return };
        if wanted.iter().all(|share| *share > 1e-12) {
            *shares = wanted;
            return;
        }
        // Move until the first share vanishes.
        let blocking = shares.iter().zip(&wanted).filter(|(_, wanted)| **wanted <= 1e-12);
        let part = blocking.map(|(share, wanted)| share / (share - wanted)).fold(1.0, f64::min);
        shares.iter_mut().zip(&wanted).for_each(|(share, wanted)| *share += part * (wanted - *share));
        let least = shares.iter().copied().fold(f64::INFINITY, f64::min).max(1e-12);
        let keep: Vec<bool> = shares.iter().map(|share| *share > least).collect();
        let mut kept = keep.iter();
        corners.retain(|_| *kept.next().unwrap_or(&true));
        let mut kept = keep.iter();
        shares.retain(|_| *kept.next().unwrap_or(&true));
        let total: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= total);
        if corners.len() == 1 {
            return;
        }
    }
}

/// The shares, with sum 1, of the point nearest to zero in the affine hull of the corners.
fn nearest_of_plane(corners: &[Vec<f64>]) -> Option<Vec<f64>> {
    let size: f64 = corners.iter().map(|corner| dot(corner, corner)).fold(f64::MIN_POSITIVE, f64::max);
    let mut products = SymmetricMatrix::zero(corners.len());
    for i in 0..corners.len() {
        for j in 0..=i {
            products.add(i, j, dot(&corners[i], &corners[j]) / size + 1.0);
        }
    }
    let shares = products.cholesky()?.solve(&vec![1.0; corners.len()]);
    let total: f64 = shares.iter().sum();
    Some(shares.into_iter().map(|share| share / total).collect())
}

fn combined(corners: &[Vec<f64>], shares: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; corners[0].len()];
    for (corner, share) in corners.iter().zip(shares) {
        sum.iter_mut().zip(corner).for_each(|(sum, x)| *sum += share * x);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::matrix::Design;
    use crate::math::optim::{Ending, newton};
    use crate::math::risk::{Loss, Rows, Term};
    use crate::sample::{Stream, stream};
    use rand::RngExt;

    fn design(rows: &[[f64; 2]]) -> Design {
        let rows: Vec<Vec<f64>> = rows.iter().map(|row| row.to_vec()).collect();
        Design::dense(vec!["x".into(), "y".into()], &rows)
    }

    fn term(rows: &Design, positive: f64, negative: f64) -> Term<'_> {
        Term { rows: Rows::all("D", rows), positive, negative, in_crowd: true }
    }

    fn risk<'a>(loss: Loss, correction: Correction, ridge: f64, terms: Vec<Term<'a>>) -> SignedRisk<'a> {
        SignedRisk::new(Linear { width: 2 }, loss, correction, ridge, terms).unwrap()
    }

    #[test]
    fn names_the_column_along_which_the_risk_falls_for_ever() {
        // beta * mean_Y of x is 0.6, which exceeds mean_U, 0.5.
        let (interest, crowd) = (design(&[[1.0, 0.0]]), design(&[[1.0, 0.0], [0.0, 0.0]]));
        let terms = || vec![term(&interest, 0.6, -0.6), term(&crowd, 0.0, 1.0)];
        for loss in [Loss::Logistic, Loss::Log, Loss::DoubleHinge] {
            let free = risk(loss, Correction::None, 0.0, terms()).boundedness();
            assert!(matches!(&free, Boundedness::Unbounded { along } if along.contains('x')), "{free:?}");
            assert_eq!(risk(loss, Correction::None, 0.01, terms()).boundedness(), Boundedness::Bounded);
        }
        assert_eq!(risk(Loss::Sigmoid, Correction::None, 0.0, terms()).boundedness(), Boundedness::Bounded);
        assert_eq!(risk(Loss::Logistic, Correction::TwoPart, 0.0, terms()).boundedness(), Boundedness::Bounded);
    }

    #[test]
    fn finds_a_combination_of_columns_that_no_single_column_shows() {
        // All of D_Y is at (1, -1), and only a tenth of the crowd.
        let interest = design(&[[1.0, -1.0]]);
        let mut crowd = vec![[1.0, 1.0], [-1.0, -1.0], [1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
        crowd.extend([[1.0, 1.0], [-1.0, -1.0], [1.0, 1.0], [-1.0, -1.0], [0.0, 0.0]]);
        let crowd = design(&crowd);
        let free =
            risk(Loss::Logistic, Correction::None, 0.0, vec![term(&interest, 0.4, -0.4), term(&crowd, 0.0, 1.0)]);
        assert_eq!(free.first_falling(0..3, Boundedness::Undecided), Boundedness::Undecided);
        assert!(matches!(free.boundedness(), Boundedness::Unbounded { along } if along.starts_with("a combination")));
    }

    #[test]
    fn an_intercept_can_fall_in_spite_of_the_ridge() {
        let rows = design(&[[1.0, 0.0]]);
        let terms = vec![term(&rows, -0.2, 0.0), term(&rows, 0.0, 1.0)];
        let found = risk(Loss::Logistic, Correction::None, 1.0, terms).boundedness();
        assert_eq!(found, Boundedness::Unbounded { along: "the intercept".into() });
    }

    #[test]
    fn an_outlier_in_one_column_hides_no_fall_along_another() {
        let (interest, crowd) = (design(&[[1.0, 1.0]]), design(&[[1.0, -1e9], [0.0, 1.0], [0.0, 0.5], [1.0, -0.5]]));
        let terms = vec![term(&interest, 0.6, -0.6), term(&crowd, 0.0, 1.0)];
        let free = risk(Loss::Logistic, Correction::None, 0.0, terms);
        assert!(matches!(free.boundedness(), Boundedness::Unbounded { .. }));
    }

    #[test]
    fn a_squared_risk_with_one_part_clamped_can_still_fall_for_ever() {
        // Only loyal buyers have y, and missing one lowers the risk a hundred times as much as taking one raises it.
        let (interest, crowd, loyal) = (design(&[[1.0, 0.0]]), design(&[[0.5, 0.0]]), design(&[[0.0, 1.0]]));
        let terms = || {
            let mut terms = vec![term(&interest, 40.0, -0.4), term(&crowd, 0.0, 1.0), term(&loyal, -20.0, 0.2)];
            terms[2].in_crowd = false;
            terms
        };
        let clamped = |correction, ridge| risk(Loss::Squared, correction, ridge, terms()).boundedness();
        assert_eq!(clamped(Correction::Paper, 0.01), Boundedness::Unbounded { along: "y".into() });
        assert_eq!(clamped(Correction::TwoPart, 0.0), Boundedness::Bounded);
        assert_eq!(clamped(Correction::Paper, 100.0), Boundedness::Undecided);
    }

    /// The lowest `G` over a fine grid of directions: slow, and independent of zonotopes.
    fn lowest_growth(terms: &[Term]) -> f64 {
        let mut lowest = f64::INFINITY;
        for i in 0..120 {
            for j in 0..240 {
                let (a, b) =
                    (std::f64::consts::PI * f64::from(i) / 119.0, std::f64::consts::TAU * f64::from(j) / 240.0);
                let ((sin_a, cos_a), (sin_b, cos_b)) = (libm::sincos(a), libm::sincos(b));
                let d = [sin_a * cos_b, sin_a * sin_b, cos_a];
                let growth = |term: &Term| {
                    let rows = &term.rows.design;
                    let margins = rows.margins(&d).into_iter();
                    let sum: f64 = margins.map(|m| term.positive * (-m).max(0.0) + term.negative * m.max(0.0)).sum();
                    sum / rows.rows() as f64
                };
                lowest = lowest.min(terms.iter().map(growth).sum());
            }
        }
        lowest
    }

    fn cloud(random: &mut Stream, rows: usize, shift: f64) -> Design {
        let rows: Vec<[f64; 2]> =
            (0..rows).map(|_| [(); 2].map(|()| shift + 2.0 * random.random::<f64>() - 1.0)).collect();
        design(&rows)
    }

    #[test]
    fn agrees_with_a_scan_of_all_directions_and_with_newtons_method() {
        let mut random = stream(&["boundedness test"]);
        let (mut bounded, mut unbounded) = (0, 0);
        for _ in 0..60 {
            let shift = 1.2 * random.random::<f64>();
            let (interest, crowd) = (cloud(&mut random, 6, shift), cloud(&mut random, 12, 0.0));
            let terms = || vec![term(&interest, 0.4, -0.4), term(&crowd, 0.0, 1.0)];
            let lowest = lowest_growth(&terms());
            let free = risk(Loss::Logistic, Correction::None, 0.0, terms());
            match free.boundedness() {
                Boundedness::Bounded => {
                    assert!(lowest > -1e-9, "{lowest}");
                    // Well inside, there is a minimum.
                    if lowest > 1e-3 {
                        let minimum = newton(&free, vec![0.0; 3], 1e-8 * free.scale());
                        assert_eq!(minimum.ending, Ending::Converged);
                    }
                    bounded += 1;
                }
                Boundedness::Unbounded { .. } => {
                    // The grid is coarse: it may miss a narrow direction, but not by much.
                    assert!(lowest < 2e-3, "{lowest}");
                    unbounded += 1;
                }
                Boundedness::Undecided => assert!(lowest.abs() < 1e-3, "{lowest}"),
            }
        }
        assert!(bounded > 10 && unbounded > 10, "{bounded} and {unbounded}");
    }

    #[test]
    fn an_eigenvalue_decides_for_the_squared_loss() {
        let (interest, crowd) = (design(&[[3.0, 0.1], [-3.0, 0.2]]), design(&[[0.5, 1.0], [-0.5, -1.0], [0.1, 0.7]]));
        let squared = |costs: f64, ridge| {
            let terms = vec![term(&interest, 0.5, -0.5 * costs), term(&crowd, 0.0, costs)];
            risk(Loss::Squared, Correction::None, ridge, terms).boundedness()
        };
        assert_eq!(squared(1.0, 0.0), Boundedness::Bounded);
        assert!(matches!(squared(100.0, 0.01), Boundedness::Unbounded { .. }));
        assert_eq!(squared(100.0, 1e4), Boundedness::Bounded);
    }

    #[test]
    fn what_only_a_sufficient_condition_could_tell_is_undecided() {
        let mut random = stream(&["undecided test"]);
        let (interest, crowd) = (cloud(&mut random, 6, 0.1), cloud(&mut random, 40, 0.0));
        let terms = vec![term(&interest, 0.1, -0.2), term(&crowd, 0.0, 2.0)];
        assert_eq!(risk(Loss::Logistic, Correction::None, 0.0, terms).boundedness(), Boundedness::Undecided);
    }
}
