//! One cell of an external method, for somebody who is writing it.

use crate::learn::{Failure, PriorUse};
use crate::math::metric::Ranking;
use crate::math::stats::quantile;
use crate::methods::External;
use crate::run::{Data, RunError, SplitSamples};
use crate::spec::{Cell, Experiment};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// What a method received and what came back.
pub struct Trial {
    /// Method, setting, prior and seed.
    pub name: String,
    /// The rows and columns of each array.
    pub sent: Vec<(&'static str, [usize; 2])>,
    pub columns: Vec<String>,
    /// beta and gamma
    pub prior: Option<[f64; 2]>,
    pub result: Result<Answered, Failed>,
}

/// A cell with a result.
pub struct Answered {
    pub log: Vec<String>,
    pub versions: BTreeMap<String, String>,
    pub starting: Duration,
    pub answering: Duration,
    pub scores: usize,
    pub distinct: usize,
    /// The lowest score, the median and the highest.
    pub quantiles: [f64; 3],
    pub roc_auc: f64,
}

/// A cell without one.
pub struct Failed {
    pub log: Vec<String>,
    pub problem: String,
}

/// Runs one cell of an external method, of the first setting and prior; nothing is stored.
pub fn try_method(experiment: &Experiment, name: &str, seed: u32) -> Result<Trial, RunError> {
    let (method, external) = the_external(experiment, name)?;
    let data = Data::load(experiment)?;
    let is_given_prior = experiment.methods[method].method.prior_use() != PriorUse::None;
    let cell = Cell { id: String::new(), setting: 0, method, prior: is_given_prior.then_some(0), seed };
    let table = data.table(0, seed);
    let failed =
        |failure: Failure| RunError::refused(format!("the split of seed {seed}: {failure}"), "change `sampling`");
    let samples = SplitSamples::draw(&experiment.settings[0], &table, seed).map_err(failed)?;
    let prior = samples.prior(experiment, &cell).map_err(failed)?;
    let (request, result) = samples.ask(external, prior, seed).map_err(failed)?;
    let result =
        result.map_err(|trouble| Failed { problem: trouble.problem, log: trouble.log }).and_then(|(scores, answer)| {
            let scores = scores.scores.concat();
            let problem = |error: Failure| Failed { log: answer.log.clone(), problem: error.reason };
            let ranking = Ranking::new(&scores, &samples.test_truth).map_err(|error| problem(error.into()))?;
            let distinct: BTreeSet<u64> = scores.iter().map(|score| score.to_bits()).collect();
            Ok(Answered {
                log: answer.log,
                versions: answer.versions,
                starting: answer.starting.unwrap_or_default(),
                answering: answer.answering,
                scores: scores.len(),
                distinct: distinct.len(),
                quantiles: [0.0, 0.5, 1.0].map(|share| quantile(&scores, share).unwrap_or(f64::NAN)),
                roc_auc: ranking.roc_auc(),
            })
        });
    Ok(Trial {
        name: format!("{}, seed {seed}", experiment.line_name(&cell)),
        sent: request.arrays.iter().map(|array| (array.name, [array.rows, array.columns])).collect(),
        columns: request.columns,
        prior: request.prior,
        result,
    })
}

/// The only external method of a name or label.
fn the_external<'a>(experiment: &'a Experiment, name: &str) -> Result<(usize, &'a External), RunError> {
    let externals = || {
        let methods = experiment.methods.iter().enumerate();
        methods.filter_map(|(index, labelled)| Some((index, &labelled.label, *labelled.method.externals().first()?)))
    };
    let labels = || externals().map(|(_, label, _)| format!("`{label}`")).collect::<Vec<_>>().join(", ");
    let found = externals().find(|(_, label, _)| *label == name);
    let found = found.or_else(|| externals().find(|(_, _, external)| external.name == name));
    found.map(|(index, _, external)| (index, external)).ok_or_else(|| {
        let there =
            if externals().next().is_none() { "it has none".to_string() } else { format!("it has {}", labels()) };
        RunError::refused(
            format!("the spec has no external method `{name}`: {there}"),
            "add it under `methods` as `external: { name: .., command: [..], files: [..] }`",
        )
    })
}
