//! Number types with bounds, which are checked on decoding and stated in the schema.

use crate::mistake::Mistake;
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, Unexpected};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// Implements `JsonSchema` by a schema that is written out wherever the type is used.
macro_rules! inline_schema {
    ($Type:ty, $schema:tt $(, $($generic:tt)+)?) => {
        impl $(<$($generic)+>)? ::schemars::JsonSchema for $Type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                stringify!($Type).into()
            }

            fn json_schema(_: &mut ::schemars::SchemaGenerator) -> ::schemars::Schema {
                ::schemars::json_schema!($schema)
            }
        }
    };
}

pub(crate) use inline_schema;

/// Declares a number type: name, noun for messages, allowed values in words, check, and schema.
macro_rules! bounded_number {
    ($(#[$doc:meta])* $Name:ident, $noun:literal, $allowed:literal, $check:expr, $schema:tt) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, PartialOrd, ::serde::Serialize)]
        #[serde(transparent)]
        pub struct $Name(f64);

        inline_schema!($Name, $schema);

        impl $Name {
            pub fn new(value: f64) -> Result<Self, Mistake> {
                let is_allowed: fn(f64) -> bool = $check;
                if is_allowed(value) {
                    // -0.0 becomes 0.0: both are the same value and must serialise alike.
                    return Ok($Name(if value == 0.0 { 0.0 } else { value }));
                }
                Err(Mistake::new(format!("the {} is {value:?}", $noun), format!("give {}", $allowed)))
            }

            pub fn value(self) -> f64 {
                self.0
            }
        }

        impl fmt::Display for $Name {
            fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl<'de> Deserialize<'de> for $Name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let number = |value| $Name::new(value).map_err(|_| $allowed);
                NumberOrWord { expecting: $allowed, number, word: |_| None, key: None }.deserialize(deserializer)
            }
        }
    };
}

bounded_number!(
    /// The factor of `|w|^2`. The bounds keep the arithmetic accurate.
    Ridge, "ridge", "0, or a number from 1e-12 to 1e12", |x| x == 0.0 || (1e-12..=1e12).contains(&x),
    { "type": "number", "minimum": 0, "maximum": 1e12 }
);
bounded_number!(
    /// A factor that another number is multiplied by.
    Factor, "factor", "0, or a number from 1e-12 to 1e12", |x| x == 0.0 || (1e-12..=1e12).contains(&x),
    { "type": "number", "minimum": 0, "maximum": 1e12 }
);
bounded_number!(
    /// The initial step size of an optimiser.
    Rate, "rate", "a number from 1e-9 to 10", |x| (1e-9..=10.0).contains(&x),
    { "type": "number", "minimum": 1e-9, "maximum": 10 }
);
bounded_number!(
    /// A share from 0 to 1, both included.
    Share, "share", "a share from 0 to 1", |x| (0.0..=1.0).contains(&x),
    { "type": "number", "minimum": 0, "maximum": 1 }
);
bounded_number!(
    /// A share between 0 and 1, both excluded.
    ProperShare, "share", "a share above 0 and below 1", |x| x > 0.0 && x < 1.0,
    { "type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1 }
);

impl Ridge {
    pub const DEFAULT: Ridge = Ridge(0.01);
}

impl Rate {
    pub const DEFAULT: Rate = Rate(0.01);
}

impl ProperShare {
    pub const fn tenths(tenths: u8) -> Self {
        assert!(0 < tenths && tenths < 10, "a proper share");
        ProperShare(tenths as f64 / 10.0)
    }
}

impl Share {
    pub const fn tenths(tenths: u8) -> Self {
        assert!(tenths <= 10, "a share");
        Share(tenths as f64 / 10.0)
    }
}

/// A whole number from 1 to `MOST`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(transparent)]
pub struct Count<const MOST: u32>(u32);

inline_schema!(Count<MOST>, { "type": "integer", "minimum": 1, "maximum": MOST }, const MOST: u32);

impl<const MOST: u32> Count<MOST> {
    pub fn new(count: u32) -> Result<Self, Mistake> {
        Self::checked(count.into())
            .ok_or_else(|| Mistake::new(format!("the count is {count}"), format!("give {}", Self::allowed())))
    }

    /// A count for defaults. One out of bounds does not compile.
    pub const fn constant<const COUNT: u32>() -> Self {
        const { assert!(1 <= COUNT && COUNT <= MOST, "within the bounds") };
        Count(COUNT)
    }

    pub fn get(self) -> u32 {
        self.0
    }

    fn checked(count: i64) -> Option<Self> {
        u32::try_from(count).ok().filter(|count| (1..=MOST).contains(count)).map(Count)
    }

    fn allowed() -> String {
        format!("a whole number from 1 to {MOST}")
    }
}

impl<const MOST: u32> fmt::Display for Count<MOST> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'de, const MOST: u32> Deserialize<'de> for Count<MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let count = i64::deserialize(deserializer)?;
        Self::checked(count).ok_or_else(|| D::Error::invalid_value(Unexpected::Signed(count), &&*Self::allowed()))
    }
}

/// A value as it is written or stored.
#[derive(serde::Deserialize)]
#[serde(untagged)]
pub enum Scalar {
    Bool(bool),
    Integer(i64),
    Number(f64),
    Text(String),
    Keyed(BTreeMap<String, f64>),
    Null(()),
    Other(IgnoredAny),
}

/// Decodes a value that is written as a number or as a word.
pub struct NumberOrWord<T> {
    pub expecting: &'static str,
    /// Converts a number, or returns a description of the allowed values.
    pub number: fn(f64) -> Result<T, &'static str>,
    /// Converts a word. A null value is the word `null`.
    pub word: fn(&str) -> Option<T>,
    /// The key of the stored form `{ key: number }`, for values that have one.
    pub key: Option<&'static str>,
}

impl<T> NumberOrWord<T> {
    pub fn deserialize<'de, D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        let number = |value: f64| {
            (self.number)(value).map_err(|allowed| D::Error::invalid_value(Unexpected::Float(value), &allowed))
        };
        let mismatch = |found: Unexpected| D::Error::invalid_type(found, &self.expecting);
        let word = |word: &str| (self.word)(word).ok_or_else(|| mismatch(Unexpected::Str(word)));
        match Scalar::deserialize(deserializer)? {
            Scalar::Integer(value) => number(value as f64),
            Scalar::Number(value) => number(value),
            Scalar::Bool(value) => word(&value.to_string()),
            Scalar::Text(text) => word(&text),
            Scalar::Null(()) => word("null"),
            Scalar::Keyed(entries) => match entries.into_iter().next() {
                Some((key, value)) if Some(&*key) == self.key => number(value),
                _ => Err(mismatch(Unexpected::Map)),
            },
            Scalar::Other(_) => Err(mismatch(Unexpected::Other("another value"))),
        }
    }
}

/// A length of time from 10 ms to 168 h, written as `500ms`, `60s`, `5m` or `2h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pause {
    milliseconds: u64,
}

impl Pause {
    const ALLOWED: &str = "a number with `ms`, `s`, `m` or `h`, such as `60s`, from 10ms to 168h";

    pub fn duration(self) -> Duration {
        Duration::from_millis(self.milliseconds)
    }

    fn parse(text: &str) -> Option<Self> {
        const UNITS: [(&str, u64); 4] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)];
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, unit) = text.split_at(digits);
        let (_, factor) = UNITS.iter().find(|(name, _)| *name == unit.trim_start())?;
        let milliseconds = number.parse::<u64>().ok()?.checked_mul(*factor)?;
        (10..=168 * 3_600_000).contains(&milliseconds).then_some(Pause { milliseconds })
    }
}

impl Default for Pause {
    fn default() -> Self {
        Pause { milliseconds: 60_000 }
    }
}

impl fmt::Display for Pause {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.milliseconds {
            milliseconds if milliseconds % 1000 == 0 => write!(f, "{}s", milliseconds / 1000),
            milliseconds => write!(f, "{milliseconds}ms"),
        }
    }
}

impl Serialize for Pause {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Pause {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = |_| Err(Pause::ALLOWED);
        NumberOrWord { expecting: Pause::ALLOWED, number, word: Pause::parse, key: None }.deserialize(deserializer)
    }
}

inline_schema!(Pause, { "type": "string", "pattern": "^[0-9]+ *(ms|s|m|h)$" });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_out_of_bounds_is_refused_with_what_is_allowed() {
        assert_eq!(
            Ridge::new(-1.0).unwrap_err().to_string(),
            "the ridge is -1.0\n  help: give 0, or a number from 1e-12 to 1e12"
        );
        assert!(Ridge::new(f64::NAN).is_err() && Ridge::new(1e-300).is_err() && Ridge::new(0.0).is_ok());
        assert!(ProperShare::new(1.0).is_err() && Share::new(1.0).is_ok());
        let error = serde_json::from_str::<Count<10>>("11").unwrap_err();
        assert!(error.to_string().contains("invalid value: integer `11`, expected a whole number from 1 to 10"));
        assert!(serde_json::from_str::<Share>("-0.5").is_err());
    }

    #[test]
    fn zero_has_no_sign_and_numbers_come_back() {
        assert!(Ridge::new(-0.0).unwrap().value().is_sign_positive());
        for json in ["0.3", "7.0", "1e-12"] {
            let ridge: Ridge = serde_json::from_str(json).unwrap();
            assert_eq!(serde_json::to_string(&ridge).unwrap(), json);
        }
    }
}
