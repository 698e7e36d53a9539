//! What a method may ask of the way samples are drawn.

/// What a method asks of the way samples are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleNeed {
    Any,
    /// D_L must be a part of D_Y.
    LoyalWithinInterest,
    /// D_Y must be the people of one sample who kept their label.
    Censoring,
}

impl SampleNeed {
    /// What a spec must say for it.
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
