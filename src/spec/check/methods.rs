//! What is compared.

use crate::learn::{BiasedPn, DoublePu, Method, NaivePu, OracleForest, OracleLogistic, RandomScores};
use crate::risk::{Costs, Loss};
use crate::spec::check::{not_negative, room, unfold, values, whole_number};
use crate::spec::decode::Located;
use crate::spec::experiment::LabelledMethod;
use crate::spec::label::differences;
use crate::spec::written;
use crate::spec::yaml::Wrong;
use std::collections::BTreeSet;

const DEFAULT_RIDGE: f64 = 0.01;

pub fn methods(written: &Located<Vec<Located<written::Method>>>) -> Result<Vec<LabelledMethod>, Wrong> {
    if written.value.is_empty() {
        return Err(written.place.wrong("there is no method to run", "list at least one method"));
    }
    let mut methods: Vec<LabelledMethod> = Vec::new();
    for entry in &written.value {
        for method in unfold_method(&entry.value)? {
            room(methods.len(), "methods", entry.place)?;
            if methods.iter().any(|other| other.method == method) {
                let problem = format!("`{}` stands here twice with the same options", method.name());
                return Err(entry.place.wrong(problem, "remove one of the two, or give it another option"));
            }
            methods.push(LabelledMethod { label: String::new(), method });
        }
    }
    let names: BTreeSet<&str> = methods.iter().map(|method| method.method.name()).collect();
    for name in names {
        let mut alike: Vec<&mut LabelledMethod> =
            methods.iter_mut().filter(|method| method.method.name() == name).collect();
        let options: Vec<_> = alike.iter().map(|method| method.method.options()).collect();
        for (method, difference) in alike.iter_mut().zip(differences(&options)) {
            method.label = format!("{name} {difference}").trim_end().to_string();
        }
    }
    Ok(methods)
}

fn unfold_method(written: &written::Method) -> Result<Vec<Method>, Wrong> {
    let ridge = |option| unfold(option, DEFAULT_RIDGE, |ridge| not_negative(ridge, "ridge"));
    let mut methods = Vec::new();
    match written {
        written::Method::DoublePu(options) | written::Method::NaivePu(options) => {
            for loss in values(&options.loss, Loss::default()) {
                for costs in unfold(&options.costs, Costs::UNIT, costs)? {
                    for ridge in ridge(&options.ridge)? {
                        methods.push(match written {
                            written::Method::DoublePu(_) => Method::DoublePu(DoublePu { loss, costs, ridge }),
                            _ => Method::NaivePu(NaivePu { loss, costs, ridge }),
                        });
                    }
                }
            }
        }
        written::Method::BiasedPn(options) => {
            for loss in values(&options.loss, Loss::default()) {
                for ridge in ridge(&options.ridge)? {
                    methods.push(Method::BiasedPn(BiasedPn { loss, ridge }));
                }
            }
        }
        written::Method::OracleLogistic(options) => {
            let ridges = ridge(&options.ridge)?;
            methods.extend(ridges.into_iter().map(|ridge| Method::OracleLogistic(OracleLogistic { ridge })));
        }
        written::Method::OracleForest(options) => {
            for trees in unfold(&options.trees, 50, |trees| whole_number(trees, "trees", 1..=10_000))? {
                for min_leaf in unfold(&options.min_leaf, 5, |leaf| whole_number(leaf, "min_leaf", 1..=1_000_000))? {
                    methods.push(Method::OracleForest(OracleForest { trees, min_leaf }));
                }
            }
        }
        written::Method::Random(_) => methods.push(Method::Random(RandomScores {})),
    }
    Ok(methods)
}

fn costs(costs: &Located<Costs>) -> Result<Costs, Wrong> {
    let Costs { false_negative, false_positive } = costs.value;
    if [false_negative, false_positive].iter().all(|cost| (1e-9..=1e9).contains(cost)) {
        return Ok(costs.value);
    }
    let problem = format!("the costs are {false_negative:?} and {false_positive:?}");
    Err(costs.place.wrong(problem, "give two numbers above 0, from 1e-9 to 1e9"))
}
