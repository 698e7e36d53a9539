//! What is compared.

use crate::learn::{BiasedPn, DoublePu, Method, NaivePu, OracleForest, OracleLogistic, RandomScores};
use crate::risk::{Costs, Loss};
use crate::spec::check::{not_negative, unfold, values, whole_number};
use crate::spec::decode::Located;
use crate::spec::experiment::LabelledMethod;
use crate::spec::label::differences;
use crate::spec::written;
use crate::spec::yaml::Wrong;

const DEFAULT_RIDGE: f64 = 0.01;

pub fn methods(written: &Located<Vec<Located<written::Method>>>) -> Result<Vec<LabelledMethod>, Wrong> {
    if written.value.is_empty() {
        return Err(written.place.wrong("there is no method to run", "list at least one method"));
    }
    let mut methods: Vec<LabelledMethod> = Vec::new();
    for entry in &written.value {
        for method in unfold_method(&entry.value)? {
            if methods.iter().any(|other| other.method == method) {
                let problem = format!("`{}` stands here twice with the same options", method.name());
                return Err(entry.place.wrong(problem, "remove one of the two, or give it another option"));
            }
            methods.push(LabelledMethod { label: String::new(), method });
        }
    }
    for index in 0..methods.len() {
        let name = methods[index].method.name();
        let alike: Vec<usize> = (0..methods.len()).filter(|other| methods[*other].method.name() == name).collect();
        let options: Vec<_> = alike.iter().map(|other| methods[*other].method.options()).collect();
        let position = alike.iter().position(|other| *other == index).unwrap_or_default();
        methods[index].label = format!("{name} {}", differences(&options)[position]).trim_end().to_string();
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
    if [false_negative, false_positive].iter().all(|cost| *cost > 0.0 && cost.is_finite()) {
        return Ok(costs.value);
    }
    Err(costs.place.wrong(format!("the costs are {}", costs.value), "give two numbers above 0"))
}
