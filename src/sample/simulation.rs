//! The simulation of the paper's Section IV: three bivariate Gaussian groups.

use crate::data::{Column, Table, Values};
use crate::sample::normal::standard_normal;
use crate::sample::stream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The three groups of the paper's Section IV. The paper prints their sizes but not their means. Every seed draws a training
/// set and a test set of these sizes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Simulation {
    /// The group with (Y, Z) = (+1, -1): potential customers, W = +1.
    pub interested: Group,
    /// The group with (Y, Z) = (+1, +1): loyal buyers.
    pub loyal: Group,
    /// The group with (Y, Z) = (-1, -1): people without interest.
    pub others: Group,
}

/// A bivariate Gaussian group with unit variance in both coordinates and no correlation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The number of rows in the training set, and again in the test set.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub count: u32,
    /// The two coordinates of the mean.
    pub mean: [f64; 2],
}

impl Simulation {
    /// Draws a training set and, after it, a test set of the same composition, anew for every seed.
    pub fn draw(&self, seed: u32) -> Table {
        let groups = [(self.interested, true, false), (self.loyal, true, true), (self.others, false, false)];
        let (mut x1, mut x2) = (Vec::new(), Vec::new());
        let (mut interest, mut loyalty) = (Vec::new(), Vec::new());
        for part in ["training", "test"] {
            let mut random = stream(&["simulation", part, &format!("seed {seed}")]);
            for (group, y, z) in groups {
                for _ in 0..group.count {
                    let noise = [(); 2].map(|()| standard_normal(&mut random));
                    x1.push(group.mean[0] + noise[0]);
                    x2.push(group.mean[1] + noise[1]);
                    interest.push(y);
                    loyalty.push(z);
                }
            }
        }
        let test_starts_at = Some(interest.len() / 2);
        let features =
            [("x1", x1), ("x2", x2)].map(|(name, numbers)| Column::complete(name, Values::Numeric(numbers))).to_vec();
        Table { features, interest, loyalty, test_starts_at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_their_sizes_labels_and_means() {
        let group = |count, mean| Group { count, mean };
        let simulation = Simulation {
            interested: group(500, [-2.0, 2.0]),
            loyal: group(1000, [2.0, 2.0]),
            others: group(1000, [-2.0, -2.0]),
        };
        let table = simulation.draw(1);
        assert_eq!((table.rows(), table.test_starts_at), (5000, Some(2500)));
        assert_eq!((0..2500).filter(|row| table.is_potential_customer(*row)).count(), 500);
        assert_eq!((2500..5000).filter(|row| table.is_loyal_buyer(*row)).count(), 1000);
        let Values::Numeric(x1) = &*table.features[0].values else { panic!() };
        let mean = x1[500..1500].iter().sum::<f64>() / 1000.0;
        // Five standard errors.
        assert!((mean - 2.0).abs() < 5.0 / 1000f64.sqrt());
        let Values::Numeric(again) = &*simulation.draw(2).features[0].values else { panic!() };
        assert_ne!(x1, again);
    }
}
