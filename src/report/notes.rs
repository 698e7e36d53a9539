//! What a reader should know of a run beside its numbers: fits that did not converge, cells that failed.

use crate::analysis::{FailureGroup, Line, Results};
use crate::learn::Fit;
use crate::math::metric::Metric;
use crate::math::optim::Ending;
use crate::report::plot::MOST_SETTINGS;

/// What a reader should know of the fits before trusting the numbers.
pub fn notes(results: &Results) -> Vec<String> {
    let fits: Vec<&Fit> = results.lines.iter().flat_map(Line::scored).map(|scored| &scored.fit).collect();
    let count = |is: &dyn Fn(&Fit) -> bool| fits.iter().filter(|fit| is(fit)).count();
    let stopped = count(&|fit| matches!(fit.ending, Ending::IterationLimit | Ending::Stalled));
    let not_convex = count(&|fit| fit.convex == Some(false));
    let searched = count(&|fit| fit.starts.is_some());
    let apart = count(&|fit| fit.starts.is_some_and(|starts| starts.end_apart()));
    let stepped = count(&|fit| fit.ending == Ending::EpochsDone);
    let all = fits.len();
    let mut notes = results.experiment.left_out();
    for paper in &results.experiment.paper {
        if !results.lines.iter().any(|line| results.is_printed_for(paper, line)) {
            notes.push(format!("No line is there for the paper's {} of {}.", paper.metric.title(), paper.method));
        }
    }
    if let Some(method) = results.experiment.compare {
        let is_compared = |line: &&Line| line.method == method && line.scored().next().is_some();
        if results.experiment.methods.len() == 1 || !results.lines.iter().any(|line| is_compared(&line)) {
            let label = &results.experiment.methods[method].label;
            notes.push(format!("There is nothing to compare {label} with: it has no result, or no other method has."));
        }
    }
    let counts = |setting: usize| {
        let lines = results.lines.iter().filter(move |line| line.setting == setting);
        lines.map(|line| line.values(Metric::RocAuc).len()).filter(|count| *count > 0)
    };
    let settings = results.experiment.settings.len();
    if (0..settings).any(|setting| counts(setting).min() != counts(setting).max()) {
        notes.push(
            "Some lines have results for fewer seeds than others, so that their means are over other splits; paired \
             comparisons are over the seeds that both have."
                .to_string(),
        );
    }
    if settings > MOST_SETTINGS {
        let drawn = MOST_SETTINGS;
        notes.push(format!("Plots of single settings are drawn for the first {drawn} of {settings} settings."));
    }
    if stopped > 0 {
        notes.push(format!("{stopped} of {all} fits stopped before they had converged (`ending` in cells.csv)."));
    }
    if not_convex > 0 {
        let mut note = format!(
            "{not_convex} of {all} fits minimise a risk that is not known to be convex (`convex` in cells.csv)."
        );
        if searched > 0 {
            note += &format!(
                " Of the {searched} that were searched from several starts, {apart} had starts that ended \
                 apart, by more than a millionth of their size (`lowest_objective` and `highest_objective`); the lowest counts."
            );
        }
        notes.push(note);
    }
    if stepped > 0 {
        notes.push(format!(
            "{stepped} of {all} fits followed a first-order method for a given number of epochs, without a rule for \
             convergence."
        ));
    }
    notes
}

/// Failed cells of one line, in a line of text.
pub fn failure_sentence(group: &FailureGroup) -> String {
    let seeds = if group.seeds.len() == 1 { "seed" } else { "seeds" };
    format!("{}, {seeds} {}: {}", group.line, seeds_text(&group.seeds), group.failure)
}

/// Seeds in ascending order, neighbours as ranges.
pub fn seeds_text(seeds: &[u32]) -> String {
    let runs = seeds.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [first, .., last] => format!("{first} to {last}"),
        run => run.first().map_or(String::new(), u32::to_string),
    });
    runs.collect::<Vec<_>>().join(", ")
}
