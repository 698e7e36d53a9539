//! Chooses the minimiser of a risk, and reports the fit.

use crate::learn::record::{Form, RiskRecord};
use crate::learn::train::{Checkpoint, Steps, first_order};
use crate::learn::{Failure, FailureKind, Fit, Link, Model, Moment, Starts, Trained, Training};
use crate::math::matrix::Cholesky;
use crate::math::optim::{Boundedness, Ending, Factorisation, Minimum, Objective, TOLERANCE, lbfgs, newton};
use crate::math::risk::{Correction, Growth, Linear, Predictor, ReducedRisk, SignedRisk};
use crate::sample::Stream;
use rand::RngExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The number of starts for a risk that is not convex: zero weights, then random ones.
const STARTS: usize = 5;

/// The steps of a first-order method for a linear risk.
const LINEAR_EPOCHS: Steps = Steps { epochs: 500, rate: 0.05, batches: 1 };

/// The algorithm that minimises a risk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[derive(strum::Display, strum::IntoStaticStr, strum::VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Optimizer {
    /// Takes `closed_form` for the squared loss without correction, `first_order` for `kiryo` and for networks, and `lbfgs`
    /// otherwise.
    Auto,
    /// One factorisation of the Hessian. Only for the squared loss without correction.
    ClosedForm,
    /// Newton's method, started at zero. Only without correction.
    Newton,
    /// L-BFGS, started at zero if the risk is convex. Otherwise it starts at zero and at four seeded random points, and the
    /// lowest end counts.
    Lbfgs,
    /// Adam, for a fixed number of passes over the data: 500 for linear models, `epochs` for networks.
    FirstOrder,
}

impl Optimizer {
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The optimiser that `auto` stands for.
    fn resolved(self, risk: &SignedRisk<Linear>) -> Optimizer {
        match self {
            Optimizer::Auto if risk.correction == Correction::Kiryo => Optimizer::FirstOrder,
            Optimizer::Auto if risk.correction == Correction::None && risk.loss.growth() == Growth::Quadratic => {
                Optimizer::ClosedForm
            }
            Optimizer::Auto => Optimizer::Lbfgs,
            other => other,
        }
    }
}

/// What fits to the same samples have in common. The first fit that needs it computes it; any other would get the same
/// bits.
#[derive(Default)]
pub struct Shared {
    /// With the squared loss, risks that differ in their priors often have the same Hessian.
    hessians: RefCell<BTreeMap<String, Rc<Factorisation>>>,
    /// The metrics that precondition L-BFGS.
    metrics: RefCell<BTreeMap<String, Option<Rc<Cholesky>>>>,
    /// Risks that use no prior have the same solution for all priors.
    solved: RefCell<BTreeMap<String, Result<Solved, Failure>>>,
}

impl Shared {
    /// Returns the known value for a key, or computes it. Without a key, it always computes it.
    fn once<T: Clone>(known: &RefCell<BTreeMap<String, T>>, key: Option<String>, new: impl FnOnce() -> T) -> T {
        let Some(key) = key else { return new() };
        if let Some(known) = known.borrow().get(&key) {
            return known.clone();
        }
        let new = new();
        known.borrow_mut().insert(key, new.clone());
        new
    }

    fn hessian(&self, risk: &SignedRisk<Linear>, form: &Form, reduced: &ReducedRisk) -> Rc<Factorisation> {
        Self::once(&self.hessians, curvature_key(risk, form), || Rc::new(Factorisation::of(&reduced.mean_hessian())))
    }

    /// `None` if it would cost more than it saves, or if there is no curvature in some direction.
    fn metric(&self, risk: &SignedRisk<Linear>, form: &Form, reduced: &ReducedRisk) -> Option<Rc<Cholesky>> {
        if !reduced.may_have_metric() {
            return None;
        }
        Self::once(&self.metrics, curvature_key(risk, form), || reduced.mean_hessian().cholesky().map(Rc::new))
    }

    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.hessians.borrow().len()
    }
}

/// A key for the curvature of a risk: for losses with the same curvature at g and -g, the sums of coefficients
/// determine it. `None` for a risk over some rows of a sample.
fn curvature_key(risk: &SignedRisk<Linear>, form: &Form) -> Option<String> {
    let bends = risk.terms.iter().map(|term| (term.rows.sample, term.positive + term.negative));
    let bends: Vec<_> = bends.filter(|(_, bend)| *bend != 0.0).map(|(sample, bend)| (sample, bend.to_bits())).collect();
    let key = || format!("{} {} {} {bends:?}", form.key(), risk.loss.name(), risk.ridge.to_bits());
    risk.is_over_whole_samples().then(key)
}

/// A key for the solution of a risk: everything that determines it.
fn solution_key(risk: &SignedRisk<Linear>, form: &Form, optimizer: Optimizer) -> Option<String> {
    let term = |term: &crate::math::risk::Term| {
        (term.rows.sample, term.positive.to_bits(), term.negative.to_bits(), term.in_crowd)
    };
    let terms: Vec<_> = risk.terms.iter().map(term).collect();
    let options = (risk.loss, risk.correction, risk.ridge.to_bits(), optimizer);
    risk.is_over_whole_samples().then(|| format!("{} {options:?} {terms:?}", form.key()))
}

/// The solution of a risk.
#[derive(Clone)]
pub struct Solved {
    pub weights: Vec<f64>,
    pub fit: Fit,
    pub record: RiskRecord,
    pub history: Vec<Checkpoint>,
}

impl Solved {
    /// The result of training a model that is made from weights.
    pub fn trained(self, link: Option<Link>, model: impl Fn(Vec<f64>) -> Box<dyn Model>) -> Trained {
        let moment =
            |Checkpoint { epoch, training_risk, weights }| Moment { epoch, training_risk, model: model(weights) };
        let history = self.history.into_iter().map(moment).collect();
        Trained { model: model(self.weights), link, fit: self.fit, risks: vec![self.record], history }
    }
}

/// Minimises a linear risk. A risk without a minimum is a failure.
pub fn solve(
    risk: &SignedRisk<Linear>,
    optimizer: Optimizer,
    form: Form,
    training: &Training,
) -> Result<Solved, Failure> {
    let optimizer = optimizer.resolved(risk);
    let Some(shared) = training.shared else {
        return solve_alone(risk, optimizer, form, training.stream("starts"));
    };
    let key = solution_key(risk, &form, optimizer);
    Shared::once(&shared.solved, key, || solve_anew(risk, optimizer, form, training.stream("starts"), shared))
}

/// The same without sharing. `random` draws the starts, which convex risks do not need.
pub fn solve_alone(
    risk: &SignedRisk<Linear>,
    optimizer: Optimizer,
    form: Form,
    random: Stream,
) -> Result<Solved, Failure> {
    solve_anew(risk, optimizer, form, random, &Shared::default())
}

fn solve_anew(
    risk: &SignedRisk<Linear>,
    optimizer: Optimizer,
    form: Form,
    mut random: Stream,
    shared: &Shared,
) -> Result<Solved, Failure> {
    let reduced = ReducedRisk::of(risk);
    let scale = reduced.as_ref().map_or_else(|| risk.scale(), Objective::scale);
    let target = TOLERANCE * scale;
    let zero = || vec![0.0; risk.dimension()];
    // A closed form itself shows whether there is a minimum.
    let mut boundedness = if optimizer == Optimizer::ClosedForm { Boundedness::Bounded } else { risk.boundedness() };
    if let Boundedness::Unbounded { along } = &boundedness {
        return Err(without_minimum(risk, along));
    }
    let (mut minimum, starts) = match (optimizer, reduced) {
        (Optimizer::ClosedForm, Some(reduced)) => (shared.hessian(risk, &form, &reduced).minimise(&reduced), None),
        (Optimizer::Newton, _) => (newton(risk, zero(), target), None),
        (Optimizer::FirstOrder, _) => (first_order(risk, LINEAR_EPOCHS, zero(), &mut random).0, None),
        (_, Some(reduced)) if risk.is_convex() => {
            let metric = shared.metric(risk, &form, &reduced);
            (search(risk, &reduced.with_metric(metric), zero(), target), None)
        }
        (_, None) if risk.is_convex() => (search(risk, risk, zero(), target), None),
        // With several local minima, steps are preconditioned column by column, which explores more.
        (_, reduced) => {
            let starts = starts(risk, &mut random);
            let (minimum, starts) = match &reduced {
                Some(reduced) => lowest(risk, reduced, starts, target),
                None => lowest(risk, risk, starts, target),
            };
            (minimum, Some(starts))
        }
    };
    match minimum.ending {
        Ending::Indefinite => return Err(indefinite()),
        // A sum of losses cannot fall below zero: this ending is due to rounding.
        Ending::Unbounded if risk.has_no_negative_part() => minimum.ending = Ending::Stalled,
        Ending::Unbounded => return Err(without_minimum(risk, "a combination of columns")),
        Ending::Converged => {}
        // The end point of a diverging search may prove that the risk falls without bound.
        _ if boundedness == Boundedness::Undecided && risk.falls_forever_along(&minimum.weights) => {
            return Err(without_minimum(risk, "a combination of columns"));
        }
        _ if optimizer == Optimizer::ClosedForm && !risk.has_no_negative_part() => {
            boundedness = Boundedness::Undecided;
        }
        _ => {}
    }
    let history = Vec::new();
    Search { minimum, scale, optimizer, starts, boundedness, form, history }.solved(risk)
}

/// A finished search.
pub struct Search {
    pub minimum: Minimum,
    /// The size of the gradient to which that at the minimum is compared.
    pub scale: f64,
    pub optimizer: Optimizer,
    pub starts: Option<Starts>,
    pub boundedness: Boundedness,
    pub form: Form,
    pub history: Vec<Checkpoint>,
}

impl Search {
    pub fn solved<P: Predictor>(self, risk: &SignedRisk<P>) -> Result<Solved, Failure> {
        let Search { minimum, scale, optimizer, starts, boundedness, form, history } = self;
        let numbers = [minimum.value, minimum.gradient_norm];
        if !numbers.iter().chain(&minimum.weights).all(|number| number.is_finite()) {
            let reason = "the risk is too large for a number; scale the columns, or use smaller costs".to_string();
            return Err(Failure { kind: FailureKind::NotFinite, reason });
        }
        // A quadratic risk with a minimum is convex, even if single terms are not.
        let has_minimum = optimizer == Optimizer::ClosedForm && minimum.ending == Ending::Converged;
        let convex = (risk.is_convex() || has_minimum) && !matches!(form, Form::Network { .. });
        let fit = Fit {
            ending: minimum.ending,
            optimizer: Some(optimizer),
            iterations: Some(minimum.iterations),
            objective: Some(minimum.value),
            gradient_norm: Some(minimum.gradient_norm),
            relative_gradient: Some(if minimum.gradient_size == 0.0 { 0.0 } else { minimum.gradient_size / scale }),
            starts,
            convex: Some(convex),
            bounded: Some(boundedness),
            tuned: None,
            versions: BTreeMap::new(),
        };
        let record = RiskRecord::of(risk, &minimum, form, convex);
        Ok(Solved { weights: minimum.weights, fit, record, history })
    }
}

/// Zero weights, and random weights of which none changes `g` by much more than 1.
fn starts(risk: &SignedRisk<Linear>, random: &mut Stream) -> Vec<Vec<f64>> {
    let sizes = risk.weight_sizes();
    let mut start = |_| sizes.iter().map(|size| size.min(1.0) * (2.0 * random.random::<f64>() - 1.0)).collect();
    let random: Vec<Vec<f64>> = (1..STARTS).map(&mut start).collect();
    std::iter::once(vec![0.0; risk.dimension()]).chain(random).collect()
}

/// Searches from every start and returns the lowest minimum; the first of equals.
fn lowest(
    risk: &SignedRisk<Linear>,
    objective: &impl Objective,
    starts: Vec<Vec<f64>>,
    target: f64,
) -> (Minimum, Starts) {
    let count = starts.len() as u32;
    let ends: Vec<Minimum> = starts.into_iter().map(|start| search(risk, objective, start, target)).collect();
    let values = ends.iter().map(|end| end.value);
    let (low, high) = (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max));
    let iterations = ends.iter().map(|end| end.iterations).sum();
    let lowest = ends.into_iter().reduce(|best, end| if end.value < best.value { end } else { best });
    // `starts` is never empty.
    let mut minimum = lowest.unwrap_or_else(|| search(risk, objective, vec![0.0; risk.dimension()], target));
    minimum.iterations = iterations;
    (minimum, Starts { count, lowest: low, highest: high })
}

/// Minimises `objective`, which is `risk` in some form, by L-BFGS. If it misses the target, because of rounding or
/// because columns differ too much in size, Newton's method takes the last steps.
fn search(risk: &SignedRisk<Linear>, objective: &impl Objective, start: Vec<f64>, target: f64) -> Minimum {
    let minimum = lbfgs(objective, start, target);
    if minimum.ending == Ending::Converged || risk.correction != Correction::None {
        return minimum;
    }
    let finished = newton(risk, minimum.weights, target);
    Minimum { iterations: minimum.iterations + finished.iterations, ..finished }
}

fn without_minimum(risk: &SignedRisk<Linear>, along: &str) -> Failure {
    let remedy = match (risk.ridge > 0.0, risk.loss.growth()) {
        (false, _) => "set a ridge above 0",
        (true, Growth::Quadratic) => return indefinite(),
        (true, _) => "correct the priors or the costs",
    };
    let reason = format!("the risk falls without end along {along}; {remedy}");
    Failure { kind: FailureKind::Unbounded, reason }
}

fn indefinite() -> Failure {
    let reason = "the squared risk's Hessian has a negative eigenvalue, so there is no minimum; use a larger ridge, \
                  equal costs or another loss"
        .to_string();
    Failure { kind: FailureKind::Indefinite, reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{Learner, Observed, Prior, RiskOptions, SignedMethod, Training};
    use crate::math::bounds::Ridge;
    use crate::math::matrix::Design;
    use crate::math::risk::{Costs, Loss};
    use crate::methods::{BiasedPn, DoublePu};
    use crate::sample::stream;

    fn cloud(name: &str, rows: usize, shift: f64) -> Design {
        let mut random = stream(&["solve test", name]);
        let rows: Vec<Vec<f64>> =
            (0..rows).map(|_| (0..4).map(|_| shift + 2.0 * random.random::<f64>() - 1.0).collect()).collect();
        Design::dense((0..4).map(|i| format!("x{i}")).collect(), &rows)
    }

    fn observed() -> Observed {
        Observed::independent(cloud("interest", 50, 0.3), cloud("unlabeled", 120, 0.0), cloud("loyal", 20, 0.5))
    }

    fn weights(loss: Loss, costs: Costs, optimizer: Optimizer) -> Vec<f64> {
        let observed = observed();
        let learner = DoublePu::new(RiskOptions {
            loss,
            costs,
            ridge: Ridge::new(0.05).unwrap(),
            optimizer,
            ..RiskOptions::default()
        })
        .unwrap();
        let training = Training::new(&observed, Some(Prior::new(0.45, 0.2).unwrap()));
        learner.fit(&training).unwrap().model.linear_weights().unwrap().to_vec()
    }

    fn assert_same(a: &[f64], b: &[f64], tolerance: f64, what: &str) {
        for (a, b) in a.iter().zip(b) {
            assert!((a - b).abs() < tolerance, "{what}: {a} and {b}");
        }
    }

    #[test]
    fn on_convex_risks_all_optimisers_find_the_same_minimum() {
        let doubled = Costs { false_negative: 2.0, false_positive: 2.0 };
        for costs in [Costs::UNIT, doubled] {
            let closed = weights(Loss::Squared, costs, Optimizer::ClosedForm);
            assert_same(&closed, &weights(Loss::Squared, costs, Optimizer::Newton), 1e-8, "squared, Newton");
            assert_same(&closed, &weights(Loss::Squared, costs, Optimizer::Lbfgs), 1e-8, "squared, L-BFGS");
            for loss in [Loss::Logistic, Loss::DoubleHinge] {
                let newton = weights(loss, costs, Optimizer::Newton);
                assert_same(&newton, &weights(loss, costs, Optimizer::Lbfgs), 1e-8, loss.name());
                // Steps that shrink to zero end near the minimum, not at it.
                assert_same(&newton, &weights(loss, costs, Optimizer::FirstOrder), 2e-3, loss.name());
            }
        }
    }

    #[test]
    fn log_with_a_sigmoid_link_is_logistic() {
        let uneven = Costs { false_negative: 1.0, false_positive: 3.0 };
        // Newton's method ends at the minimum up to rounding, L-BFGS wherever the gradient is small enough.
        for (costs, optimizer, apart) in [(Costs::UNIT, Optimizer::Newton, 1e-12), (uneven, Optimizer::Lbfgs, 1e-7)] {
            let logistic = weights(Loss::Logistic, costs, optimizer);
            assert_same(&logistic, &weights(Loss::Log, costs, optimizer), apart, "log");
        }
    }

    #[test]
    fn where_the_risk_is_not_convex_the_lowest_of_several_starts_counts() {
        let observed = observed();
        let costs = Costs { false_negative: 1.0, false_positive: 100.0 };
        let learner =
            DoublePu::new(RiskOptions { costs, ridge: Ridge::new(0.001).unwrap(), ..RiskOptions::default() }).unwrap();
        let prior = Some(Prior::new(0.45, 0.2).unwrap());
        let fit = learner.fit(&Training::new(&observed, prior)).unwrap().fit;
        let starts = fit.starts.unwrap();
        assert_eq!((fit.convex, fit.ending, starts.count), (Some(false), Ending::Converged, STARTS as u32));
        assert_eq!(fit.objective, Some(starts.lowest));
        assert!(starts.lowest <= starts.highest && fit.relative_gradient.unwrap() <= TOLERANCE);
    }

    #[test]
    fn one_factorisation_serves_all_priors_and_gives_the_same_bits() {
        let observed = observed();
        let known = Shared::default();
        let learner = DoublePu::new(RiskOptions { loss: Loss::Squared, ..RiskOptions::default() }).unwrap();
        for beta in [0.3, 0.4, 0.5] {
            let training = Training::new(&observed, Some(Prior::new(beta, 0.1).unwrap()));
            let alone = learner.fit(&training).unwrap().fit;
            assert_eq!(learner.fit(&training.sharing(&known)).unwrap().fit, alone);
        }
        assert_eq!(known.count(), 1);
        let other = DoublePu::new(RiskOptions {
            loss: Loss::Squared,
            ridge: Ridge::new(0.5).unwrap(),
            ..RiskOptions::default()
        })
        .unwrap();
        other.fit(&Training::new(&observed, Some(Prior::new(0.4, 0.1).unwrap())).sharing(&known)).unwrap();
        assert_eq!(known.count(), 2);
    }

    /// The same people with the first column in other units and the second set to zero.
    fn remeasured(observed: &Observed, unit: f64) -> Observed {
        let design = |design: &Design| {
            let rows: Vec<Vec<f64>> =
                design.to_dense().chunks(4).map(|row| vec![unit * row[0], 0.0, row[2], row[3]]).collect();
            Design::dense(design.names().to_vec(), &rows)
        };
        let Observed { interest, unlabeled, loyal } = observed;
        Observed::independent(design(&interest.rows), design(&unlabeled.rows), design(&loyal.rows))
    }

    #[test]
    fn neither_units_nor_a_column_of_zeros_matter_without_a_ridge() {
        let observed = observed();
        for loss in [Loss::Logistic, Loss::Squared] {
            for optimizer in [Optimizer::Auto, Optimizer::Lbfgs] {
                let learner = BiasedPn::new(RiskOptions {
                    loss,
                    ridge: Ridge::new(0.0).unwrap(),
                    optimizer,
                    ..RiskOptions::default()
                })
                .unwrap();
                let fit = |unit| {
                    let trained = learner.fit(&Training::new(&remeasured(&observed, unit), None)).unwrap();
                    assert_eq!(trained.fit.ending, Ending::Converged, "{loss:?} {optimizer:?} {unit}");
                    let weights = trained.model.linear_weights().unwrap().to_vec();
                    [unit * weights[0], weights[2], weights[3], weights[4]]
                };
                for unit in [1e-6, 1e9] {
                    assert_same(&fit(unit), &fit(1.0), 1e-6, &format!("{loss:?} {optimizer:?} {unit}"));
                }
            }
        }
    }

    #[test]
    fn a_squared_risk_without_a_minimum_is_told_by_name() {
        let observed = observed();
        let costs = Costs { false_negative: 1.0, false_positive: 100.0 };
        let learner = DoublePu::new(RiskOptions { loss: Loss::Squared, costs, ..RiskOptions::default() }).unwrap();
        let failure = learner.fit(&Training::new(&observed, Some(Prior::new(0.9, 0.1).unwrap()))).err().unwrap();
        assert_eq!(failure.kind, FailureKind::Indefinite);
    }
}
