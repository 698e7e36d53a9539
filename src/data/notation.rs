//! How a text writes a number: plainly, in a way that a reader could take for something else, or not at all.

/// A text as a number. Blanks around it do not count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Notation {
    /// Digits with an optional sign, decimal point and exponent.
    Plain(f64),
    /// A number to its writer, but not in the plain notation.
    Odd(Oddity),
    Text,
}

/// Why a number is not read as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Oddity {
    Comma,
    Percent,
    Currency,
    Thousands,
    Hexadecimal,
    NotFinite,
    Negative,
}

impl Oddity {
    /// What such texts are, in a message.
    pub fn what(self) -> &'static str {
        match self {
            Oddity::Comma => "numbers with a comma, for decimals or for thousands",
            Oddity::Percent => "percentages",
            Oddity::Currency => "amounts with a currency",
            Oddity::Thousands => "numbers with separated thousands",
            Oddity::Hexadecimal => "hexadecimal numbers",
            Oddity::NotFinite => "numbers that are not finite or too large",
            Oddity::Negative => "negative numbers in brackets or with an unusual minus sign",
        }
    }

    /// How to write them instead.
    pub fn remedy(self) -> &'static str {
        match self {
            Oddity::Comma => "write numbers with a decimal point and without separated thousands",
            Oddity::Percent => "write 5% as 5 or 0.05",
            Oddity::Currency => "write amounts without a currency",
            Oddity::Thousands => "write thousands without a separator",
            Oddity::Hexadecimal => "write numbers in decimal digits",
            Oddity::NotFinite => "correct these values, or leave them empty",
            Oddity::Negative => "write negative numbers as -5",
        }
    }
}

const CURRENCIES: [&str; 11] = ["€", "$", "£", "¥", "₹", "EUR", "USD", "GBP", "CHF", "JPY", "Rs"];

impl Notation {
    pub fn of(text: &str) -> Self {
        let text = text.trim();
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => return Notation::Plain(number),
            Ok(_) => return Notation::Odd(Oddity::NotFinite),
            Err(_) => {}
        }
        match odd(text) {
            Some(oddity) => Notation::Odd(oddity),
            None => Notation::Text,
        }
    }
}

fn odd(text: &str) -> Option<Oddity> {
    let is_some_number = |text: &str| !matches!(Notation::of(text), Notation::Text) && text.len() < 64;
    if !text.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    if let Some(rest) = text.strip_suffix('%').or_else(|| text.strip_prefix('%')) {
        return is_some_number(rest).then_some(Oddity::Percent);
    }
    for currency in CURRENCIES {
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        if let Some(rest) = unsigned.strip_prefix(currency).or_else(|| text.strip_suffix(currency)) {
            return is_some_number(rest).then_some(Oddity::Currency);
        }
    }
    let bracketed = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    if let Some(rest) = bracketed.or_else(|| text.strip_prefix(['−', '–'])).or_else(|| text.strip_suffix('-')) {
        return is_some_number(rest).then_some(Oddity::Negative);
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if let Some(digits) = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X")) {
        let is_hexadecimal = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        return is_hexadecimal.then_some(Oddity::Hexadecimal);
    }
    separated(unsigned)
}

/// Digits with separators in between, such as `1,5`, `1.234,50`, `1 000` and `1_000`.
fn separated(text: &str) -> Option<Oddity> {
    let is_separator = |c: char| matches!(c, '.' | ',' | '\'' | '’' | '_' | ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}');
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    if exponent.parse::<i32>().is_err() || !mantissa.chars().all(|c| c.is_ascii_digit() || is_separator(c)) {
        return None;
    }
    if mantissa.contains(',') && !mantissa.contains(|c: char| is_separator(c) && c != ',') {
        let groups: Vec<&str> = mantissa.split(',').collect();
        let is_grouped = groups.len() > 2 && groups[1..].iter().all(|group| group.len() == 3);
        return match groups.len() {
            2 => Some(Oddity::Comma),
            _ => is_grouped.then_some(Oddity::Thousands),
        };
    }
    // Groups of three, the last of which may have decimals; `10.10.2020` and `1.2.3` are not numbers.
    let groups: Vec<&str> = mantissa.split(is_separator).collect();
    let has_decimals = mantissa.rfind(['.', ',']).is_some_and(|last| {
        let point = mantissa[last..].chars().next();
        mantissa[..last].contains(is_separator) && !mantissa[..last].contains(|c| Some(c) == point)
    });
    let whole = if has_decimals { &groups[..groups.len() - 1] } else { &groups[..] };
    let is_grouped = whole.len() > 1 && (1..=3).contains(&whole[0].len()) && whole[1..].iter().all(|g| g.len() == 3);
    is_grouped.then_some(Oddity::Thousands)
}

/// Whether a plain number starts with zeros that it would lose, as zip codes and phone numbers do.
pub fn is_padded(text: &str) -> bool {
    let digits = text.trim_start().trim_start_matches(['-', '+']).as_bytes();
    digits.len() > 1 && digits[0] == b'0' && digits[1].is_ascii_digit()
}

/// Whether a plain number has no decimal point and no exponent.
pub fn is_integer(text: &str) -> bool {
    !text.contains(['.', 'e', 'E'])
}

/// Whether a number that was read as zero has a digit other than zero.
pub fn is_lost(text: &str) -> bool {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    mantissa.contains(|c: char| c.is_ascii_digit() && c != '0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_plain_or_odd_and_everything_else_is_text() {
        for (text, number) in [("5", 5.0), (" +5 ", 5.0), (".5", 0.5), ("5.", 5.0), ("-0", -0.0), ("1e160", 1e160)] {
            assert_eq!(Notation::of(text), Notation::Plain(number), "{text}");
        }
        for (text, oddity) in [
            ("1,5", Oddity::Comma),
            ("1,000", Oddity::Comma),
            ("-3,75", Oddity::Comma),
            ("5%", Oddity::Percent),
            ("5,5 %", Oddity::Percent),
            ("€5", Oddity::Currency),
            ("-$1,000.50", Oddity::Currency),
            ("12 EUR", Oddity::Currency),
            ("1.234,50", Oddity::Thousands),
            ("1,234,567", Oddity::Thousands),
            ("1,234.5", Oddity::Thousands),
            ("1 000", Oddity::Thousands),
            ("1'000'000", Oddity::Thousands),
            ("1_000", Oddity::Thousands),
            ("1.000.000", Oddity::Thousands),
            ("0x1F", Oddity::Hexadecimal),
            ("inf", Oddity::NotFinite),
            ("-Infinity", Oddity::NotFinite),
            ("1e999", Oddity::NotFinite),
            ("(500)", Oddity::Negative),
            ("−5", Oddity::Negative),
            ("5-", Oddity::Negative),
        ] {
            assert_eq!(Notation::of(text), Notation::Odd(oddity), "{text}");
        }
        let texts =
            ["", "-", "a", "3+", "10.10.2020", "1.2.3", "2020-01-05", "08:30", "A12", "5 km", "1,2,3", "0x", "%", "€"];
        for text in texts {
            assert_eq!(Notation::of(text), Notation::Text, "{text}");
        }
    }

    #[test]
    fn padding_and_loss_are_noticed() {
        assert!(is_padded("01234") && is_padded("-007") && is_padded("00") && is_padded("00.5"));
        assert!(!is_padded("0") && !is_padded("0.5") && !is_padded("10"));
        assert!(is_lost("1e-400") && !is_lost("0e5") && !is_lost("0.000"));
    }
}
