//! How words, numbers and tables are written, for all rooms.

mod csv_name;
mod numbers;
mod table;
mod visible;
mod words;

pub use csv_name::{csv_name, formula_free, name_of_csv, name_of_formula_free};
pub use numbers::{exact, interval, p_phrase, p_value, signed};
pub use table::{Columns, TextTable, csv_bytes, csv_table, escape_tags};
pub use visible::{presentable, visible, visible_line};
pub use words::{alike, counted, interned, nearest, quoted};
