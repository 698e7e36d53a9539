//! The gate that a baseline was accepted with, and what a later gate demands less of.

use crate::gate::snapshot::{Snapshot, one_line};
use crate::math::metric::Metric;
use crate::spec::{Demands, Experiment};
use std::collections::BTreeMap;

/// What a gate demands of every method, by label.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PinnedGate(pub BTreeMap<String, Demands<String>>);

/// Something that the gate of a run demands less of than the gate of the baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct Laxer {
    /// The label in the run.
    pub method: String,
    pub demand: LaxerDemand,
    pub pinned: f64,
    /// `None` if the run demands nothing here.
    pub now: Option<f64>,
}

/// The number of a gate that is laxer.
#[derive(Clone, Debug, PartialEq)]
pub enum LaxerDemand {
    Margin(Metric),
    Rise,
    AtLeast,
    AtMost,
    /// The allowance against another method.
    Reach(String),
}

impl PinnedGate {
    pub fn of(experiment: &Experiment) -> Self {
        let label = |method: usize| one_line(&experiment.methods[method].label);
        let demands = |method: usize| {
            let mut demands = experiment.gate.demands_on(method).with_names(|method| Some(label(method)));
            // The order of the spec does not count.
            demands.reach.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
            demands
        };
        PinnedGate((0..experiment.methods.len()).map(|method| (label(method), demands(method))).collect())
    }

    /// With the labels that the methods have in a run. A method that the run lacks is left out: `check` refuses such a run,
    /// and `accept` lists what is gone.
    fn renamed(self, labels: &BTreeMap<&str, &str>) -> Self {
        let name = |label: String| labels.get(&*label).map(ToString::to_string);
        let renamed = |(label, demands): (String, Demands<String>)| Some((name(label)?, demands.with_names(name)));
        PinnedGate(self.0.into_iter().filter_map(renamed).collect())
    }

    /// What a run demands less of. `twins` has the index in the baseline of each line of the run.
    pub fn laxer(
        &self,
        experiment: &Experiment,
        baseline: &Snapshot,
        run: &Snapshot,
        twins: &[Option<usize>],
    ) -> Vec<Laxer> {
        let pairs = run.lines.iter().zip(twins).filter_map(|(line, twin)| Some((&baseline.lines[(*twin)?], line)));
        let labels = pairs.map(|(twin, line)| (&*twin.label.method, &*line.label.method)).collect();
        let PinnedGate(now) = PinnedGate::of(experiment);
        let pinned = self.clone().renamed(&labels).0;
        let both = pinned.iter().filter_map(|(method, demands)| Some((method, demands, now.get(method)?)));
        both.flat_map(|(method, pinned, now)| laxer(method, pinned, now)).collect()
    }
}

/// What the demands on a method have less of.
///
/// Laxer is: a larger margin, rise or allowance; a lower floor; a higher ceiling; and each of them that is gone. A demand
/// that the baseline does not have makes a gate stricter.
fn laxer(method: &str, pinned: &Demands<String>, now: &Demands<String>) -> Vec<Laxer> {
    // Every field is named, so that a new one does not compile until it is decided what laxer means for it.
    let Demands { margins, rise, at_least, at_most, reach } = pinned;
    let mut found = Vec::new();
    let mut compare = |demand: LaxerDemand, pinned: f64, now: Option<f64>| {
        let is_laxer = match &demand {
            LaxerDemand::AtLeast => now.is_none_or(|now| now < pinned),
            LaxerDemand::Margin(_) | LaxerDemand::Rise | LaxerDemand::AtMost | LaxerDemand::Reach(_) => {
                now.is_none_or(|now| now > pinned)
            }
        };
        if is_laxer {
            found.push(Laxer { method: method.to_string(), demand, pinned, now });
        }
    };
    for (metric, margin) in margins {
        let now = now.margins.iter().find(|(other, _)| other == metric);
        compare(LaxerDemand::Margin(*metric), *margin, now.map(|(_, margin)| *margin));
    }
    compare(LaxerDemand::Rise, *rise, Some(now.rise));
    at_least.iter().for_each(|floor| compare(LaxerDemand::AtLeast, *floor, now.at_least));
    at_most.iter().for_each(|ceiling| compare(LaxerDemand::AtMost, *ceiling, now.at_most));
    for (other, allowance) in reach {
        let of_other = now.reach.iter().filter(|(name, _)| name == other).map(|(_, allowance)| *allowance);
        compare(LaxerDemand::Reach(other.clone()), *allowance, of_other.reduce(f64::min));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn demands() -> Demands<String> {
        Demands {
            margins: vec![(Metric::RocAuc, 0.005), (Metric::BrierScore, 0.01)],
            rise: 0.03,
            at_least: Some(0.8),
            at_most: Some(0.9),
            reach: vec![("naive_pu".into(), -0.02)],
        }
    }

    /// What is laxer after an edit, and after its reverse.
    fn both_ways(edit: impl Fn(&mut Demands<String>)) -> [Vec<Laxer>; 2] {
        let (before, mut after) = (demands(), demands());
        edit(&mut after);
        [laxer("m", &before, &after), laxer("m", &after, &before)]
    }

    #[test]
    fn every_number_of_a_gate_has_a_lax_direction_and_a_strict_one() {
        let found = |demand, pinned, now| vec![Laxer { method: "m".into(), demand, pinned, now }];
        let reach = || LaxerDemand::Reach("naive_pu".into());
        assert_eq!(both_ways(|_| {}), [vec![], vec![]]);
        let margin = LaxerDemand::Margin(Metric::BrierScore);
        assert_eq!(both_ways(|to| to.margins[1].1 = 0.02), [found(margin.clone(), 0.01, Some(0.02)), vec![]]);
        assert_eq!(both_ways(|to| to.margins.truncate(1)), [found(margin, 0.01, None), vec![]]);
        assert_eq!(both_ways(|to| to.rise = 0.3), [found(LaxerDemand::Rise, 0.03, Some(0.3)), vec![]]);
        assert_eq!(both_ways(|to| to.at_least = Some(0.7)), [found(LaxerDemand::AtLeast, 0.8, Some(0.7)), vec![]]);
        assert_eq!(both_ways(|to| to.at_least = None), [found(LaxerDemand::AtLeast, 0.8, None), vec![]]);
        assert_eq!(both_ways(|to| to.at_most = Some(0.95)), [found(LaxerDemand::AtMost, 0.9, Some(0.95)), vec![]]);
        assert_eq!(both_ways(|to| to.at_most = None), [found(LaxerDemand::AtMost, 0.9, None), vec![]]);
        assert_eq!(both_ways(|to| to.reach[0].1 = 0.0), [found(reach(), -0.02, Some(0.0)), vec![]]);
        assert_eq!(both_ways(|to| to.reach.clear()), [found(reach(), -0.02, None), vec![]]);
        // Of two orders of the same methods, the stricter one counts.
        assert_eq!(both_ways(|to| to.reach.push(("naive_pu".into(), 0.5)))[0], []);
    }

    #[test]
    fn a_method_is_found_by_the_name_that_it_has_now() {
        let pinned = PinnedGate(BTreeMap::from([("a".into(), demands()), ("naive_pu".into(), demands())]));
        let renamed = pinned.renamed(&BTreeMap::from([("a", "a ridge=1"), ("naive_pu", "naive")]));
        assert_eq!(renamed.0.keys().collect::<Vec<_>>(), ["a ridge=1", "naive"]);
        assert_eq!(renamed.0["naive"].reach, [("naive".to_string(), -0.02)]);
    }
}
