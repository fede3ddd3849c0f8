//! A table with types: exchanges as rows of a Parquet file.

use super::target::Target;
use crate::{
    cli::spread::spread,
    query::{ParquetColumns, ParquetFile, ParquetRows},
    session::Session,
};

/// Rows that a thread makes at a time.
const PART: usize = 2_000;

/// The same where messages are decoded for the columns: one may be of megabytes.
const DECODED_PART: usize = 8;

/// Writes the exchanges of these numbers, in this order.
pub(super) fn write(
    columns: &ParquetColumns,
    session: &Session,
    numbers: &[usize],
    mut target: Target<'_>,
) -> anyhow::Result<()> {
    let index = session.index();
    let index = &*index;
    let parts: Vec<&[usize]> = match columns.decodes() {
        true => numbers.chunks(DECODED_PART).collect(),
        false => numbers.chunks(PART).collect(),
    };
    let make = |(): &mut (), part: usize, rows: &mut ParquetRows| {
        let numbers = parts.get(part).copied().unwrap_or_default();
        for exchange in numbers.iter().filter_map(|&n| index.exchange(n)) {
            rows.push(session, index, &exchange);
        }
    };
    let mut file = ParquetFile::new(&mut target, columns)?;
    spread(
        parts.len(),
        || (),
        || columns.rows(),
        make,
        |rows| file.append(rows),
    )?;
    file.finish()?;
    target.finish()
}
