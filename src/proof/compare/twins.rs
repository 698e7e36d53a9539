//! Which line of one run belongs to which of the other.

use crate::analysis::{Line, Results};
use std::collections::BTreeMap;

/// A line without a twin: its place in the list, and its method's options.
type Single = (usize, Vec<(&'static str, String)>);

/// Lines that belong together: those with the same cells, whatever they are called; of the others those of the same
/// name; and of those that are left the ones whose options are nearest. No line belongs to two.
pub fn twins<'a>(first: &'a Results<'a>, second: &'a Results<'a>) -> Vec<(&'a Line<'a>, &'a Line<'a>)> {
    let (lines, others) = (&first.lines, &second.lines);
    let mut matching = Matching { places: vec![None; lines.len()], is_taken: vec![false; others.len()] };
    let ids = |(place, line): (usize, &'a Line)| line.cells.iter().map(move |(cell, _)| (&*cell.id, place));
    let by_id: BTreeMap<&str, usize> = others.iter().enumerate().flat_map(ids).collect();
    for (index, line) in lines.iter().enumerate() {
        matching.join(index, line.cells.iter().find_map(|(cell, _)| by_id.get(&*cell.id).copied()));
    }
    let by_name: BTreeMap<&str, usize> = others.iter().enumerate().map(|(place, line)| (line.name(), place)).collect();
    for (index, line) in lines.iter().enumerate() {
        matching.join(index, by_name.get(line.name()).copied());
    }
    let mut left = singles(second, |place| !matching.is_taken[place]);
    for (key, mut own) in singles(first, |index| matching.places[index].is_none()) {
        let Some(rivals) = left.get_mut(&key) else { continue };
        while let Some((index, place)) = nearest(&own, rivals) {
            matching.join(index, Some(place));
            own.retain(|single| single.0 != index);
            rivals.retain(|single| single.0 != place);
        }
    }
    lines.iter().zip(matching.places).filter_map(|(line, place)| Some((line, &others[place?]))).collect()
}

struct Matching {
    /// Of each line of the first run, where in the second its twin is.
    places: Vec<Option<usize>>,
    /// Whether a line of the second run is a twin.
    is_taken: Vec<bool>,
}

impl Matching {
    /// Unless one of them has a twin already.
    fn join(&mut self, index: usize, place: Option<usize>) {
        if let Some(place) = place.filter(|place| self.places[index].is_none() && !self.is_taken[*place]) {
            (self.places[index], self.is_taken[place]) = (Some(place), true);
        }
    }
}

/// The lines without a twin, by setting, prior and method: a label also changes with the other methods of a run.
fn singles<'a>(
    results: &'a Results<'a>,
    is_single: impl Fn(usize) -> bool,
) -> BTreeMap<(&'a str, &'a str, &'static str), Vec<Single>> {
    let mut singles: BTreeMap<_, Vec<Single>> = BTreeMap::new();
    for (place, line) in results.lines.iter().enumerate().filter(|(place, _)| is_single(*place)) {
        let method = &results.experiment.methods[line.method].method;
        let key = (line.setting_label, line.prior_name, method.name());
        singles.entry(key).or_default().push((place, method.options()));
    }
    singles
}

/// The places of two that are each other's nearest; `None` where others are always as near.
fn nearest(own: &[Single], rivals: &[Single]) -> Option<(usize, usize)> {
    let mutual = |single: &Single| {
        let rival = only_nearest(single, rivals)?;
        (only_nearest(rival, own)?.0 == single.0).then_some((single.0, rival.0))
    };
    own.iter().find_map(mutual)
}

fn only_nearest<'a>(single: &Single, candidates: &'a [Single]) -> Option<&'a Single> {
    let apart = |other: &Single| single.1.iter().filter(|option| !other.1.contains(option)).count();
    let least = candidates.iter().map(apart).min()?;
    let mut near = candidates.iter().filter(|candidate| apart(candidate) == least);
    near.next().filter(|_| near.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_tell_which_is_nearest_unless_several_are_as_near() {
        let single = |place: usize, loss: &str, ridge: &str| -> Single {
            (place, vec![("loss", loss.to_string()), ("ridge", ridge.to_string())])
        };
        let own = [single(0, "squared", "0.01"), single(1, "logistic", "0.01")];
        assert_eq!(nearest(&own, &[single(5, "logistic", "0.5"), single(6, "squared", "0.5")]), Some((0, 6)));
        // The first of them is as near to both, so that the second chooses before it.
        assert_eq!(nearest(&own, &[single(5, "logistic", "0.01"), single(6, "squared", "0.5")]), Some((1, 5)));
        let sweep = [single(5, "squared", "0.1"), single(6, "squared", "1")];
        assert_eq!(nearest(&own[..1], &sweep), None);
        assert_eq!(nearest(&sweep, &own[..1]), None);
        assert_eq!(nearest(&own, &[]), None);
    }
}
