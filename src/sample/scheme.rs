//! Sampling schemes: the trait, the list of schemes, and the split of a seed.

use crate::data::Table;
use crate::math::bounds::ProperShare;
use crate::mistake::Mistake;
use crate::sample::{Stream, stream};
use rand::seq::SliceRandom;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a method requires of the sampling scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleNeed {
    Any,
    /// D_L must be a subset of D_Y.
    LoyalWithinInterest,
    /// D_Y must be the people of one sample who keep their label.
    Censoring,
}

impl SampleNeed {
    /// What the spec needs, in words.
    pub fn remedy(self) -> &'static str {
        match self {
            SampleNeed::Any => "it needs nothing",
            SampleNeed::LoyalWithinInterest => {
                "it needs D_L within D_Y: `scheme: censoring`, or pools with `loyal: within_interest`"
            }
            SampleNeed::Censoring => "it needs `scheme: censoring`",
        }
    }
}

/// The options of a sampling scheme. [`options!`](crate::options) implements it.
pub trait SchemeOptions: fmt::Debug {
    /// The name in specs and tables.
    fn name(&self) -> &'static str;

    /// The options and their values, as shown in tables.
    fn texts(&self) -> Vec<(&'static str, String)>;

    fn test(&self) -> TestShare;

    /// Whether training set and test set are stratified by (Y, Z) group.
    fn stratify(&self) -> bool;

    /// The JSON Schema of the options.
    fn schema(&self, generator: &mut SchemaGenerator) -> Schema;
}

/// A way to draw D_Y, D_U and D_L from training rows.
pub trait SamplingScheme: SchemeOptions {
    /// Whether the scheme meets the need of a method.
    fn meets(&self, need: SampleNeed) -> bool;

    /// Refuses invalid combinations of options. The type of an option checks its value.
    fn check(&self) -> Result<(), Mistake> {
        Ok(())
    }

    /// Draws the observed samples from the training rows.
    fn observe(&self, table: &Table, train: &[usize], draw: &mut Draw) -> Seen;
}

/// The share of rows kept for the test; `None` where the data brings a test set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct TestShare(pub Option<ProperShare>);

impl Default for TestShare {
    fn default() -> Self {
        TestShare(Some(ProperShare::tenths(2)))
    }
}

/// As shown in labels.
impl fmt::Display for TestShare {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.0 {
            Some(share) => write!(f, "{share}"),
            None => f.write_str("its own"),
        }
    }
}

/// The rows of the observed samples. Samples may share rows.
pub struct Seen {
    /// D_Y
    pub interest: Vec<usize>,
    /// D_U
    pub unlabeled: Vec<usize>,
    /// D_L
    pub loyal: Vec<usize>,
}

macro_rules! schemes {
    ($($(#[$attribute:meta])* $module:ident::$Name:ident,)+) => {
        $($(#[$attribute])* use crate::sample::$module::$Name;)+

        /// How the three observed samples are drawn from a table. It is stored as `{ name: { option: value } }`.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Scheme {
            $($(#[$attribute])* $Name($Name),)+
        }

        impl Scheme {
            /// Every scheme with its default options, in the order of the list.
            pub fn all() -> Vec<Scheme> {
                [$($(#[$attribute])* Scheme::$Name($Name::default()),)+].to_vec()
            }
        }

        impl std::ops::Deref for Scheme {
            type Target = dyn SamplingScheme;

            fn deref(&self) -> &Self::Target {
                match self {
                    $($(#[$attribute])* Scheme::$Name(scheme) => scheme,)+
                }
            }
        }
    };
}

schemes! {
    pools::Pools,
    censoring::Censoring,
    #[cfg(test)]
    buyers_list::BuyersList,
}

/// The row indices of each sample. Observed samples may share rows; the training set and the test set never do.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    pub interest: Vec<usize>,
    pub unlabeled: Vec<usize>,
    pub loyal: Vec<usize>,
    pub train: Vec<usize>,
    pub test: Vec<usize>,
}

/// The training set or the test set of a split is empty.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("the {part} part gets none of the {rows} rows")]
pub struct SplitError {
    pub part: &'static str,
    pub rows: usize,
}

impl Scheme {
    /// The split of a seed: the same for every method, prior and encoding.
    pub fn split(&self, table: &Table, seed: u32) -> Result<Split, SplitError> {
        let random = stream(&["split", &format!("seed {seed}")]);
        let mut draw = Draw { random, strata: self.stratify().then_some(table) };
        let (train, test) = match (table.test_starts_at, self.test()) {
            (Some(start), _) => ((0..start).collect(), (start..table.rows()).collect()),
            (None, TestShare(share)) => {
                let share = share.map_or(0.0, ProperShare::value);
                let [test, train] = draw.cut((0..table.rows()).collect(), [share, 1.0]);
                (train, test)
            }
        };
        for (part, rows) in [("training", &train), ("test", &test)] {
            if rows.is_empty() {
                return Err(SplitError { part, rows: table.rows() });
            }
        }
        let Seen { interest, unlabeled, loyal } = self.observe(table, &train, &mut draw);
        Ok(Split { interest, unlabeled, loyal, train, test })
    }
}

/// Cuts rows at random, with one random stream for a whole split.
pub struct Draw<'a> {
    random: Stream,
    /// The table whose (Y, Z) groups are cut separately, if stratified.
    strata: Option<&'a Table>,
}

impl Draw<'_> {
    /// Shuffles rows and cuts them at the given cumulative shares, at most 1; if stratified, each (Y, Z) group
    /// separately.
    pub fn cut<const PARTS: usize>(&mut self, rows: Vec<usize>, shares: [f64; PARTS]) -> [Vec<usize>; PARTS] {
        let groups: Vec<Vec<usize>> = match self.strata {
            None => vec![rows],
            Some(table) => [(true, true), (true, false), (false, true), (false, false)]
                .map(|labels| {
                    rows.iter().copied().filter(|row| (table.interest[*row], table.loyalty[*row]) == labels).collect()
                })
                .to_vec(),
        };
        self.cut_groups(groups, shares)
    }

    /// The same for rows of one group, never stratified.
    pub fn cut_alike<const PARTS: usize>(&mut self, rows: Vec<usize>, shares: [f64; PARTS]) -> [Vec<usize>; PARTS] {
        self.cut_groups(vec![rows], shares)
    }

    fn cut_groups<const PARTS: usize>(&mut self, groups: Vec<Vec<usize>>, shares: [f64; PARTS]) -> [Vec<usize>; PARTS] {
        let mut parts = [(); PARTS].map(|()| Vec::new());
        for mut group in groups {
            group.shuffle(&mut self.random);
            let mut start = 0;
            for (part, share) in parts.iter_mut().zip(shares) {
                let end = ((share * group.len() as f64).round() as usize).clamp(start, group.len());
                part.extend_from_slice(&group[start..end]);
                start = end;
            }
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Features, KAGGLE, LabelRule};
    use crate::math::bounds::Share;
    use crate::sample::{Group, Loyal, LoyaltyBase, Simulation, Unlabeled};
    use std::collections::BTreeSet;

    fn bank() -> Table {
        let rule = |column: &str| LabelRule::new(column, "yes");
        Table::new(&KAGGLE.frame().unwrap(), &rule("deposit"), &rule("default"), &Features::default()).unwrap()
    }

    #[test]
    fn the_papers_pools_have_the_papers_sizes_and_labels() {
        let table = bank();
        let split = Scheme::Pools(Pools::default()).split(&table, 1).unwrap();
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
            let split = Scheme::Pools(Pools { stratify, ..Pools::default() }).split(&table, 3).unwrap();
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
        let apart = Scheme::Pools(Pools::default()).split(&table, 1).unwrap();
        let within =
            Scheme::Pools(Pools { loyal: Loyal::WithinInterest, ..Pools::default() }).split(&table, 1).unwrap();
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
        let split = Scheme::Pools(Pools { stratify: true, ..Pools::default() }).split(&table, 1).unwrap();
        // 52 (+,+) rows: 10 to the test, 42 to training, of which the third pool gets 42 - 8 = 34.
        assert_eq!(split.test.iter().filter(|row| table.is_loyal_buyer(**row)).count(), 10);
        assert_eq!(split.loyal.len(), 34);
    }

    #[test]
    fn seeds_differ_and_a_seed_is_always_the_same() {
        let table = bank();
        let split = |seed| Scheme::Pools(Pools::default()).split(&table, seed).unwrap();
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
                test: TestShare(None),
                hide_interest: Share::tenths(3),
                hide_loyalty: Share::tenths(5),
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

    /// The worked example of docs/contributing.md.
    #[test]
    fn the_example_scheme_sees_every_buyer_of_its_list() {
        assert!(include_str!("buyers_list.rs").lines().count() < 60);
        let table = bank();
        let scheme: Scheme =
            serde_json::from_str(r#"{"buyers_list":{"test":0.2,"listed":0.3,"stratify":false}}"#).unwrap();
        let split = scheme.split(&table, 1).unwrap();
        let loyal = split.interest.iter().filter(|row| table.loyalty[**row]).count();
        assert!(loyal > 0 && split.loyal.len() == loyal);
        assert_eq!(split.unlabeled.len(), 6251, "seven tenths of 8,930 rows");
        assert!(scheme.meets(SampleNeed::LoyalWithinInterest) && !scheme.meets(SampleNeed::Censoring));
    }

    #[test]
    fn schemes_are_stored_under_their_names() {
        for scheme in Scheme::all() {
            let stored = serde_json::to_value(&scheme).unwrap();
            assert_eq!(stored.as_object().unwrap().keys().collect::<Vec<_>>(), [scheme.name()]);
        }
    }

    #[test]
    fn a_table_too_small_to_split_is_refused() {
        let mut table = bank();
        table.interest.truncate(2);
        let error = Scheme::Pools(Pools::default()).split(&table, 1).unwrap_err();
        assert_eq!(error, SplitError { part: "test", rows: 2 });
    }
}
