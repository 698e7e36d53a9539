//! The paper's Section V: the training set is cut into three pools, one for each observed sample.

use crate::data::Table;
use crate::math::bounds::{NumberOrWord, ProperShare, inline_schema};
use crate::mistake::Mistake;
use crate::sample::SampleNeed;
use crate::sample::scheme::{Draw, SamplingScheme, Seen, TestShare};
use schemars::SchemaGenerator;
use serde::{Deserialize, Deserializer, Serialize};

crate::options! {
    /// The paper's Section V: the training set is cut into three pools, one for each observed sample. The shares must add up to
    /// at most 1.
    pub struct Pools {
        /// The share of rows in the test set. A simulation draws its own test set and does not take this key.
        test: TestShare = TestShare::default(),
        /// The share of training rows in the first pool. D_Y consists of its rows with Y = +1.
        interest: ProperShare = ProperShare::tenths(1),
        /// The share of training rows in the second pool. D_U consists of all its rows, without labels.
        unlabeled: ProperShare = ProperShare::tenths(1),
        /// The share of training rows in the third pool. D_L consists of its rows with (Y, Z) = (+1, +1). With
        /// `within_interest` there is no third pool, and D_L consists of the (+1, +1) rows of D_Y.
        loyal: Loyal = Loyal::Pool(ProperShare::tenths(8)),
        /// Whether every part has the same share of each (Y, Z) group. Otherwise it has so only on average.
        stratify: bool = false,
    }
    scheme: "pools"
}

/// The source of D_L.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Loyal {
    /// The (+1, +1) rows of a pool of its own, which is this share of the training set.
    #[strum(to_string = "{0}")]
    Pool(ProperShare),
    /// The (+1, +1) rows of D_Y.
    WithinInterest,
}

/// Written as a share or a word; stored as `{ pool: share }` or the same word.
impl<'de> Deserialize<'de> for Loyal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = |share| ProperShare::new(share).map(Loyal::Pool).map_err(|_| "a share above 0 and below 1");
        let word = |word: &str| (word == "within_interest").then_some(Loyal::WithinInterest);
        let expecting = "a share, or `within_interest`";
        NumberOrWord { expecting, number, word, key: Some("pool") }.deserialize(deserializer)
    }
}

inline_schema!(Loyal, { "anyOf": [
    ProperShare::json_schema(&mut SchemaGenerator::default()),
    { "enum": ["within_interest"] }
] });

impl SamplingScheme for Pools {
    fn meets(&self, need: SampleNeed) -> bool {
        match need {
            SampleNeed::Any => true,
            SampleNeed::LoyalWithinInterest => self.loyal == Loyal::WithinInterest,
            SampleNeed::Censoring => false,
        }
    }

    fn check(&self) -> Result<(), Mistake> {
        let pool = if let Loyal::Pool(share) = self.loyal { share.value() } else { 0.0 };
        let sum = self.interest.value() + self.unlabeled.value() + pool;
        if sum <= 1.0 + 1e-9 {
            return Ok(());
        }
        let remedy = "`interest`, `unlabeled` and `loyal` must add up to at most 1";
        Err(Mistake::new(format!("the pools take {sum} of the training set"), remedy))
    }

    fn observe(&self, table: &Table, train: &[usize], draw: &mut Draw) -> Seen {
        let first = self.interest.value();
        let second = first + self.unlabeled.value();
        let third = match self.loyal {
            Loyal::Pool(share) => second + share.value(),
            Loyal::WithinInterest => second,
        };
        let [mut interest, unlabeled, mut loyal, _] = draw.cut(train.to_vec(), [first, second, third, 1.0]);
        interest.retain(|row| table.interest[*row]);
        if self.loyal == Loyal::WithinInterest {
            loyal.clone_from(&interest);
        }
        loyal.retain(|row| table.is_loyal_buyer(*row));
        Seen { interest, unlabeled, loyal }
    }
}
