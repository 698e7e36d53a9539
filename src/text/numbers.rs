//! Numbers in tables and sentences.

/// The shortest digits that parse to the same bits; empty for a missing value.
pub fn exact(value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// A difference with its sign and four decimals; one that rounds to zero has no sign.
pub fn signed(difference: f64) -> String {
    let text = format!("{difference:+.4}");
    if text[1..] == *"0.0000" { text[1..].to_string() } else { text }
}

pub fn interval((low, high): (f64, f64)) -> String {
    format!("{low:.4} to {high:.4}")
}

/// A p-value in a table.
pub fn p_value(p: f64) -> String {
    if p < 0.0001 { "<0.0001".to_string() } else { format!("{p:.4}") }
}

/// A p-value in a sentence.
pub fn p_phrase(p: f64) -> String {
    if p < 0.0001 { "p < 0.0001".to_string() } else { format!("p = {p:.4}") }
}
