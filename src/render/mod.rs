//! What people and programs read: object trees, hex grids, JSON.
//!
//! What comes in is a [`Tree`](crate::tree::Tree) or a list; what goes out is text into any
//! `fmt::Write` or `io::Write`. Text from the wire passes through [`escape`] before it is shown, so
//! that no byte of a capture can steer a terminal. Nothing here decodes.

mod batches;
mod check;
mod columns;
mod escape;
mod escape_json;
mod exchange;
mod exchange_cells;
mod exchange_json;
mod exchange_problems;
mod exchange_table;
mod grid;
mod json;
mod json_records;
mod json_tree;
mod json_value;
mod message;
mod notes;
mod object_tree;
mod page;
mod palette;
mod problems;
pub mod provenance;
mod state;
mod stats;

pub use batches::{batch_head, batch_json, batch_row};
pub use check::{finding_json, findings_summary, findings_text};
pub use columns::{Columns, Cut, Wording, columns, range};
pub use escape::{escape, escape_str};
pub use escape_json::write_json;
pub use exchange::{ExchangeRow, latency_text, time_of_day};
pub use exchange_json::{ExchangeField, ExchangeJson, json_hosts, push_json, push_name};
pub use exchange_problems::exchange_problems;
pub use exchange_table::ExchangeTable;
pub use grid::{BYTES_PER_ROW, LOST, ascii, grid, label_width, sections};
pub use json::{Head, JsonLine, json_message, json_problems, place};
pub use json_value::hex;
pub use message::{Parts, message};
pub use notes::{ErrorNote, error_notes, notes};
pub use object_tree::object_tree;
pub use page::{Page, page, schema_text};
pub use palette::{LEGEND, Palette, legend};
pub use problems::problems;
pub use stats::{
    Extent, Marks, group_json, group_text, row_json, stats_text, total_json, transactions_json,
    transactions_text,
};
