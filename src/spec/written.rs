//! The keys of a spec. The doc comments are the descriptions in the JSON Schema and on the reference page.
//!
//! Values that may be lists are expanded on the tree and decoded one by one; the types here ignore them.

use crate::data::{LabelRule, LabelValues, ScalarText};
use crate::math::bounds::{Count, Factor, Pause, ProperShare, Share};
use crate::math::metric::Metric;
use crate::methods::{Permitted, ScoreKind};
use crate::sample::Simulation;
use crate::spec::experiment::{PaperValue, PriorBase};
use crate::spec::schema;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;

pub const MAX_SEEDS: u32 = 100_000;

/// An experiment: runs every method with every prior in every setting, over the same seeds.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "what may be a list is read from the tree")]
pub struct Spec {
    /// The name of the experiment, which is also the name of its folder below `results/runs`. Up to 100 letters, digits, `-`,
    /// `_` and `.`, not starting with a dot.
    pub experiment: String,
    /// The data and its label columns. A list makes a setting of each entry.
    #[schemars(schema_with = "schema::one_or_several::<Dataset>")]
    dataset: IgnoredAny,
    /// How columns become numbers. A list as the value of `numeric` or `categorical` makes a setting of each entry.
    #[serde(default)]
    #[schemars(schema_with = "schema::features")]
    features: Option<IgnoredAny>,
    /// How the three observed samples and the test set are drawn. A list makes a setting of each entry, and so does a list as
    /// the value of a key.
    #[schemars(schema_with = "schema::sampling")]
    sampling: IgnoredAny,
    /// The class priors that methods are given.
    #[serde(default)]
    #[schemars(schema_with = "schema::priors")]
    priors: Option<IgnoredAny>,
    /// The number of random splits. The seeds are 1, 2, ... up to this number.
    pub seeds: Count<MAX_SEEDS>,
    /// The methods to run, each as `NAME` or `NAME: { option: value }`.
    #[schemars(with = "Vec<schema::Method>")]
    methods: IgnoredAny,
    /// The metrics that tables show besides `roc_auc`, which is always shown. Every run stores all metrics.
    #[serde(default)]
    pub metrics: Vec<Metric>,
    /// The method to compare with every other method, seed by seed: its name, or its label in the tables if several methods
    /// have this name.
    pub compare: Option<String>,
    /// The difference in ROC-AUC for which comparisons give the number of seeds that detect it.
    #[schemars(extend("default" = 0.01))]
    pub difference: Option<ProperShare>,
    /// Values printed in a paper, to compare with the results of the run.
    #[serde(default)]
    pub paper: Vec<PaperValue>,
    /// What `doublepu check` requires of a run.
    #[serde(default)]
    pub gate: Gate,
}

/// The data and its label columns.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dataset {
    /// The name of a built-in data set (see `doublepu data list`), `simulation`, or the path of a CSV or Parquet file. A
    /// relative path starts at the folder of the spec.
    pub source: String,
    /// The sha256 that the file must have, as 64 hexadecimal digits.
    pub sha256: Option<String>,
    /// Texts that count as missing in this file, besides blank fields, `NA`, `N/A`, `NaN`, `null`, `None`, `?` and `-`.
    #[serde(default)]
    #[schemars(with = "Vec<LabelValues>")]
    pub missing: Vec<ScalarText>,
    /// Which rows have Y = +1. Required unless `source` is `simulation`.
    pub interest: Option<LabelRule>,
    /// Which rows have Z = +1. Required unless `source` is `simulation`.
    pub loyalty: Option<LabelRule>,
    /// The three groups of the paper's Section IV. Only for `source: simulation`, where they are required.
    pub groups: Option<Simulation>,
}

/// A method in a program of its own, in any language.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "options are expanded on the tree")]
pub struct External {
    /// The name in tables: up to 40 small letters, digits and `_`.
    pub name: String,
    /// The program and its arguments. It runs in the folder of the spec.
    pub command: Vec<String>,
    /// The files that decide the results, relative to the folder of the spec. Their contents are part of the ids of cells, so
    /// that cells run again after an edit.
    #[serde(default)]
    pub files: Vec<String>,
    /// What the program is sent besides the rows that it scores; nothing else. With `labels`, the method is an oracle.
    #[schemars(extend("default" = ["interest", "unlabeled", "loyal", "priors"]))]
    pub uses: Option<Vec<Permitted>>,
    /// What its scores are: `rank` if they only rank people, with 0 as the threshold of a prediction; `probability` if they
    /// are p(w = +1 | x).
    #[schemars(extend("default" = "rank"))]
    pub scores: Option<ScoreKind>,
    /// The longest time for one cell, and for starting: a number with `ms`, `s`, `m` or `h`.
    #[schemars(extend("default" = "60s"))]
    pub timeout: Option<Pause>,
    /// Whether the program may read nothing but its interpreter, the system's libraries and the folder of the spec without the
    /// data files. Linux only.
    #[serde(default)]
    pub sandbox: bool,
    /// Options that the program is sent: numbers, texts, true or false. A list makes a method of each entry, and
    /// `{ tune: [..] }` chooses one of the values for every split, without true labels.
    #[serde(default)]
    #[schemars(schema_with = "schema::external_options")]
    options: Option<IgnoredAny>,
}

/// The class priors beta = p(y = +1) and gamma = p(y = +1, z = +1). They must satisfy 0 <= gamma < beta < 1.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "what may be a list is read from the tree")]
pub struct PriorPair {
    /// The value of p(y = +1). `true` counts it over all rows, test rows included; `train` over the training rows.
    #[serde(default)]
    #[schemars(schema_with = "schema::prior_choice")]
    beta: Option<IgnoredAny>,
    /// The value of p(y = +1, z = +1), given in the same ways.
    #[serde(default)]
    #[schemars(schema_with = "schema::prior_choice")]
    gamma: Option<IgnoredAny>,
}

/// A multiple of the relative frequency in the data, for priors that are wrong by a known factor.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Multiple {
    /// The factor. A list makes a prior of each entry.
    #[schemars(schema_with = "schema::one_or_several::<Factor>")]
    pub times: Factor,
    /// The rows over which the frequency is counted: `true` for all rows, `train` for the training rows.
    #[serde(default)]
    pub of: PriorBase,
}

/// What `doublepu check` requires of a run.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Gate {
    /// The largest drop in mean ROC-AUC against the baseline that still passes.
    #[schemars(extend("default" = 0.005))]
    pub margin: Option<ProperShare>,
    /// The largest rise in mean ROC-AUC against the baseline that is not suspicious. Labels that leak make results better.
    #[schemars(extend("default" = 0.03))]
    pub rise: Option<ProperShare>,
    /// Further metrics to check against the baseline, each with its margin in the unit of the metric. They must be listed
    /// under `metrics` of the spec.
    pub metrics: BTreeMap<Metric, f64>,
    /// Requirements of single methods, by name or by label in the tables. A requirement for a label takes precedence over
    /// one for a name that several methods share.
    pub methods: BTreeMap<String, MethodGate>,
    /// Pairs of methods of which the first must reach the mean ROC-AUC of the second, with an optional allowance:
    /// `double_pu >= naive_pu - 0.01`.
    pub order: Vec<String>,
}

/// What `doublepu check` requires of one method in ROC-AUC.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MethodGate {
    /// The margin of this method, in place of the gate's `margin`.
    pub margin: Option<ProperShare>,
    /// The largest rise of this method that is not suspicious, in place of the gate's `rise`.
    pub rise: Option<ProperShare>,
    /// The mean ROC-AUC that the method must reach, whatever the baseline is.
    pub at_least: Option<Share>,
    /// The mean ROC-AUC that the method must not exceed, whatever the baseline is. A higher one is suspicious.
    pub at_most: Option<Share>,
}
