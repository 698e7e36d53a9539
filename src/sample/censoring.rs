//! The paper's Section IV: one sample, some of whose positive labels are hidden.

use crate::data::Table;
use crate::math::bounds::Share;
use crate::sample::SampleNeed;
use crate::sample::scheme::{Draw, SamplingScheme, Seen, TestShare};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

crate::options! {
    /// The paper's Section IV: some labels of the training set are hidden. D_Y consists of the rows with Y = +1 that keep their Y
    /// label, and D_L of the rows of D_Y with Z = +1 that keep their Z label.
    pub struct Censoring {
        /// The share of rows in the test set. A simulation draws its own test set and does not take this key.
        test: TestShare = TestShare::default(),
        /// The share of rows with Y = +1 that lose their Y label. It is the same for both values of Z.
        hide_interest: Share = Share::tenths(3),
        /// The share of rows with (Y, Z) = (+1, +1) that lose their Z label.
        hide_loyalty: Share = Share::tenths(5),
        /// The rows that `hide_loyalty` is a share of.
        hide_loyalty_among: LoyaltyBase = LoyaltyBase::Kept,
        /// The rows of D_U.
        unlabeled: Unlabeled = Unlabeled::All,
        /// Whether the training set and the test set have the same share of each (Y, Z) group. Otherwise they have so only on
        /// average.
        stratify: bool = false,
    }
    scheme: "censoring"
}

/// The (+1, +1) rows of which a share loses its Z label. The paper's sentence can be read in both ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum LoyaltyBase {
    /// The rows that keep their Y label.
    Kept,
    /// All rows, whether or not they keep their Y label.
    All,
}

/// The rows of D_U under `censoring`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Unlabeled {
    /// All training rows, labelled or not. This is a sample of p(x), as the risk requires.
    All,
    /// The rows without a label. They contain a smaller share of positives than p(x), so the risk is biased.
    Remaining,
}

impl SamplingScheme for Censoring {
    fn meets(&self, need: SampleNeed) -> bool {
        match need {
            SampleNeed::Any | SampleNeed::LoyalWithinInterest | SampleNeed::Censoring => true,
        }
    }

    fn observe(&self, table: &Table, train: &[usize], draw: &mut Draw) -> Seen {
        let of_interest = |loyal: bool| -> Vec<usize> {
            train.iter().copied().filter(|row| table.interest[*row] && table.loyalty[*row] == loyal).collect()
        };
        let all_loyal = of_interest(true);
        let mut hide = |rows: Vec<usize>, share: Share| -> Vec<usize> {
            let [_, kept] = draw.cut_alike(rows, [share.value(), 1.0]);
            kept
        };
        let not_loyal_kept = hide(of_interest(false), self.hide_interest);
        let loyal_kept = hide(all_loyal.clone(), self.hide_interest);
        let base = match self.hide_loyalty_among {
            LoyaltyBase::Kept => loyal_kept.clone(),
            LoyaltyBase::All => all_loyal,
        };
        let mut loyal = hide(base, self.hide_loyalty);
        let is_in = |rows: &[usize]| {
            let mut is_in = vec![false; table.rows()];
            rows.iter().for_each(|row| is_in[*row] = true);
            is_in
        };
        let keeps_interest = is_in(&loyal_kept);
        loyal.retain(|row| keeps_interest[*row]);

        let interest: Vec<usize> = [not_loyal_kept, loyal_kept].concat();
        let unlabeled = match self.unlabeled {
            Unlabeled::All => train.to_vec(),
            Unlabeled::Remaining => {
                let labelled = is_in(&interest);
                train.iter().copied().filter(|row| !labelled[*row]).collect()
            }
        };
        Seen { interest, unlabeled, loyal }
    }
}
