//! Double PU learning and the harness that checks its claims.
//!
//! *Potential customers* are people interested in a product (Y = +1) but not loyal to the company (Z = -1). Double PU
//! learning (Kato et al.) learns to tell them (W = +1) from everybody else out of three samples: interested people,
//! loyal interested people, and an unlabelled crowd.
//!
//! # The path of an experiment
//!
//! ```text
//! experiments/*.yaml -> spec::Experiment -> spec::Plan (cells) -> run::execute -> outcomes -> report (tables, plots)
//!                                                                     ^
//!         datasets/* -> dataset::Table -> sample::Split -> matrix::Design
//! ```
//!
//! Each arrow goes one way. A cell is one (setting, method, prior, seed) and depends on nothing but its description and
//! the data. The mathematics ([`risk`], [`optim`], [`matrix`], [`metric`], [`stats`]) knows no files; [`run`] measures
//! and [`report`] only shows what was measured.
//!
//! # The learners alone
//!
//! ```
//! use doublepu::learn::{DoublePu, Observed, Prior};
//! use doublepu::matrix::Design;
//! use doublepu::risk::{Costs, Loss};
//!
//! let sample = |rows: &[[f64; 2]]| {
//!     let rows: Vec<Vec<f64>> = rows.iter().map(|row| row.to_vec()).collect();
//!     Design::dense(vec!["x1".into(), "x2".into()], &rows)
//! };
//! let observed = Observed {
//!     interest: sample(&[[-2.0, 2.0], [2.0, 2.1], [1.9, 1.8]]),
//!     unlabeled: sample(&[[-2.1, 1.9], [2.0, 2.0], [2.1, 2.2], [-2.0, -2.0], [-1.8, -2.2]]),
//!     loyal: sample(&[[2.0, 2.0], [2.2, 1.9]]),
//! };
//! let method = DoublePu { loss: Loss::Logistic, costs: Costs::UNIT, ridge: 0.01 };
//! let trained = method.fit(&observed, Prior::new(0.6, 0.4)?)?;
//!
//! let scores = trained.model.scores(&sample(&[[-2.0, 2.0], [2.0, 2.0], [-2.0, -2.0]]));
//! assert!(scores[0] > scores[1] && scores[0] > scores[2]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod caught;
pub mod cli;
pub mod dataset;
pub mod learn;
pub mod matrix;
pub mod metric;
pub mod optim;
pub mod report;
pub mod risk;
pub mod run;
pub mod sample;
pub mod spec;
pub mod stats;

/// The candidate most like a misspelt word, if any is like it.
pub(crate) fn nearest<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let likeness = |candidate: &str| strsim::jaro_winkler(word, candidate);
    candidates
        .iter()
        .copied()
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
        .filter(|candidate| likeness(candidate) > 0.75)
}
