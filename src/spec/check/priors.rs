//! What the methods are told of the classes.

use crate::learn::{Prior, PriorError};
use crate::spec::check::{not_negative, room};
use crate::spec::decode::{Located, Sweep};
use crate::spec::experiment::{NamedPrior, PriorSource};
use crate::spec::written::{self, PriorBase, PriorChoice, PriorEntry};
use crate::spec::yaml::{Place, Wrong};

pub fn priors(written: Option<&[Located<PriorEntry>]>) -> Result<Vec<NamedPrior>, Wrong> {
    let truth = PriorSource::Multiple { times: 1.0, of: PriorBase::True };
    let Some(entries) = written.filter(|entries| !entries.is_empty()) else {
        return Ok(vec![NamedPrior { name: "true".to_string(), beta: truth, gamma: truth }]);
    };
    let mut priors: Vec<NamedPrior> = Vec::new();
    for Located { value, place } in entries {
        let unfolded = match value {
            PriorEntry::Base(of) => {
                let name = if *of == PriorBase::True { "true" } else { "train" };
                let source = PriorSource::Multiple { times: 1.0, of: *of };
                vec![NamedPrior { name: name.to_string(), beta: source, gamma: source }]
            }
            PriorEntry::Named(name, pair) => named_priors(name, pair, *place)?,
        };
        for prior in unfolded {
            room(priors.len(), "priors", *place)?;
            // Sweeps over beta and over gamma both pass through the truth: that is one prior and not two.
            if priors.iter().any(|other| (other.beta, other.gamma) == (prior.beta, prior.gamma)) {
                continue;
            }
            if priors.iter().any(|other| other.name == prior.name) {
                let problem = format!("two different priors are called `{}`", prior.name);
                return Err(place.wrong(problem, "give each a name of its own"));
            }
            priors.push(prior);
        }
    }
    Ok(priors)
}

fn named_priors(name: &str, pair: &written::PriorPair, place: Place) -> Result<Vec<NamedPrior>, Wrong> {
    let betas = prior_sources(&pair.beta, "beta")?;
    let gammas = prior_sources(&pair.gamma, "gamma")?;
    let mut priors = Vec::new();
    if name.is_empty() || name.chars().count() > 40 || name.chars().any(char::is_control) {
        return Err(
            place.wrong("this prior's name cannot stand in a table", "give it a name of 1 to 40 printable characters")
        );
    }
    room(betas.len().saturating_mul(gammas.len()), "priors", place)?;
    for &(beta, beta_place) in &betas {
        for &(gamma, gamma_place) in &gammas {
            check_fixed(beta, gamma, beta_place.or(gamma_place).unwrap_or(place), gamma_place)?;
            let mut name = name.to_string();
            for (sources, key, source) in [(&betas, "beta", beta), (&gammas, "gamma", gamma)] {
                if sources.len() > 1 {
                    let key = if betas.len() > 1 && gammas.len() > 1 { key } else { "" };
                    name = format!("{name} {key}{source}");
                }
            }
            priors.push(NamedPrior { name, beta, gamma });
        }
    }
    Ok(priors)
}

type PlacedSource = (PriorSource, Option<Place>);

fn prior_sources(option: &Option<Sweep<PriorChoice>>, what: &str) -> Result<Vec<PlacedSource>, Wrong> {
    let Some(Sweep(choices)) = option else {
        return Ok(vec![(PriorSource::Multiple { times: 1.0, of: PriorBase::True }, None)]);
    };
    let mut sources = Vec::new();
    for Located { value, place } in choices {
        match value {
            PriorChoice::Fixed(value) => sources.push((PriorSource::Fixed(*value), Some(*place))),
            PriorChoice::Base(of) => sources.push((PriorSource::Multiple { times: 1.0, of: *of }, Some(*place))),
            PriorChoice::Multiple(multiple) => {
                for times in &multiple.times.0 {
                    let source = PriorSource::Multiple {
                        times: not_negative(times, &format!("{what}: times"))?,
                        of: multiple.of,
                    };
                    sources.push((source, Some(times.place)));
                }
            }
        }
    }
    Ok(sources)
}

/// What can be known to be impossible without the data.
fn check_fixed(beta: PriorSource, gamma: PriorSource, place: Place, gamma_place: Option<Place>) -> Result<(), Wrong> {
    // A number that is not known yet is taken to be possible.
    let (known_beta, known_gamma) = match (beta, gamma) {
        (PriorSource::Fixed(beta), PriorSource::Fixed(gamma)) => (beta, gamma),
        (PriorSource::Fixed(beta), PriorSource::Multiple { .. }) => (beta, 0.0),
        (PriorSource::Multiple { .. }, PriorSource::Fixed(gamma)) => (1.0f64.next_down(), gamma),
        (PriorSource::Multiple { .. }, PriorSource::Multiple { .. }) => return Ok(()),
    };
    Prior::new(known_beta, known_gamma).map(|_| ()).map_err(|error| {
        let place = if let PriorError::Beta(_) = error { place } else { gamma_place.unwrap_or(place) };
        place.wrong(error.to_string(), "priors must satisfy 0 <= gamma < beta < 1")
    })
}
