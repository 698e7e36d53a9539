//! The true labels of training rows, which only oracles see. A test checks that no other method imports this file.

use crate::math::matrix::Design;
use std::cell::LazyCell;

/// Rows with their true W, which no company knows.
#[derive(Debug)]
pub struct Labelled {
    pub rows: Design,
    /// W = +1
    pub truth: Vec<bool>,
}

/// The labelled rows of a split. They are encoded on first use, because encoding the whole training set costs more than
/// a fit.
pub struct Oracle<'a> {
    /// The whole training set.
    pub train: OnFirstUse<'a>,
    /// The people of D_U.
    pub unlabeled: OnFirstUse<'a>,
}

type OnFirstUse<'a> = LazyCell<Labelled, Box<dyn FnOnce() -> Labelled + 'a>>;

impl<'a> Oracle<'a> {
    pub fn new(train: impl FnOnce() -> Labelled + 'a, unlabeled: impl FnOnce() -> Labelled + 'a) -> Self {
        Oracle { train: LazyCell::new(Box::new(train)), unlabeled: LazyCell::new(Box::new(unlabeled)) }
    }
}
