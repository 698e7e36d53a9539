//! Checks the key `sampling`.

use crate::mistake::Mistake;
use crate::sample::Scheme;
use crate::spec::decode::{decode_options, unknown_value};
use crate::spec::expand::{items, named, stored_options, sweep, with_defaults};
use crate::spec::yaml::{Key, Node, Value};

/// The schemes that an item of `sampling` expands to. `brings_test` says whether the data has its own test set.
pub fn schemes(node: &Node, brings_test: bool) -> Result<Vec<Scheme>, Mistake> {
    let (name, scheme) = scheme(node)?;
    let mut defaults = stored_options(&scheme);
    if brings_test {
        if let Some((_, test)) = node.entry("test") {
            let remedy = "remove `test`: the test set is a second draw of the same groups";
            return Err(items(test)?[0].span.mistake("a simulation draws its own test set", remedy));
        }
        defaults["test"] = serde_json::Value::Null;
    }
    let mut options = with_defaults(Some(node), &defaults, &node.span)?;
    options.retain(|(key, _)| key.name != "scheme");
    refuse_keys_of_others(&options, &defaults, scheme.name())?;
    let one = |options: Vec<(Key, Node)>| {
        let concrete = named(&name, options, &node.span);
        let scheme: Scheme = decode_options(&concrete, Some(scheme.name()))?;
        scheme.check().map_err(|mistake| mistake.at(&name.span))?;
        Ok(scheme)
    };
    sweep(&options, &[], &name.span)?.into_iter().map(one).collect()
}

/// The name of the scheme, and the scheme with its default options.
fn scheme(node: &Node) -> Result<(Key, Scheme), Mistake> {
    let schemes = Scheme::all();
    let names: Vec<&str> = schemes.iter().map(|scheme| scheme.name()).collect();
    if !matches!(node.value, Value::Map(_)) {
        let problem = format!("expected a map `{{ key: value, ... }}`, found {}", node.value.kind());
        return Err(node.span.mistake(problem, format!("give `scheme` ({}) and its options", names.join(" or "))));
    }
    let Some(scheme) = node.get("scheme") else {
        let remedy = format!("add `scheme: {}`", names.join("` or `scheme: "));
        return Err(node.span.mistake("the key `scheme` is missing", remedy));
    };
    let Value::Text(name) = &scheme.value else {
        let problem = format!("expected the name of a scheme, found {}", scheme.value.kind());
        return Err(scheme.span.mistake(problem, format!("give one of: {}", names.join(", "))));
    };
    let index = names.iter().position(|known| known == name);
    let index = index.ok_or_else(|| unknown_value(name, &names).at(&scheme.span))?;
    Ok((Key { name: name.clone(), span: scheme.span.clone() }, schemes[index].clone()))
}

/// Refuses a key of another scheme with a message that names the scheme.
fn refuse_keys_of_others(options: &[(Key, Node)], known: &serde_json::Value, scheme: &str) -> Result<(), Mistake> {
    for (key, node) in options.iter().filter(|(key, _)| known.get(&key.name).is_none()) {
        let has_key = |other: &Scheme| stored_options(other).get(&key.name).is_some();
        if let Some(other) = Scheme::all().into_iter().find(has_key) {
            let problem = format!("`{}` does not belong to the scheme {scheme}", key.name);
            return Err(node.span.mistake(problem, format!("remove it, or set `scheme: {}`", other.name())));
        }
    }
    Ok(())
}
