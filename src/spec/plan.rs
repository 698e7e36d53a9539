//! The cells of an experiment. A cell's id is a hash of everything that determines its result, and of nothing else.

use crate::data::{sha256, sha256_behind};
use crate::learn::PriorUse;
use crate::spec::Experiment;
use crate::spec::experiment::Dataset;
use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};

/// Increases whenever the same spec and data would give other numbers than before, or additional ones.
pub const RESULTS_VERSION: u32 = 6;

/// Setting, method and prior, as indices in the experiment's lists.
pub type LinePlace = (usize, usize, Option<usize>);

/// One (setting, method, prior, seed), as indices in the experiment's lists.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    pub id: String,
    pub setting: usize,
    pub method: usize,
    /// `None` for a method that uses no prior.
    pub prior: Option<usize>,
    pub seed: u32,
}

impl Cell {
    /// Setting, method and prior, which the cells of other seeds share.
    pub fn line(&self) -> LinePlace {
        (self.setting, self.method, self.prior)
    }
}

/// All cells, by setting, method, prior and seed.
#[derive(Clone, Debug)]
pub struct Plan {
    pub cells: Vec<Cell>,
}

impl Plan {
    /// `data` holds the sha256 of each setting's file; a simulation has none. `results_version` is that of the program
    /// that runs or ran the cells.
    pub fn new(experiment: &Experiment, data: &[Option<String>], results_version: u32) -> Self {
        let mut cells = Vec::new();
        for (setting, method, prior) in Plan::lines(experiment) {
            let data = data.get(setting).and_then(Option::as_deref);
            let identity = identity(experiment, setting, method, prior, data, results_version);
            let common = Sha256::new().chain_update(format!("{identity} seed "));
            for seed in 1..=experiment.seeds {
                let id = sha256_behind(&common, seed.to_string().as_bytes())[..16].to_string();
                cells.push(Cell { id, setting, method, prior, seed });
            }
        }
        Plan { cells }
    }

    /// The lines of the plan, in its order. A line is what the cells of different seeds share.
    pub fn lines(experiment: &Experiment) -> Vec<LinePlace> {
        let mut lines = Vec::new();
        for setting in 0..experiment.settings.len() {
            let suits = |method: &usize| experiment.settings[setting].suits(&experiment.methods[*method].method);
            for method in (0..experiment.methods.len()).filter(suits) {
                let priors = priors(experiment, experiment.methods[method].method.prior_use());
                lines.extend(priors.into_iter().map(|prior| (setting, method, prior)));
            }
        }
        lines
    }
}

/// A hash of everything that determines the results of a line over all seeds, except the data and the program.
pub fn line_sha256(experiment: &Experiment, cell: &Cell) -> String {
    let (setting, method, prior) = cell.line();
    sha256(identity(experiment, setting, method, prior, None, 0).as_bytes())
}

/// The priors that make a difference to a method: all, those with different beta, or none.
fn priors(experiment: &Experiment, used: PriorUse) -> Vec<Option<usize>> {
    let first_with_beta = |prior: usize| {
        let beta = experiment.priors[prior].beta;
        experiment.priors.iter().position(|other| other.beta == beta) == Some(prior)
    };
    let all = 0..experiment.priors.len();
    match used {
        PriorUse::None => vec![None],
        PriorUse::Beta => all.filter(|prior| first_with_beta(*prior)).map(Some).collect(),
        PriorUse::BetaAndGamma => all.map(Some).collect(),
    }
}

/// Everything that determines the results of a cell, except its seed. Names and labels do not.
fn identity(
    experiment: &Experiment,
    setting: usize,
    method: usize,
    prior: Option<usize>,
    data: Option<&str>,
    results_version: u32,
) -> String {
    let setting = &experiment.settings[setting];
    let dataset = match &setting.dataset {
        Dataset::Simulation(simulation) => json!({ "simulation": simulation }),
        Dataset::Table { interest, loyalty, missing, .. } => {
            let mut dataset = json!({ "sha256": data, "interest": interest, "loyalty": loyalty });
            // A spec without the key has the id that it had before there was one.
            if !missing.is_empty() {
                dataset["missing"] = json!(missing);
            }
            dataset
        }
    };
    let method = &experiment.methods[method].method;
    let prior = prior.map(|prior| &experiment.priors[prior]).map(|prior| match method.prior_use() {
        PriorUse::BetaAndGamma => json!([prior.beta, prior.gamma]),
        PriorUse::Beta | PriorUse::None => json!([prior.beta]),
    });
    json!({
        "results_version": results_version,
        "dataset": dataset,
        "features": setting.features,
        "sampling": setting.sampling,
        "method": method,
        "prior": prior,
    })
    .to_string()
}
