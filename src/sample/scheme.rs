//! Split schemes: who is in D_Y, D_U, D_L, and who is kept for the test.

use crate::data::Table;
use crate::sample::{Stream, stream};
use rand::seq::SliceRandom;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the three observed samples come from a table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scheme {
    Pools(Pools),
    Censoring(Censoring),
}

/// The paper's Section V: the training part is cut into three pools, each seen in its own way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pools {
    /// The share of rows kept for the test; `None` where the data brings a test part.
    pub test: Option<f64>,
    /// The share of the training part of which the Y = +1 rows are seen, as D_Y.
    pub interest: f64,
    /// The share of which all rows are seen without labels, as D_U.
    pub unlabeled: f64,
    /// Where D_L comes from.
    pub loyal: Loyal,
    /// Whether every part gets its share of each (Y, Z) group, and not only on average.
    pub stratify: bool,
}

/// Where the loyal buyers that are seen as D_L come from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Loyal {
    /// The (+1, +1) rows of this share of the training part, a pool of its own.
    Pool(f64),
    /// The (+1, +1) rows of D_Y.
    WithinInterest,
}

/// As in labels.
impl std::fmt::Display for Loyal {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Loyal::Pool(share) => write!(f, "{share}"),
            Loyal::WithinInterest => f.write_str("within_interest"),
        }
    }
}

/// The paper's Section IV: one sample, some of whose positive labels are hidden.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Censoring {
    pub test: Option<f64>,
    /// The share of the Y = +1 rows that lose their Y label.
    pub hide_interest: f64,
    /// The share of (+1, +1) rows that lose their Z label.
    pub hide_loyalty: f64,
    pub hide_loyalty_among: LoyaltyBase,
    pub unlabeled: Unlabeled,
    pub stratify: bool,
}

/// Of which (+1, +1) rows a share loses its Z label; the paper's sentence can be read either way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LoyaltyBase {
    /// Of those that keep their Y label.
    #[default]
    Kept,
    /// Of all of them, whether or not they keep their Y label.
    All,
}

/// Over which rows the mean of the crowd runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unlabeled {
    /// All training rows, labelled or not: a sample of p(x), as the risk asks for.
    #[default]
    All,
    /// The rows that have no label left: fewer positives than p(x) has, so the risk is biased.
    Remaining,
}

/// Row numbers of each sample. The samples of a scheme may share rows; training and test never do.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    pub interest: Vec<usize>,
    pub unlabeled: Vec<usize>,
    pub loyal: Vec<usize>,
    pub train: Vec<usize>,
    pub test: Vec<usize>,
}

/// A part of the split has no row at all.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("the {part} part gets none of the {rows} rows")]
pub struct SplitError {
    pub part: &'static str,
    pub rows: usize,
}

impl Scheme {
    /// The split of a seed: the same for every method, prior and encoding.
    pub fn split(&self, table: &Table, seed: u32) -> Result<Split, SplitError> {
        let mut random = stream(&["split", &format!("seed {seed}")]);
        let (test_share, stratify) = match self {
            Scheme::Pools(pools) => (pools.test, pools.stratify),
            Scheme::Censoring(censoring) => (censoring.test, censoring.stratify),
        };
        let strata = if stratify { Some(table) } else { None };
        let (train, test) = match (table.test_starts_at, test_share) {
            (Some(start), _) => ((0..start).collect(), (start..table.rows()).collect()),
            (None, share) => {
                let [test, train] = cut(&mut random, (0..table.rows()).collect(), [share.unwrap_or(0.0), 1.0], strata);
                (train, test)
            }
        };
        for (part, rows) in [("training", &train), ("test", &test)] {
            if rows.is_empty() {
                return Err(SplitError { part, rows: table.rows() });
            }
        }
        Ok(match self {
            Scheme::Pools(pools) => pools.observe(table, train, test, &mut random, strata),
            Scheme::Censoring(censoring) => censoring.observe(table, train, test, &mut random),
        })
    }
}

impl Pools {
    fn observe(
        &self,
        table: &Table,
        train: Vec<usize>,
        test: Vec<usize>,
        random: &mut Stream,
        strata: Option<&Table>,
    ) -> Split {
        let first = self.interest;
        let second = first + self.unlabeled;
        let third = match self.loyal {
            Loyal::Pool(share) => second + share,
            Loyal::WithinInterest => second,
        };
        let [mut interest, unlabeled, mut loyal, _] = cut(random, train.clone(), [first, second, third, 1.0], strata);
        interest.retain(|row| table.interest[*row]);
        if self.loyal == Loyal::WithinInterest {
            loyal.clone_from(&interest);
        }
        loyal.retain(|row| table.is_loyal_buyer(*row));
        Split { interest, unlabeled, loyal, train, test }
    }
}

impl Censoring {
    fn observe(&self, table: &Table, train: Vec<usize>, test: Vec<usize>, random: &mut Stream) -> Split {
        let of_interest = |loyal: bool| {
            train.iter().copied().filter(|row| table.interest[*row] && table.loyalty[*row] == loyal).collect()
        };
        let all_loyal: Vec<usize> = of_interest(true);
        let [_, not_loyal_kept] = cut(random, of_interest(false), [self.hide_interest, 1.0], None);
        let [_, loyal_kept] = cut(random, all_loyal.clone(), [self.hide_interest, 1.0], None);
        let base = match self.hide_loyalty_among {
            LoyaltyBase::Kept => loyal_kept.clone(),
            LoyaltyBase::All => all_loyal,
        };
        let [_, mut loyal] = cut(random, base, [self.hide_loyalty, 1.0], None);
        let mut keeps_interest = vec![false; table.rows()];
        loyal_kept.iter().for_each(|row| keeps_interest[*row] = true);
        loyal.retain(|row| keeps_interest[*row]);

        let interest: Vec<usize> = [not_loyal_kept, loyal_kept].concat();
        let unlabeled = match self.unlabeled {
            Unlabeled::All => train.clone(),
            Unlabeled::Remaining => {
                let mut labelled = vec![false; table.rows()];
                interest.iter().for_each(|row| labelled[*row] = true);
                train.iter().copied().filter(|row| !labelled[*row]).collect()
            }
        };
        Split { interest, unlabeled, loyal, train, test }
    }
}

/// Shuffles rows and cuts them at the given shares, which rise to at most 1; with a table, each (Y, Z) group apart.
fn cut<const PARTS: usize>(
    random: &mut Stream,
    rows: Vec<usize>,
    shares: [f64; PARTS],
    strata: Option<&Table>,
) -> [Vec<usize>; PARTS] {
    let groups: Vec<Vec<usize>> = match strata {
        None => vec![rows],
        Some(table) => [(true, true), (true, false), (false, true), (false, false)]
            .map(|labels| {
                rows.iter().copied().filter(|row| (table.interest[*row], table.loyalty[*row]) == labels).collect()
            })
            .to_vec(),
    };
    let mut parts = [(); PARTS].map(|()| Vec::new());
    for mut group in groups {
        group.shuffle(random);
        let mut start = 0;
        for (part, share) in parts.iter_mut().zip(shares) {
            let end = ((share * group.len() as f64).round() as usize).clamp(start, group.len());
            part.extend_from_slice(&group[start..end]);
            start = end;
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{KAGGLE, LabelRule};
    use crate::sample::{Group, Simulation};
    use std::collections::BTreeSet;

    fn bank() -> Table {
        let rule = |column: &str| LabelRule { column: column.into(), positive: "yes".into() };
        Table::new(&KAGGLE.frame().unwrap(), &rule("deposit"), &rule("default"), &[]).unwrap()
    }

    const PAPER: Pools =
        Pools { test: Some(0.2), interest: 0.1, unlabeled: 0.1, loyal: Loyal::Pool(0.8), stratify: false };

    #[test]
    fn the_papers_pools_have_the_papers_sizes_and_labels() {
        let table = bank();
        let split = Scheme::Pools(PAPER).split(&table, 1).unwrap();
        assert_eq!((split.train.len(), split.test.len(), split.unlabeled.len()), (8930, 2232, 893));
        assert!(split.interest.iter().all(|row| table.interest[*row]));
        assert!(split.loyal.iter().all(|row| table.is_loyal_buyer(*row)));
        assert!((380..470).contains(&split.interest.len()), "{}", split.interest.len());
        assert!((20..45).contains(&split.loyal.len()), "{}", split.loyal.len());
    }

    #[test]
    fn pools_are_disjoint_and_never_reach_into_the_test_part() {
        let table = bank();
        for stratify in [false, true] {
            let split = Scheme::Pools(Pools { stratify, ..PAPER }).split(&table, 3).unwrap();
            let set = |rows: &[usize]| rows.iter().copied().collect::<BTreeSet<_>>();
            let (train, test) = (set(&split.train), set(&split.test));
            assert!(train.is_disjoint(&test) && train.len() + test.len() == table.rows());
            let pools = [set(&split.interest), set(&split.unlabeled), set(&split.loyal)];
            assert!(pools.iter().all(|pool| pool.is_subset(&train)));
            assert!(pools[0].is_disjoint(&pools[1]) && pools[1].is_disjoint(&pools[2]));
        }
    }

    #[test]
    fn loyal_buyers_within_the_buyers_are_all_of_them_and_change_nobody_else() {
        let table = bank();
        let apart = Scheme::Pools(PAPER).split(&table, 1).unwrap();
        let within = Scheme::Pools(Pools { loyal: Loyal::WithinInterest, ..PAPER }).split(&table, 1).unwrap();
        assert_eq!(
            (&within.interest, &within.unlabeled, &within.test),
            (&apart.interest, &apart.unlabeled, &apart.test)
        );
        let loyal: Vec<usize> = within.interest.iter().copied().filter(|row| table.loyalty[*row]).collect();
        assert!(!loyal.is_empty());
        assert_eq!(within.loyal, loyal);
    }

    #[test]
    fn stratified_parts_hold_their_share_of_every_group() {
        let table = bank();
        let split = Scheme::Pools(Pools { stratify: true, ..PAPER }).split(&table, 1).unwrap();
        // 52 (+,+) rows: 10 to the test, 42 to training, of which the third pool gets 42 - 8 = 34.
        assert_eq!(split.test.iter().filter(|row| table.is_loyal_buyer(**row)).count(), 10);
        assert_eq!(split.loyal.len(), 34);
    }

    #[test]
    fn seeds_differ_and_a_seed_is_always_the_same() {
        let table = bank();
        let split = |seed| Scheme::Pools(PAPER).split(&table, seed).unwrap();
        assert_eq!(split(1), split(1));
        assert_ne!(split(1).test, split(2).test);
        // A change here changes every published number: it needs a new results version.
        assert_eq!(split(1).test[..4], [1115, 2901, 445, 7521]);
    }

    #[test]
    fn censoring_hides_the_stated_shares() {
        let group = |count| Group { count, mean: [0.0, 0.0] };
        let simulation = Simulation { interested: group(500), loyal: group(1000), others: group(1000) };
        let table = simulation.draw(1);
        let scheme = |hide_loyalty_among, unlabeled| {
            let censoring = Censoring {
                test: None,
                hide_interest: 0.3,
                hide_loyalty: 0.5,
                hide_loyalty_among,
                unlabeled,
                stratify: false,
            };
            Scheme::Censoring(censoring).split(&table, 1).unwrap()
        };
        let all = scheme(LoyaltyBase::Kept, Unlabeled::All);
        assert_eq!((all.interest.len(), all.loyal.len(), all.unlabeled.len()), (350 + 700, 350, 2500));
        assert_eq!(all.test, (2500..5000).collect::<Vec<_>>());
        let remaining = scheme(LoyaltyBase::Kept, Unlabeled::Remaining);
        assert_eq!(remaining.unlabeled.len(), 2500 - 1050);
        let positives = remaining.unlabeled.iter().filter(|row| table.interest[**row]).count();
        assert_eq!(positives, 450, "31% of what is left, where beta is 60%");
        let among_all = scheme(LoyaltyBase::All, Unlabeled::All);
        assert!((310..390).contains(&among_all.loyal.len()) && among_all.loyal.len() != 350);
    }

    #[test]
    fn a_table_too_small_to_split_is_refused() {
        let mut table = bank();
        table.interest.truncate(2);
        let error = Scheme::Pools(PAPER).split(&table, 1).unwrap_err();
        assert_eq!(error, SplitError { part: "test", rows: 2 });
    }
}
