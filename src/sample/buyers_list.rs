//! The worked example of docs/contributing.md: the company has one list of buyers and knows which of them are loyal.

use crate::data::Table;
use crate::math::bounds::ProperShare;
use crate::sample::SampleNeed;
use crate::sample::scheme::{Draw, SamplingScheme, Seen, TestShare};

crate::options! {
    /// D_Y consists of the buyers on a list, D_L of the loyal ones among them, and D_U of the training rows not on the list.
    pub struct BuyersList {
        /// The share of rows in the test set.
        test: TestShare = TestShare::default(),
        /// The share of training rows that the list covers.
        listed: ProperShare = ProperShare::tenths(2),
        /// Whether every part has the same share of each (Y, Z) group.
        stratify: bool = false,
    }
    scheme: "buyers_list"
}

impl SamplingScheme for BuyersList {
    fn meets(&self, need: SampleNeed) -> bool {
        match need {
            SampleNeed::Any | SampleNeed::LoyalWithinInterest => true,
            SampleNeed::Censoring => false,
        }
    }

    fn observe(&self, table: &Table, train: &[usize], draw: &mut Draw) -> Seen {
        let [mut interest, unlabeled] = draw.cut(train.to_vec(), [self.listed.value(), 1.0]);
        interest.retain(|row| table.interest[*row]);
        let loyal = interest.iter().copied().filter(|row| table.loyalty[*row]).collect();
        Seen { interest, unlabeled, loyal }
    }
}
