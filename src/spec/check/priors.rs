//! Checks the key `priors`.

use crate::learn::{Prior, PriorError};
use crate::math::bounds::NumberOrWord;
use crate::mistake::{Mistake, Span};
use crate::spec::decode::decode;
use crate::spec::expand::{items, refuse_too_many};
use crate::spec::experiment::{NamedPrior, PriorBase, PriorSource};
use crate::spec::written::{Multiple, PriorPair};
use crate::spec::yaml::{Node, Value};
use serde::{Deserialize, Deserializer};

const TRUTH: PriorSource = PriorSource::Multiple { times: 1.0, of: PriorBase::True };

pub fn priors(node: Option<&Node>) -> Result<Vec<NamedPrior>, Mistake> {
    let entries = match node.map(|node| (&node.value, &node.span)) {
        None | Some((Value::Null, _)) => &[][..],
        Some((Value::List(entries), _)) => entries,
        Some((other, span)) => {
            let remedy = "list priors as `- true`, `- train` or `- name: { beta: ..., gamma: ... }`";
            return Err(span.mistake(format!("expected a list, found {}", other.kind()), remedy));
        }
    };
    if entries.is_empty() {
        return Ok(vec![NamedPrior { name: "true".to_string(), beta: TRUTH, gamma: TRUTH }]);
    }
    let mut priors: Vec<NamedPrior> = Vec::new();
    for entry in entries {
        for prior in expand(entry)? {
            refuse_too_many(priors.len(), "priors", &entry.span)?;
            // Sweeps over beta and over gamma may both include the true prior: it is one prior and not two.
            if priors.iter().any(|other| (other.beta, other.gamma) == (prior.beta, prior.gamma)) {
                continue;
            }
            if priors.iter().any(|other| other.name == prior.name) {
                let problem = format!("two different priors are called `{}`", prior.name);
                return Err(entry.span.mistake(problem, "give each a different name"));
            }
            priors.push(prior);
        }
    }
    Ok(priors)
}

/// The priors that an item of the list expands to.
fn expand(node: &Node) -> Result<Vec<NamedPrior>, Mistake> {
    match &node.value {
        Value::Map(entries) if entries.len() == 1 => named_priors(&entries[0].0.name, &entries[0].1, &node.span),
        Value::Map(_) => Err(node.span.mistake("a prior is `name: { beta: ..., gamma: ... }`, one per item", "")),
        other => {
            let expected = "`true`, `train` or `name: { beta: ..., gamma: ... }`";
            let wrong = |_| node.span.mistake(format!("expected {expected}, found {}", other.kind()), "");
            let of: PriorBase = decode(node).map_err(wrong)?;
            let source = PriorSource::Multiple { times: 1.0, of };
            Ok(vec![NamedPrior { name: of.to_string(), beta: source, gamma: source }])
        }
    }
}

fn named_priors(name: &str, node: &Node, span: &Span) -> Result<Vec<NamedPrior>, Mistake> {
    let _: PriorPair = decode(node)?;
    let betas = sources(node.get("beta"))?;
    let gammas = sources(node.get("gamma"))?;
    if name.is_empty() || name.chars().count() > 40 {
        let remedy = "give it a name of 1 to 40 printable characters";
        return Err(span.mistake("this prior's name cannot be shown in tables", remedy));
    }
    refuse_too_many(betas.len().saturating_mul(gammas.len()), "priors", span)?;
    let mut priors = Vec::new();
    for beta in &betas {
        for gamma in &gammas {
            refuse_impossible(beta, gamma, span)?;
            let mut name = name.to_string();
            for (sources, key, source) in [(&betas, "beta", beta), (&gammas, "gamma", gamma)] {
                if sources.len() > 1 {
                    let key = if betas.len() > 1 && gammas.len() > 1 { key } else { "" };
                    name = format!("{name} {key}{}", source.source);
                }
            }
            priors.push(NamedPrior { name, beta: beta.source, gamma: gamma.source });
        }
    }
    Ok(priors)
}

/// The source of a prior, and its span in the spec.
struct Written<'a> {
    source: PriorSource,
    span: Option<&'a Span>,
}

/// The values of a key.
fn sources(node: Option<&Node>) -> Result<Vec<Written<'_>>, Mistake> {
    let Some(node) = node.filter(|node| node.value != Value::Null) else {
        return Ok(vec![Written { source: TRUTH, span: None }]);
    };
    let mut sources = Vec::new();
    for choice in items(node)? {
        match choice.entry("times") {
            Some((_, times)) => {
                for factor in items(times)? {
                    let Multiple { times, of } = decode(&with_times(choice, factor))?;
                    let source = PriorSource::Multiple { times: times.value(), of };
                    sources.push(Written { source, span: Some(&factor.span) });
                }
            }
            None if matches!(choice.value, Value::Map(_)) => {
                decode::<Multiple>(choice)?;
            }
            None => sources.push(Written { source: decode::<Plain>(choice)?.0, span: Some(&choice.span) }),
        }
    }
    Ok(sources)
}

/// `{ times: [a, b], of: .. }` with one of the factors.
fn with_times(choice: &Node, factor: &Node) -> Node {
    let mut one = choice.clone();
    if let Value::Map(entries) = &mut one.value {
        entries.iter_mut().filter(|(key, _)| key.name == "times").for_each(|(_, node)| *node = factor.clone());
    }
    one
}

/// A number, or a word for a counted prior.
struct Plain(PriorSource);

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        NumberOrWord {
            expecting: "a number, `true`, `train` or `{ times: FACTOR }`",
            number: |value| Ok(Plain(PriorSource::Fixed(value))),
            word: |word| Some(Plain(PriorSource::Multiple { times: 1.0, of: word.parse().ok()? })),
            key: None,
        }
        .deserialize(deserializer)
    }
}

/// Refuses priors that are impossible whatever the data.
fn refuse_impossible(beta: &Written, gamma: &Written, span: &Span) -> Result<(), Mistake> {
    // A number that depends on the data counts as possible.
    let (known_beta, known_gamma) = match (beta.source, gamma.source) {
        (PriorSource::Fixed(beta), PriorSource::Fixed(gamma)) => (beta, gamma),
        (PriorSource::Fixed(beta), PriorSource::Multiple { .. }) => (beta, 0.0),
        (PriorSource::Multiple { .. }, PriorSource::Fixed(gamma)) => (1.0f64.next_down(), gamma),
        (PriorSource::Multiple { .. }, PriorSource::Multiple { .. }) => return Ok(()),
    };
    Prior::new(known_beta, known_gamma).map(|_| ()).map_err(|error| {
        let either = beta.span.or(gamma.span);
        let span = if let PriorError::Beta(_) = error { either } else { gamma.span.or(either) }.unwrap_or(span);
        span.mistake(error.to_string(), "priors must satisfy 0 <= gamma < beta < 1")
    })
}
