//! `doublepu methods`

use crate::cli::{Exit, Stop, say};
use crate::learn::{CATALOGUE, Entry, Method, Optimizer};
use crate::math::risk::{Correction, Loss};

pub fn list() -> Result<Exit, Stop> {
    for (Entry { name, what, samples, priors, source }, method) in CATALOGUE.into_iter().zip(Method::with_defaults()) {
        say(&format!("{name}\n    {what}"));
        say(&format!("    samples: {samples}; priors: {priors}"));
        say(&format!("    options, at their defaults: {}", defaults(&method)));
        say(&format!("    from: {source}\n"));
    }
    say(&format!("loss:        {}", Loss::ALL.map(Loss::name).join(", ")));
    say(&format!("correction:  {}; only for {}", Correction::ALL.map(Correction::name).join(", "), corrected()));
    say("costs:       { false_negative: 1, false_positive: 1 }, in tables 1:1");
    say("model:       linear, { rbf: { centers: 100, width: median } },");
    say("             { network: { hidden: 32, epochs: 200, rate: 0.01, batches: 4 } }");
    say(&format!("optimizer:   {}\n", Optimizer::ALL.map(Optimizer::name).join(", ")));
    say(
        "In a spec: `- NAME` or `- NAME: { option: value }`. A list as a value compares several; `{ tune: [..] }` chooses",
    );
    say("one for every split, without true labels. `doublepu schema` describes every option.");
    Ok(Exit::Done)
}

/// The methods that take a correction.
fn corrected() -> String {
    let methods = Method::with_defaults();
    methods.iter().filter(|method| method.takes_correction()).map(Method::name).collect::<Vec<_>>().join(", ")
}

fn defaults(method: &Method) -> String {
    let options = method.options().into_iter().filter(|(key, _)| *key != "correction" || method.takes_correction());
    let options: Vec<String> = options.map(|(key, value)| format!("{key}={value}")).collect();
    if options.is_empty() { "none".to_string() } else { options.join(", ") }
}
