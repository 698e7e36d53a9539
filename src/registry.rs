//! Macros for the lists of methods and of sampling schemes: options structs and enums of named alternatives.

/// Declares an options struct: documented fields with default values.
///
/// The doc comment of a field is the description of the option in the schema and on the reference page. The type of a
/// field checks its bounds ([`crate::math::bounds`]) and formats the value for tables by `Display`. With `card:`, the
/// struct holds the options of a method.
#[macro_export]
macro_rules! options {
    (
        $(#[$about:meta])*
        pub struct $Name:ident { $($(#[$doc:meta])* $option:ident: $Type:ty = $default:expr),* $(,)? }
        card: $card:expr
    ) => {
        $crate::options! {
            $(#[$about])*
            pub struct $Name { $($(#[$doc])* $option: $Type = $default),* }
        }

        impl $crate::learn::Options for $Name {
            const CARD: $crate::learn::Card = $card;

            fn texts(&self) -> Vec<(&'static str, String)> {
                $Name::texts(self)
            }
        }
    };
    (
        $(#[$about:meta])*
        pub struct $Name:ident { $($(#[$doc:meta])* $option:ident: $Type:ty = $default:expr),* $(,)? }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, ::serde::Serialize, ::serde::Deserialize, ::schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
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
    };
}

/// Declares an enum that is serialised as `{ name: { option: value } }`, with a name for each variant.
macro_rules! named_alternatives {
    ($(#[$about:meta])* pub enum $Enum:ident { $($(#[$attribute:meta])* $Name:ident = $name:expr,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $Enum {
            $($(#[$attribute])* $Name($Name),)+
        }

        impl ::serde::Serialize for $Enum {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $($(#[$attribute])* $Enum::$Name(options) => {
                        serializer.serialize_newtype_variant(stringify!($Enum), 0, $name, options)
                    })+
                }
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $Enum {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                const NAMES: &[&str] = &[$($(#[$attribute])* $name,)+];

                struct ByName;

                impl<'de> ::serde::de::Visitor<'de> for ByName {
                    type Value = $Enum;

                    fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                        f.write_str("a name with options")
                    }

                    fn visit_enum<A: ::serde::de::EnumAccess<'de>>(self, access: A) -> Result<$Enum, A::Error> {
                        use ::serde::de::VariantAccess;
                        let (name, options) = access.variant::<String>()?;
                        $(
                            $(#[$attribute])*
                            if name == $name {
                                return options.newtype_variant().map($Enum::$Name);
                            }
                        )+
                        Err(::serde::de::Error::unknown_variant(&name, NAMES))
                    }
                }

                deserializer.deserialize_enum(stringify!($Enum), NAMES, ByName)
            }
        }
    };
}

pub(crate) use named_alternatives;
