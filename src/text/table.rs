//! A table of texts, laid out for terminal, page, Markdown and LaTeX; and CSV tables in memory.

use comfy_table::{CellAlignment, Table, presets};

/// The bytes of a CSV table that was written to memory.
pub fn csv_bytes(writer: csv::Writer<Vec<u8>>) -> csv::Result<Vec<u8>> {
    writer.into_inner().map_err(|error| error.into_error().into())
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
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_header(&self.header).add_rows(&self.rows);
        for (index, column) in table.column_iter_mut().enumerate() {
            let alignment = if index < self.words { CellAlignment::Left } else { CellAlignment::Right };
            column.set_cell_alignment(alignment);
        }
        table.lines().map(|line| line.trim_end().to_string()).collect::<Vec<_>>().join("\n")
    }

    /// A GitHub table.
    pub fn markdown(&self) -> String {
        let escape = |text: &String| escape_tags(&text.replace('|', "\\|"));
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let rule = (0..self.header.len()).map(|index| if index < self.words { ":--" } else { "--:" }.to_string());
        let mut text = line(self.header.iter().map(escape).collect());
        text.push_str(&line(rule.collect()));
        for row in &self.rows {
            text.push_str(&line(row.iter().map(escape).collect()));
        }
        text
    }

    /// A booktabs table.
    pub fn latex(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| latex_escape(cell)).collect();
            format!("{} \\\\\n", cells.join(" & "))
        };
        let columns: String = (0..self.header.len()).map(|index| if index < self.words { 'l' } else { 'r' }).collect();
        let mut text = "% Needs \\usepackage{booktabs}. Too wide for your page? \\usepackage{graphicx} and \
                        \\resizebox{\\linewidth}{!}{\\input{...}}\n"
            .to_string();
        text.push_str(&format!("\\begin{{tabular}}{{{columns}}}\n\\toprule\n"));
        text.push_str(&line(&self.header));
        text.push_str("\\midrule\n");
        self.rows.iter().for_each(|row| text.push_str(&line(row)));
        text.push_str("\\bottomrule\n\\end{tabular}\n");
        text
    }
}

/// Markdown lets HTML through; a name that looks like a tag is none.
pub fn escape_tags(text: &str) -> String {
    let is_tag = |rest: &str| rest.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c));
    let mut parts = text.split('<');
    let mut escaped = parts.next().unwrap_or_default().to_string();
    for part in parts {
        escaped += if is_tag(part) { "&lt;" } else { "<" };
        escaped += part;
    }
    escaped
}

/// As LaTeX prints it with any font encoding.
fn latex_escape(text: &str) -> String {
    // What is missing; a single hyphen is too short to be seen.
    if text == "-" {
        return "--".to_string();
    }
    // A hyphen before a digit is a minus sign, unless it stands inside of a word.
    let is_minus = |place: usize| {
        let before = text[..place].chars().next_back();
        before.is_none_or(char::is_whitespace) && text[place + 1..].starts_with(|c: char| c.is_ascii_digit())
    };
    let escape = |(place, c): (usize, char)| match c {
        '-' if is_minus(place) => "$-$".to_string(),
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => format!("\\{c}"),
        '~' => "\\textasciitilde{}".to_string(),
        '^' => "\\textasciicircum{}".to_string(),
        '\\' => "\\textbackslash{}".to_string(),
        '<' => "\\textless{}".to_string(),
        '>' => "\\textgreater{}".to_string(),
        '|' => "\\textbar{}".to_string(),
        '×' => "$\\times$".to_string(),
        // What every font of LaTeX's has; anything else would stop it.
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
}
