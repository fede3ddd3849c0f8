//! Choosing exchanges and what to show of them: filters, columns, order.
//!
//! What comes in are texts that people type (an expression in CEL, names of columns) and the index
//! of a session; what goes out are answers to whether an exchange is wanted, numbers of exchanges in
//! the order that was asked for, and lines of the chosen columns. All names are those of the JSON
//! contract, with the fields of messages under `body`; docs/FILTER.md tells of them.
//!
//! Invariant: a text that can never work is a [`Mistake`] before anything is read. Afterwards
//! nothing fails: what a message lacks makes an expression false and leaves a cell empty. Messages
//! are decoded only where the answer hangs on what is in them.

mod cells;
mod check;
mod column;
mod constants;
mod csv;
mod doubt;
mod filter;
mod functions;
mod line;
mod literal;
mod message;
mod mistake;
mod occurring;
mod parquet;
mod path;
mod places;
mod row;
mod selection;
mod sort;
mod table;
mod ty;
mod value;

pub use cells::ColumnCells;
pub use column::{Column, column_names, columns};
pub use csv::ColumnCsv;
pub use filter::Filter;
pub use line::ColumnLine;
pub use literal::{narrowed, text_literal, time_literal};
pub use mistake::Mistake;
pub use occurring::{Occurrences, Occurring};
pub use parquet::{ParquetColumns, ParquetFile, ParquetRows};
pub use path::paths_from;
pub use selection::Selection;
pub use sort::{Keyed, Sort};
pub use table::ColumnTable;
pub use ty::filter_names;
