//! The functions `g(x)` over which a risk is minimised.

use crate::math::matrix::{Design, add_scaled, widest};

/// A family of functions `g(x)` with parameters `w`.
pub trait Predictor {
    /// The number of parameters.
    fn dimension(&self) -> usize;

    /// Whether the ridge penalises this parameter; it does not penalise intercepts.
    fn is_penalised(&self, parameter: usize) -> bool;

    /// `g(x)` for every row.
    fn margins(&self, rows: &Design, w: &[f64]) -> Vec<f64>;

    /// Changes of the parameters that change `g` about equally over these samples.
    fn weight_sizes<'a>(&self, _: impl Iterator<Item = &'a Design>) -> Vec<f64> {
        vec![1.0; self.dimension()]
    }

    /// Adds to `gradient` the sum over rows of `slopes[row] * dg(x)/dw`.
    fn pull_back(&self, rows: &Design, w: &[f64], slopes: &[f64], gradient: &mut [f64]);
}

/// `g(x) = w.x + intercept`; the intercept is the last parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Linear {
    /// The number of columns.
    pub width: usize,
}

impl Predictor for Linear {
    fn dimension(&self) -> usize {
        self.width + 1
    }

    fn is_penalised(&self, parameter: usize) -> bool {
        parameter < self.width
    }

    fn margins(&self, rows: &Design, w: &[f64]) -> Vec<f64> {
        rows.margins(w)
    }

    /// One over the root mean square of each column.
    fn weight_sizes<'a>(&self, samples: impl Iterator<Item = &'a Design>) -> Vec<f64> {
        let (mut squares, mut count) = (vec![0.0; self.dimension()], 0.0);
        for rows in samples {
            add_scaled(&mut squares, rows.rows() as f64, &rows.moments().squares);
            count += rows.rows() as f64;
        }
        let size = |square: &f64| if *square > 0.0 { (count / square).sqrt() } else { 1.0 };
        squares.iter().map(size).collect()
    }

    fn pull_back(&self, rows: &Design, _: &[f64], slopes: &[f64], gradient: &mut [f64]) {
        rows.add_rows(slopes, gradient);
    }
}

/// One hidden layer: `g(x) = out . max(0, in x + shift) + intercept`.
///
/// The parameters are `in`, column by column of x with one entry per hidden unit, then `shift`, `out` and the
/// intercept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    /// The number of columns.
    pub width: usize,
    pub hidden: usize,
}

impl Network {
    fn shift_at(&self) -> usize {
        self.width * self.hidden
    }

    fn out_at(&self) -> usize {
        self.shift_at() + self.hidden
    }

    /// `in x + shift`, before rectification.
    #[inline(always)]
    fn activate(&self, rows: &Design, row: usize, w: &[f64], units: &mut [f64]) {
        units.copy_from_slice(&w[self.shift_at()..self.out_at()]);
        for (column, x) in rows.entries(row) {
            add_scaled(units, x, &w[column * self.hidden..(column + 1) * self.hidden]);
        }
    }

    /// The range of initial weights that keeps the outputs of units at about the size of their inputs (He et al.,
    /// 2015).
    pub fn initial_bound(&self, parameter: usize) -> f64 {
        let inputs = if parameter < self.shift_at() { self.width } else { self.hidden };
        let is_shift = (self.shift_at()..self.out_at()).contains(&parameter);
        if is_shift || parameter == self.dimension() - 1 { 0.0 } else { (6.0 / inputs.max(1) as f64).sqrt() }
    }
}

impl Predictor for Network {
    fn dimension(&self) -> usize {
        self.out_at() + self.hidden + 1
    }

    fn is_penalised(&self, parameter: usize) -> bool {
        parameter < self.shift_at() || (self.out_at()..self.dimension() - 1).contains(&parameter)
    }

    /// The weights of a column have the size of that column; all others have size 1.
    fn weight_sizes<'a>(&self, samples: impl Iterator<Item = &'a Design>) -> Vec<f64> {
        let columns = Linear { width: self.width }.weight_sizes(samples);
        let ins = columns[..self.width].iter().flat_map(|size| std::iter::repeat_n(*size, self.hidden));
        ins.chain(std::iter::repeat_n(1.0, 2 * self.hidden + 1)).collect()
    }

    fn margins(&self, rows: &Design, w: &[f64]) -> Vec<f64> {
        network_margins(self, rows, w)
    }

    fn pull_back(&self, rows: &Design, w: &[f64], slopes: &[f64], gradient: &mut [f64]) {
        network_pull_back(self, rows, w, slopes, gradient);
    }
}

widest! {
    fn network_margins(network: &Network, rows: &Design, w: &[f64]) -> Vec<f64> {
        let (out, intercept) = (&w[network.out_at()..network.dimension() - 1], w[network.dimension() - 1]);
        let mut units = vec![0.0; network.hidden];
        let mut margins = Vec::with_capacity(rows.rows());
        for row in 0..rows.rows() {
            network.activate(rows, row, w, &mut units);
            margins.push(units.iter().zip(out).fold(intercept, |sum, (unit, out)| sum + unit.max(0.0) * out));
        }
        margins
    }
}

widest! {
    fn network_pull_back(network: &Network, rows: &Design, w: &[f64], slopes: &[f64], gradient: &mut [f64]) {
        let out = &w[network.out_at()..network.dimension() - 1];
        let mut units = vec![0.0; network.hidden];
        for (row, slope) in slopes.iter().enumerate() {
            network.activate(rows, row, w, &mut units);
            for (unit, target) in units.iter().zip(&mut gradient[network.out_at()..]) {
                *target += slope * unit.max(0.0);
            }
            gradient[network.dimension() - 1] += slope;
            // From here on, `units` holds the derivatives with respect to the inputs of the units.
            for (unit, out) in units.iter_mut().zip(out) {
                *unit = if *unit > 0.0 { slope * out } else { 0.0 };
            }
            add_scaled(&mut gradient[network.shift_at()..network.out_at()], 1.0, &units);
            for (column, x) in rows.entries(row) {
                add_scaled(&mut gradient[column * network.hidden..(column + 1) * network.hidden], x, &units);
            }
        }
    }
}
