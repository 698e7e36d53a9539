//! Every method with what it is, what it is told, and who proposed it: what `doublepu methods` prints.

/// A method as a reader meets it.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub name: &'static str,
    pub what: &'static str,
    /// The samples that it learns from.
    pub samples: &'static str,
    /// The priors that it is told.
    pub priors: &'static str,
    pub source: &'static str,
}

/// In the order of the tables in the README.
pub const CATALOGUE: [Entry; 14] = [
    Entry {
        name: "double_pu",
        what: "double PU learning: the signed risk of W",
        samples: "D_Y, D_U, D_L",
        priors: "beta, gamma",
        source: "Kato et al.",
    },
    Entry {
        name: "naive_pu",
        what: "unbiased PU learning for Y: double_pu with gamma = 0, so it ignores loyalty",
        samples: "D_Y, D_U",
        priors: "beta",
        source: "du Plessis, Niu and Sugiyama (2015)",
    },
    Entry {
        name: "naive_nnpu",
        what: "naive_pu with the non-negative correction",
        samples: "D_Y, D_U",
        priors: "beta",
        source: "Kiryo, Niu, du Plessis and Sugiyama (2017)",
    },
    Entry {
        name: "biased_pn",
        what: "supervised: D_Y as positive, D_U as negative",
        samples: "D_Y, D_U",
        priors: "none",
        source: "the usual baseline",
    },
    Entry {
        name: "biased_pn_loyal",
        what: "supervised: D_Y as positive, D_U and D_L as negative",
        samples: "D_Y, D_U, D_L",
        priors: "none",
        source: "the usual baseline, with loyal buyers as negatives",
    },
    Entry {
        name: "elkan_noto",
        what: "p(labelled | x) / c; only for the scheme censoring",
        samples: "D_Y, D_U without D_Y",
        priors: "none",
        source: "Elkan and Noto (2008)",
    },
    Entry {
        name: "bagging_pu",
        what: "the mean of logistic regressions of D_Y against random bags of D_U, each as large as D_Y",
        samples: "D_Y, D_U",
        priors: "none",
        source: "Mordelet and Vert (2014)",
    },
    Entry {
        name: "alpha_pu",
        what: "an ablation: unbiased PU learning on all of D_Y, told p(w = +1) = beta - gamma",
        samples: "D_Y, D_U",
        priors: "beta, gamma",
        source: "du Plessis, Niu and Sugiyama (2015)",
    },
    Entry {
        name: "set_difference_pu",
        what: "unbiased PU learning on D_Y without D_L; only where D_L is a part of D_Y",
        samples: "D_Y without D_L, D_U",
        priors: "beta, gamma",
        source: "du Plessis, Niu and Sugiyama (2015)",
    },
    Entry {
        name: "two_stage",
        what: "p(y = +1 | x) times p(z = -1 | x, y = +1), by two density ratios",
        samples: "D_Y, D_U, D_L",
        priors: "beta, gamma",
        source: "density ratios as in Sugiyama, Suzuki and Kanamori (2012)",
    },
    Entry {
        name: "oracle_logistic",
        what: "logistic regression on the true W of the whole training part",
        samples: "all training rows, with W",
        priors: "none",
        source: "the usual upper bound, with true labels",
    },
    Entry {
        name: "oracle_logistic_matched",
        what: "the same on the people of D_U only: what labels alone are worth",
        samples: "D_U, with W",
        priors: "none",
        source: "the usual upper bound, with true labels",
    },
    Entry {
        name: "oracle_forest",
        what: "a random forest on the true W of the whole training part",
        samples: "all training rows, with W",
        priors: "none",
        source: "smartcore",
    },
    Entry {
        name: "random",
        what: "scores that know nothing: an AUC of 0.5 must come out",
        samples: "none",
        priors: "none",
        source: "a check of the harness",
    },
];
