//! From stored rows to what people read: tables, plots and a page. Nothing is fitted here.

mod answer;
mod comparison;
mod findings;
mod json;
mod page;
mod paired;
mod paper;
pub mod plot;
mod ranks;
mod results;
mod rows;
mod scatter;
mod table;
mod text_table;
mod write;

pub use answer::{Answer, answers};
pub use comparison::{Comparisons, p_text, signed};
pub use findings::Findings;
pub use json::summary_json;
pub use paired::{paired_difference, verdict};
pub use paper::{Readings, Verdict};
pub use ranks::Ranks;
pub use results::{FailureGroup, Line, Results};
pub use rows::{cell_columns, cell_row, cells_csv};
pub use scatter::stored_scatters;
pub use table::{interval_text, terminal};
pub use text_table::{TextTable, escape_tags};
pub use write::{ReportError, is_written, write};
