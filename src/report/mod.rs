//! From findings to what people read: tables, plots and a page. Nothing is fitted or tested here.

mod answer;
mod cells;
mod comparison;
mod json;
mod keys;
mod notes;
mod page;
mod paper;
mod plot;
mod ranks;
mod rows;
mod scatter;
mod table;
mod terminal;
mod write;

pub use answer::{Answer, answers};
pub use cells::{cells_csv, cells_parquet};
pub use json::summary_json;
pub use notes::failure_sentence;
pub use scatter::stored_scatters;
pub use terminal::paragraphs;
pub use write::{ReportError, is_written, make, write};
