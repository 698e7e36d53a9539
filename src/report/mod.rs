//! From findings to what people read: tables, plots and a page. Nothing is fitted or tested here.

mod answer;
mod comparison;
mod json;
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
pub use json::summary_json;
pub use notes::failure_sentence;
pub use rows::cells_csv;
pub use scatter::stored_scatters;
pub use terminal::paragraphs;
pub use write::{ReportError, is_written, make, write};
