//! What only an oracle sees: the true labels of training rows. No blind method may import this file; a test sees to it.

use crate::math::matrix::Design;
use std::cell::LazyCell;

/// Rows with their true W, which no company has.
#[derive(Debug)]
pub struct Labelled {
    pub rows: Design,
    /// W = +1
    pub truth: Vec<bool>,
}

/// Encoding the whole training set costs more than a fit, so it waits until somebody looks.
pub struct Oracle<'a> {
    /// The whole training set.
    pub train: WhenSeen<'a>,
    /// The people of D_U.
    pub unlabeled: WhenSeen<'a>,
}

type WhenSeen<'a> = LazyCell<Labelled, Box<dyn FnOnce() -> Labelled + 'a>>;

impl<'a> Oracle<'a> {
    pub fn new(train: impl FnOnce() -> Labelled + 'a, unlabeled: impl FnOnce() -> Labelled + 'a) -> Self {
        Oracle { train: LazyCell::new(Box::new(train)), unlabeled: LazyCell::new(Box::new(unlabeled)) }
    }
}
