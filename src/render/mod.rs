//! What people and programs read: object trees, hex grids, JSON.
//!
//! What comes in is a [`Tree`](crate::tree::Tree) or a list; what goes out is text into any
//! `fmt::Write` or `io::Write`. Text from the wire passes through [`escape`] before it is shown, so
//! that no byte of a capture can steer a terminal. Nothing here decodes.

mod api_facts;
mod backward;
mod batches;
mod check;
mod columns;
mod comparison;
mod definition_text;
mod escape;
mod escape_json;
mod exchange;
mod exchange_cells;
mod exchange_field;
mod exchange_json;
mod exchange_problems;
mod exchange_table;
mod grid;
pub mod html;
mod json;
mod json_number;
mod json_records;
mod json_tree;
mod json_value;
mod kept;
pub mod markdown;
mod message;
mod notation;
mod notes;
mod object_tree;
mod page;
mod palette;
mod problems;
pub mod provenance;
mod quote;
mod runs;
mod sample;
mod sheet;
mod state;
mod stats;
pub mod svg;
mod version_diff;
mod width;
mod wire;
mod wire_diagram;
mod wrap;

pub use api_facts::{api_purpose, related_errors, version_fact, version_history};
pub use batches::{batch_head, batch_json, batch_row};
pub use check::{finding_json, findings_summary, findings_text};
pub use columns::{Columns, Cut, Wording, columns, range};
pub use comparison::{
    changes_text, differences_text, encoding_changes, encoding_text, facts_text, places_text,
};
pub use definition_text::definition_text;
pub use escape::{escape, escape_sentence, escape_str, escape_typed};
pub use escape_json::write_json;
pub use exchange::{ExchangeRow, date, error_text, latency_text, time_of_day};
pub use exchange_cells::ERROR_WORDS;
pub use exchange_field::{
    DecidedBy, ExchangeField, FieldType, FieldValue, Fields, PROBLEM, Standing, USUAL_COLUMNS,
};
pub use exchange_json::{ExchangeJson, push_json, push_name};
pub use exchange_problems::exchange_problems;
pub use exchange_table::ExchangeTable;
pub use grid::{BYTES_PER_ROW, LOST, ascii, grid, label_width, sections};
pub use json::{Head, JsonLine, json_message, json_problems, place};
pub use json_value::hex;
pub use message::{Parts, message};
pub use notation::{notations, schema_notation, value_notation};
pub use notes::{ErrorNote, error_notes, notes};
pub use object_tree::object_tree;
pub use page::{layout, layout_facts, layout_intro, schema_text};
pub use palette::{LEGEND, Palette, legend};
pub use problems::problems;
pub use quote::{Markup, csv_text};
pub use sample::{framed_tree, smallest_frame, smallest_tree};
pub use sheet::{Fact, Sheet, exchange_facts, exchange_title, message_facts};
pub use stats::{
    Extent, Marks, Room, StatsLine, encrypted_json, encrypted_text, group_json, group_text,
    row_json, segment_json, segment_text, stats_lines, stats_text, total_json, transactions_json,
    transactions_text,
};
pub use version_diff::{Sides, VersionDiff, VersionDiffPart};
pub use width::cut_to_width;
pub use wire::wire;
pub use wire_diagram::{WireDiagram, WireField, WireGroup};
pub use wrap::wrap;
