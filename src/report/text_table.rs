//! A table of texts, laid out for whoever reads it.

use comfy_table::{CellAlignment, Table, presets};

/// What terminal, page, Markdown and LaTeX share.
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
        let escape = |text: &String| text.replace('|', "\\|");
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
        let mut text = format!("% Needs \\usepackage{{booktabs}}.\n\\begin{{tabular}}{{{columns}}}\n\\toprule\n");
        text.push_str(&line(&self.header));
        text.push_str("\\midrule\n");
        self.rows.iter().for_each(|row| text.push_str(&line(row)));
        text.push_str("\\bottomrule\n\\end{tabular}\n");
        text
    }
}

fn latex_escape(text: &str) -> String {
    let escape = |c: char| match c {
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => format!("\\{c}"),
        '~' => "\\textasciitilde{}".to_string(),
        '^' => "\\textasciicircum{}".to_string(),
        '\\' => "\\textbackslash{}".to_string(),
        '×' => "$\\times$".to_string(),
        _ => c.to_string(),
    };
    text.chars().map(escape).collect()
}
