//! What to know before trusting the numbers: fits that did not converge, cells that failed.

use crate::analysis::{FailureGroup, Line, Results};
use crate::learn::{Fit, PriorUse};
use crate::math::metric::Metric;
use crate::math::optim::Ending;
use crate::report::plot::MOST_SETTINGS;
use crate::spec::{Experiment, PriorBase, PriorSource};

/// What to know before trusting the numbers, in sentences.
pub fn notes(results: &Results) -> Vec<String> {
    let mut notes = results.experiment.left_out();
    notes.extend(of_spec(results));
    notes.extend(of_fits(results));
    notes
}

/// What the spec asks for and the report does not have.
fn of_spec(results: &Results) -> Vec<String> {
    let Results { experiment, lines, .. } = results;
    let mut notes = Vec::new();
    notes.extend(of_priors(experiment));
    for paper in &experiment.paper {
        if !lines.iter().any(|line| results.is_printed_for(paper, line)) {
            notes.push(format!("The paper's {} of {} has no row here.", paper.metric.title(), paper.method));
        }
    }
    if let Some(method) = experiment.compare {
        let has_result = lines.iter().any(|line| line.method == method && line.scored().next().is_some());
        if experiment.methods.len() == 1 || !has_result {
            let label = &experiment.methods[method].label;
            notes.push(format!("There is nothing to compare {label} with: it has no result, or no other method has."));
        }
    }
    let counts = |setting: usize| {
        let lines = lines.iter().filter(move |line| line.setting == setting);
        lines.map(|line| line.values(Metric::RocAuc).len()).filter(|count| *count > 0)
    };
    let settings = experiment.settings.len();
    if (0..settings).any(|setting| counts(setting).min() != counts(setting).max()) {
        let note = "Some rows have results for fewer seeds than others, so their means are over different splits. Paired \
                    comparisons use the seeds that both methods have.";
        notes.push(note.to_string());
    }
    if settings > MOST_SETTINGS {
        notes.push(format!("Plots of single settings are drawn for the first {MOST_SETTINGS} of {settings} settings."));
    }
    notes
}

/// What no company knows: the priors that a spec without `priors` gives.
fn of_priors(experiment: &Experiment) -> Option<String> {
    const TRUTH: PriorSource = PriorSource::Multiple { times: 1.0, of: PriorBase::True };
    let are_true = experiment.priors.iter().all(|prior| (prior.beta, prior.gamma) == (TRUTH, TRUTH));
    let are_used = experiment.methods.iter().any(|method| method.method.prior_use() != PriorUse::None);
    (are_true && are_used).then(|| {
        "Methods that use class priors are given the true ones, counted from the labels of all rows, test rows included; \
         `priors` in the spec gives others."
            .to_string()
    })
}

fn of_fits(results: &Results) -> Vec<String> {
    let fits: Vec<&Fit> = results.lines.iter().flat_map(Line::scored).map(|scored| &scored.fit).collect();
    let count = |is: fn(&Fit) -> bool| fits.iter().filter(|fit| is(fit)).count();
    let stopped = count(|fit| matches!(fit.ending, Ending::IterationLimit | Ending::Stalled));
    let not_convex = count(|fit| fit.convex == Some(false));
    let searched = count(|fit| fit.starts.is_some());
    let apart = count(|fit| fit.starts.is_some_and(|starts| starts.end_apart()));
    let stepped = count(|fit| fit.ending == Ending::EpochsDone);
    let searches = format!(
        " {searched} of them were fitted from several starts. In {apart}, the starts ended at objectives that differ by \
         more than a millionth of their size (`lowest_objective` and `highest_objective`); the lowest is used."
    );
    let notes = [
        (stopped, "stopped before they converged (`ending` in cells.csv).", ""),
        (
            not_convex,
            "minimise a risk that is not known to be convex (`convex` in cells.csv).",
            if searched > 0 { &searches } else { "" },
        ),
        (stepped, "used a first-order optimiser for a fixed number of epochs, without a convergence test.", ""),
    ];
    let notes = notes.into_iter().filter(|(count, ..)| *count > 0);
    notes.map(|(count, what, more)| format!("{count} of {} fits {what}{more}", fits.len())).collect()
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
