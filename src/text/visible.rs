//! Texts that others wrote, safe to show: specs, data, paths and stored runs may hold characters that a terminal executes,
//! or that change how the text around them is read.

use std::borrow::Cow;

/// Whether a character is a control character, a line or paragraph separator, invisible, or reorders the text around it.
/// The two joiners U+200C and U+200D are not among them: Persian words and emoji need them.
fn is_hidden(c: char) -> bool {
    let is_format = matches!(
        c,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    );
    c.is_control() || is_format
}

/// The text with `\u202e` in place of a hidden character; line breaks and tabs stay. Within a JSON string, the escape stands
/// for the same character.
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_hidden(c) && !matches!(c, '\n' | '\t'))
}

/// The same on one line: line breaks and tabs are escaped as well.
pub fn visible_line(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden)
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    // Nearly all texts are printable ASCII.
    let is_plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    if is_plain || !text.chars().any(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_escaped(c) {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| shown += &format!("\\u{unit:04x}"));
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// A text for a message: visible, and at most about 1000 characters.
pub fn presentable(text: &str) -> String {
    const MOST: usize = 1000;
    let count = text.chars().count();
    if count <= MOST {
        return visible(text).into_owned();
    }
    let ends = text.chars().take(MOST / 2).chain(" ... ".chars()).chain(text.chars().skip(count - MOST / 2));
    visible(&ends.collect::<String>()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_neither_go_on_for_ever_nor_command_the_terminal() {
        assert_eq!(presentable("größer\n\u{1b}[31m\0"), "größer\n\\u001b[31m\\u0000");
        let long = presentable(&format!("a{}z", "ß".repeat(100_000)));
        assert_eq!(long.chars().count(), 1005);
        assert!(long.starts_with("aß") && long.contains("ß ... ß") && long.ends_with("ßz"));
    }

    #[test]
    fn what_reorders_or_hides_text_is_escaped_and_scripts_are_not() {
        for hidden in ['\u{202e}', '\u{2066}', '\u{2028}', '\u{2029}', '\u{85}', '\u{feff}', '\u{200b}', '\u{9b}'] {
            assert_eq!(visible(&format!("a{hidden}b")), format!("a\\u{:04x}b", u32::from(hidden)));
        }
        assert_eq!(visible("\u{e0041}"), "\\udb40\\udc41");
        for shown in ["größer", "日本語", "עברית", "می\u{200c}خواهم", "👩\u{200d}💻", "a\tb\n", "×0.5"]
        {
            assert_eq!(visible(shown), shown);
        }
        assert_eq!(visible_line("a\tb\nc"), "a\\u0009b\\u000ac");
    }

    #[test]
    fn an_escape_within_json_is_the_same_character() {
        for text in ["a\u{202e}b\u{7f}", "\u{e0041}\u{2028}\n"] {
            let json = serde_json::to_string_pretty(&[text]).unwrap();
            let shown = visible(&json);
            assert_ne!(shown, json);
            assert_eq!(serde_json::from_str::<Vec<String>>(&shown).unwrap(), [text]);
        }
    }
}
