//! Tables of texts: for terminal, page, Markdown and LaTeX, and as CSV in memory.

use crate::text::visible_line;
use comfy_table::{CellAlignment, Table, presets};

/// The bytes of a CSV table that was written to memory.
pub fn csv_bytes(writer: csv::Writer<Vec<u8>>) -> csv::Result<Vec<u8>> {
    writer.into_inner().map_err(|error| error.into_error().into())
}

/// A CSV table in memory; hidden characters are escaped.
pub fn csv_table<N: AsRef<str>, F: AsRef<str>>(
    header: impl IntoIterator<Item = N>,
    rows: impl IntoIterator<Item = impl IntoIterator<Item = F>>,
) -> csv::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for name in header {
        writer.write_field(&*visible_line(name.as_ref()))?;
    }
    writer.write_record(None::<&[u8]>)?;
    for row in rows {
        for field in row {
            writer.write_field(&*visible_line(field.as_ref()))?;
        }
        writer.write_record(None::<&[u8]>)?;
    }
    csv_bytes(writer)
}

/// A table that is built column by column, with a row for each item.
pub struct Columns<'a, T> {
    items: &'a [T],
    header: Vec<String>,
    /// By row; `None` for a missing value.
    rows: Vec<Vec<Option<String>>>,
    words: usize,
}

impl<'a, T> Columns<'a, T> {
    pub fn of(items: &'a [T]) -> Self {
        Columns { items, header: Vec::new(), rows: items.iter().map(|_| Vec::new()).collect(), words: 0 }
    }

    /// Adds a column of words. Columns of words come before columns of numbers.
    pub fn words(&mut self, name: &str, cell: impl Fn(&T) -> &str) {
        self.words += 1;
        self.add(name, self.items.iter().map(|item| Some(cell(item).to_string())));
    }

    /// Adds a column of words that are made for it.
    pub fn texts(&mut self, name: &str, cell: impl Fn(&T) -> String) {
        self.words += 1;
        self.add(name, self.items.iter().map(|item| Some(cell(item))));
    }

    /// Adds a column of numbers, which may be missing.
    pub fn numbers<V: ToString>(&mut self, name: &str, cell: impl Fn(&T) -> Option<V>) {
        self.add(name, self.items.iter().map(|item| Some(cell(item)?.to_string())));
    }

    fn add(&mut self, name: &str, cells: impl Iterator<Item = Option<String>>) {
        self.header.push(name.to_string());
        self.rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
    }

    /// A table with a hyphen for each missing value.
    pub fn table(self) -> TextTable {
        let shown = |row: Vec<Option<String>>| row.into_iter().map(|cell| cell.unwrap_or("-".into())).collect();
        TextTable { header: self.header, rows: self.rows.into_iter().map(shown).collect(), words: self.words }
    }

    /// A CSV table with an empty cell for each missing value.
    pub fn csv(self) -> csv::Result<Vec<u8>> {
        csv_table(self.header, self.rows.into_iter().map(|row| row.into_iter().map(Option::unwrap_or_default)))
    }
}

/// A table of texts: numbers are already formatted.
pub struct TextTable {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// How many columns at the left are words and not numbers.
    pub words: usize,
}

impl TextTable {
    pub fn terminal(&self) -> String {
        let shown = |cells: &Vec<String>| cells.iter().map(|cell| visible_line(cell).into_owned()).collect::<Vec<_>>();
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_header(shown(&self.header)).add_rows(self.rows.iter().map(shown));
        for (index, column) in table.column_iter_mut().enumerate() {
            let alignment = if index < self.words { CellAlignment::Left } else { CellAlignment::Right };
            column.set_cell_alignment(alignment);
        }
        table.lines().map(|line| line.trim_end().to_string()).collect::<Vec<_>>().join("\n")
    }

    /// Keeps these rows, and returns how many others there were.
    pub fn keep(&mut self, rows: &[usize]) -> usize {
        let all = self.rows.len();
        let mut index = 0..;
        self.rows.retain(|_| index.next().is_some_and(|index: usize| rows.contains(&index)));
        all - self.rows.len()
    }

    /// A GitHub table.
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let escape = |text: &String| escape_tags(&text.replace('|', "\\|"));
        let escaped = |cells: &Vec<String>| line(&cells.iter().map(escape).collect::<Vec<_>>());
        let rule = (0..self.header.len()).map(|index| if index < self.words { ":--" } else { "--:" }.to_string());
        let head = escaped(&self.header) + &line(&rule.collect::<Vec<_>>());
        head + &self.rows.iter().map(escaped).collect::<String>()
    }

    /// A booktabs table.
    pub fn latex(&self) -> String {
        let line = |cells: &Vec<String>| {
            let cells: Vec<String> = cells.iter().map(|cell| latex_escape(cell)).collect();
            format!("{} \\\\\n", cells.join(" & "))
        };
        let columns: String = (0..self.header.len()).map(|index| if index < self.words { 'l' } else { 'r' }).collect();
        format!(
            "% Needs \\usepackage{{booktabs}}. Too wide for your page? \\usepackage{{graphicx}} and \
             \\resizebox{{\\linewidth}}{{!}}{{\\input{{...}}}}\n\
             \\begin{{tabular}}{{{columns}}}\n\\toprule\n{}\\midrule\n{}\\bottomrule\n\\end{{tabular}}\n",
            line(&self.header),
            self.rows.iter().map(line).collect::<String>()
        )
    }
}

/// A text on a line of Markdown, which lets HTML through: hidden characters and what looks like a tag are escaped.
pub fn escape_tags(text: &str) -> String {
    let text = visible_line(text);
    let is_tag = |rest: &str| rest.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c));
    let mut parts = text.split('<');
    let mut escaped = parts.next().unwrap_or_default().to_string();
    for part in parts {
        escaped += if is_tag(part) { "&lt;" } else { "<" };
        escaped += part;
    }
    escaped
}

/// Escaped so that LaTeX prints the text with any font encoding.
fn latex_escape(text: &str) -> String {
    // A missing value; a single hyphen is hard to see.
    if text == "-" {
        return "--".to_string();
    }
    // A hyphen before a digit is a minus sign, unless it is inside a word.
    let is_minus = |index: usize| {
        let before = text[..index].chars().next_back();
        before.is_none_or(char::is_whitespace) && text[index + 1..].starts_with(|c: char| c.is_ascii_digit())
    };
    let escape = |(index, c): (usize, char)| match c {
        '-' if is_minus(index) => "$-$".to_string(),
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => format!("\\{c}"),
        '~' => "\\textasciitilde{}".to_string(),
        '^' => "\\textasciicircum{}".to_string(),
        '\\' => "\\textbackslash{}".to_string(),
        '<' => "\\textless{}".to_string(),
        '>' => "\\textgreater{}".to_string(),
        '|' => "\\textbar{}".to_string(),
        '×' => "$\\times$".to_string(),
        // Every LaTeX font has the rest of Latin-1; any other character would be an error.
        'Ð' | 'Þ' | 'ð' | 'þ' | '÷' => format!("[U+{:04X}]", u32::from(c)),
        ' '..='~' | 'À'..='ÿ' => c.to_string(),
        _ => format!("[U+{:04X}]", u32::from(c)),
    };
    text.char_indices().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latex_prints_what_the_table_says() {
        assert_eq!(latex_escape("double_pu 50% <0.0001"), "double\\_pu 50\\% \\textless{}0.0001");
        assert_eq!(latex_escape("-0.0267 to -0.0124"), "$-$0.0267 to $-$0.0124");
        assert_eq!(latex_escape("-"), "--");
        assert_eq!(latex_escape("lift-10 größer ×2"), "lift-10 größer $\\times$2");
        assert_eq!(latex_escape("\u{1f600}þ\\"), "[U+1F600][U+00FE]\\textbackslash{}");
    }

    #[test]
    fn markdown_keeps_its_columns() {
        let header = vec!["a|b".to_string(), "n".to_string()];
        let table = TextTable { header, rows: vec![vec!["x|y".into(), "1".into()]], words: 1 };
        assert_eq!(escape_tags("<b>x</b> <0.0001"), "&lt;b>x&lt;/b> <0.0001");
        assert_eq!(table.markdown(), "| a\\|b | n |\n| :-- | --: |\n| x\\|y | 1 |\n");
    }

    #[test]
    fn no_table_carries_a_character_that_hides_or_reorders_text() {
        let odd = "a\u{202e}b\u{2028}c\nd".to_string();
        let shown = "a\\u202eb\\u2028c\\u000ad";
        let table = TextTable { header: vec![odd.clone()], rows: vec![vec![odd.clone()]], words: 1 };
        assert_eq!(table.terminal(), format!(" {shown}\n {shown}"));
        assert_eq!(table.markdown(), format!("| {shown} |\n| :-- |\n| {shown} |\n"));
        let csv = csv_table([&odd], [vec![&odd]]).unwrap();
        assert_eq!(String::from_utf8(csv).unwrap(), format!("{shown}\n{shown}\n"));
        assert!(!table.latex().contains(['\u{202e}', '\u{2028}']));
    }
}
