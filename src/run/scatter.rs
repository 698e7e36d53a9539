//! The points behind a picture of a split.

use crate::data::Values;
use crate::run::Data;
use crate::spec::Experiment;

/// The training rows of one seed of a setting with two numeric features.
pub struct Scatter {
    pub setting: usize,
    pub seed: u32,
    pub columns: [String; 2],
    pub points: Vec<(f64, f64, ScatterGroup)>,
}

#[derive(Clone, Copy, PartialEq)]
pub enum ScatterGroup {
    PotentialCustomer,
    LoyalBuyer,
    NotInterested,
}

impl ScatterGroup {
    pub const ALL: [ScatterGroup; 3] =
        [ScatterGroup::PotentialCustomer, ScatterGroup::LoyalBuyer, ScatterGroup::NotInterested];

    /// As written in `scatter.csv`.
    pub fn name(self) -> &'static str {
        match self {
            ScatterGroup::PotentialCustomer => "potential_customer",
            ScatterGroup::LoyalBuyer => "loyal_buyer",
            ScatterGroup::NotInterested => "not_interested",
        }
    }
}

/// The training rows of the first seed of every setting with two numeric features.
pub fn scatters(experiment: &Experiment, data: &Data) -> Vec<Scatter> {
    const SEED: u32 = 1;
    let scatter = |setting: usize| {
        let table = data.table(setting, SEED);
        let [first, second] = table.features.as_slice() else { return None };
        let (Values::Numeric(x), Values::Numeric(y)) = (&*first.values, &*second.values) else { return None };
        // Beyond this a range of numbers is not a number any more.
        if x.iter().chain(y).any(|value| value.abs() > 1e100) {
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
