//! Which line of one run corresponds to which line of the other.

use crate::analysis::{Line, Results};
use std::collections::BTreeMap;

/// A line without a twin: its index, and its method's options.
type Single = (usize, Vec<(&'static str, String)>);

/// Pairs of lines: first those with the same cells, whatever their names; then those with the same name; then those with the
/// most similar options. Every line is in at most one pair.
pub fn twins<'a>(first: &'a Results<'a>, second: &'a Results<'a>) -> Vec<(&'a Line<'a>, &'a Line<'a>)> {
    let (lines, others) = (&first.lines, &second.lines);
    let mut twins: Vec<Option<usize>> = vec![None; lines.len()];
    let ids = |(index, line): (usize, &'a Line)| line.cells.iter().map(move |(cell, _)| (&*cell.id, index));
    let by_id: BTreeMap<&str, usize> = others.iter().enumerate().flat_map(ids).collect();
    let by_name: BTreeMap<&str, usize> = others.iter().enumerate().map(|(index, line)| (line.name(), index)).collect();
    let same_cells = |line: &Line| line.cells.iter().find_map(|(cell, _)| by_id.get(&*cell.id).copied());
    let same_name = |line: &Line| by_name.get(line.name()).copied();
    for other in [&same_cells as &dyn Fn(&Line) -> Option<usize>, &same_name] {
        for (index, line) in lines.iter().enumerate() {
            let other = other(line);
            if twins[index].is_none() && !twins.contains(&other) {
                twins[index] = other;
            }
        }
    }
    let mut rivals = singles(second, |index| !twins.contains(&Some(index)));
    for (key, mut own) in singles(first, |index| twins[index].is_none()) {
        let Some(rivals) = rivals.get_mut(&key) else { continue };
        while let Some((index, other)) = nearest(&own, rivals) {
            twins[index] = Some(other);
            own.retain(|single| single.0 != index);
            rivals.retain(|single| single.0 != other);
        }
    }
    lines.iter().zip(twins).filter_map(|(line, twin)| Some((line, &others[twin?]))).collect()
}

/// The lines without a twin, by setting, prior and method. A label depends on the other methods of a run.
fn singles<'a>(
    results: &'a Results<'a>,
    is_single: impl Fn(usize) -> bool,
) -> BTreeMap<(&'a str, &'a str, &'static str), Vec<Single>> {
    let mut singles: BTreeMap<_, Vec<Single>> = BTreeMap::new();
    for (index, line) in results.lines.iter().enumerate().filter(|(index, _)| is_single(*index)) {
        let method = &results.experiment.methods[line.method].method;
        let key = (line.setting_label, line.prior_name, method.name());
        singles.entry(key).or_default().push((index, method.options()));
    }
    singles
}

/// The indices of two lines that are each other's nearest; `None` if there is always a tie.
fn nearest(own: &[Single], rivals: &[Single]) -> Option<(usize, usize)> {
    let mutual = |single: &Single| {
        let rival = only_nearest(single, rivals)?;
        (only_nearest(rival, own)?.0 == single.0).then_some((single.0, rival.0))
    };
    own.iter().find_map(mutual)
}

fn only_nearest<'a>(single: &Single, candidates: &'a [Single]) -> Option<&'a Single> {
    let distance = |other: &Single| single.1.iter().filter(|option| !other.1.contains(option)).count();
    let least = candidates.iter().map(distance).min()?;
    let mut near = candidates.iter().filter(|candidate| distance(candidate) == least);
    near.next().filter(|_| near.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_tell_which_is_nearest_unless_several_are_as_near() {
        let single = |index: usize, loss: &str, ridge: &str| -> Single {
            (index, vec![("loss", loss.to_string()), ("ridge", ridge.to_string())])
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
