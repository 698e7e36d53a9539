//! Options in linfa's manner: [`Params`] are unchecked, `check` makes a learner of them.

use crate::math::risk::Costs;

/// Options of a learner that nobody has checked yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Params<L>(pub(super) L);

/// Something that can say whether its own options are possible.
pub trait Learner: Sized {
    /// What is wrong with the options, if anything.
    fn problem(&self) -> Option<ParamError>;
}

impl<L: Learner> Params<L> {
    /// The learner, if its options are possible.
    pub fn check(self) -> Result<L, ParamError> {
        match self.0.problem() {
            None => Ok(self.0),
            Some(problem) => Err(problem),
        }
    }
}

/// Options that cannot be.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{problem}: {remedy}")]
pub struct ParamError {
    pub problem: String,
    pub remedy: String,
}

impl ParamError {
    pub fn new(problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        ParamError { problem: problem.into(), remedy: remedy.into() }
    }
}

pub(super) fn ridge_problem(ridge: f64) -> Option<ParamError> {
    let possible = ridge == 0.0 || (1e-12..=1e12).contains(&ridge);
    (!possible).then(|| ParamError::new(format!("the ridge is {ridge:?}"), "give 0, or a number from 1e-12 to 1e12"))
}

pub fn costs_problem(costs: Costs) -> Option<ParamError> {
    let Costs { false_negative, false_positive } = costs;
    let possible = [false_negative, false_positive].iter().all(|cost| (1e-9..=1e9).contains(cost));
    let problem = format!("the costs are {false_negative:?} and {false_positive:?}");
    (!possible).then(|| ParamError::new(problem, "give two numbers above 0, from 1e-9 to 1e9"))
}

pub(super) fn count_problem(what: &str, count: u32, most: u32) -> Option<ParamError> {
    let possible = (1..=most).contains(&count);
    (!possible)
        .then(|| ParamError::new(format!("`{what}` is {count}"), format!("give a whole number from 1 to {most}")))
}
