//! Models: linear in the features, linear in radial basis functions, and small networks.

use crate::learn::{Model, Observed, Sample};
use crate::math::bounds::{Count, NumberOrWord, Rate, inline_schema};
use crate::math::matrix::Design;
use crate::math::risk::{Linear, Predictor};
use crate::math::stats::quantile;
use crate::sample::stream;
use rand::seq::SliceRandom;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// The functions g over which a risk is minimised.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ModelKind {
    /// A linear function of the features: `g(x) = w.x + intercept`.
    Linear,
    /// A linear function of radial basis functions.
    Rbf(Rbf),
    /// A network with one hidden layer, trained by Adam.
    Network(NetworkOptions),
}

/// A linear function of `exp(-|x - centre|^2 / (2 width^2))`, one for each centre, with an intercept.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Rbf {
    /// The number of rows of D_U and D_L that are drawn as centres; all rows if there are fewer. Every method of a seed has the
    /// same centres.
    pub centers: Count<2000>,
    /// The width. `median` takes the median distance between two centres.
    #[schemars(extend("default" = "median"))]
    pub width: Width,
}

impl Default for Rbf {
    fn default() -> Self {
        Rbf { centers: Count::constant::<100>(), width: Width::Median }
    }
}

/// The width of radial basis functions. It is stored as a number, or as null for the median.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Width {
    /// The median distance between two centres.
    Median,
    Fixed(f64),
}

impl<'de> Deserialize<'de> for Width {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = |width| match (1e-6..=1e6).contains(&width) {
            true => Ok(Width::Fixed(width)),
            false => Err("`median`, or a number from 1e-6 to 1e6"),
        };
        let word = |word: &str| matches!(word, "median" | "null").then_some(Width::Median);
        NumberOrWord { expecting: "a number, or `median`", number, word, key: None }.deserialize(deserializer)
    }
}

inline_schema!(Width, { "anyOf": [{ "type": "number", "minimum": 1e-6, "maximum": 1e6 }, { "enum": ["median"] }] });

/// A network with one hidden layer of rectified linear units, trained by Adam from seeded random weights.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NetworkOptions {
    /// The number of hidden units.
    pub hidden: Count<10_000>,
    /// The number of passes over the data.
    pub epochs: Count<100_000>,
    /// The learning rate of the first epoch. It decreases linearly to zero.
    pub rate: Rate,
    /// The number of batches that every sample is cut into, anew in every epoch. It is at most the number of rows of the
    /// smallest sample.
    pub batches: Count<10_000>,
}

impl Default for NetworkOptions {
    fn default() -> Self {
        NetworkOptions {
            hidden: Count::constant::<32>(),
            epochs: Count::constant::<200>(),
            rate: Rate::DEFAULT,
            batches: Count::constant::<4>(),
        }
    }
}

/// As shown in labels.
impl std::fmt::Display for ModelKind {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            ModelKind::Linear => f.write_str("linear"),
            ModelKind::Rbf(Rbf { centers, width: Width::Median }) => write!(f, "rbf({centers})"),
            ModelKind::Rbf(Rbf { centers, width: Width::Fixed(width) }) => write!(f, "rbf({centers}, width {width})"),
            ModelKind::Network(NetworkOptions { hidden, epochs, rate, batches }) => {
                write!(f, "network({hidden}, {epochs} epochs of {batches}, rate {rate})")
            }
        }
    }
}

/// Radial basis functions with drawn centres.
#[derive(Clone, Debug)]
pub struct Basis {
    /// One row per centre.
    centers: Vec<Vec<f64>>,
    /// The sample and row of every centre.
    pub origins: Vec<(&'static str, usize)>,
    pub width: f64,
}

impl Basis {
    /// Draws the centres, which are the same for every method of a seed.
    pub fn draw(rbf: Rbf, observed: &Observed, seed: u32) -> Self {
        let mut origins: Vec<(&'static str, usize)> = (0..observed.unlabeled.rows.rows()).map(|i| ("D_U", i)).collect();
        let known: std::collections::BTreeSet<usize> = observed.unlabeled.people.iter().copied().collect();
        let new = observed.loyal.people.iter().enumerate().filter(|(_, person)| !known.contains(person));
        origins.extend(new.map(|(i, _)| ("D_L", i)));
        origins.shuffle(&mut stream(&["rbf centers", &format!("seed {seed}")]));
        origins.truncate(rbf.centers.get() as usize);
        let [unlabeled, loyal] = [&observed.unlabeled, &observed.loyal].map(|sample| dense_rows(&sample.rows));
        let center = |(sample, i): &(&str, usize)| if *sample == "D_U" { &unlabeled[*i] } else { &loyal[*i] };
        let centers: Vec<Vec<f64>> = origins.iter().map(|origin| center(origin).clone()).collect();
        let width = match rbf.width {
            Width::Median => median_distance(&centers),
            Width::Fixed(width) => width,
        };
        Basis { centers, origins, width }
    }

    /// The values of the basis functions for every row.
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

/// The usual rule for a width; 1 if the median is 0.
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

/// A function of rows is a model with the threshold 0.
impl<F: Fn(&Design) -> Vec<f64>> Model for F {
    fn predict(&self, rows: &Design) -> Vec<f64> {
        self(rows)
    }
}

/// A function of rows whose scores are like probabilities: the threshold is one half.
pub struct Probabilities<F>(pub F);

impl<F: Fn(&Design) -> Vec<f64>> Model for Probabilities<F> {
    fn predict(&self, rows: &Design) -> Vec<f64> {
        (self.0)(rows)
    }

    fn threshold(&self) -> f64 {
        0.5
    }
}
