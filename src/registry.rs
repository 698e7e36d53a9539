//! The macro that declares the options of methods and of sampling schemes.

/// Declares an options struct: documented fields with default values.
///
/// The doc comment of a field is the description of the option in the schema and on the reference page. The type of a
/// field checks its bounds ([`crate::math::bounds`]) and formats the value for tables by `Display`. With `card:`, the
/// struct holds the options of a method; with `scheme:` and a name, those of a sampling scheme, which must have the
/// options `test` and `stratify`.
#[macro_export]
macro_rules! options {
    (
        $(#[$about:meta])*
        pub struct $Name:ident { $($(#[$doc:meta])* $option:ident: $Type:ty = $default:expr),* $(,)? }
        $(scheme: $scheme:literal)?
        $(card: $card:expr)?
    ) => {
        #[derive(Clone, Debug, PartialEq, ::serde::Serialize, ::serde::Deserialize, ::schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        $(#[$about])*
        pub struct $Name {
            $($(#[$doc])* pub $option: $Type,)*
        }

        impl Default for $Name {
            fn default() -> Self {
                $Name { $($option: $default),* }
            }
        }

        impl $Name {
            /// The options and their values, as shown in tables.
            pub fn texts(&self) -> Vec<(&'static str, String)> {
                vec![$((stringify!($option), self.$option.to_string())),*]
            }
        }

        $(
            impl $crate::sample::SchemeOptions for $Name {
                fn name(&self) -> &'static str {
                    $scheme
                }

                fn texts(&self) -> Vec<(&'static str, String)> {
                    $Name::texts(self)
                }

                fn test(&self) -> $crate::sample::TestShare {
                    self.test
                }

                fn stratify(&self) -> bool {
                    self.stratify
                }

                fn schema(&self, generator: &mut ::schemars::SchemaGenerator) -> ::schemars::Schema {
                    <$Name as ::schemars::JsonSchema>::json_schema(generator)
                }
            }
        )?

        $(
            impl $Name {
                pub const CARD: $crate::learn::Card = $card;
            }

            impl $crate::learn::Options for $Name {
                fn card(&self) -> $crate::learn::Card {
                    $Name::CARD
                }

                fn texts(&self) -> Vec<(&'static str, String)> {
                    $Name::texts(self)
                }
            }
        )?
    };
}
