//! Mean AUC over the keys in which settings differ: curves over one key, and a panel for each value of the others.

use crate::analysis::{Line, Results};
use crate::report::plot::MOST_CURVES;
use crate::report::plot::canvas::{Figure, Plot};
use crate::report::plot::chart::{Axis, Chart, Mark, Panel};
use crate::report::plot::curve::{Curve, PANEL_STEP, STEP, Scale, auc_range, curves, dodge, shapes};
use crate::report::plot::grid::Grid;
use crate::report::plot::names::slug;
use crate::report::plot::sweep::{SIZE, ends_of};
use crate::spec::SweptKey;

/// More panels would be too small to read.
const MOST_PANELS: usize = 16;
/// Panels of a single key are wrapped after this many; those of two keys are a grid of at most as many columns.
const MOST_COLUMNS: usize = 4;

/// The plot of all settings, with the name of its file; `None` unless every setting has all keys in which some differ, and
/// one of several keys or an only one with numbers is varied by itself.
pub fn auc_by_settings(results: &Results) -> Option<(String, Plot)> {
    let mut keys = results.experiment.swept_keys();
    if keys.is_empty() || keys.iter().any(|key| key.values.iter().any(Option::is_none)) {
        return None;
    }
    // Over the axis goes the key with the most numbers or else the most values; the first of equals.
    let weight = |key: &SweptKey| (key.is_numeric(), key.levels().len());
    let most = keys.iter().map(weight).max()?;
    let over = keys.remove(keys.iter().position(|key| weight(key) == most)?);
    if keys.is_empty() { over.is_numeric().then(|| of_one_key(results, &over))? } else { facets(results, &over, &keys) }
}

/// Random scores would squeeze all other curves together.
fn shown_methods<'a>(results: &'a Results) -> impl Iterator<Item = (usize, &'a str)> {
    let methods = &results.experiment.methods;
    let all_random = methods.iter().all(|method| method.method.is_random());
    let shown = methods.iter().enumerate().filter(move |(_, method)| all_random || !method.method.is_random());
    shown.map(|(index, method)| (index, &*method.label))
}

/// Where each setting is on an axis.
fn places(over: &SweptKey, scale: &Scale) -> Vec<Option<f64>> {
    let levels = over.levels();
    let place = |value: &String| Some(scale.places[levels.iter().position(|level| level == value)?]);
    over.values.iter().map(|value| place(value.as_ref()?)).collect()
}

/// Curves with their names at their ends.
fn of_one_key(results: &Results, over: &SweptKey) -> Option<(String, Plot)> {
    let scale = Scale::of(&over.levels());
    let mut curves = curves_of(results, over, &scale, STEP, |_| true);
    curves.retain(|curve| curve.points.len() > 1);
    let x = scale.axis(over.key);
    let y = Axis::new("mean ROC-AUC", range_of(&curves));
    let ends = ends_of(&curves, x.range.end);
    let panel = Panel { x, y, shapes: shapes(&curves, scale.is_continuous), ends };
    let notes = notes(results, &scale, &curves);
    let plot = Plot {
        title: format!("ROC-AUC by {}", over.key),
        caption: format!("Mean ROC-AUC, with its 95% interval, when `{}` is varied.{notes}", over.key),
        figure: Figure::Chart(Chart { size: SIZE, panels: vec![panel], legend: Vec::new() }),
    };
    (!curves.is_empty()).then(|| (format!("auc_by_{}", slug(over.key)), plot))
}

/// A panel for each combination of the other keys.
fn facets(results: &Results, over: &SweptKey, others: &[SweptKey]) -> Option<(String, Plot)> {
    let scale = Scale::of(&over.levels());
    let combinations = combinations(others);
    let shown = &combinations[..combinations.len().min(MOST_PANELS)];
    let of_panel =
        |settings: &Vec<usize>| curves_of(results, over, &scale, PANEL_STEP, |setting| settings.contains(&setting));
    let of_panels: Vec<Vec<Curve>> = shown.iter().map(of_panel).collect();
    // Where keys are varied together, each panel has one value alone.
    if !of_panels.iter().flatten().any(|curve| curve.points.len() > 1) {
        return None;
    }
    let has_curve = |method: &usize| of_panels.iter().flatten().any(|curve| curve.method == *method);
    let legend = shown_methods(results).filter(|(method, _)| has_curve(method));
    let legend = legend.map(|(method, label)| (label.to_string(), Mark::Curve(method))).collect();
    let names: Vec<&str> = others.iter().map(|key| key.key).collect();
    let left_out = match combinations.len() - shown.len() {
        0 => String::new(),
        _ => format!(" These are the first {} of {} panels.", shown.len(), combinations.len()),
    };
    let notes = notes(results, &scale, of_panels.iter().max_by_key(|curves| curves.len())?);
    let panel_names = shown.iter().map(|settings| panel_name(others, settings[0]));
    let panels = panel_names.zip(panels(over, &scale, &of_panels)).collect();
    let plot = Plot {
        title: format!("ROC-AUC by {} for each {}", over.key, names.join(" and ")),
        caption: format!(
            "Mean ROC-AUC, with its 95% interval, over `{}`, with a panel for each value of `{}`. All panels have the same \
             axes.{notes}{left_out}",
            over.key,
            names.join("` and `"),
        ),
        figure: Figure::Grid(Grid { columns: columns(others, shown.len()), panels, legend }),
    };
    Some((format!("auc_by_{}_and_{}", slug(over.key), slug(&names.join("_and_"))), plot))
}

/// Panels with the same axes.
fn panels(over: &SweptKey, scale: &Scale, of_panels: &[Vec<Curve>]) -> Vec<Panel> {
    let range = range_of(of_panels.iter().flatten());
    let panel = |curves: &Vec<Curve>| Panel {
        x: scale.axis(over.key),
        y: Axis::new("mean ROC-AUC", range.clone()),
        shapes: shapes(curves, scale.is_continuous),
        ends: Vec::new(),
    };
    of_panels.iter().map(panel).collect()
}

/// The curves of some settings, side by side.
fn curves_of<'a>(
    results: &'a Results,
    over: &SweptKey,
    scale: &Scale,
    step: f64,
    is_shown: impl Fn(usize) -> bool,
) -> Vec<Curve<'a>> {
    let places = places(over, scale);
    let lines: Vec<&Line> = results.lines.iter().filter(|line| is_shown(line.setting)).collect();
    let mut curves = curves(shown_methods(results), &lines, |line| places[line.setting]);
    curves.truncate(MOST_CURVES);
    dodge(&mut curves, &scale.axis(over.key).range, step);
    curves
}

/// The settings that share a value of each key, in the order of the values.
fn combinations(keys: &[SweptKey]) -> Vec<Vec<usize>> {
    let levels: Vec<Vec<&str>> = keys.iter().map(SweptKey::levels).collect();
    let rank = |setting: usize| -> Vec<Option<usize>> {
        let place = |(key, levels): (&SweptKey, &Vec<&str>)| {
            levels.iter().position(|level| Some(*level) == key.values[setting].as_deref())
        };
        keys.iter().zip(&levels).map(place).collect()
    };
    let mut ranked: Vec<(Vec<Option<usize>>, usize)> =
        (0..keys.first().map_or(0, |key| key.values.len())).map(|setting| (rank(setting), setting)).collect();
    ranked.sort();
    ranked.chunk_by(|a, b| a.0 == b.0).map(|same| same.iter().map(|(_, setting)| *setting).collect()).collect()
}

/// Of two keys, the values of the second are the columns, if they fit.
fn columns(others: &[SweptKey], panels: usize) -> usize {
    match others {
        [first, second] if first.levels().len() * second.levels().len() == panels => {
            Some(second.levels().len()).filter(|count| *count <= MOST_COLUMNS)
        }
        _ => None,
    }
    .unwrap_or(if panels <= MOST_COLUMNS {
        panels.min(3)
    } else {
        MOST_COLUMNS - usize::from(!panels.is_multiple_of(MOST_COLUMNS))
    })
    .max(1)
}

fn panel_name(others: &[SweptKey], setting: usize) -> String {
    let pair = |key: &SweptKey| Some(format!("{}={}", key.key, key.values[setting].as_ref()?));
    others.iter().filter_map(pair).collect::<Vec<_>>().join(", ")
}

fn range_of<'a>(curves: impl IntoIterator<Item = &'a Curve<'a>, IntoIter: Clone>) -> std::ops::Range<f64> {
    auc_range(curves.into_iter().flat_map(|curve| &curve.points).map(|(_, summary)| *summary))
}

/// What a caption adds.
fn notes(results: &Results, scale: &Scale, curves: &[Curve]) -> String {
    let is_left_out = shown_methods(results).count() < results.experiment.methods.len();
    let random = if is_left_out { " `random` is left out." } else { "" };
    format!("{}{}{random}", scale.sentence(), side_by_side(curves))
}

/// What a caption adds where points are moved.
pub fn side_by_side(curves: &[Curve]) -> &'static str {
    if curves.len() > 1 { " Points of one value are drawn side by side." } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(key: &'static str, values: &[&str]) -> SweptKey {
        SweptKey { key, values: values.iter().map(|value| Some(value.to_string())).collect() }
    }

    #[test]
    fn there_is_a_panel_for_each_combination_in_the_order_of_the_values() {
        let loyal = key("loyal", &["0.4", "0.2", "0.4", "0.2"]);
        let test = key("test", &["0.1", "0.1", "0.3", "0.3"]);
        assert_eq!(combinations(std::slice::from_ref(&loyal)), [vec![1, 3], vec![0, 2]]);
        assert_eq!(combinations(&[loyal.clone(), test.clone()]), [[1], [3], [0], [2]]);
        assert_eq!(panel_name(&[loyal.clone(), test.clone()], 1), "loyal=0.2, test=0.1");
        assert_eq!(columns(&[loyal.clone(), test], 4), 2);
        assert_eq!(
            [1, 2, 3, 4, 5, 8, 9].map(|panels| columns(std::slice::from_ref(&loyal), panels)),
            [1, 2, 3, 3, 3, 4, 3]
        );
    }
}
