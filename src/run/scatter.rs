//! The points of a boundary plot.

use crate::data::Values;
use crate::run::Data;
use crate::spec::Experiment;
use strum::{EnumString, IntoStaticStr};

/// The training rows of one seed of a setting with two numeric features.
pub struct Scatter {
    pub setting: usize,
    pub seed: u32,
    pub columns: [String; 2],
    pub points: Vec<(f64, f64, ScatterGroup)>,
}

/// Its name is the one in `scatter.csv`.
#[derive(Clone, Copy, PartialEq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ScatterGroup {
    PotentialCustomer,
    LoyalBuyer,
    NotInterested,
}

/// The training rows of the first seed of every setting with two numeric features.
pub fn scatters(experiment: &Experiment, data: &Data) -> Vec<Scatter> {
    const SEED: u32 = 1;
    let scatter = |setting: usize| {
        let table = data.table(setting, SEED);
        let [first, second] = table.features.as_slice() else { return None };
        let (Values::Numeric(x), Values::Numeric(y)) = (&*first.values, &*second.values) else { return None };
        // Beyond this the range of an axis is not a number, and a missing value has no place.
        if x.iter().chain(y).any(|value| value.is_nan() || value.abs() > 1e100) {
            return None;
        }
        let split = experiment.settings[setting].sampling.split(&table, SEED).ok()?;
        let group = |row: usize| match (table.interest[row], table.loyalty[row]) {
            (true, false) => ScatterGroup::PotentialCustomer,
            (true, true) => ScatterGroup::LoyalBuyer,
            (false, _) => ScatterGroup::NotInterested,
        };
        let points = split.train.iter().map(|row| (x[*row], y[*row], group(*row))).collect();
        Some(Scatter { setting, seed: SEED, columns: [first.name.clone(), second.name.clone()], points })
    };
    (0..experiment.settings.len()).filter_map(scatter).collect()
}
