//! `doublepu methods`

use crate::cli::{Exit, Stop, say};
use crate::learn::{Card, Optimizer};
use crate::math::risk::{Correction, Loss};
use crate::methods::{Entry, METHODS, Method};
use strum::VariantArray;

pub fn list() -> Result<Exit, Stop> {
    for Entry { card: Card { name, what, samples, prior, source, .. }, default, .. } in METHODS {
        say(&format!("{name}\n    {what}"));
        say(&format!("    samples: {samples}; priors: {}", prior.words()));
        say(&format!("    options, at their defaults: {}", defaults(&default())));
        say(&format!("    from: {source}\n"));
    }
    say(&format!("loss:        {}", Loss::ALL.map(Loss::name).join(", ")));
    say(&format!("correction:  {}; only for {}", Correction::ALL.map(Correction::name).join(", "), corrected()));
    say("costs:       { false_negative: 1, false_positive: 1 }, in tables 1:1");
    say("model:       linear, { rbf: { centers: 100, width: median } },");
    say("             { network: { hidden: 32, epochs: 200, rate: 0.01, batches: 4 } }");
    let optimizers: Vec<&str> = Optimizer::VARIANTS.iter().map(|optimizer| optimizer.name()).collect();
    say(&format!("optimizer:   {}\n", optimizers.join(", ")));
    say(
        "In a spec: `- NAME` or `- NAME: { option: value }`. A list of values compares them; `{ tune: [..] }` selects one\n\
         for every split, without true labels. `doublepu schema` describes every option.",
    );
    Ok(Exit::Done)
}

/// The methods that take a correction.
fn corrected() -> String {
    let names = METHODS.iter().filter(|entry| takes_correction(&(entry.default)())).map(|entry| entry.card.name);
    names.collect::<Vec<_>>().join(", ")
}

/// Whether the method has a correction and accepts one.
fn takes_correction(method: &Method) -> bool {
    let mut stored = serde_json::to_value(method).unwrap_or_default();
    stored[method.name()]["correction"] = Correction::Paper.name().into();
    serde_json::from_value::<Method>(stored).is_ok_and(|method| method.check().is_ok())
}

fn defaults(method: &Method) -> String {
    let options = method.options().into_iter().filter(|(key, _)| *key != "correction" || takes_correction(method));
    let options: Vec<String> = options.map(|(key, value)| format!("{key}={value}")).collect();
    if options.is_empty() { "none".to_string() } else { options.join(", ") }
}
