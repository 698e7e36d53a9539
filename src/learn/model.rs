//! The functions that a method may choose from: linear ones, linear ones of radial basis functions, small networks.

use crate::learn::params::{ParamError, count_problem};
use crate::learn::{Model, Observed, Sample};
use crate::math::matrix::Design;
use crate::math::risk::{Linear, Network, Predictor};
use crate::math::stats::quantile;
use crate::sample::stream;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

/// Over which functions `g(x)` a risk is minimised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelKind {
    /// `g(x) = w.x + intercept`
    #[default]
    Linear,
    Rbf(Rbf),
    Network(NetworkOptions),
}

/// Linear in `exp(-|x - centre|^2 / (2 width^2))`, one for each centre.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rbf {
    /// How many people of D_U and D_L are drawn as centres, for every method alike; all if there are fewer.
    pub centers: u32,
    /// `None` for the median distance between two centres.
    pub width: Option<f64>,
}

/// One hidden layer of rectified units, trained by Adam from seeded random weights.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetworkOptions {
    pub hidden: u32,
    /// How often the optimiser goes over the data.
    pub epochs: u32,
    /// The size of the first steps; it falls to zero in a straight line.
    pub rate: f64,
    /// Into how many batches every sample is cut, anew in every epoch.
    pub batches: u32,
}

impl ModelKind {
    pub fn problem(&self) -> Option<ParamError> {
        match self {
            ModelKind::Linear => None,
            ModelKind::Rbf(rbf) => count_problem("centers", rbf.centers, 2000).or_else(|| {
                let width = rbf.width.filter(|width| !(1e-6..=1e6).contains(width))?;
                Some(ParamError::new(format!("`width` is {width:?}"), "give `median`, or a number from 1e-6 to 1e6"))
            }),
            ModelKind::Network(network) => count_problem("hidden", network.hidden, 10_000)
                .or_else(|| count_problem("epochs", network.epochs, 100_000))
                .or_else(|| count_problem("batches", network.batches, 10_000))
                .or_else(|| {
                    let possible = (1e-9..=10.0).contains(&network.rate);
                    let problem = format!("`rate` is {:?}", network.rate);
                    (!possible).then(|| ParamError::new(problem, "give a number from 1e-9 to 10"))
                }),
        }
    }
}

/// As in labels.
impl std::fmt::Display for ModelKind {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            ModelKind::Linear => f.write_str("linear"),
            ModelKind::Rbf(Rbf { centers, width: None }) => write!(f, "rbf({centers})"),
            ModelKind::Rbf(Rbf { centers, width: Some(width) }) => write!(f, "rbf({centers}, width {width})"),
            ModelKind::Network(NetworkOptions { hidden, epochs, rate, batches }) => {
                write!(f, "network({hidden}, {epochs} epochs of {batches}, rate {rate})")
            }
        }
    }
}

/// Radial basis functions with their centres drawn.
#[derive(Clone, Debug)]
pub struct Basis {
    /// Row by row, one centre after the other.
    centers: Vec<Vec<f64>>,
    /// The sample and place of every centre.
    pub origins: Vec<(&'static str, usize)>,
    pub width: f64,
}

impl Basis {
    /// The same for every method of a seed.
    pub fn draw(rbf: Rbf, observed: &Observed, seed: u32) -> Self {
        let mut origins: Vec<(&'static str, usize)> = (0..observed.unlabeled.rows.rows()).map(|i| ("D_U", i)).collect();
        let known: std::collections::BTreeSet<usize> = observed.unlabeled.people.iter().copied().collect();
        let new = observed.loyal.people.iter().enumerate().filter(|(_, person)| !known.contains(person));
        origins.extend(new.map(|(i, _)| ("D_L", i)));
        origins.shuffle(&mut stream(&["rbf centers", &format!("seed {seed}")]));
        origins.truncate(rbf.centers as usize);
        let [unlabeled, loyal] = [&observed.unlabeled, &observed.loyal].map(|sample| dense_rows(&sample.rows));
        let center = |(sample, i): &(&str, usize)| if *sample == "D_U" { &unlabeled[*i] } else { &loyal[*i] };
        let centers: Vec<Vec<f64>> = origins.iter().map(|origin| center(origin).clone()).collect();
        let width = rbf.width.unwrap_or_else(|| median_distance(&centers));
        Basis { centers, origins, width }
    }

    /// The basis functions of every row.
    pub fn of(&self, rows: &Design) -> Design {
        let scale = -0.5 / (self.width * self.width);
        let functions = |x: &Vec<f64>| self.centers.iter().map(|c| libm::exp(scale * squared_distance(x, c))).collect();
        let values: Vec<Vec<f64>> = dense_rows(rows).iter().map(functions).collect();
        let names = self.origins.iter().map(|(sample, i)| format!("near {sample} {i}")).collect();
        Design::dense(names, &values)
    }

    pub fn map(&self, observed: &Observed) -> Observed {
        let map = |sample: &Sample| Sample { rows: self.of(&sample.rows), people: sample.people.clone() };
        Observed { interest: map(&observed.interest), unlabeled: map(&observed.unlabeled), loyal: map(&observed.loyal) }
    }
}

fn dense_rows(rows: &Design) -> Vec<Vec<f64>> {
    let width = rows.width();
    let dense = rows.to_dense();
    (0..rows.rows()).map(|row| dense[row * width..(row + 1) * width].to_vec()).collect()
}

fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// The usual rule for a width; 1 where all centres are alike.
fn median_distance(centers: &[Vec<f64>]) -> f64 {
    let pairs = (0..centers.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    let distances: Vec<f64> = pairs.map(|(i, j)| squared_distance(&centers[i], &centers[j]).sqrt()).collect();
    quantile(&distances, 0.5).filter(|median| *median > 0.0).unwrap_or(1.0)
}

/// `g(x) = w.x + intercept`
pub struct LinearModel {
    pub weights: Vec<f64>,
}

impl Model for LinearModel {
    fn predict(&self, rows: &Design) -> Vec<f64> {
        Linear { width: rows.width() }.margins(rows, &self.weights)
    }

    fn linear_weights(&self) -> Option<&[f64]> {
        Some(&self.weights)
    }
}

pub struct BasisModel {
    pub basis: Basis,
    pub weights: Vec<f64>,
}

impl Model for BasisModel {
    fn predict(&self, rows: &Design) -> Vec<f64> {
        Linear { width: self.basis.origins.len() }.margins(&self.basis.of(rows), &self.weights)
    }
}

pub struct NetworkModel {
    pub network: Network,
    pub weights: Vec<f64>,
}

impl Model for NetworkModel {
    fn predict(&self, rows: &Design) -> Vec<f64> {
        self.network.margins(rows, &self.weights)
    }
}
