//! What methods that minimise a signed risk share.

use crate::learn::model::{Basis, LinearModel, ModelKind};
use crate::learn::record::Form;
use crate::learn::solve::solve;
use crate::learn::train::{Steps, train};
use crate::learn::{Card, Failure, Learner, Link, Observed, Optimizer, Options, Prior, Trained, Training};
use crate::math::bounds::Ridge;
use crate::math::matrix::Design;
use crate::math::risk::{Correction, Costs, Growth, Linear, Loss, Network, Predictor, Rows, SignedRisk, Term};
use crate::mistake::Mistake;

crate::options! {
    /// What every method that minimises a signed risk can be told.
    #[derive(Copy)]
    #[schemars(inline)]
    pub struct RiskOptions {
        /// The loss l, a surrogate for the zero-one loss.
        loss: Loss = Loss::Logistic,
        /// The correction that keeps parts of the risk from falling below zero.
        correction: Correction = Correction::None,
        /// The costs of wrong decisions. They cannot be tuned, because they decide how candidates are judged.
        costs: Costs = Costs::UNIT,
        /// The factor of |w|^2, which does not include intercepts. It is not scaled by the costs.
        ridge: Ridge = Ridge::DEFAULT,
        /// The functions g over which the risk is minimised.
        model: ModelKind = ModelKind::Linear,
        /// The algorithm that minimises the risk.
        optimizer: Optimizer = Optimizer::Auto,
    }
}

impl RiskOptions {
    fn check_costs(&self) -> Result<(), Mistake> {
        let Costs { false_negative, false_positive } = self.costs;
        if [false_negative, false_positive].iter().all(|cost| (1e-9..=1e9).contains(cost)) {
            return Ok(());
        }
        let problem = format!("the costs are {false_negative:?} and {false_positive:?}");
        Err(Mistake::in_option("costs", problem, "give two numbers above 0, from 1e-9 to 1e9"))
    }

    fn risk<'a, P: Predictor>(&self, predictor: P, terms: Vec<Term<'a>>) -> Result<SignedRisk<'a, P>, Failure> {
        Ok(SignedRisk::new(predictor, self.loss, self.correction, self.ridge.value(), terms)?)
    }

    /// Refuses optimisers that cannot minimise the risk.
    fn check_optimizer(&self) -> Result<(), Mistake> {
        let is_network = matches!(self.model, ModelKind::Network(_));
        let (why, allowed) = match self.optimizer {
            Optimizer::Auto | Optimizer::FirstOrder => return Ok(()),
            _ if is_network => ("the risk of a network", "`auto` or `first_order`"),
            _ if self.correction == Correction::Kiryo => {
                ("a risk with the correction `kiryo`, whose steps follow no gradient", "`auto` or `first_order`")
            }
            Optimizer::ClosedForm if self.loss.growth() != Growth::Quadratic || self.correction != Correction::None => {
                ("anything but the squared loss without correction", "`auto`")
            }
            Optimizer::Newton if self.correction != Correction::None => {
                ("a corrected risk", "`auto`, `lbfgs` or `first_order`")
            }
            _ => return Ok(()),
        };
        let problem = format!("the optimizer `{}` cannot minimise {why}", self.optimizer.name());
        Err(Mistake::new(problem, format!("use {allowed}")))
    }
}

/// Whether a method has a correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CorrectionUse {
    Optional,
    /// Without one, it would be `naive_pu`.
    Needed,
    /// Its risk has no part that could be negative, or it is defined without one.
    Refused,
}

/// A method that is defined by a list of terms over D_Y, D_U and D_L. Its options are [`RiskOptions`];
/// [`risk_method!`](crate::risk_method) declares them.
pub trait SignedMethod: From<RiskOptions> + AsRef<RiskOptions> {
    const CARD: Card;

    const CORRECTION: CorrectionUse = CorrectionUse::Optional;

    /// Refuses options that do not go together.
    fn new(options: RiskOptions) -> Result<Self, Mistake> {
        let method = Self::from(options);
        method.check()?;
        Ok(method)
    }

    /// The terms of the risk. `observed` may hold transformed features, such as radial basis functions.
    fn terms<'a>(&self, observed: &'a Observed, prior: Option<Prior>) -> Result<Vec<Term<'a>>, Failure>;
}

impl<M: SignedMethod> Options for M {
    fn card(&self) -> Card {
        M::CARD
    }

    fn texts(&self) -> Vec<(&'static str, String)> {
        self.as_ref().texts()
    }

    fn check(&self) -> Result<(), Mistake> {
        self.as_ref().check_costs()?;
        self.as_ref().check_optimizer()?;
        match (M::CORRECTION, self.as_ref().correction) {
            (CorrectionUse::Needed, Correction::None) => {
                let problem = format!("`{}` without correction is `naive_pu`", M::CARD.name);
                Err(Mistake::new(problem, "use `kiryo` or `paper`"))
            }
            (CorrectionUse::Refused, Correction::Paper | Correction::TwoPart | Correction::Kiryo) => {
                let remedy = "remove `correction`; for `naive_pu` with one, use `naive_nnpu`";
                Err(Mistake::new("this method has no correction", remedy))
            }
            _ => Ok(()),
        }
    }

    fn costs(&self) -> Costs {
        self.as_ref().costs
    }
}

impl<M: SignedMethod> Learner for M {
    fn judging_terms<'a>(&self, seen: &'a Observed, prior: Option<Prior>) -> Option<Result<Vec<Term<'a>>, Failure>> {
        Some(self.terms(seen, prior))
    }

    fn fit(&self, training: &Training) -> Result<Trained, Failure> {
        let options = self.as_ref();
        let (observed, prior) = (training.observed, training.prior);
        let width = observed.unlabeled.rows.width();
        let link = Link::of_margin(options.loss, options.costs);
        match options.model {
            ModelKind::Linear => {
                let risk = options.risk(Linear { width }, self.terms(observed, prior)?)?;
                let solved = solve(&risk, options.optimizer, Form::Linear, training)?;
                Ok(solved.trained(link, |weights| Box::new(LinearModel { weights })))
            }
            ModelKind::Rbf(rbf) => {
                let basis = Basis::draw(rbf, observed, training.seed);
                let (linear, mapped) = (Linear { width: basis.origins.len() }, basis.map(observed));
                let risk = options.risk(linear, self.terms(&mapped, prior)?)?;
                let form = Form::Rbf { width: basis.width, centers: basis.origins.clone() };
                let solved = solve(&risk, options.optimizer, form, training)?;
                Ok(solved.trained(link, |weights| {
                    let basis = basis.clone();
                    Box::new(move |rows: &Design| linear.margins(&basis.of(rows), &weights))
                }))
            }
            ModelKind::Network(network) => {
                let steps =
                    Steps { epochs: network.epochs.get(), rate: network.rate.value(), batches: network.batches.get() };
                let network = Network { width, hidden: network.hidden.get() as usize };
                let risk = options.risk(network, self.terms(observed, prior)?)?;
                let form = Form::Network { hidden: network.hidden };
                let solved = train(&risk, steps, form, training.stream("network"))?;
                Ok(solved.trained(link, |weights| Box::new(move |rows: &Design| network.margins(rows, &weights))))
            }
        }
    }
}

/// The terms of unbiased PU learning: positives, the unlabelled crowd, and the share of positives in the crowd.
pub fn pu_terms<'a>(positives: Rows<'a>, crowd: &'a Design, prior: f64, costs: Costs) -> Vec<Term<'a>> {
    let Costs { false_negative, false_positive } = costs;
    vec![
        Term { rows: positives, positive: false_negative * prior, negative: -false_positive * prior, in_crowd: true },
        Term { rows: Rows::all("D_U", crowd), positive: 0.0, negative: false_positive, in_crowd: true },
    ]
}

/// The terms of supervised learning, with the same weight for each row.
pub fn supervised_terms<'a>(positives: Vec<Rows<'a>>, negatives: Vec<Rows<'a>>, costs: Costs) -> Vec<Term<'a>> {
    let all = positives.iter().chain(&negatives).map(Rows::count).sum::<usize>().max(1) as f64;
    // An empty sample keeps a coefficient, so that the risk reports it by name.
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

/// Declares a method whose options are [`RiskOptions`], with its own defaults where they differ.
#[macro_export]
macro_rules! risk_method {
    ($(#[$about:meta])* pub struct $Name:ident $({ $($option:ident: $default:expr),+ })?) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, ::serde::Serialize, ::serde::Deserialize, ::schemars::JsonSchema)]
        pub struct $Name($crate::learn::RiskOptions);

        impl Default for $Name {
            fn default() -> Self {
                $Name($crate::learn::RiskOptions { $($($option: $default,)+)? ..Default::default() })
            }
        }

        impl From<$crate::learn::RiskOptions> for $Name {
            fn from(options: $crate::learn::RiskOptions) -> Self {
                $Name(options)
            }
        }

        impl AsRef<$crate::learn::RiskOptions> for $Name {
            fn as_ref(&self) -> &$crate::learn::RiskOptions {
                &self.0
            }
        }
    };
}
