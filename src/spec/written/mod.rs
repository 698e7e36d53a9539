//! A spec as it is written: types without checks. Doc comments here become the descriptions in the JSON Schema.

mod kinds;
mod schema;

use crate::data::{CategoryEncoding, NumericScaling};
use crate::learn::Optimizer;
use crate::math::metric::Metric;
use crate::math::risk::{Correction, Costs, Loss};
use crate::sample::{LoyaltyBase, Simulation, Unlabeled};
use crate::spec::decode::{Located, Sweep, Tunable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An experiment: every method, prior and setting, over the same seeds.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// The name of the experiment and of its folder below results/runs.
    pub experiment: Located<String>,
    /// Where the data comes from and which columns are the labels. A list compares several.
    pub dataset: Sweep<Dataset>,
    /// How columns become numbers.
    #[serde(default)]
    pub features: Features,
    /// How the three observed samples and the test part are drawn. A list compares several.
    pub sampling: Sweep<Sampling>,
    /// The class priors that methods are told; `true` if left out.
    pub priors: Option<Vec<Located<PriorEntry>>>,
    /// How many random splits to try: seeds 1, 2, ..., to this number.
    pub seeds: Located<i64>,
    /// The methods to compare.
    pub methods: Located<Vec<Located<Method>>>,
    /// What to judge by, beside roc_auc, which is always there.
    #[serde(default)]
    pub metrics: Vec<Metric>,
    /// The method to hold against every other, seed by seed: its name, or its label in the tables where one name stands
    /// for several.
    pub compare: Option<Located<String>>,
    /// A difference in ROC-AUC that is worth seeing: comparisons tell how many seeds it takes to see it. 0.01 if left out.
    pub difference: Option<Located<f64>>,
    /// Values printed in a paper, shown beside ours.
    #[serde(default)]
    pub paper: Vec<Paper>,
    /// What `doublepu check` demands of a run.
    #[serde(default)]
    pub gate: Gate,
}

/// Where the data comes from.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dataset {
    /// A built-in data set (`doublepu data list`), `simulation`, or the path of a CSV or Parquet file, relative to the
    /// spec.
    pub source: Located<String>,
    /// The sha256 that a file must have.
    pub sha256: Option<Located<String>>,
    /// Which rows have Y = +1.
    pub interest: Option<Located<LabelRule>>,
    /// Which rows have Z = +1.
    pub loyalty: Option<Located<LabelRule>>,
    /// For `source: simulation`, the three groups of the paper's Section IV.
    pub groups: Option<Located<Simulation>>,
}

/// Rows are positive where a column holds a value.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LabelRule {
    pub column: String,
    pub positive: Scalar,
}

/// How columns become numbers. Lists compare several ways.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Features {
    /// What is done to numeric columns; `standardize` if left out.
    pub numeric: Option<Sweep<NumericScaling>>,
    /// What is done to columns of categories; `one_hot` if left out.
    pub categorical: Option<Sweep<CategoryEncoding>>,
    /// Columns to leave out, beside the label columns.
    pub exclude: Vec<String>,
}

/// How samples are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SchemeName {
    /// The paper's Section V: training rows are cut into three pools.
    Pools,
    /// The paper's Section IV: labels of one sample are hidden.
    Censoring,
}

/// How samples are drawn. Lists compare several ways.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sampling {
    pub scheme: Located<SchemeName>,
    /// The share of rows kept for the test; 0.2 if left out. A simulation draws its own test part.
    pub test: Option<Sweep<f64>>,
    /// Whether every part gets its share of each (Y, Z) group; false if left out.
    pub stratify: Option<Sweep<bool>>,
    /// For pools: the share of training rows whose Y = +1 rows are seen as D_Y; 0.1 if left out.
    pub interest: Option<Sweep<f64>>,
    /// For pools: the share of training rows seen without labels, as D_U; 0.1 if left out.
    /// For censoring: which rows are the crowd, `all` or `remaining`; `all` if left out.
    pub unlabeled: Option<Sweep<UnlabeledChoice>>,
    /// For pools: the share of training rows whose (+1, +1) rows are seen as D_L, or `within_interest` for the (+1, +1)
    /// rows of D_Y; 0.8 if left out.
    pub loyal: Option<Sweep<LoyalChoice>>,
    /// For censoring: the share of Y = +1 rows that lose their Y label; 0.3 if left out.
    pub hide_interest: Option<Sweep<f64>>,
    /// For censoring: the share of (+1, +1) rows that lose their Z label; 0.5 if left out.
    pub hide_loyalty: Option<Sweep<f64>>,
    /// For censoring: whether that share is of the rows that keep their Y label, or of all; `kept` if left out.
    pub hide_loyalty_among: Option<Sweep<LoyaltyBase>>,
}

/// A method with its options; a list as an option's value compares several, `{ tune: [..] }` chooses one of several for
/// every split, without true labels.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = schema::allow_bare_names)]
pub enum Method {
    /// Double PU learning (Kato et al.).
    DoublePu(RiskOptions),
    /// Unbiased PU learning for Y, which ignores loyalty.
    NaivePu(RiskOptions),
    /// The same with a non-negative correction, `kiryo` if none is given.
    NaiveNnpu(RiskOptions),
    /// D_Y as positive against D_U as negative.
    BiasedPn(RiskOptions),
    /// D_Y as positive against D_U and D_L as negative.
    BiasedPnLoyal(RiskOptions),
    /// p(labelled | x) / c; for the scheme censoring.
    ElkanNoto(RidgeOptions),
    /// D_Y against bags of D_U.
    BaggingPu(BaggingOptions),
    /// Unbiased PU learning on D_Y with the prior of W.
    AlphaPu(RiskOptions),
    /// Unbiased PU learning on D_Y without D_L with the prior of W; where D_L is a part of D_Y.
    SetDifferencePu(RiskOptions),
    /// Interest and loyalty by two density ratios.
    TwoStage(RidgeOptions),
    /// Logistic regression on the true W of all training rows, by linfa-logistic.
    OracleLogistic(RidgeOptions),
    /// The same on the rows of D_U only.
    OracleLogisticMatched(RidgeOptions),
    /// A random forest on the true W of all training rows, by smartcore.
    OracleForest(ForestOptions),
    /// Scores that know nothing.
    Random(NoOptions),
}

#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RiskOptions {
    /// `logistic` if left out.
    pub loss: Option<Tunable<Loss>>,
    /// What keeps parts of the risk from falling below zero; `none` if left out.
    pub correction: Option<Tunable<Correction>>,
    /// What wrong decisions cost; 1 and 1 if left out. Cannot be tuned: it says how candidates are judged.
    pub costs: Option<Tunable<Costs>>,
    /// The factor of |w|^2; 0.01 if left out.
    pub ridge: Option<Tunable<f64>>,
    /// The functions to choose from; `linear` if left out.
    pub model: Option<Tunable<Model>>,
    /// How the risk is minimised; `auto` if left out.
    pub optimizer: Option<Tunable<Optimizer>>,
}

/// The functions that a risk is minimised over.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = schema::allow_bare_names)]
pub enum Model {
    /// Linear in the features.
    Linear(NoOptions),
    /// Linear in radial basis functions.
    Rbf(RbfOptions),
    /// One hidden layer, trained by Adam.
    Network(NetworkOptions),
}

#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RbfOptions {
    /// How many people of D_U and D_L are centres; 100 if left out.
    pub centers: Option<Located<i64>>,
    /// A number, or `median` for the median distance between centres; `median` if left out.
    pub width: Option<Located<WidthChoice>>,
}

#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NetworkOptions {
    /// How many hidden units; 32 if left out.
    pub hidden: Option<Located<i64>>,
    /// How often the optimiser goes over the data; 200 if left out.
    pub epochs: Option<Located<i64>>,
    /// The size of its first steps; 0.01 if left out.
    pub rate: Option<Located<f64>>,
    /// Into how many batches the samples are cut in every epoch, at most one for each row of the smallest; 4 if left
    /// out.
    pub batches: Option<Located<i64>>,
}

#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RidgeOptions {
    /// The factor of |w|^2; 0.01 if left out.
    pub ridge: Option<Tunable<f64>>,
}

#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BaggingOptions {
    /// How many bags; 30 if left out.
    pub bags: Option<Tunable<i64>>,
    /// The factor of |w|^2; 0.01 if left out.
    pub ridge: Option<Tunable<f64>>,
}

#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ForestOptions {
    /// 50 if left out.
    pub trees: Option<Tunable<i64>>,
    /// The fewest rows in a leaf; 5 if left out.
    pub min_leaf: Option<Tunable<i64>>,
}

#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NoOptions {}

/// A value printed in a paper.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// A method's name, or its label in the tables where one name stands for several.
    pub method: Located<String>,
    /// If given, only for lines with the prior of this name.
    pub prior: Option<Located<String>>,
    pub metric: Located<Metric>,
    pub value: Located<f64>,
    /// How many digits behind the point are printed; 4 if left out.
    #[serde(default = "four")]
    pub printed_digits: u32,
}

fn four() -> u32 {
    4
}

/// What `doublepu check` demands of a run.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Gate {
    /// The loss in mean ROC-AUC against the baseline that may be; 0.005 if left out.
    pub margin: Option<Located<f64>>,
    /// Other metrics to hold against the baseline, each with its margin.
    pub metrics: BTreeMap<Metric, Located<f64>>,
    /// Methods with demands of their own, by name, or by label in the tables where one name stands for several.
    pub methods: BTreeMap<String, Located<MethodGate>>,
    /// Which method must reach which in mean ROC-AUC, as in `double_pu >= naive_pu - 0.01`.
    pub order: Vec<Located<String>>,
}

/// What is demanded of one method in ROC-AUC.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MethodGate {
    /// Instead of the margin of all methods.
    pub margin: Option<Located<f64>>,
    /// What its mean must reach, whatever the baseline.
    pub at_least: Option<Located<f64>>,
}

/// `true`, `train`, or a name with the two priors.
#[derive(Clone, Debug)]
pub enum PriorEntry {
    Base(PriorBase),
    Named(String, PriorPair),
}

/// The priors beta = p(y = +1) and gamma = p(y = +1, z = +1).
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PriorPair {
    /// `true` if left out.
    pub beta: Option<Sweep<PriorChoice>>,
    /// `true` if left out.
    pub gamma: Option<Sweep<PriorChoice>>,
}

/// A number, `true`, `train`, or a multiple of either.
#[derive(Clone, Debug)]
pub enum PriorChoice {
    Fixed(f64),
    Base(PriorBase),
    Multiple(Multiple),
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Multiple {
    pub times: Sweep<f64>,
    /// `true` if left out.
    #[serde(default)]
    pub of: PriorBase,
}

/// From which rows a prior is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PriorBase {
    /// All rows, test included, as in the paper.
    #[default]
    True,
    /// The training rows.
    Train,
}

/// A text, number or boolean, kept as text.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalar(pub String);

/// `unlabeled` means a share for pools and a kind of rows for censoring.
#[derive(Clone, Copy, Debug)]
pub enum UnlabeledChoice {
    Share(f64),
    Rows(Unlabeled),
}

/// D_L from a pool of its own, or from within D_Y.
#[derive(Clone, Copy, Debug)]
pub enum LoyalChoice {
    Share(f64),
    WithinInterest,
}

#[derive(Clone, Copy, Debug)]
pub enum WidthChoice {
    Median,
    Fixed(f64),
}
