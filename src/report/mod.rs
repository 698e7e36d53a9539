//! From stored rows to what people read: tables, plots and a page. Nothing is fitted here.

mod comparison;
mod page;
mod paper;
pub mod plot;
mod results;
mod rows;
mod table;
mod text_table;
mod write;

pub use comparison::{Comparisons, paired_difference, verdict};
pub use page::page;
pub use paper::verdicts;
pub use results::{Line, Results};
pub use rows::{cell_columns, cell_row, cells_csv, history_csv, scatter_csv, timings_csv};
pub use table::{latex, markdown, summary_csv, terminal};
pub use text_table::TextTable;
pub use write::{ReportError, is_written, write};
