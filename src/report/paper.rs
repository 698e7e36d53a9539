//! Where a paper's printed value falls among ours.

use crate::report::{Line, Results};
use crate::spec::PaperValue;
use crate::stats::quantile;

/// More lines than this are counted and not told one by one.
const MOST_SENTENCES: usize = 6;

/// One sentence for each printed value and line that it is printed for.
pub fn verdicts(results: &Results) -> Vec<String> {
    let mut sentences = Vec::new();
    for paper in &results.experiment.paper {
        let lines: Vec<&Line> = results
            .lines
            .iter()
            .filter(|line| results.paper_value(line, paper.metric).is_some_and(|other| std::ptr::eq(other, paper)))
            .filter(|line| line.scored().next().is_some())
            .collect();
        if lines.len() <= MOST_SENTENCES {
            sentences.extend(lines.iter().filter_map(|line| sentence(paper, line)));
        } else {
            let inside = lines.iter().filter(|line| is_inside(paper, &line.values(paper.metric))).count();
            sentences.push(format!(
                "The paper's {} {} lies within the range of the seeds for {inside} of {} lines of {}.",
                paper.metric.title(),
                printed(paper),
                lines.len(),
                paper.method
            ));
        }
    }
    sentences
}

pub fn printed(paper: &PaperValue) -> String {
    format!("{:.*}", paper.printed_digits as usize, paper.value)
}

fn is_inside(paper: &PaperValue, values: &[f64]) -> bool {
    values.iter().any(|value| *value <= paper.value) && values.iter().any(|value| *value >= paper.value)
}

fn sentence(paper: &PaperValue, line: &Line) -> Option<String> {
    let values = line.values(paper.metric);
    let below = values.iter().filter(|value| **value < paper.value).count();
    let at = |share| quantile(&values, share);
    let place = match below {
        0 => "below every seed".to_string(),
        _ if below == values.len() => "above every seed".to_string(),
        _ => format!("above {below} and below {} of {} seeds", values.len() - below, values.len()),
    };
    Some(format!(
        "The paper prints {} {} for {}. That is {place}: ours range from {:.4} to {:.4}, with the median at {:.4}.",
        paper.metric.title(),
        printed(paper),
        line.name(),
        at(0.0)?,
        at(1.0)?,
        at(0.5)?,
    ))
}
