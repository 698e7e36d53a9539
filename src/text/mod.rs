//! How words, numbers and tables are written, for all rooms.

mod numbers;
mod table;
mod words;

pub use numbers::{exact, interval, p_phrase, p_value, signed};
pub use table::{Columns, TextTable, csv_bytes, csv_table, escape_tags};
pub use words::{counted, interned, nearest, presentable, quoted};
