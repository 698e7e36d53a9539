//! Methods that minimise a signed risk: what they share.

use crate::learn::model::{Basis, BasisModel, LinearModel, ModelKind, NetworkModel};
use crate::learn::params::{Learner, ParamError, Params, costs_problem, ridge_problem};
use crate::learn::record::Form;
use crate::learn::solve::{Solved, solve};
use crate::learn::train::{Checkpoint, Steps, train};
use crate::learn::{Failure, Link, Model, Observed, Optimizer, Prior, Trained, Training};
use crate::math::matrix::Design;
use crate::math::risk::{Correction, Costs, Growth, Linear, Loss, Network, Rows, SignedRisk, Term};
use serde::{Deserialize, Serialize};

/// The ridge where none is given.
pub const DEFAULT_RIDGE: f64 = 0.01;

/// What every method that minimises a signed risk can be told.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RiskOptions {
    pub loss: Loss,
    pub correction: Correction,
    pub costs: Costs,
    pub ridge: f64,
    pub model: ModelKind,
    pub optimizer: Optimizer,
}

impl Default for RiskOptions {
    fn default() -> Self {
        RiskOptions {
            loss: Loss::default(),
            correction: Correction::default(),
            costs: Costs::UNIT,
            ridge: DEFAULT_RIDGE,
            model: ModelKind::default(),
            optimizer: Optimizer::default(),
        }
    }
}

impl RiskOptions {
    pub fn problem(&self) -> Option<ParamError> {
        costs_problem(self.costs)
            .or_else(|| ridge_problem(self.ridge))
            .or_else(|| self.model.problem())
            .or_else(|| self.optimizer_problem())
    }

    /// Not every optimiser can minimise every risk.
    fn optimizer_problem(&self) -> Option<ParamError> {
        let is_network = matches!(self.model, ModelKind::Network(_));
        let refused = |why: &str, allowed: &str| {
            let problem = format!("the optimizer `{}` cannot minimise {why}", self.optimizer.name());
            Some(ParamError::new(problem, format!("use {allowed}")))
        };
        match self.optimizer {
            Optimizer::Auto | Optimizer::FirstOrder => None,
            _ if is_network => refused("the risk of a network", "`auto` or `first_order`"),
            _ if self.correction == Correction::Kiryo => {
                refused("what `kiryo` follows, which is no gradient", "`auto` or `first_order`")
            }
            Optimizer::ClosedForm if self.loss.growth() != Growth::Quadratic || self.correction != Correction::None => {
                refused("anything but the squared loss without correction", "`auto`")
            }
            Optimizer::Newton if self.correction != Correction::None => {
                refused("a corrected risk", "`auto`, `lbfgs` or `first_order`")
            }
            _ => None,
        }
    }

    /// As they are written in tables.
    pub fn texts(&self) -> Vec<(&'static str, String)> {
        vec![
            ("loss", self.loss.name().to_string()),
            ("correction", self.correction.name().to_string()),
            ("costs", self.costs.to_string()),
            ("ridge", self.ridge.to_string()),
            ("model", self.model.to_string()),
            ("optimizer", self.optimizer.name().to_string()),
        ]
    }
}

/// A method that is nothing but a list of terms over D_Y, D_U and D_L.
pub trait SignedMethod {
    fn risk_options(&self) -> &RiskOptions;

    /// Only [`Params::check`] makes a learner that may be used.
    #[doc(hidden)]
    fn unchecked(options: RiskOptions) -> Self
    where
        Self: Sized;

    /// Unchecked options, all at their defaults.
    fn params() -> Params<Self>
    where
        Self: Sized,
    {
        Params(Self::unchecked(RiskOptions::default()))
    }

    /// Whether it may be given a correction.
    fn takes_correction(&self) -> bool {
        true
    }

    /// Which correction the method does not go with.
    fn correction_problem(&self) -> Option<ParamError> {
        let surplus = !self.takes_correction() && self.risk_options().correction != Correction::None;
        let remedy = "remove `correction`; for `naive_pu` with one, use `naive_nnpu`";
        surplus.then(|| ParamError::new("this method has no correction", remedy))
    }

    /// What is minimised. `observed` may hold features of the features, as for radial basis functions.
    fn terms<'a>(&self, observed: &'a Observed, prior: Option<Prior>) -> Result<Vec<Term<'a>>, Failure>;

    /// Fits to what was observed.
    fn fit(&self, training: &Training) -> Result<Trained, Failure> {
        let options = self.risk_options();
        let (observed, prior) = (training.observed, training.prior);
        let width = observed.unlabeled.rows.width();
        let link = Link::of_margin(options.loss, options.costs);
        match options.model {
            ModelKind::Linear => {
                let risk = linear_risk(options, width, self.terms(observed, prior)?)?;
                let solved = solve(&risk, options.optimizer, Form::Linear, training)?;
                Ok(trained(solved, link, |weights| Box::new(LinearModel { weights })))
            }
            ModelKind::Rbf(rbf) => {
                let basis = Basis::draw(rbf, observed, training.seed);
                let (form, mapped) = (Form::of_basis(&basis), basis.map(observed));
                let risk = linear_risk(options, basis.origins.len(), self.terms(&mapped, prior)?)?;
                let solved = solve(&risk, options.optimizer, form, training)?;
                Ok(trained(solved, link, |weights| Box::new(BasisModel { basis: basis.clone(), weights })))
            }
            ModelKind::Network(network) => {
                let steps = Steps { epochs: network.epochs, rate: network.rate, batches: network.batches };
                let network = Network { width, hidden: network.hidden as usize };
                let terms = self.terms(observed, prior)?;
                let risk = SignedRisk::new(network, options.loss, options.correction, options.ridge, terms)?;
                let form = Form::Network { hidden: network.hidden };
                let solved = train(&risk, steps, form, training.stream("network"))?;
                Ok(trained(solved, link, |weights| Box::new(NetworkModel { network, weights })))
            }
        }
    }
}

fn linear_risk<'a>(options: &RiskOptions, width: usize, terms: Vec<Term<'a>>) -> Result<SignedRisk<'a>, Failure> {
    Ok(SignedRisk::new(Linear { width }, options.loss, options.correction, options.ridge, terms)?)
}

fn trained(solved: Solved, link: Option<Link>, model: impl Fn(Vec<f64>) -> Box<dyn Model>) -> Trained {
    let Solved { weights, fit, record, history } = solved;
    let moment = |moment: Checkpoint| crate::learn::Moment {
        epoch: moment.epoch,
        training_risk: moment.training_risk,
        model: model(moment.weights),
    };
    let history = history.into_iter().map(moment).collect();
    Trained { model: model(weights), link, fit, risks: vec![record], history }
}

/// The terms of unbiased PU learning: people of whom all are positive, the crowd, and the share of positives in it.
pub fn pu_terms<'a>(positives: Rows<'a>, crowd: &'a Design, prior: f64, costs: Costs) -> Vec<Term<'a>> {
    let Costs { false_negative, false_positive } = costs;
    vec![
        Term { rows: positives, positive: false_negative * prior, negative: -false_positive * prior, in_crowd: true },
        Term { rows: Rows::all("D_U", crowd), positive: 0.0, negative: false_positive, in_crowd: true },
    ]
}

/// The terms of supervised learning, where each row weighs the same.
pub fn supervised_terms<'a>(positives: Vec<Rows<'a>>, negatives: Vec<Rows<'a>>, costs: Costs) -> Vec<Term<'a>> {
    let all = positives.iter().chain(&negatives).map(Rows::count).sum::<usize>().max(1) as f64;
    // An empty sample keeps a coefficient, so that the risk refuses it by name.
    let share = |rows: &Rows| rows.count().max(1) as f64 / all;
    let positive = |rows: Rows<'a>| {
        let positive = costs.false_negative * share(&rows);
        Term { rows, positive, negative: 0.0, in_crowd: true }
    };
    let negative = |rows: Rows<'a>| {
        let negative = costs.false_positive * share(&rows);
        Term { rows, positive: 0.0, negative, in_crowd: true }
    };
    positives.into_iter().map(positive).chain(negatives.into_iter().map(negative)).collect()
}

/// The builder of linfa's manner.
impl<L: SignedMethod> Params<L> {
    fn with(self, change: impl FnOnce(&mut RiskOptions)) -> Self {
        let mut options = *self.0.risk_options();
        change(&mut options);
        Params(L::unchecked(options))
    }

    pub fn loss(self, loss: Loss) -> Self {
        self.with(|options| options.loss = loss)
    }

    pub fn correction(self, correction: Correction) -> Self {
        self.with(|options| options.correction = correction)
    }

    pub fn costs(self, costs: Costs) -> Self {
        self.with(|options| options.costs = costs)
    }

    /// The factor of `|w|^2`; intercepts are spared.
    pub fn ridge(self, ridge: f64) -> Self {
        self.with(|options| options.ridge = ridge)
    }

    pub fn model(self, model: ModelKind) -> Self {
        self.with(|options| options.model = model)
    }

    pub fn optimizer(self, optimizer: Optimizer) -> Self {
        self.with(|options| options.optimizer = optimizer)
    }
}

impl<L: SignedMethod> Learner for L {
    fn problem(&self) -> Option<ParamError> {
        self.risk_options().problem().or_else(|| self.correction_problem())
    }
}
