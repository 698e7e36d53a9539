//! Integrals by the eight-point Gauss-Legendre rule on equal panels.

/// The positive nodes of the rule on [-1, 1] and their weights; the negative nodes mirror these.
const RULE: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_27),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
];

/// The nodes on an interval and their weights: the integral of a function is the sum of weight times value.
///
/// The ends are never nodes, so the function need not be defined there.
pub(super) fn nodes(from: f64, to: f64, panels: u32) -> impl Iterator<Item = (f64, f64)> {
    let half = (to - from) / f64::from(panels) / 2.0;
    (0..panels).flat_map(move |panel| {
        let middle = from + f64::from(2 * panel + 1) * half;
        RULE.into_iter().flat_map(move |(node, weight)| {
            [(middle - half * node, half * weight), (middle + half * node, half * weight)]
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integral(from: f64, to: f64, panels: u32, function: impl Fn(f64) -> f64) -> f64 {
        nodes(from, to, panels).map(|(node, weight)| weight * function(node)).sum()
    }

    #[test]
    fn polynomials_up_to_degree_fifteen_are_integrated_exactly() {
        for degree in 0..=15 {
            let power = |x: f64, exponent: i32| libm::pow(x, f64::from(exponent));
            let exact = (power(2.0, degree + 1) - power(-1.0, degree + 1)) / f64::from(degree + 1);
            let found = integral(-1.0, 2.0, 1, |x| power(x, degree));
            assert!((found - exact).abs() < 1e-12 * exact.abs().max(1.0), "degree {degree}: {found} {exact}");
        }
    }

    #[test]
    fn the_normal_density_integrates_to_one() {
        let root = std::f64::consts::TAU.sqrt();
        let found = integral(-9.0, 9.0, 18, |x| libm::exp(-x * x / 2.0) / root);
        assert!((found - 1.0).abs() < 1e-12, "{found}");
    }

    #[test]
    fn the_ends_are_never_evaluated() {
        assert!(nodes(0.0, 1.0, 3).all(|(node, _)| node > 0.0 && node < 1.0));
        let found = integral(0.0, 1.0, 200, libm::log);
        assert!((found + 1.0).abs() < 1e-3, "the integral of the logarithm over [0, 1] is -1: {found}");
    }

    #[test]
    fn an_interval_without_width_has_no_integral() {
        assert_eq!(integral(2.0, 2.0, 4, libm::exp), 0.0);
    }
}
