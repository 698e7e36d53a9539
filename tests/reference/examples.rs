//! Examples of every key of a spec, as the reference shows them. A test puts each into a whole spec and checks it.

/// For each key, examples of it. The first ones make up a whole spec; each of the others takes the place of its first one.
pub const EXAMPLES: [(&str, &[&str]); 12] = [
    ("experiment", &["experiment: my-shop\n"]),
    (
        "dataset",
        &[
            r#"dataset:
  source: ./people.csv
  interest: { column: bought, positive: "yes" }
  loyalty: { column: member, positive: 1 }
"#,
            r#"dataset:
  source: simulation
  groups:
    interested: { count: 500, mean: [-2, 2] }
    loyal: { count: 1000, mean: [2, 2] }
    others: { count: 1000, mean: [-2, -2] }
"#,
        ],
    ),
    (
        "features",
        &[r#"features:
  categorical: [one_hot, ordinal]       # two settings
  exclude: [customer_id]
"#],
    ),
    (
        "sampling",
        &[
            "sampling: { scheme: pools, interest: 0.1, unlabeled: [0.05, 0.1, 0.2], loyal: 0.7 }    # three settings\n",
            "sampling: { scheme: censoring, hide_interest: 0.3, hide_loyalty: 0.5 }\n",
        ],
    ),
    (
        "priors",
        &[r#"priors:
  - true                                        # counted over all rows
  - train                                       # counted over the training rows
  - guess: { beta: 0.3, gamma: 0.1 }            # two numbers, under a name
  - wrong: { beta: { times: [0.8, 1.2] } }      # two priors: beta is a multiple of the truth, gamma is the truth
"#],
    ),
    ("seeds", &["seeds: 50\n"]),
    (
        "methods",
        &[r#"methods:
  - double_pu: { ridge: [0.01, 0.1] }                # two methods
  - two_stage: { ridge: { tune: [0.001, 0.01] } }    # one method, tuned for every split
  - oracle_logistic
"#],
    ),
    ("metrics", &["metrics: [average_precision, lift_at_10]\n"]),
    ("compare", &["compare: double_pu ridge=0.01\n"]),
    ("difference", &["difference: 0.005\n"]),
    (
        "paper",
        &[r#"paper:
  - { method: double_pu ridge=0.01, prior: guess, metric: roc_auc, value: 0.75, printed_digits: 2 }
"#],
    ),
    (
        "gate",
        &[r#"gate:
  margin: 0.005
  metrics: { average_precision: 0.01 }
  methods:
    double_pu: { margin: 0.003, at_least: 0.7 }
  order: [double_pu ridge=0.01 >= double_pu ridge=0.1 - 0.01]
"#],
    ),
];

/// Every example within a whole spec.
pub fn specs() -> Vec<String> {
    let with = |key: &str, example: &str| -> String {
        let text =
            |(other, examples): &(&str, &[&str])| (if *other == key { example } else { examples[0] }).to_string();
        EXAMPLES.iter().map(text).collect()
    };
    EXAMPLES.iter().flat_map(|(key, examples)| examples.iter().map(move |example| with(key, example))).collect()
}
