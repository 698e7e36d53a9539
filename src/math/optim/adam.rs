//! Adam (Kingma and Ba, 2015): a first-order method that steps against any given direction.

const KEEP_MEAN: f64 = 0.9;
const KEEP_SQUARE: f64 = 0.999;
const LEAST: f64 = 1e-8;

/// The weights, and running means of the directions and of their squares.
#[derive(Clone, Debug)]
pub struct Adam {
    pub w: Vec<f64>,
    /// The step size of each weight, relative to the rate.
    sizes: Vec<f64>,
    mean: Vec<f64>,
    square: Vec<f64>,
    mean_share: f64,
    square_share: f64,
}

impl Adam {
    pub fn at(w: Vec<f64>, sizes: Vec<f64>) -> Self {
        let zero = vec![0.0; w.len()];
        Adam { w, sizes, mean: zero.clone(), square: zero, mean_share: 1.0, square_share: 1.0 }
    }

    /// Takes a step against a direction, of about `rate * sizes[i]` in weight i.
    pub fn step(&mut self, rate: f64, direction: &[f64]) {
        self.mean_share *= KEEP_MEAN;
        self.square_share *= KEEP_SQUARE;
        for (i, d) in direction.iter().enumerate() {
            self.mean[i] += (1.0 - KEEP_MEAN) * (d - self.mean[i]);
            self.square[i] += (1.0 - KEEP_SQUARE) * (d * d - self.square[i]);
            let mean = self.mean[i] / (1.0 - self.mean_share);
            let square = self.square[i] / (1.0 - self.square_share);
            // In units of `size`, the direction is `size` times as large; so is the step, converted back to the weight.
            let size = self.sizes[i];
            self.w[i] -= rate * size * mean * size / (square.sqrt() * size + LEAST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_is_the_rate_and_many_small_ones_reach_the_minimum() {
        let mut adam = Adam::at(vec![0.0], vec![1.0]);
        adam.step(0.1, &[-4.0]);
        assert!((adam.w[0] - 0.1).abs() < 1e-8);
        // (w - 3)^2 with a rate that goes to zero.
        for step in 0..2000 {
            let direction = [2.0 * (adam.w[0] - 3.0)];
            adam.step(0.1 * (1.0 - f64::from(step) / 2000.0), &direction);
        }
        assert!((adam.w[0] - 3.0).abs() < 1e-3, "{}", adam.w[0]);
    }
}
