//! How much more people help: AUC against the one number in which settings differ, such as the share of a sample.

use crate::analysis::{Line, Results};
use crate::math::metric::Metric;
use crate::report::plot::MOST_CURVES;
use crate::report::plot::sweep::{AucBySweep, Curve};
use std::collections::BTreeSet;

/// With the key of the spec that differs; `None` unless it is a single one and its values are numbers.
pub fn learning_curve<'a>(results: &'a Results<'a>) -> Option<(&'static str, AucBySweep<'a>)> {
    let descriptions: Vec<_> = results.experiment.settings.iter().map(|setting| setting.description()).collect();
    let first = descriptions.first()?;
    let keys: Vec<&str> = first.iter().map(|(key, _)| *key).collect();
    // Settings of another kind have other keys.
    if descriptions.iter().any(|other| !other.iter().map(|(key, _)| *key).eq(keys.iter().copied())) {
        return None;
    }
    let values = |place: usize| descriptions.iter().map(move |description| &description[place].1);
    let mut differing = (0..keys.len()).filter(|place| values(*place).collect::<BTreeSet<_>>().len() > 1);
    let (place, None) = (differing.next()?, differing.next()) else { return None };
    let numbers: Vec<f64> = values(place).map(|value| value.parse().ok()).collect::<Option<_>>()?;

    let curve = |method: usize| {
        let lines = results.lines.iter().filter(|line| line.method == method && line.is_of_first_prior());
        let point = |line: &'a Line<'a>| Some((numbers[line.setting], line.summary(Metric::RocAuc)?));
        let points: Vec<_> = lines.filter_map(point).collect();
        let label = results.experiment.methods[method].label.as_str();
        (points.len() > 1).then_some(Curve { label, method, points })
    };
    let curves: Vec<Curve> = (0..results.experiment.methods.len()).filter_map(curve).take(MOST_CURVES).collect();
    let key = keys[place];
    let (title, when) = (format!("ROC-AUC by `{key}`"), format!("`{key}` is varied"));
    (!curves.is_empty())
        .then(|| (key, AucBySweep::new(title.replace('`', ""), when, key.to_string(), curves, Vec::new())))
}
