//! Checks the key `methods`.

use crate::methods::{Entry, METHODS, Method, Tuned};
use crate::mistake::{Location, Mistake, Span};
use crate::spec::check::external::{EXTERNAL, external};
use crate::spec::decode::{decode, unknown_value};
use crate::spec::expand::{Candidates, combinations, named, refuse_too_many, stored_options, tunable, with_defaults};
use crate::spec::experiment::{LabelledMethod, Limits, Setting};
use crate::spec::label::differences;
use crate::spec::yaml::{Key, Node, Value};
use std::collections::BTreeSet;
use std::path::Path;

pub fn methods(node: &Node, settings: &[Setting], folder: &Path) -> Result<Vec<LabelledMethod>, Mistake> {
    let Value::List(entries) = &node.value else {
        let problem = format!("expected a list, found {}", node.value.kind());
        return Err(node.span.mistake(problem, "list methods as `- NAME` or `- NAME: { option: value }`"));
    };
    if entries.is_empty() {
        return Err(node.span.mistake("there is no method to run", "list at least one method"));
    }
    let mut methods: Vec<LabelledMethod> = Vec::new();
    for entry in entries {
        let (expanded, limits) = expand(entry, folder)?;
        for method in expanded {
            refuse_too_many(methods.len(), "methods", &entry.span)?;
            let is_same = |other: &LabelledMethod| {
                let reads_alike = !method.externals().is_empty() && other.method.options() == method.options();
                other.method == method || (other.method.name() == method.name() && reads_alike)
            };
            if methods.iter().any(is_same) {
                let problem = format!("`{}` is listed twice with the same options", method.name());
                return Err(entry.span.mistake(problem, "remove one of the two, or change one of its options"));
            }
            if !settings.iter().any(|setting| setting.suits(&method)) {
                let problem = format!("`{}` cannot learn from samples drawn like this", method.name());
                return Err(entry.span.mistake(problem, method.sample_need().remedy()));
            }
            refuse_namesake(&method, &methods, &entry.span)?;
            methods.push(LabelledMethod { label: String::new(), method, limits });
        }
    }
    label(&mut methods);
    Ok(methods)
}

/// Tables tell methods of one name apart by their options, which programs need not share.
fn refuse_namesake(method: &Method, others: &[LabelledMethod], span: &Span) -> Result<(), Mistake> {
    let of = |method: &Method| method.externals().first().map(|external| external.without_options());
    let differs = |other: &LabelledMethod| other.method.name() == method.name() && of(&other.method) != of(method);
    if !others.iter().any(differs) {
        return Ok(());
    }
    let problem = format!("another external method is also called `{}`", method.name());
    Err(span.mistake(problem, "give each program a name of its own"))
}

fn label(methods: &mut [LabelledMethod]) {
    let names: BTreeSet<&str> = methods.iter().map(|method| method.method.name()).collect();
    for name in names {
        let mut alike: Vec<&mut LabelledMethod> =
            methods.iter_mut().filter(|method| method.method.name() == name).collect();
        let options: Vec<_> = alike.iter().map(|method| method.method.options()).collect();
        for (method, difference) in alike.iter_mut().zip(differences(&options)) {
            method.label = format!("{name} {difference}").trim_end().to_string();
        }
    }
    shorten(methods);
}

/// Removes the candidates of tuning from the labels, if they stay distinct.
fn shorten(methods: &mut [LabelledMethod]) {
    let labels: Vec<String> = methods.iter().map(|method| without_candidates(&method.label)).collect();
    let distinct: BTreeSet<&String> = labels.iter().collect();
    if distinct.len() == methods.len() {
        methods.iter_mut().zip(labels).for_each(|(method, label)| method.label = label);
    }
}

/// `ridge=tune(0.1, 1) loss=squared` becomes `ridge=tuned loss=squared`.
fn without_candidates(label: &str) -> String {
    let Some((start, rest)) = label.split_once("tune(") else { return label.to_string() };
    let mut open = 1;
    let closing = rest.char_indices().find(|(_, c)| {
        open += i32::from(*c == '(') - i32::from(*c == ')');
        open == 0
    });
    let end = closing.map_or("", |(index, _)| &rest[index + 1..]);
    format!("{start}tuned{}", without_candidates(end))
}

/// The methods that an item of the list expands to: one for each combination of swept values.
fn expand(node: &Node, folder: &Path) -> Result<(Vec<Method>, Option<Limits>), Mistake> {
    let span = &node.span;
    let Some((name, name_span, options)) = node.named() else {
        let problem = format!("expected a method, found {}", node.value.kind());
        return Err(span.mistake(problem, "write `name` or `name: { option: value }`, one per item"));
    };
    if name == EXTERNAL {
        let (methods, limits) = external(options, span, folder)?;
        let methods = methods.into_iter().map(|candidates| choose(candidates, node)).collect::<Result<_, _>>()?;
        return Ok((methods, Some(limits)));
    }
    let Some(entry) = Entry::named(name) else {
        let names: Vec<&str> = METHODS.iter().map(|entry| entry.card.name).chain([EXTERNAL]).collect();
        return Err(unknown_value(name, &names).at(name_span));
    };
    let name = Key { name: name.to_string(), span: name_span.clone() };
    let options = with_defaults(options, &stored_options(&(entry.default)()), span)?;
    // The first option varies fastest.
    let alternatives = options.iter().rev().map(|(_, value)| tunable(value)).collect::<Result<Vec<_>, Mistake>>()?;
    let one = |alternative: Vec<Candidates>| {
        let alternative: Vec<Candidates> = alternative.into_iter().rev().collect();
        let with_keys = |values: Vec<Node>| options.iter().map(|(key, _)| key.clone()).zip(values).collect();
        let candidates = combinations(&alternative, "candidates", span)?.into_iter();
        let candidates = candidates.map(|values| checked(node, named(&name, with_keys(values), span)));
        choose(candidates.collect::<Result<Vec<Method>, Mistake>>()?, node)
    };
    let methods = combinations(&alternatives, "methods", span)?.into_iter().map(one);
    Ok((methods.collect::<Result<_, _>>()?, None))
}

/// Decodes and checks a method with every option given; `node` is the method as written.
fn checked(node: &Node, concrete: Node) -> Result<Method, Mistake> {
    let method: Method = decode(&concrete)?;
    method.check().map_err(|mistake| match mistake.location {
        Location::Option(option) => mistake.at(node.span_of(&[method.name(), option])),
        _ => mistake.at(&node.span),
    })?;
    Ok(method)
}

/// A single candidate is the method; several are tuned.
fn choose(mut candidates: Vec<Method>, node: &Node) -> Result<Method, Mistake> {
    if candidates.len() == 1 {
        return Ok(candidates.remove(0));
    }
    let (name, span) = (candidates[0].name(), &node.span);
    if candidates.iter().any(|candidate| candidate.costs() != candidates[0].costs()) {
        let span = node.span_of(&[name, "costs", "tune", "0"]);
        let remedy = "they determine how candidates are judged: give a value, or a list to sweep";
        return Err(span.mistake("costs cannot be tuned", remedy));
    }
    if (1..candidates.len()).any(|i| candidates[..i].contains(&candidates[i])) {
        return Err(span.mistake("`tune` lists the same value twice", "remove one of the two"));
    }
    Tuned::among(candidates).map(Method::Tuned).ok_or_else(|| {
        let problem = format!("`{name}` cannot be tuned");
        span.mistake(problem, "no signed risk can judge it without true labels: give a value, or a list to sweep")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_say_what_is_tuned_and_not_among_what() {
        let label = "double_pu model=tune(linear, rbf(100)) ridge=tune(0.1, 1) loss=log";
        assert_eq!(without_candidates(label), "double_pu model=tuned ridge=tuned loss=log");
        assert_eq!(without_candidates("double_pu"), "double_pu");
    }
}
