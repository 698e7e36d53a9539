//! Dates in texts: the formats that are recognised, and the numbers that dates become.

use chrono::format::{Item, StrftimeItems};
use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, NaiveTime};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a column of dates is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DateOptions {
    /// The format of the dates, such as `%d/%m/%Y`, as in C's `strftime`. Without it, a format is recognised that fits every
    /// value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// What the column becomes: one feature for each.
    pub parts: Vec<DatePart>,
}

impl Default for DateOptions {
    fn default() -> Self {
        DateOptions { format: None, parts: vec![DatePart::Days] }
    }
}

/// A feature made of a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum DatePart {
    /// The days since 1970-01-01, a number; times of day are fractions.
    Days,
    /// The year, a number.
    Year,
    /// The month, a category from `01` to `12`.
    Month,
    /// The day of the week, a category from `1-Mon` to `7-Sun`.
    Weekday,
}

/// Formats with the year first or last. The last ones have two digits for the year, so they are never taken as certain.
const FORMATS: [&str; 25] = [
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%d.%m.%Y",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d-%m-%Y",
    "%m-%d-%Y",
    "%d %b %Y",
    "%d-%b-%Y",
    "%b %d, %Y",
    "%Y-%m-%d %H:%M:%S%.f",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%dT%H:%M:%S%.f",
    "%Y-%m-%dT%H:%M",
    "%d.%m.%Y %H:%M:%S",
    "%d.%m.%Y %H:%M",
    "%d/%m/%Y %H:%M:%S",
    "%m/%d/%Y %H:%M:%S",
    "%d/%m/%Y %H:%M",
    "%m/%d/%Y %H:%M",
    ZONED,
    "%d.%m.%y",
    "%d/%m/%y",
    "%m/%d/%y",
];
/// Eight digits, which are a date only if they are declared one.
pub const COMPACT: &str = "%Y%m%d";
/// With an offset from UTC, which counts.
const ZONED: &str = "%Y-%m-%dT%H:%M:%S%.f%:z";

/// Whether a format has a year of two digits.
pub fn has_short_year(format: &str) -> bool {
    format.contains("%y")
}

/// What is wrong with a format, if anything is.
pub fn format_problem(format: &str) -> Option<String> {
    if StrftimeItems::new(format).any(|item| item == Item::Error) {
        return Some(format!("`{format}` is not a date format"));
    }
    let date = NaiveDate::from_ymd_opt(2001, 12, 31)?.and_time(NaiveTime::MIN);
    let text = date.format(format).to_string();
    let is_complete = days(&text, format) == days("2001-12-31", "%Y-%m-%d");
    (!is_complete && format != ZONED).then(|| format!("`{format}` does not name a year, a month and a day"))
}

/// The days since 1970-01-01 of a date in a format.
pub fn days(text: &str, format: &str) -> Option<f64> {
    let text = text.trim();
    if format == ZONED {
        return DateTime::parse_from_rfc3339(text).ok().map(|time| of_time(time.naive_utc()));
    }
    if format.starts_with("%Y") && !text.as_bytes().get(..4)?.iter().all(u8::is_ascii_digit) {
        return None;
    }
    // As a date alone, a text would lose its time of day.
    let time = NaiveDateTime::parse_from_str(text, format).ok().map(of_time);
    time.or_else(|| NaiveDate::parse_from_str(text, format).ok().map(of_date))
        .filter(|days| (-354_300.0..2_932_897.0).contains(days))
}

fn of_date(date: NaiveDate) -> f64 {
    f64::from(date.to_epoch_days())
}

fn of_time(time: NaiveDateTime) -> f64 {
    time.and_utc().timestamp_micros() as f64 / 86_400e6
}

/// The formats in which a text is a date.
pub fn formats(text: &str) -> Vec<&'static str> {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    if !(6..=40).contains(&text.len()) || digits < 4 || !text.contains(['-', '/', '.', ' ']) {
        return Vec::new();
    }
    FORMATS.into_iter().filter(|format| days(text, format).is_some()).collect()
}

/// The formats in which every text is a date. Formats that give the same days count once.
pub fn common_formats<'a>(mut texts: impl Iterator<Item = &'a str> + Clone) -> Vec<&'static str> {
    let all = texts.clone();
    let mut common = texts.next().map(formats).unwrap_or_default();
    for text in texts {
        if common.is_empty() {
            break;
        }
        common.retain(|format| days(text, format).is_some());
    }
    let mut distinct: Vec<&str> = Vec::new();
    for format in common {
        let is_same = |known: &&&str| all.clone().all(|text| days(text, known) == days(text, format));
        if !distinct.iter().any(|known| is_same(&known)) {
            distinct.push(format);
        }
    }
    distinct
}

/// Whether all integers are dates written as `20240131`, between 1900 and 2100.
pub fn are_compact(numbers: impl Iterator<Item = f64>) -> bool {
    let is_date = |number: f64| {
        let whole = number as i32;
        let date = NaiveDate::from_ymd_opt(whole / 10_000, (whole / 100 % 100) as u32, (whole % 100) as u32);
        (19_000_101.0..=21_001_231.0).contains(&number) && number.fract() == 0.0 && date.is_some()
    };
    let mut given = numbers.peekable();
    given.peek().is_some() && given.all(is_date)
}

/// A date as people write it.
pub fn iso(days: f64) -> String {
    let Some(date) = date_of(days) else { return days.to_string() };
    let seconds = ((days - days.floor()) * 86_400.0).round() as u32;
    match NaiveTime::from_num_seconds_from_midnight_opt(seconds, 0) {
        Some(time) if seconds > 0 => format!("{date} {time}"),
        _ => date.to_string(),
    }
}

fn date_of(days: f64) -> Option<NaiveDate> {
    NaiveDate::from_epoch_days(days.floor() as i32)
}

/// The number of a date.
pub fn number_of(part: DatePart, days: f64) -> f64 {
    match (part, date_of(days)) {
        (DatePart::Year, Some(date)) => f64::from(date.year()),
        _ => days,
    }
}

/// The category of a date, as an index in [`categories`].
pub fn category_of(part: DatePart, days: f64) -> u32 {
    match (part, date_of(days)) {
        (DatePart::Month, Some(date)) => date.month0(),
        (DatePart::Weekday, Some(date)) => date.weekday().num_days_from_monday(),
        _ => 0,
    }
}

/// The categories of a part in order, or nothing if it is a number.
pub fn categories(part: DatePart) -> Option<Vec<String>> {
    match part {
        DatePart::Days | DatePart::Year => None,
        DatePart::Month => Some((1..=12).map(|month| format!("{month:02}")).collect()),
        DatePart::Weekday => {
            let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
            Some((1..).zip(names).map(|(number, name)| format!("{number}-{name}")).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Days by `(pandas.Timestamp(..) - pandas.Timestamp(0)) / pandas.Timedelta("1D")`, pandas 3.1.1.
    #[test]
    fn dates_become_days_since_1970() {
        for (text, format, expected) in [
            ("1970-01-01", "%Y-%m-%d", 0.0),
            ("2024-02-29", "%Y-%m-%d", 19782.0),
            ("29.02.2024", "%d.%m.%Y", 19782.0),
            ("1.3.2024", "%d.%m.%Y", 19783.0),
            ("1969-12-31 18:00:00", "%Y-%m-%d %H:%M:%S%.f", -0.25),
            ("2024-02-29T12:00:00+06:00", ZONED, 19782.25),
        ] {
            assert_eq!(days(text, format), Some(expected), "{text}");
            assert!(formats(text).contains(&format), "{text}");
        }
        assert_eq!(days("2023-02-29", "%Y-%m-%d"), None);
        assert_eq!((iso(19782.25), iso(-0.25)), ("2024-02-29 06:00:00".into(), "1969-12-31 18:00:00".to_string()));
    }

    #[test]
    fn a_text_may_be_a_date_in_several_formats_or_in_none() {
        assert_eq!(formats("03/04/2021"), ["%d/%m/%Y", "%m/%d/%Y"]);
        assert_eq!(formats("13/04/2021"), ["%d/%m/%Y"]);
        assert_eq!(formats("01.02.21"), ["%d.%m.%y"]);
        for text in ["20210304", "3.14159", "555-1234", "12:30", "v1.2.3", "2021", "32.01.2021"] {
            assert_eq!(formats(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_format_names_year_month_and_day() {
        assert_eq!(format_problem("%d/%m/%Y"), None);
        assert_eq!(format_problem("%Y-%m-%d %H:%M"), None);
        assert!(format_problem("%d/%m").unwrap().contains("does not name"));
        assert!(format_problem("%Q").unwrap().contains("is not a date format"));
    }

    #[test]
    fn compact_dates_are_integers_that_are_dates() {
        assert!(are_compact([20240229.0, 19991231.0].into_iter()));
        assert!(!are_compact([20240230.0, 19991231.0].into_iter()) && !are_compact(std::iter::empty()));
    }

    #[test]
    fn parts_of_a_date_are_categories_in_calendar_order() {
        let monday = days("2024-01-01", "%Y-%m-%d").unwrap();
        let name = |part| categories(part).unwrap()[category_of(part, monday + 6.5) as usize].clone();
        assert_eq!((name(DatePart::Month), name(DatePart::Weekday)), ("01".into(), "7-Sun".to_string()));
        assert_eq!(number_of(DatePart::Year, monday), 2024.0);
    }
}
