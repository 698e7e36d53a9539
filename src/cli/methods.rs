//! `doublepu methods`

use crate::cli::{Exit, Stop, say};
use crate::learn::{CATALOGUE, Entry};

pub fn list() -> Result<Exit, Stop> {
    for Entry { name, what, samples, priors, options, source } in CATALOGUE {
        let options = if options.is_empty() { "none".to_string() } else { options.join(", ") };
        say(&format!("{name}\n    {what}"));
        say(&format!("    samples: {samples}; priors: {priors}; options: {options}"));
        say(&format!("    from: {source}\n"));
    }
    say(
        "In a spec: `- NAME` or `- NAME: { option: value }`. A list as a value compares several; `{ tune: [..] }` chooses",
    );
    say("one for every split, without true labels. `doublepu schema` describes every option and its default.");
    Ok(Exit::Done)
}
