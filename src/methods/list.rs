//! The macro behind the list of methods. Each line of the list becomes a module, a variant of [`Method`](super::Method), an
//! entry of [`METHODS`](super::METHODS), and an arm of every match. A type that lacks a part of a method does not compile.

macro_rules! methods {
    ($($(#[$attribute:meta])* $kind:ident $module:ident::$Name:ident,)+) => {
        $($(#[$attribute])* mod $module; $(#[$attribute])* pub use $module::$Name;)+

        named_alternatives! {
            /// A method with all its options.
            pub enum Method {
                $($(#[$attribute])* $Name = <$Name as Options>::CARD.name,)+
                Tuned = "tuned",
            }
        }

        /// Every method, in the order of the list.
        pub static METHODS: &[Entry] = &[$(
            $(#[$attribute])*
            Entry {
                card: <$Name as Options>::CARD,
                default: || Method::$Name($Name::default()),
                schema: <$Name as JsonSchema>::json_schema,
            },
        )+];

        impl Method {
            pub fn card(&self) -> &'static Card {
                match self {
                    $($(#[$attribute])* Method::$Name(_) => &<$Name as Options>::CARD,)+
                    Method::Tuned(tuned) => tuned.first().card(),
                }
            }

            /// The options as tables show them.
            pub fn options(&self) -> Vec<(&'static str, String)> {
                match self {
                    $($(#[$attribute])* Method::$Name(method) => Options::texts(method),)+
                    Method::Tuned(tuned) => tuned_texts(&tuned.candidates),
                }
            }

            /// Refuses combinations of options that are not allowed.
            pub fn check(&self) -> Result<(), Mistake> {
                match self {
                    $($(#[$attribute])* Method::$Name(method) => Options::check(method),)+
                    Method::Tuned(tuned) => tuned.candidates.iter().try_for_each(Method::check),
                }
            }

            /// The costs of wrong decisions; 1 each for a method that has no such option.
            pub fn costs(&self) -> Costs {
                match self {
                    $($(#[$attribute])* Method::$Name(method) => Options::costs(method),)+
                    Method::Tuned(tuned) => tuned.first().costs(),
                }
            }

            /// Whether the method sees true labels of training rows.
            pub fn is_oracle(&self) -> bool {
                match self {
                    $($(#[$attribute])* Method::$Name(_) => methods!(@is_oracle $kind),)+
                    Method::Tuned(tuned) => tuned.first().is_oracle(),
                }
            }

            pub fn fit(&self, training: &Training, oracle: &Oracle) -> Result<Trained, Failure> {
                match self {
                    $($(#[$attribute])* Method::$Name(method) => methods!(@fit $kind method, training, oracle),)+
                    Method::Tuned(tuned) => tune(&tuned.candidates, training),
                }
            }

            /// Fits a method that sees no true label.
            fn fit_blindly(&self, training: &Training) -> Result<Trained, Failure> {
                match self {
                    $($(#[$attribute])* Method::$Name(_method) => methods!(@fit_blindly $kind _method, training),)+
                    Method::Tuned(tuned) => tune(&tuned.candidates, training),
                }
            }

            fn judging_terms<'a>(
                &self,
                seen: &'a Observed,
                prior: Option<Prior>,
            ) -> Option<Result<Vec<Term<'a>>, Failure>> {
                match self {
                    $($(#[$attribute])* Method::$Name(_method) => methods!(@judging_terms $kind _method, seen, prior),)+
                    Method::Tuned(_) => None,
                }
            }
        }
    };
    (@is_oracle blind) => { false };
    (@is_oracle oracle) => { true };
    (@fit blind $method:ident, $training:ident, $oracle:ident) => { Learner::fit($method, $training) };
    (@fit oracle $method:ident, $training:ident, $oracle:ident) => {
        OracleLearner::fit($method, $oracle, $training.stream(name_of($method)))
    };
    (@fit_blindly blind $method:ident, $training:ident) => { Learner::fit($method, $training) };
    (@fit_blindly oracle $method:ident, $training:ident) => {
        Err(Failure { kind: FailureKind::NoCandidate, reason: "an oracle cannot do without true labels".to_string() })
    };
    (@judging_terms blind $method:ident, $seen:ident, $prior:ident) => {
        Learner::judging_terms($method, $seen, $prior)
    };
    (@judging_terms oracle $method:ident, $seen:ident, $prior:ident) => { None };
}

pub(super) use methods;
