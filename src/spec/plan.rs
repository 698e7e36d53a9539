//! The cells of an experiment. A cell's id is a hash of all that decides its result, and of nothing else.

use crate::dataset::sha256;
use crate::spec::Experiment;
use crate::spec::experiment::Dataset;
use serde::Serialize;
use serde_json::json;

/// Counts up whenever the same spec and data would give other numbers than before.
pub const RESULTS_VERSION: u32 = 1;

/// One (setting, method, prior, seed), as places in the experiment's lists.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    pub id: String,
    pub setting: usize,
    pub method: usize,
    /// `None` for a method that uses no prior.
    pub prior: Option<usize>,
    pub seed: u32,
}

/// All cells, by setting, method, prior and seed.
#[derive(Clone, Debug)]
pub struct Plan {
    pub cells: Vec<Cell>,
}

impl Plan {
    /// `data` holds the sha256 of each setting's file; a simulation has none.
    pub fn new(experiment: &Experiment, data: &[Option<String>]) -> Self {
        let mut cells = Vec::new();
        for (setting, data) in (0..experiment.settings.len()).zip(data) {
            for method in 0..experiment.methods.len() {
                let uses_prior = experiment.methods[method].method.uses_prior();
                let priors = if uses_prior { experiment.priors.len() } else { 1 };
                for prior in 0..priors {
                    let prior = uses_prior.then_some(prior);
                    let identity = identity(experiment, setting, method, prior, data.as_deref());
                    for seed in 1..=experiment.seeds {
                        let id = sha256(format!("{identity} seed {seed}").as_bytes())[..16].to_string();
                        cells.push(Cell { id, setting, method, prior, seed });
                    }
                }
            }
        }
        Plan { cells }
    }
}

/// What decides the results of a cell, but for its seed. Names and labels do not.
fn identity(
    experiment: &Experiment,
    setting: usize,
    method: usize,
    prior: Option<usize>,
    data: Option<&str>,
) -> String {
    let setting = &experiment.settings[setting];
    let dataset = match &setting.dataset {
        Dataset::Simulation(simulation) => json!({ "simulation": simulation }),
        Dataset::Table { interest, loyalty, .. } => json!({ "sha256": data, "interest": interest, "loyalty": loyalty }),
    };
    let prior = prior.map(|prior| (experiment.priors[prior].beta, experiment.priors[prior].gamma));
    json!({
        "results_version": RESULTS_VERSION,
        "dataset": dataset,
        "features": setting.features,
        "sampling": setting.sampling,
        "method": experiment.methods[method].method,
        "prior": prior,
        "metrics": experiment.metrics,
    })
    .to_string()
}
