//! Values that may be written as more than one kind: a number or a word, a word or a map.

use crate::sample::Unlabeled;
use crate::spec::written::{
    LoyalChoice, Multiple, PriorBase, PriorChoice, PriorEntry, Scalar, UnlabeledChoice, WidthChoice,
};
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;

impl PriorBase {
    fn from_word(word: &str) -> Option<Self> {
        match word {
            "true" => Some(PriorBase::True),
            "train" => Some(PriorBase::Train),
            _ => None,
        }
    }
}

/// Implements `Deserialize` by a visitor that takes some of YAML's kinds of values.
macro_rules! deserialize_by_kind {
    ($type:ty, $expecting:literal, { $($visit:item)* }) => {
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct KindVisitor;

                impl<'de> Visitor<'de> for KindVisitor {
                    type Value = $type;

                    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                        f.write_str($expecting)
                    }

                    $($visit)*
                }

                deserializer.deserialize_any(KindVisitor)
            }
        }
    };
}

deserialize_by_kind!(PriorBase, "`true` or `train`", {
    fn visit_bool<E: de::Error>(self, value: bool) -> Result<PriorBase, E> {
        self.visit_str(&value.to_string())
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<PriorBase, E> {
        PriorBase::from_word(word).ok_or_else(|| E::invalid_type(de::Unexpected::Str(word), &self))
    }
});

deserialize_by_kind!(PriorEntry, "`true`, `train` or `name: { beta: ..., gamma: ... }`", {
    fn visit_bool<E: de::Error>(self, value: bool) -> Result<PriorEntry, E> {
        self.visit_str(&value.to_string())
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<PriorEntry, E> {
        let base = PriorBase::from_word(word).ok_or_else(|| E::invalid_type(de::Unexpected::Str(word), &self));
        base.map(PriorEntry::Base)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<PriorEntry, A::Error> {
        let entry = access.next_entry()?;
        let (name, pair) = entry.ok_or_else(|| de::Error::invalid_type(de::Unexpected::Map, &self))?;
        if access.next_key::<String>()?.is_some() {
            return Err(de::Error::custom("a prior is `name: { beta: ..., gamma: ... }`, one to an item"));
        }
        Ok(PriorEntry::Named(name, pair))
    }
});

deserialize_by_kind!(PriorChoice, "a number, `true`, `train` or `{ times: FACTOR }`", {
    fn visit_bool<E: de::Error>(self, value: bool) -> Result<PriorChoice, E> {
        self.visit_str(&value.to_string())
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<PriorChoice, E> {
        let base = PriorBase::from_word(word).ok_or_else(|| E::invalid_type(de::Unexpected::Str(word), &self));
        base.map(PriorChoice::Base)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<PriorChoice, E> {
        Ok(PriorChoice::Fixed(value as f64))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<PriorChoice, E> {
        Ok(PriorChoice::Fixed(value))
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<PriorChoice, A::Error> {
        Multiple::deserialize(de::value::MapAccessDeserializer::new(access)).map(PriorChoice::Multiple)
    }
});

deserialize_by_kind!(Scalar, "a text, a number or a boolean", {
    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Scalar, E> {
        Ok(Scalar(value.to_string()))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Scalar, E> {
        Ok(Scalar(value.to_string()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Scalar, E> {
        Ok(Scalar(value.to_string()))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Scalar, E> {
        Ok(Scalar(text.to_string()))
    }
});

deserialize_by_kind!(UnlabeledChoice, "a share (for pools), or `all` or `remaining` (for censoring)", {
    fn visit_i64<E: de::Error>(self, value: i64) -> Result<UnlabeledChoice, E> {
        Ok(UnlabeledChoice::Share(value as f64))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<UnlabeledChoice, E> {
        Ok(UnlabeledChoice::Share(value))
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<UnlabeledChoice, E> {
        match word {
            "all" => Ok(UnlabeledChoice::Rows(Unlabeled::All)),
            "remaining" => Ok(UnlabeledChoice::Rows(Unlabeled::Remaining)),
            _ => Err(E::invalid_type(de::Unexpected::Str(word), &self)),
        }
    }
});

deserialize_by_kind!(LoyalChoice, "a share, or `within_interest`", {
    fn visit_i64<E: de::Error>(self, value: i64) -> Result<LoyalChoice, E> {
        Ok(LoyalChoice::Share(value as f64))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<LoyalChoice, E> {
        Ok(LoyalChoice::Share(value))
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<LoyalChoice, E> {
        match word {
            "within_interest" => Ok(LoyalChoice::WithinInterest),
            _ => Err(E::invalid_type(de::Unexpected::Str(word), &self)),
        }
    }
});

deserialize_by_kind!(WidthChoice, "a number, or `median`", {
    fn visit_i64<E: de::Error>(self, value: i64) -> Result<WidthChoice, E> {
        Ok(WidthChoice::Fixed(value as f64))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<WidthChoice, E> {
        Ok(WidthChoice::Fixed(value))
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<WidthChoice, E> {
        match word {
            "median" => Ok(WidthChoice::Median),
            _ => Err(E::invalid_type(de::Unexpected::Str(word), &self)),
        }
    }
});
