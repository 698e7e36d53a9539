//! What is compared.

use crate::learn::{
    AlphaPu, BaggingPu, BiasedPn, BiasedPnLoyal, DoublePu, ElkanNoto, Learner, Method, ModelKind, NaiveNnpu, NaivePu,
    NetworkOptions, OracleForest, OracleLogistic, OracleLogisticMatched, Params, RandomScores, Rbf, SetDifferencePu,
    SignedMethod, Tuned, TwoStage, costs_problem,
};
use crate::math::risk::Costs;
use crate::spec::check::{not_negative, room, whole_number};
use crate::spec::decode::{Candidates, Located, Tunable};
use crate::spec::experiment::{LabelledMethod, Setting};
use crate::spec::label::differences;
use crate::spec::written::{self, WidthChoice};
use crate::spec::yaml::{Place, Wrong};
use std::collections::BTreeSet;

pub fn methods(
    written: &Located<Vec<Located<written::Method>>>,
    settings: &[Setting],
) -> Result<Vec<LabelledMethod>, Wrong> {
    if written.value.is_empty() {
        return Err(written.place.wrong("there is no method to run", "list at least one method"));
    }
    let mut methods: Vec<LabelledMethod> = Vec::new();
    for entry in &written.value {
        for method in unfold_method(&entry.value, entry.place)? {
            room(methods.len(), "methods", entry.place)?;
            if methods.iter().any(|other| other.method == method) {
                let problem = format!("`{}` stands here twice with the same options", method.name());
                return Err(entry.place.wrong(problem, "remove one of the two, or give it another option"));
            }
            if !settings.iter().any(|setting| setting.suits(&method)) {
                let problem = format!("`{}` cannot learn from samples drawn like this", method.name());
                return Err(entry.place.wrong(problem, method.sample_need().remedy()));
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
    shorten(&mut methods);
    Ok(methods)
}

/// Leaves out of labels what is tuned among, if they can be told apart without.
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
    let end = closing.map_or("", |(place, _)| &rest[place + 1..]);
    format!("{start}tuned{}", without_candidates(end))
}

fn unfold_method(written: &written::Method, place: Place) -> Result<Vec<Method>, Wrong> {
    use written::Method as Written;
    match written {
        Written::DoublePu(options) => signed::<DoublePu>(options, place, Method::DoublePu),
        Written::NaivePu(options) => signed::<NaivePu>(options, place, Method::NaivePu),
        Written::NaiveNnpu(options) => signed::<NaiveNnpu>(options, place, Method::NaiveNnpu),
        Written::BiasedPn(options) => signed::<BiasedPn>(options, place, Method::BiasedPn),
        Written::BiasedPnLoyal(options) => signed::<BiasedPnLoyal>(options, place, Method::BiasedPnLoyal),
        Written::AlphaPu(options) => signed::<AlphaPu>(options, place, Method::AlphaPu),
        Written::SetDifferencePu(options) => signed::<SetDifferencePu>(options, place, Method::SetDifferencePu),
        Written::ElkanNoto(options) => Unfolded::of(ElkanNoto::params(), place)
            .with(&options.ridge, ridge, Params::<ElkanNoto>::ridge)?
            .methods(Method::ElkanNoto),
        Written::TwoStage(options) => Unfolded::of(TwoStage::params(), place)
            .with(&options.ridge, ridge, Params::<TwoStage>::ridge)?
            .methods(Method::TwoStage),
        Written::BaggingPu(options) => Unfolded::of(BaggingPu::params(), place)
            .with(&options.bags, |bags| whole_number(bags, "bags", 1..=10_000), Params::<BaggingPu>::bags)?
            .with(&options.ridge, ridge, Params::<BaggingPu>::ridge)?
            .methods(Method::BaggingPu),
        Written::OracleLogistic(options) => Unfolded::of(OracleLogistic::params(), place)
            .with(&options.ridge, ridge, Params::<OracleLogistic>::ridge)?
            .methods(Method::OracleLogistic),
        Written::OracleLogisticMatched(options) => Unfolded::of(OracleLogisticMatched::params(), place)
            .with(&options.ridge, ridge, Params::<OracleLogisticMatched>::ridge)?
            .methods(Method::OracleLogisticMatched),
        Written::OracleForest(options) => Unfolded::of(OracleForest::params(), place)
            .with(&options.trees, |trees| whole_number(trees, "trees", 1..=10_000), Params::<OracleForest>::trees)?
            .with(
                &options.min_leaf,
                |leaf| whole_number(leaf, "min_leaf", 1..=1_000_000),
                Params::<OracleForest>::min_leaf,
            )?
            .methods(Method::OracleForest),
        Written::Random(_) => Ok(vec![Method::Random(RandomScores {})]),
    }
}

fn signed<L: SignedMethod + Clone>(
    options: &written::RiskOptions,
    place: Place,
    method: impl Fn(L) -> Method,
) -> Result<Vec<Method>, Wrong> {
    if let Some(Tunable(alternatives)) = &options.costs
        && let Some(Candidates(costs)) = alternatives.iter().find(|Candidates(costs)| costs.len() > 1)
    {
        let remedy = "they say how a candidate is judged: give a value, or a list to sweep";
        return Err(costs[0].place.wrong("costs cannot be tuned", remedy));
    }
    Unfolded::of(L::params(), place)
        .with(&options.loss, as_it_is, Params::loss)?
        .with(&options.correction, as_it_is, Params::correction)?
        .with(&options.costs, costs, Params::costs)?
        .with(&options.ridge, ridge, Params::<L>::ridge)?
        .with(&options.model, model, Params::model)?
        .with(&options.optimizer, as_it_is, Params::optimizer)?
        .methods(method)
}

/// A method's options, unfolded: for each combination of swept values, the candidates to choose from.
struct Unfolded<L> {
    combinations: Vec<Vec<Params<L>>>,
    place: Place,
}

impl<L: Learner + Clone> Unfolded<L> {
    fn of(params: Params<L>, place: Place) -> Self {
        Unfolded { combinations: vec![vec![params]], place }
    }

    /// Sets an option, if it is given, to every value that is given for it.
    fn with<T, U: Clone>(
        self,
        option: &Option<Tunable<T>>,
        check: impl Fn(&Located<T>) -> Result<U, Wrong>,
        set: impl Fn(Params<L>, U) -> Params<L>,
    ) -> Result<Self, Wrong> {
        let Some(Tunable(alternatives)) = option else { return Ok(self) };
        let mut combinations = Vec::new();
        for Candidates(values) in alternatives {
            let values = values.iter().map(&check).collect::<Result<Vec<U>, Wrong>>()?;
            for combination in &self.combinations {
                room(combinations.len(), "methods", self.place)?;
                room(combination.len() * values.len(), "candidates", self.place)?;
                let set_all = |params: &Params<L>| {
                    values.iter().map(|value| set(params.clone(), value.clone())).collect::<Vec<_>>()
                };
                combinations.push(combination.iter().flat_map(set_all).collect());
            }
        }
        Ok(Unfolded { combinations, ..self })
    }

    fn methods(self, method: impl Fn(L) -> Method) -> Result<Vec<Method>, Wrong> {
        let place = self.place;
        let checked = |params: Params<L>| {
            let learner = params.check().map_err(|error| place.wrong(error.problem, error.remedy));
            learner.map(&method)
        };
        let one = |candidates: Vec<Params<L>>| {
            let mut candidates = candidates.into_iter().map(checked).collect::<Result<Vec<Method>, Wrong>>()?;
            if candidates.len() == 1 {
                return Ok(candidates.remove(0));
            }
            if (1..candidates.len()).any(|i| candidates[..i].contains(&candidates[i])) {
                return Err(place.wrong("`tune` lists the same value twice", "remove one of the two"));
            }
            let name = candidates[0].name();
            Tuned::among(candidates).map(Method::Tuned).ok_or_else(|| {
                let problem = format!("`{name}` cannot be tuned");
                place.wrong(problem, "no signed risk judges it without true labels: give a value, or a list to sweep")
            })
        };
        self.combinations.into_iter().map(one).collect()
    }
}

fn as_it_is<T: Copy>(value: &Located<T>) -> Result<T, Wrong> {
    Ok(value.value)
}

fn ridge(ridge: &Located<f64>) -> Result<f64, Wrong> {
    not_negative(ridge, "ridge")
}

fn costs(costs: &Located<Costs>) -> Result<Costs, Wrong> {
    let problem = costs_problem(costs.value);
    problem.map_or(Ok(costs.value), |error| Err(costs.place.wrong(error.problem, error.remedy)))
}

fn model(written: &Located<written::Model>) -> Result<ModelKind, Wrong> {
    let number = |option: &Option<Located<i64>>, what: &str, default: u32, most: i64| {
        option.as_ref().map_or(Ok(default), |value| whole_number(value, what, 1..=most))
    };
    let kind = match &written.value {
        written::Model::Linear(_) => ModelKind::Linear,
        written::Model::Rbf(options) => ModelKind::Rbf(Rbf {
            centers: number(&options.centers, "centers", 100, 2000)?,
            width: options.width.as_ref().and_then(|width| match width.value {
                WidthChoice::Median => None,
                WidthChoice::Fixed(width) => Some(width),
            }),
        }),
        written::Model::Network(options) => ModelKind::Network(NetworkOptions {
            hidden: number(&options.hidden, "hidden", 32, 10_000)?,
            epochs: number(&options.epochs, "epochs", 200, 100_000)?,
            rate: options.rate.as_ref().map_or(0.01, |rate| rate.value),
            batches: number(&options.batches, "batches", 4, 10_000)?,
        }),
    };
    kind.problem().map_or(Ok(kind), |error| Err(written.place.wrong(error.problem, error.remedy)))
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
