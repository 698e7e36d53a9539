//! The keys of a spec. The doc comments are the descriptions in the JSON Schema and on the reference page.
//!
//! Values that may be lists are expanded on the tree and decoded one by one; the types here ignore them.

use crate::data::{Features, LabelRule};
use crate::math::bounds::{Count, Factor, ProperShare, Share};
use crate::math::metric::Metric;
use crate::sample::Simulation;
use crate::spec::experiment::PriorBase;
use crate::spec::schema;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;

pub const MAX_SEEDS: u32 = 100_000;

/// An experiment: every method, prior and setting, over the same seeds.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "what may be a list is read from the tree")]
pub struct Spec {
    /// The name of the experiment and of its folder below results/runs.
    pub experiment: String,
    /// Where the data comes from and which columns are the labels. A list compares several.
    #[schemars(schema_with = "schema::one_or_several::<Dataset>")]
    dataset: IgnoredAny,
    /// How columns become numbers. A list as the value of `numeric` or `categorical` compares several.
    #[serde(default)]
    #[schemars(schema_with = "schema::features::<Features>")]
    features: Option<IgnoredAny>,
    /// How the three observed samples and the test set are drawn. A list compares several, and so does one as the value of
    /// a key.
    #[schemars(schema_with = "schema::sampling")]
    sampling: IgnoredAny,
    /// The class priors that methods are told; `true` if left out.
    #[serde(default)]
    #[schemars(schema_with = "schema::priors::<PriorPair>")]
    priors: Option<IgnoredAny>,
    /// How many random splits to try: seeds 1, 2, ..., to this number.
    pub seeds: Count<MAX_SEEDS>,
    /// The methods to compare.
    #[schemars(with = "Vec<schema::Method>")]
    methods: IgnoredAny,
    /// What to judge by, beside roc_auc, which is always there.
    #[serde(default)]
    pub metrics: Vec<Metric>,
    /// The method to compare with every other, seed by seed: its name, or its label in the tables where one name stands
    /// for several.
    pub compare: Option<String>,
    /// A difference in ROC-AUC that is worth seeing: comparisons tell how many seeds it takes to see it. 0.01 if left out.
    pub difference: Option<ProperShare>,
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
    pub source: String,
    /// The sha256 that a file must have.
    pub sha256: Option<String>,
    /// Which rows have Y = +1.
    pub interest: Option<LabelRule>,
    /// Which rows have Z = +1.
    pub loyalty: Option<LabelRule>,
    /// For `source: simulation`, the three groups of the paper's Section IV.
    pub groups: Option<Simulation>,
}

/// The priors beta = p(y = +1) and gamma = p(y = +1, z = +1).
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "what may be a list is read from the tree")]
pub struct PriorPair {
    /// `true` if left out.
    #[serde(default)]
    #[schemars(schema_with = "schema::prior_choice::<Multiple>")]
    beta: Option<IgnoredAny>,
    /// `true` if left out.
    #[serde(default)]
    #[schemars(schema_with = "schema::prior_choice::<Multiple>")]
    gamma: Option<IgnoredAny>,
}

/// A multiple of what is counted.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Multiple {
    #[schemars(schema_with = "schema::one_or_several::<Factor>")]
    pub times: Factor,
    /// `true` if left out.
    #[serde(default)]
    pub of: PriorBase,
}

/// A value printed in a paper.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// A method's name, or its label in the tables where one name stands for several.
    pub method: String,
    /// If given, only for lines with the prior of this name.
    pub prior: Option<String>,
    pub metric: Metric,
    pub value: f64,
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
    /// The largest drop in mean ROC-AUC against the baseline that still passes; 0.005 if left out.
    pub margin: Option<ProperShare>,
    /// Other metrics to check against the baseline, each with its margin.
    pub metrics: BTreeMap<Metric, f64>,
    /// Methods with demands of their own, by name, or by label in the tables where one name stands for several.
    pub methods: BTreeMap<String, MethodGate>,
    /// Which method must reach which in mean ROC-AUC, as in `double_pu >= naive_pu - 0.01`.
    pub order: Vec<String>,
}

/// What is demanded of one method in ROC-AUC.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MethodGate {
    /// Instead of the margin of all methods.
    pub margin: Option<ProperShare>,
    /// What its mean must reach, whatever the baseline.
    pub at_least: Option<Share>,
}
