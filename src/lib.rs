//! Double PU learning and the harness that checks its claims.
//!
//! *Potential customers* are people interested in a product (Y = +1) but not loyal to the company (Z = -1). Double PU
//! learning (Kato et al.) learns to distinguish them (W = +1) from everybody else, from three samples: interested people,
//! loyal interested people, and unlabelled people.
//!
//! # The path of an experiment
//!
//! ```text
//! experiments/*.yaml -> spec::Experiment -> spec::Plan (cells) -> run::execute -> outcomes -> report (tables, plots)
//!                                                                     ^              |-> proof (the same bits?)
//!         datasets/* ->    data::Table -> sample::Split -> Design                     \-> gate (nothing worse?)
//! ```
//!
//! Each arrow goes one way. A cell is one (setting, method, prior, seed) and depends only on its description and the data.
//! [`math`] reads no files; [`run`] measures, and [`report`] only shows what was measured.
//!
//! # Using the learners
//!
//! A method is a struct of options with checked bounds. `new` refuses options that do not go together, `fit` trains on
//! samples, and the trained model predicts.
//!
//! ```
//! use doublepu::learn::{Learner, Observed, Prior, RiskOptions, SignedMethod, Training};
//! use doublepu::math::bounds::Ridge;
//! use doublepu::math::matrix::Design;
//! use doublepu::math::risk::Loss;
//! use doublepu::methods::DoublePu;
//!
//! let sample = |rows: &[[f64; 2]]| {
//!     let rows: Vec<Vec<f64>> = rows.iter().map(|row| row.to_vec()).collect();
//!     Design::dense(vec!["x1".into(), "x2".into()], &rows)
//! };
//! let observed = Observed::independent(
//!     sample(&[[-2.0, 2.0], [2.0, 2.1], [1.9, 1.8]]),                                     // D_Y
//!     sample(&[[-2.1, 1.9], [2.0, 2.0], [2.1, 2.2], [-2.0, -2.0], [-1.8, -2.2]]),         // D_U
//!     sample(&[[2.0, 2.0], [2.2, 1.9]]),                                                  // D_L
//! );
//! let training = Training::new(&observed, Some(Prior::new(0.6, 0.4)?));
//! let options = RiskOptions { loss: Loss::Logistic, ridge: Ridge::new(0.01)?, ..Default::default() };
//! let learner = DoublePu::new(options)?;
//! let trained = learner.fit(&training)?;
//!
//! let scores = trained.predict(&sample(&[[-2.0, 2.0], [2.0, 2.0], [-2.0, -2.0]]));
//! assert!(scores[0] > scores[1] && scores[0] > scores[2]);
//! println!("{:?} after {:?} steps", trained.fit.ending, trained.fit.iterations);
//!
//! // Invalid options are refused before anything is fitted.
//! let refused = Ridge::new(-1.0).unwrap_err();
//! assert_eq!(refused.problem, "the ridge is -1.0");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every method of [`methods`] works like this. Those that minimise a signed risk take [`learn::RiskOptions`]: a loss, a
//! correction, costs, a ridge, a model and an optimiser:
//!
//! ```
//! use doublepu::learn::{ModelKind, Optimizer, Rbf, RiskOptions, SignedMethod, Width};
//! use doublepu::math::bounds::Count;
//! use doublepu::math::risk::{Correction, Loss};
//! use doublepu::methods::NaiveNnpu;
//!
//! let learner = NaiveNnpu::new(RiskOptions {
//!     loss: Loss::Sigmoid,
//!     correction: Correction::Paper,
//!     model: ModelKind::Rbf(Rbf { centers: Count::new(50)?, width: Width::Median }),
//!     optimizer: Optimizer::Lbfgs,
//!     ..Default::default()
//! })?;
//! assert_eq!(learner.as_ref().loss, Loss::Sigmoid);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod analysis;
mod caught;
pub mod cli;
pub mod data;
pub mod export;
pub mod external;
pub mod gate;
pub mod harness;
pub mod learn;
pub mod math;
pub mod methods;
pub mod mistake;
pub mod proof;
mod registry;
pub mod report;
pub mod run;
pub mod sample;
pub mod spec;
pub mod text;

/// The code of the book's page about the library, and what must not compile.
#[cfg(doctest)]
mod documentation {
    #[doc = include_str!("../docs/library.md")]
    struct Library;
    #[doc = include_str!("../tests/compile_fail.md")]
    struct CompileFail;
}
