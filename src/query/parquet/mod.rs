//! Exchanges as a Parquet file: a row an exchange, a column a member of the JSON contract.
//!
//! What comes in are exchanges; what goes out are the bytes of a file. Threads make [`ParquetRows`]
//! of a few exchanges each, all by the same [`ParquetColumns`]; one [`ParquetFile`] gathers them
//! into row groups and writes these one by one, so that memory does not grow with their number.
//!
//! Invariant: a cell holds what `list --json` has for this member, null where that is null. Only
//! times are numbers here that are texts there.

mod columns;
mod file;
mod leaf;
mod rows;
mod shape;

pub use columns::ParquetColumns;
pub use file::ParquetFile;
pub use rows::ParquetRows;
