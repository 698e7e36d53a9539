//! The requirements of methods on the sampling scheme.

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
